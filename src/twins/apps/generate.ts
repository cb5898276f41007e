/** Worlds of the apps: a few accounts, and what the apps of the world hold of them. */
import type { JsonObject } from '../../world/json';
import type { Rng } from '../../world/rng';
import { ids, keyed, letters, nextId, words } from '../kit/ids';
import type { Seeded } from '../kit/types';
import { ARTISTS, GROUPS, NOTES, TEXTS, TITLES, USERS } from './words';

export type AppName = 'contacts' | 'music' | 'notes' | 'pay' | 'bills';

/** Apps that are in a world together: all pairs but those of which a task would say little. */
const PAIRS: readonly AppName[][] = [
  ['contacts', 'music'],
  ['contacts', 'notes'],
  ['contacts', 'pay'],
  ['contacts', 'bills'],
  ['music', 'notes'],
  ['music', 'pay'],
  ['music', 'bills'],
  ['notes', 'pay'],
  ['notes', 'bills'],
  ['pay', 'bills'],
];

/** Part of the state an app has, and the rules it may have. */
interface Part {
  state: JsonObject;
  rules: Seeded['rules'];
}

export function generate(rng: Rng, difficulty: number): Seeded {
  const apps = rng.pick(PAIRS);
  const users = words(rng, USERS, 3, 0.4).map((name) => (rng.chance(0.3) ? `${name}${rng.int(1, 99)}` : name));
  const more = difficulty - 1;
  const parts = apps.map((app) => PARTS[app](rng, users, more));
  // The payment app shows contacts, so they are there with it.
  if (apps.includes('pay') && !apps.includes('contacts')) {
    const { state } = PARTS.contacts(rng, users, 0);
    parts.unshift({ state, rules: [] });
  }
  const open = rng.sample(users, rng.int(0, 2));
  const tokens = ids(rng, Math.max(open.length, 1), undefined, 2);
  const accounts = keyed(users, () => ({
    password: letters(rng, 3) + String(rng.int(1, 9)),
    ...(apps.includes('music') ? { plan: rng.pick(['free', 'plus']) } : {}),
    ...(apps.some((app) => app === 'pay' || app === 'bills') ? { balance: rng.int(20, 120) } : {}),
  }));
  const found = [...parts.flatMap((part) => part.rules), { id: 'blocked', params: { user: rng.pick(users) } }];
  // Two apps may bring the same rule; a world has it once.
  const rules = [...new Map(found.map((rule) => [rule.id, rule])).values()];
  return {
    title: 'Apps',
    spec: { apps: apps.join(' ') },
    state: {
      accounts,
      tokens: Object.fromEntries(open.map((user, i) => [tokens[i] ?? '', user])),
      ...Object.assign({}, ...parts.map((part) => part.state)),
      next_token: open.length === 0 ? (tokens[0] ?? '') : nextId(tokens),
    },
    rules: rng.sample(rules, Math.min(more, 1) + 2),
  };
}

const PARTS: { readonly [app in AppName]: (rng: Rng, users: string[], more: number) => Part } = {
  contacts: (rng, users) => {
    const knowing = rng.sample(users, 2);
    const contacts = keyed(knowing, (owner) => {
      const others = users.filter((user) => user !== owner);
      return Object.fromEntries(rng.sample(others, rng.int(1, 2)).map((user) => [user, rng.pick(GROUPS)]));
    });
    return {
      state: { contacts },
      rules: [
        { id: 'max_contacts', params: { max: rng.int(1, 2) } },
        { id: 'keep_group', params: { group: rng.pick(GROUPS) } },
      ],
    };
  },
  music: (rng, users) => {
    const artists = words(rng, ARTISTS, 2, 0.4);
    const titles = words(rng, TITLES, 3, 0.4);
    const songIds = ids(rng, titles.length, undefined, 2);
    const songs = keyed(songIds, (_, i) => ({
      title: titles[i] ?? '',
      artist: artists[i] ?? rng.pick(artists),
      plays: rng.int(1, 99),
    }));
    const likes = keyed(users.slice(0, 2), () =>
      Object.fromEntries(rng.sample(songIds, rng.int(0, 2)).map((song) => [song, true])),
    );
    return {
      state: { songs, likes },
      rules: [
        { id: 'max_likes', params: { max: rng.int(1, 2) } },
        { id: 'plan', params: { artist: rng.pick(artists), plan: rng.pick(['free', 'plus']) } },
        { id: 'popular', params: { min: rng.int(15, 50) } },
      ],
    };
  },
  notes: (rng, users, more) => {
    const noteIds = ids(rng, 2 + more, undefined, 2);
    const titles = words(rng, NOTES, noteIds.length, 0.4);
    const notes = keyed(noteIds, (_, i) => ({
      owner: rng.pick(users),
      title: titles[i] ?? '',
      text: noteText(rng),
    }));
    return {
      state: { notes, next_note: nextId(noteIds) },
      rules: [
        { id: 'max_notes', params: { max: rng.int(1, 2) } },
        { id: 'keep_note', params: { title: rng.pick(titles) } },
      ],
    };
  },
  pay: (rng) => ({
    state: {},
    rules: [...limits(rng), { id: 'contacts_only', params: { n: rng.int(1, 5) * 5 } }],
  }),
  bills: (rng, users, more) => {
    const requests = keyed(ids(rng, Math.max(more, 1) + 1, undefined, 2), () => {
      const [asker = '', payer = ''] = rng.sample(users, 2);
      return { asker, payer, amount: rng.int(3, 40) };
    });
    return { state: { requests }, rules: limits(rng) };
  },
};

function limits(rng: Rng): Seeded['rules'] {
  return [
    { id: 'max_pay', params: { max: rng.int(2, 6) * 5 } },
    { id: 'keep_balance', params: { min: rng.int(1, 8) * 5 } },
  ];
}

/** One or two words to write down. */
export function noteText(rng: Rng): string {
  return words(rng, TEXTS, rng.int(1, 2), 0.3).join(' ');
}
