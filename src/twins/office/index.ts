/** An office: people, and two of three programs: a calendar, mail, shared documents. */
import type { JsonObject } from '../../world/json';
import type { Rng } from '../../world/rng';
import { idPrefix, ids, keyed, nextId, words } from '../kit/ids';
import { notFound, recordAnswer } from '../kit/answer';
import { shape } from '../kit/schema';
import { records, type Family, type Program, type Seeded, type ToolDef } from '../kit/types';
import { calendar, calendarRules, someEvents } from './calendar';
import { DOCS, docsRules, LEVELS } from './docs';
import { MAIL, mailRules } from './mail';
import { ME, type App } from './parts';
import { mailText } from './requests';
import { officeSpec, readSpec, type AppName, type Office } from './spec';
import { officeTasks } from './tasks';
import { NAMES, TEAMS, TITLES } from './words';

const FIND: ToolDef = {
  name: 'find_person',
  description: 'By name',
  input: { name: { type: 'string', maxLength: 16 } },
  output: shape('id@people name team'),
  of: 'people',
  readOnly: true,
  apply: ({ state, args }) => {
    const found = Object.entries(records(state, 'people')).find(([, person]) => person.name === args.name);
    if (!found) return notFound(args.name);
    const [key, { name = '', team = '' }] = found;
    return recordAnswer({ id: key, name, team });
  },
};

/** Ids of mostly two digits: they are all over the state, and short ones keep it small. */
function someIds(rng: Rng, n: number): string[] {
  return ids(rng, n, idPrefix(rng), rng.chance(0.25) ? 3 : 2);
}

function program(spec: JsonObject | undefined): Program {
  const { apps, days, rooms } = readSpec(spec);
  const all: { [name in AppName]: () => App } = {
    calendar: () => calendar(days, rooms),
    mail: () => MAIL,
    docs: () => DOCS,
  };
  const own = apps.map((name) => all[name]());
  return { tools: [FIND, ...own.flatMap(({ tools }) => tools)], rules: own.flatMap(({ rules }) => rules) };
}

function generate(rng: Rng, difficulty: number): Seeded {
  const spec = officeSpec(rng);
  const office = readSpec(spec);
  const names = words(rng, NAMES, difficulty > 2 ? 3 : 2, 0.4);
  const teams = words(rng, TEAMS, 2, 0.2);
  const others = someIds(rng, names.length);
  const people = keyed(others, (_, i) => ({ name: names[i] ?? '', team: teams[i % 2] ?? '' }));
  const state: JsonObject = { people };
  for (const app of office.apps) Object.assign(state, MAKE[app](rng, office, state, others, difficulty));
  const rules = office.apps.map((app) => rng.shuffle(RULES[app](rng, office, state, teams)));
  // One rule of each program; in larger worlds one more of either.
  const most = difficulty > 1 ? rng.int(0, rules.length - 1) : -1;
  return {
    title: 'Office',
    state,
    rules: rng.shuffle(rules.flatMap((list, i) => list.slice(0, i === most ? 2 : 1))),
    spec,
  };
}

const RULES: {
  [name in AppName]: (rng: Rng, office: Office, state: JsonObject, teams: readonly string[]) => Seeded['rules'];
} = {
  calendar: (rng, { days, rooms }, state) => calendarRules(rng, state, days, rooms),
  mail: (rng, _office, _state, teams) => mailRules(rng, teams),
  docs: (rng, _office, state, teams) => docsRules(rng, state, teams),
};

type Make = (rng: Rng, office: Office, state: JsonObject, others: readonly string[], difficulty: number) => JsonObject;

/** Records of each program and the counter of its fresh ids. */
const MAKE: { [name in AppName]: Make } = {
  calendar: (rng, office, _state, others, difficulty) => {
    const keys = someIds(rng, rng.int(Math.min(difficulty, 2), Math.max(difficulty, 2)));
    return { events: someEvents(rng, keys, office, others), nextEvent: nextId(keys) };
  },
  mail: (rng, office, state, others, difficulty) => {
    const keys = someIds(rng, rng.int(Math.min(difficulty, 2), Math.max(difficulty, 2)));
    const mail = keyed(keys, () => {
      const from = rng.pick(others);
      return { from, text: mailText(rng, office, state, from), box: rng.chance(0.7) ? 'new' : 'read' };
    });
    return { mail, nextMail: nextId(keys) };
  },
  docs: (rng, _office, _state, others, difficulty) => {
    const keys = someIds(rng, rng.int(2, difficulty > 2 ? 3 : 2));
    const titles = words(rng, TITLES, keys.length, 0.4);
    const docs = keyed(keys, (_key, i) => ({
      title: titles[i] ?? '',
      owner: i === 0 || rng.chance(0.6) ? ME : rng.pick(others),
    }));
    const shareIds = someIds(rng, rng.int(difficulty > 2 ? 2 : 1, difficulty));
    // Each pair of a document and somebody else at most once.
    const pairs = Object.entries(docs).flatMap(([doc, item]) =>
      [ME, ...others].filter((who) => who !== (item as JsonObject).owner).map((who) => ({ doc, who })),
    );
    const shares = rng.sample(pairs, shareIds.length).map((pair) => ({ ...pair, level: rng.pick(LEVELS) }));
    return { docs, shares: keyed(shareIds, (_key, i) => shares[i] ?? {}), nextShare: nextId(shareIds) };
  },
};

export const office: Family = {
  name: 'office',
  title: 'Office',
  line: 'Calendar, mail, contacts and shared documents: meet, move, answer, archive, share.',
  heldOut: false,
  failCodes: ['timeout', 'offline', 'locked', 'signed_out'],
  program,
  generate,
  tasks: (world) => officeTasks(readSpec(world.spec)),
};
