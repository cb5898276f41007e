/** What people ask an assistant to do in their apps. */
import { get, type Json, type JsonObject } from '../../world/json';
import type { Rng } from '../../world/rng';
import type { Action, Check, State } from '../../world/types';
import { word } from '../kit/ids';
import { record, records, type Seeded, type TaskPlan, type TaskTemplate } from '../kit/types';
import { num, text } from '../kit/read';
import { tokensOf } from './accounts';
import { noteText } from './generate';
import { notesOf } from './notes';
import { GROUPS, NOTES } from './words';

/** One thing to do for a user who is logged in: words, a look, the calls without their token, and what holds after them. */
interface Goal {
  text: string;
  look: Call;
  actions: Call[];
  checks: Check[];
}
type Call = [tool: string, args?: JsonObject];
type MakeGoal = (rng: Rng, state: State, user: string) => Goal | null;

const is = (path: string, value: string | number | boolean): Check => ({ path, op: '==', value });
const absent = (path: string): Check => ({ path, op: 'absent' });
const balanceOf = (state: State, user: string) => num(record(state, 'accounts', user)?.balance);
const contactsOf = (state: State, user: string) => Object.entries(record(state, 'contacts', user) ?? {});
const has = (state: State, ...collections: string[]) => collections.every((name) => get(state, name) !== undefined);

/** One of a list, or nothing of an empty one. */
function some<T>(rng: Rng, list: readonly T[]): T | undefined {
  return list.length === 0 ? undefined : rng.pick(list);
}

/** Balances after payments of one user. */
function paid(state: State, payer: string, payments: readonly { user: string; amount: number }[]): Check[] {
  const total = payments.reduce((sum, { amount }) => sum + amount, 0);
  const gets = new Map<string, number>();
  for (const { user, amount } of payments) gets.set(user, (gets.get(user) ?? 0) + amount);
  return [
    is(`/accounts/${payer}/balance`, balanceOf(state, payer) - total),
    ...[...gets].map(([user, amount]) => is(`/accounts/${user}/balance`, balanceOf(state, user) + amount)),
  ];
}

const pay: MakeGoal = (rng, state, payer) => {
  const user = some(
    rng,
    Object.keys(records(state, 'accounts')).filter((name) => name !== payer),
  );
  if (!has(state, 'contacts') || user === undefined) return null;
  const amount = rng.int(2, 25);
  const checks = paid(state, payer, [{ user, amount }]);
  const look: Call = rng.pick([['balance'], ['contacts']] as const);
  return { text: `pay ${user} ${amount}`, look: [...look], actions: [['pay', { user, amount }]], checks };
};

const payGroup: MakeGoal = (rng, state, payer) => {
  const group = rng.pick(GROUPS);
  const users = contactsOf(state, payer).filter(([, value]) => value === group);
  if (!has(state, 'contacts') || users.length === 0) return null;
  const amount = rng.int(2, 15);
  const payments = users.map(([user]) => ({ user, amount }));
  return {
    text: `pay ${amount} to each ${group} contact`,
    look: ['contacts'],
    actions: payments.map((payment) => ['pay', payment]),
    checks: paid(state, payer, payments),
  };
};

/** Requests that ask something of a user. */
function asked(state: State, payer: string): { id: string; asker: string; amount: number }[] {
  return Object.entries(records(state, 'requests'))
    .filter(([, request]) => request.payer === payer)
    .map(([id, { asker, amount }]) => ({ id, asker: text(asker), amount: num(amount) }));
}

/** Requests accepted: each is gone, and its asker is paid. */
function accepting(state: State, payer: string, chosen: ReturnType<typeof asked>, words: string): Goal {
  const payments = chosen.map(({ asker, amount }) => ({ user: asker, amount }));
  return {
    text: words,
    look: ['requests'],
    actions: chosen.map(({ id }) => ['accept', { id }]),
    checks: [...chosen.map(({ id }) => absent(`/requests/${id}`)), ...paid(state, payer, payments)],
  };
}

const accept: MakeGoal = (rng, state, payer) => {
  const all = asked(state, payer);
  const one = some(rng, all);
  if (!one || all.filter(({ asker }) => asker === one.asker).length > 1) return null;
  return accepting(state, payer, [one], `accept what ${one.asker} asks`);
};

