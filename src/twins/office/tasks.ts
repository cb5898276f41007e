/** What people ask for in an office: mostly by names, so that ids have to be found out first. */
import type { JsonObject } from '../../world/json';
import type { Rng } from '../../world/rng';
import type { Action, State } from '../../world/types';
import { word } from '../kit/ids';
import { records, type Seeded, type TaskPlan, type TaskTemplate } from '../kit/types';
import { eventsOn, overlap } from './calendar';
import { LEVELS, sharesOf } from './docs';
import { count, ME } from './parts';
import { read, type Request } from './requests';
import type { AppName, Office } from './spec';
import { REPLIES } from './words';

type Template = (rng: Rng, world: Seeded, office: Office) => TaskPlan | null;

const find = (name: string): Action => ({ tool: 'find_person', args: { name } });
const nameOf = (state: State, key: JsonObject[string] | undefined) =>
  key === ME ? ME : String(records(state, 'people')[String(key)]?.name);

/** A look that a thoughtful agent takes in half of the cases. */
const maybe = (rng: Rng, ...looks: Action[]): Action[] => (rng.chance(0.5) ? looks : []);

function somebody(rng: Rng, state: State): { key: string; name: string } {
  const key = rng.pick(Object.keys(records(state, 'people')));
  return { key, name: nameOf(state, key) };
}

const meet: Template = (rng, { state }, { days, rooms }) => {
  const { key, name } = somebody(rng, state);
  const [day, from, hours, room] = [rng.pick(days), rng.int(8, 16), rng.int(1, 3), rng.pick(rooms)];
  return {
    instruction: `Meet ${name} on ${day} at ${from} for ${count(hours, 'hour')} in ${room}.`,
    plan: [
      find(name),
      ...maybe(rng, { tool: 'list_events', args: { day } }),
      { tool: 'add_event', args: { day, from, hours, room, with: key } },
    ],
  };
};

/** An event that its person and day single out. */
function someEvent(rng: Rng, state: State): { key: string; event: JsonObject; words: string } | null {
  const [key, event] = rng.pick(Object.entries(records(state, 'events')));
  const alike = eventsOn(state, event.day).filter(([, item]) => item.with === event.with);
  return alike.length > 1 ? null : { key, event, words: `with ${nameOf(state, event.with)} on ${String(event.day)}` };
}

const move: Template = (rng, { state }, { days }) => {
  const chosen = someEvent(rng, state);
  if (!chosen) return null;
  const { key, event, words } = chosen;
  const [day, from] = [rng.pick(days), rng.int(8, 16)];
  if (day === event.day && from === event.from) return null;
  return {
    instruction: `Move the event ${words} to ${day === event.day ? '' : `${day} at `}${from}.`,
    plan: [
      find(nameOf(state, event.with)),
      { tool: 'list_events', args: { day: event.day ?? '' } },
      { tool: 'move_event', args: { id: key, day, from } },
    ],
  };
};

const cancel: Template = (rng, { state }) => {
  const chosen = someEvent(rng, state);
  if (!chosen) return null;
  return {
    instruction: `Cancel the event ${chosen.words}.`,
    plan: [
      ...maybe(rng, find(nameOf(state, chosen.event.with)), {
        tool: 'list_events',
        args: { day: chosen.event.day ?? '' },
      }),
      { tool: 'cancel_event', args: { id: chosen.key } },
    ],
  };
};

/** The first free hour of a room on a day that has an event there. */
const first_free: Template = (rng, { state }) => {
  const { day = '', room = '', from: taken } = rng.pick(Object.values(records(state, 'events')));
  const { key, name } = somebody(rng, state);
  // Mostly a time at which the room is taken: then it takes a look at the day.
  const start = Number(taken) - (rng.chance(0.25) ? 1 : 0);
  const inRoom = eventsOn(state, day).flatMap(([, event]) => (event.room === room ? [event] : []));
  const isFree = (from: number) => !inRoom.some((event) => overlap(event, { from, to: from + 1 }));
  const from = Array.from({ length: 6 }, (_, i) => start + i).find(isFree);
  if (from === undefined) return null;
  return {
    instruction: `Meet ${name} in ${String(room)} on ${String(day)} for the first hour it is free, from ${start} on.`,
    plan: [
      { tool: 'list_events', args: { day } },
      find(name),
      { tool: 'add_event', args: { day, from, hours: 1, room, with: key } },
    ],
  };
};

const send: Template = (rng, { state }) => {
  const { key, name } = somebody(rng, state);
  const text = word(rng, REPLIES);
  return { instruction: `Send ${name} "${text}".`, plan: [find(name), { tool: 'send_mail', args: { to: key, text } }] };
};

/** A sender and the mails that lie in these boxes. */
function senderWith(rng: Rng, state: State, boxes: readonly string[]) {
  const inbox = Object.entries(records(state, 'mail')).filter(([, { box }]) => boxes.includes(String(box)));
  if (inbox.length === 0) return null;
  const [, { from = '' }] = rng.pick(inbox);
  return { from, name: nameOf(state, from), mails: inbox.filter(([, mail]) => mail.from === from) };
}

const lookUp = (from: JsonObject[string], name: string): Action[] => [
  find(name),
  { tool: 'find_mail', args: { from } },
];
const mailTool = (tool: string, id: string): Action => ({ tool, args: { id } });

