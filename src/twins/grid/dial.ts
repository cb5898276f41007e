/** A lock with coloured keys: each adds its number to a dial, by rules the agent is told or has to find out. */
import type { JsonObject } from '../../world/json';
import type { Rng } from '../../world/rng';
import type { Action, Check } from '../../world/types';
import { errorAnswer, listAnswer, notFound, recordAnswer, type Answer } from '../kit/answer';
import { ids, keyed, words } from '../kit/ids';
import { idsOf, shape } from '../kit/schema';
import {
  record,
  records,
  type ArgSpec,
  type Call,
  type Program,
  type RuleDef,
  type Seeded,
  type TaskPlan,
} from '../kit/types';
import { single } from './board';
import { has, hint, shortest, standingRules, type Kind } from './kind';
import { COLOURS } from './words';

/** Rules that say how keys count; the instruction tells them to the agent or not. */
const HIDDEN = ['modulo', 'back', 'double', 'code'];

const RULES: readonly RuleDef[] = [
  { id: 'modulo', text: ({ n }) => `the dial counts modulo ${String(n)}` },
  { id: 'back', text: ({ colour }) => `${String(colour)} keys count backwards` },
  {
    id: 'double',
    text: ({ colour, times }) => `right after a ${String(colour)} key a key counts ${String(times)} times`,
  },
  {
    id: 'code',
    code: 'wrong_code',
    text: ({ at }) => `it opens only at ${String(at)}`,
    violated: ({ at }, facts) => String(facts.at) !== at,
  },
  {
    id: 'uses',
    code: 'worn_out',
    text: ({ max }) => `a key works ${String(max)} times`,
    violated: ({ max }, facts) => Number(facts.uses) > Number(max),
  },
];

const key: ArgSpec = { type: 'string', from: 'keys', maxLength: 16 };

const TOOLS: Program['tools'] = [
  {
    name: 'dial',
    description: 'The dial',
    input: {},
    output: shape('at:int last open:bool'),
    readOnly: true,
    apply: (call) => recordAnswer(dialOf(call)),
  },
  {
    name: 'key',
    description: 'One key',
    input: { key },
    output: shape('key@keys colour adds:int'),
    readOnly: true,
    apply: (call) => withKey(call, (item, id) => recordAnswer({ key: id, ...item })),
  },
  {
    name: 'keys',
    description: 'Keys of a colour',
    input: { colour: { type: 'string', maxLength: 12 } },
    output: idsOf('keys'),
    readOnly: true,
    apply: ({ state, args }) =>
      listAnswer(
        Object.entries(records(state, 'keys')).flatMap(([id, { colour }]) => (colour === args.colour ? [id] : [])),
      ),
  },
  {
    name: 'press',
    description: 'Adds its number to the dial',
    input: { key },
    output: shape('key@keys at:int'),
    readOnly: false,
    apply: press,
  },
  {
    name: 'reset',
    description: 'at 0, last none',
    input: {},
    output: shape('at:int'),
    readOnly: false,
    destructive: true,
    apply: () => recordAnswer({ at: 0 }, { dial: { at: 0, last: 'none' } }),
  },
  {
    name: 'open',
    description: 'Opens the lock',
    input: {},
    output: shape('open:bool'),
    readOnly: false,
    apply: (call) => {
      if (dialOf(call).open === true) return errorAnswer('conflict', 'already open');
      return (
        call.forbidden({ at: Number(dialOf(call).at) }, 'code') ??
        recordAnswer({ open: true }, { dial: { open: true } })
      );
    },
  },
];

function withKey(call: Call, then: (item: JsonObject, id: string) => Answer): Answer {
  const item = record(call.state, 'keys', call.args.key);
  return item ? then(item, String(call.args.key)) : notFound(call.args.key);
}

const dialOf = ({ state }: Call): JsonObject => single(state, 'dial');