const acceptSmall: MakeGoal = (rng, state, payer) => {
  const all = asked(state, payer);
  const max = rng.int(2, 8) * 5;
  const small = all.filter(({ amount }) => amount <= max);
  return small.length === 0 ? null : accepting(state, payer, small, `accept all requests up to ${max}`);
};

/** Likes for songs; those that are liked already stay so. */
function liking(state: State, user: string, songs: readonly string[], words: string, look: Call): Goal | null {
  const open = songs.filter((id) => record(state, 'likes', user)?.[id] === undefined);
  if (open.length === 0) return null;
  const actions = open.map((song): Call => ['like', { song }]);
  return { text: words, look, actions, checks: songs.map((id) => is(`/likes/${user}/${id}`, true)) };
}

const like: MakeGoal = (rng, state, user) => {
  const song = some(rng, Object.entries(records(state, 'songs')));
  return song ? liking(state, user, [song[0]], `like ${text(song[1].title)}`, ['songs']) : null;
};

const likeArtist: MakeGoal = (rng, state, user) => {
  const songs = Object.entries(records(state, 'songs'));
  const artist = some(
    rng,
    songs.map(([, song]) => text(song.artist)),
  );
  if (artist === undefined) return null;
  const own = songs.filter(([, song]) => song.artist === artist).map(([id]) => id);
  const words = own.length > 1 ? `like all songs of ${artist}` : `like the song of ${artist}`;
  return liking(state, user, own, words, ['songs', { artist }]);
};

/** The most or the least played of all songs, when there is one. */
const likeTop: MakeGoal = (rng, state, user) => {
  const most = rng.chance(0.5);
  const value = (song: JsonObject) => (most ? num(song.plays) : -num(song.plays));
  const [best, second] = Object.entries(records(state, 'songs')).sort(([, a], [, b]) => value(b) - value(a));
  if (!best || (second && value(best[1]) === value(second[1]))) return null;
  return liking(state, user, [best[0]], `like the ${most ? 'most' : 'least'} played song`, ['songs']);
};

const unlike: MakeGoal = (rng, state, user) => {
  const song = some(rng, Object.keys(record(state, 'likes', user) ?? {}));
  const title = record(state, 'songs', song)?.title;
  if (song === undefined || title === undefined) return null;
  return {
    text: `take back the like of ${text(title)}`,
    look: ['songs'],
    actions: [['unlike', { song }]],
    checks: [absent(`/likes/${user}/${song}`)],
  };
};

/** A note that says this, in place of one of that title. */
function writing(state: State, owner: string, title: string, line: Json, words: string, look: Call): Goal {
  const own = Object.entries(notesOf(state, owner)).find(([, note]) => note.title === title);
  const path = `/notes/${own?.[0] ?? text(get(state, 'next_note'))}`;
  return {
    text: words,
    look,
    actions: [['write_note', { title, text: String(line) }]],
    checks: [is(`${path}/owner`, owner), is(`${path}/title`, title), is(`${path}/text`, String(line))],
  };
}

const write: MakeGoal = (rng, state, owner) => {
  if (!has(state, 'notes')) return null;
  const line = noteText(rng);
  const old = some(rng, Object.values(notesOf(state, owner)));
  const title = old && rng.chance(0.4) ? text(old.title) : word(rng, NOTES, 0.4);
  return writing(state, owner, title, line, `write "${line}" in the note ${title}`, ['notes']);
};

const erase: MakeGoal = (rng, state, owner) => {
  const note = some(rng, Object.entries(notesOf(state, owner)));
  if (!note) return null;
  const [id, { title }] = note;
  return {
    text: `delete the note ${text(title)}`,
    look: ['notes'],
    actions: [['delete_note', { id }]],
    checks: [absent(`/notes/${id}`)],
  };
};