const archive: Template = (rng, { state, rules }) => {
  const chosen = senderWith(rng, state, ['new', 'read']);
  if (!chosen) return null;
  const { from, name, mails } = chosen;
  const readFirst = rules.some(({ id }) => id === 'archive_box');
  return {
    instruction: `Archive all mail from ${name}.`,
    plan: [
      ...lookUp(from, name),
      ...mails.flatMap(([id, { box }]) => [
        ...(readFirst && box === 'new' ? [mailTool('read_mail', id)] : []),
        mailTool('archive_mail', id),
      ]),
    ],
  };
};

const answer: Template = (rng, { state }) => {
  const chosen = senderWith(rng, state, ['new']);
  if (chosen?.mails.length !== 1) return null;
  const { from, name, mails } = chosen;
  const text = word(rng, REPLIES);
  return {
    instruction: `Read the new mail from ${name}, answer "${text}".`,
    plan: [
      ...lookUp(from, name),
      ...mails.map(([id]) => mailTool('read_mail', id)),
      { tool: 'send_mail', args: { to: from, text } },
    ],
  };
};

/** Read a mail, then do what it asks. */
const errand: Template = (rng, { state }) => {
  const fresh = Object.entries(records(state, 'mail')).filter(([, { box }]) => box === 'new');
  const only = fresh.filter(([, mail]) => fresh.filter(([, other]) => other.from === mail.from).length === 1);
  for (const [id, { from = '', text }] of rng.shuffle(only)) {
    const request = read(String(text));
    if (!request) continue;
    const name = nameOf(state, from);
    return {
      instruction: `Do what the new mail from ${name} asks.`,
      plan: [...lookUp(from, name), mailTool('read_mail', id), ...errandCalls(rng, state, request, String(from))],
    };
  }
  return null;
};

function errandCalls(rng: Rng, state: State, request: Request, from: string): Action[] {
  switch (request.kind) {
    case 'meet': {
      const { day, from: hour, hours, room } = request;
      const look = maybe(rng, { tool: 'list_events', args: { day } });
      return [...look, { tool: 'add_event', args: { day, from: hour, hours, room, with: from } }];
    }
    case 'move':
      return [{ tool: 'move_event', args: { id: request.event, day: request.day, from: request.from } }];
    case 'cancel':
      return [{ tool: 'cancel_event', args: { id: request.event } }];
    case 'share': {
      const { name, level, doc } = request;
      const who = Object.entries(records(state, 'people')).find(([, person]) => person.name === name)?.[0] ?? from;
      return [...(name === 'me' ? [] : [find(name)]), { tool: 'share_doc', args: { doc, who, level } }];
    }
    default:
      return request satisfies never;
  }
}

const share: Template = (rng, { state }) => {
  const [doc, { title, owner = '' }] = rng.pick(Object.entries(records(state, 'docs')));
  const { key, name } = somebody(rng, state);
  if (key === owner) return null;
  const level = rng.pick(LEVELS);
  return {
    instruction: `Let ${name} ${level} the ${String(title)}${owner === ME ? '' : ` of ${nameOf(state, owner)}`}.`,
    plan: [
      find(name),
      ...maybe(rng, { tool: 'list_docs', args: { owner } }),
      { tool: 'share_doc', args: { doc, who: key, level } },
    ],
  };
};

const unshare: Template = (rng, { state }) => {
  const [key, { doc, who }] = rng.pick(Object.entries(records(state, 'shares')));
  const { title, owner = '' } = records(state, 'docs')[String(doc)] ?? {};
  if (who === ME) return null;
  return {
    instruction: `Stop sharing the ${String(title)} with ${nameOf(state, who)}.`,
    plan: [
      ...maybe(rng, { tool: 'list_docs', args: { owner } }),
      find(nameOf(state, who)),
      { tool: 'list_shares', args: { doc: doc ?? '' } },
      { tool: 'unshare', args: { id: key } },
    ],
  };
};

/** Everybody at a document's level: all its shares are set to one level. */
const relevel: Template = (rng, { state }) => {
  const [, { doc = '' }] = rng.pick(Object.entries(records(state, 'shares')));
  const level = rng.pick(LEVELS);
  const wrong = sharesOf(state, String(doc)).filter(([, item]) => item.level !== level);
  if (wrong.length === 0) return null;
  const { title } = records(state, 'docs')[String(doc)] ?? {};
  return {
    instruction: `Set all shares of the ${String(title)} to ${level}.`,
    plan: [
      { tool: 'list_shares', args: { doc } },
      ...wrong.map(([, { who = '' }]): Action => ({ tool: 'share_doc', args: { doc, who, level } })),
    ],
  };
};

const TEMPLATES: { [app in AppName]: { readonly [name: string]: Template } } = {
  calendar: { meet, move, cancel, first_free },
  mail: { send, archive, answer, errand },
  docs: { share, unshare, relevel },
};

/** The templates of an office's programs, and two of different ones in a row. */
export function officeTasks(office: Office): { readonly [name: string]: TaskTemplate } {
  const own = office.apps.map((app) => Object.entries(TEMPLATES[app]));
  const single = own
    .flat()
    .map(([name, make]): [string, TaskTemplate] => [name, (rng, world) => make(rng, world, office)]);
  const two: TaskTemplate = (rng, world) => {
    const [first, second] = own.map((list) =>
      rng.shuffle(list).reduce<TaskPlan | null>((found, [, make]) => found ?? make(rng, world, office), null),
    );
    if (!first || !second) return null;
    return { instruction: `${first.instruction} ${second.instruction}`, plan: [...first.plan, ...second.plan] };
  };
  return { ...Object.fromEntries(single), two };
}