function press(call: Call): Answer {
  return withKey(call, (item, id) => {
    const uses = Number(item.uses) + 1;
    const worn = item.uses === undefined ? undefined : call.forbidden({ uses }, 'uses');
    if (worn) return worn;
    const { at: before, last } = dialOf(call);
    const [modulo, back, double] = [call.rule('modulo'), call.rule('back'), call.rule('double')];
    const sign = back?.colour === item.colour ? -1 : 1;
    const times = double && double.colour === last ? Number(double.times) : 1;
    const sum = Number(before) + sign * times * Number(item.adds);
    const n = Number(modulo?.n);
    const at = modulo ? ((sum % n) + n) % n : sum;
    return recordAnswer(
      { key: id, at },
      { ...(item.uses === undefined ? {} : { keys: { [id]: { uses } } }), dial: { at, last: String(item.colour) } },
    );
  });
}

function generate(rng: Rng, difficulty: number): Seeded {
  const colours = words(rng, COLOURS, 2, 0.15);
  const n = rng.int(6, 8 + 2 * difficulty);
  const names = ids(rng, rng.int(2, 2 + Math.min(difficulty, 2)));
  const counts = rng.chance(0.5);
  const numbers = rng.sample(
    Array.from({ length: n - 2 }, (_, i) => i + 1),
    names.length,
  );
  const keys = keyed(names, (_, i) => ({
    colour: colours[i % 2] ?? '',
    adds: numbers[i] ?? 1,
    ...(counts ? { uses: 0 } : {}),
  }));
  const others = [
    { id: 'back', params: { colour: colours[0] ?? '' } },
    { id: 'double', params: { colour: colours[1] ?? '', times: rng.int(2, 3) } },
  ];
  return {
    title: 'Dial',
    state: { keys, dial: { at: rng.int(0, n - 1), last: 'none', open: false } },
    rules: [
      { id: 'modulo', params: { n } },
      ...rng.sample(others, counts ? 1 : rng.int(1, 2)),
      { id: 'code', params: { at: rng.int(0, n - 1) } },
      ...(counts ? [{ id: 'uses', params: { max: rng.int(1, 3) } }] : []),
    ],
    spec: { kind: 'dial' },
  };
}

const PROGRAM: Program = { tools: TOOLS, rules: RULES };

function turnTo(rng: Rng, world: Seeded, wanted: JsonObject, text: string): TaskPlan | null {
  const names = Object.keys(records(world.state, 'keys'));
  const plan = shortest(PROGRAM, world, {
    actions: [
      ...names.map((name) => ({ tool: 'press', args: { key: name } })),
      { tool: 'reset', args: {} },
      ...(wanted.open === true ? [{ tool: 'open', args: {} }] : []),
    ],
    done: (now) => has(now, ['dial'], wanted),
    depth: 6,
  });
  if (!plan) return null;
  const told = rng.chance(0.5);
  const rules = standingRules(PROGRAM, world).filter(
    ({ id }) => HIDDEN.includes(id) && (wanted.open === true || id !== 'code'),
  );
  const looks: Action[] = [{ tool: 'dial', args: {} }, ...names.map((name) => ({ tool: 'key', args: { key: name } }))];
  return {
    instruction: text + hint(rng, told, rules, 'Find out how keys count.'),
    plan: [...(rng.chance(0.6) ? rng.sample(looks, told ? 1 : 2) : []), ...plan],
    checks: Object.entries(wanted).map(([name, value]): Check => {
      return { path: `/dial/${name}`, op: '==', value: value as number | boolean };
    }),
  };
}

export const dial: Kind = {
  program: () => PROGRAM,
  generate,
  tasks: () => ({
    turn: (rng, world) => {
      const n = Number(world.rules.find(({ id }) => id === 'modulo')?.params.n);
      const at = rng.int(0, n - 1);
      return turnTo(
        rng,
        world,
        { at },
        rng.pick([`Bring the dial to ${at}.`, `The dial shall show ${at}.`, `Set the dial to ${at}.`]),
      );
    },
    open: (rng, world) =>
      turnTo(rng, world, { open: true }, rng.pick(['Open the lock.', 'Get it open.', 'Unlock it.'])),
  }),
};