/** From one app to another: what is owed, or who sings, goes into a note. */
const noteDown: MakeGoal = (rng, state, owner) => {
  if (!has(state, 'notes')) return null;
  const title = word(rng, NOTES, 0.4);
  const note = (line: Json, what: string, look: Call) =>
    writing(state, owner, title, line, `write ${what} in the note ${title}`, look);
  if (has(state, 'songs')) {
    const [best, second] = Object.values(records(state, 'songs')).sort((a, b) => num(b.plays) - num(a.plays));
    if (!best || num(best.plays) === num(second?.plays)) return null;
    return note(text(best.title), 'the title of the most played song', ['songs']);
  }
  if (record(state, 'accounts', owner)?.balance === undefined) return null;
  const sum = asked(state, owner).reduce((total, { amount }) => total + amount, 0);
  if (sum > 0 && rng.chance(0.5)) return note(sum, 'what others ask of me in all', ['requests']);
  return note(balanceOf(state, owner), 'my balance', ['balance']);
};

const addContact: MakeGoal = (rng, state, owner) => {
  const user = some(
    rng,
    Object.keys(records(state, 'accounts')).filter((name) => name !== owner),
  );
  if (!has(state, 'contacts') || user === undefined) return null;
  const known = contactsOf(state, owner).find(([name]) => name === user);
  const group = rng.pick(GROUPS.filter((name) => name !== known?.[1]));
  return {
    text: known ? `move ${user} to the group ${group}` : `add ${user} to my contacts as ${group}`,
    look: ['contacts'],
    actions: [['set_contact', { user, group }]],
    checks: [is(`/contacts/${owner}/${user}`, group)],
  };
};

const dropContact: MakeGoal = (rng, state, owner) => {
  const contact = some(rng, contactsOf(state, owner));
  if (!contact) return null;
  return {
    text: `remove ${contact[0]} from my contacts`,
    look: ['contacts'],
    actions: [['remove_contact', { user: contact[0] }]],
    checks: [absent(`/contacts/${owner}/${contact[0]}`)],
  };
};

const GOALS = {
  pay,
  payGroup,
  accept,
  acceptSmall,
  like,
  likeArtist,
  likeTop,
  unlike,
  write,
  erase,
  noteDown,
  addContact,
  dropContact,
} as const;

/** Goals of which one from each list goes into a task of two, so that neither undoes the other. */
const FIRST: readonly MakeGoal[] = [pay, accept, likeArtist, likeTop, unlike];
const SECOND: readonly MakeGoal[] = [write, erase, addContact, dropContact, like];

/** The first of these goals, in random order, that there is something to do for. */
function possible(rng: Rng, list: readonly MakeGoal[], state: State, user: string): Goal | null {
  for (const make of rng.shuffle(list)) {
    const goal = make(rng, state, user);
    if (goal) return goal;
  }
  return null;
}

/** Logs in unless a token is at hand, then does what was asked. */
function taskOf(rng: Rng, { state }: Seeded, make: (user: string) => (Goal | null)[]): TaskPlan | null {
  const accounts = records(state, 'accounts');
  // The first user for whom there is something to do.
  for (const user of rng.shuffle(Object.keys(accounts))) {
    const goals = make(user);
    if (goals.every((goal) => goal !== null)) return spoken(rng, state, user, goals);
  }
  return null;
}

function spoken(rng: Rng, state: State, user: string, all: readonly Goal[]): TaskPlan {
  const open = Object.entries(tokensOf(state)).find(([, owner]) => owner === user)?.[0];
  const password = text(record(state, 'accounts', user)?.password);
  const known = open !== undefined && rng.chance(0.7);
  const token = known ? open : text(get(state, 'next_token'));
  const signed = ([tool, args = {}]: Call): Action => ({ tool, args: { token, ...args } });
  const login: Action = { tool: 'login', args: { user, password } };
  return {
    instruction: `I am ${user}, ${known ? 'token' : 'password'} ${known ? open : password}: ${all.map((goal) => goal.text).join(' and ')}.`,
    plan: [
      ...(known ? [] : [login]),
      ...all.flatMap(({ look, actions }) => [...(rng.chance(0.6) ? [look] : []), ...actions].map(signed)),
    ],
    checks: all.flatMap((goal) => goal.checks),
  };
}

export const TASKS: { readonly [name: string]: TaskTemplate } = {
  ...Object.fromEntries(
    Object.entries(GOALS).map(([name, make]): [string, TaskTemplate] => [
      name,
      (rng, world) => taskOf(rng, world, (user) => [make(rng, world.state, user)]),
    ]),
  ),
  two: (rng, world) =>
    taskOf(rng, world, (user) => [FIRST, SECOND].map((list) => possible(rng, list, world.state, user))),
};
