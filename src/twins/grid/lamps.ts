/** A panel of lamps in a row: pressing one also toggles others, by rules the agent is told or has to find out. */
import type { JsonObject } from '../../world/json';
import type { Rng } from '../../world/rng';
import type { Action, Check, State } from '../../world/types';
import { listAnswer, notFound, recordAnswer, type Answer } from '../kit/answer';
import { keyed, words } from '../kit/ids';
import { idsOf, listOf, shape } from '../kit/schema';
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
import { stepProgram } from '../kit/step';
import { applyDelta } from '../../world/mergePatch';
import { single } from './board';
import { hint, shortest, standingRules, type Kind } from './kind';
import { COLOURS, LAMPS } from './words';

/** Rules that say what a press does; the instruction tells them to the agent or not. */
const HIDDEN = ['reach', 'same', 'link'];

const RULES: readonly RuleDef[] = [
  { id: 'reach', text: ({ n }) => `a press also toggles lamps ${String(n)} away in the list` },
  { id: 'same', text: ({ colour }) => `a ${String(colour)} lamp also toggles the other ${String(colour)} ones` },
  { id: 'link', text: ({ a, b }) => `${String(a)} also toggles ${String(b)}` },
  {
    id: 'needs',
    code: 'locked',
    text: ({ a, b }) => `${String(a)} can be pressed only while ${String(b)} is on`,
    violated: ({ a, b }, facts) => facts.lamp === a && facts[`on_${String(b)}`] !== true,
  },
  {
    id: 'presses',
    code: 'worn_out',
    text: ({ max }) => `at most ${String(max)} presses`,
    violated: ({ max }, facts) => Number(facts.presses) > Number(max),
  },
];

const lamp: ArgSpec = { type: 'string', from: 'lamps', maxLength: 16 };

const TOOLS: Program['tools'] = [
  {
    name: 'panel',
    description: 'All lamps in order',
    input: {},
    output: listOf('lamp@lamps on:bool'),
    readOnly: true,
    apply: ({ state }) =>
      listAnswer(Object.entries(records(state, 'lamps')).map(([id, item]) => ({ lamp: id, on: item.on === true }))),
  },
  {
    name: 'lamp',
    description: 'One lamp',
    input: { lamp },
    output: shape('lamp@lamps on:bool colour'),
    readOnly: true,
    apply: (call) => withLamp(call, (item, id) => recordAnswer({ lamp: id, ...item })),
  },
  {
    name: 'lit',
    description: 'Lamps that are on',
    input: {},
    output: idsOf('lamps'),
    readOnly: true,
    apply: ({ state }) => listAnswer(lit(state)),
  },
  {
    name: 'test',
    description: 'What a press would toggle',
    input: { lamp },
    output: idsOf('lamps'),
    readOnly: true,
    apply: (call) => withLamp(call, (_, id) => listAnswer(toggled(call, id))),
  },
  {
    name: 'press',
    description: 'Toggles a lamp',
    input: { lamp },
    output: shape('lamp@lamps on:bool lit:int'),
    readOnly: false,
    apply: press,
  },
];

function withLamp(call: Call, then: (item: JsonObject, id: string) => Answer): Answer {
  const item = record(call.state, 'lamps', call.args.lamp);
  return item ? then(item, String(call.args.lamp)) : notFound(call.args.lamp);
}

function lit(state: State): string[] {
  return Object.entries(records(state, 'lamps')).flatMap(([id, { on }]) => (on === true ? [id] : []));
}

/** The lamps a press toggles, in the order of the panel, each once however many rules name it. */
function toggled(call: Call, id: string): string[] {
  const lamps = Object.entries(records(call.state, 'lamps'));
  const at = lamps.findIndex(([key]) => key === id);
  const [reach, same, link] = [call.rule('reach'), call.rule('same'), call.rule('link')];
  const colour = lamps[at]?.[1].colour;
  return lamps.flatMap(([key, item], i) => {
    const hit =
      key === id ||
      (reach && Math.abs(i - at) === Number(reach.n)) ||
      (same && colour === same.colour && item.colour === same.colour) ||
      (link && link.a === id && link.b === key);
    return hit ? [key] : [];
  });
}

function press(call: Call): Answer {
  return withLamp(call, (_, id) => {
    const now = lit(call.state);
    const before = single(call.state, 'panel').presses;
    const presses = Number(before) + 1;
    const facts: JsonObject = { lamp: id, presses };
    for (const key of now) facts[`on_${key}`] = true;
    const refused = call.forbidden(facts, 'needs', 'presses');
    if (refused) return refused;
    const changes = toggled(call, id).map((key) => [key, !now.includes(key)] as const);
    const count = now.length + changes.reduce((sum, [, on]) => sum + (on ? 1 : -1), 0);
    return recordAnswer(
      { lamp: id, on: !now.includes(id), lit: count },
      {
        lamps: Object.fromEntries(changes.map(([key, on]) => [key, { on }])),
        ...(before === undefined ? {} : { panel: { presses } }),
      },
    );
  });
}

function generate(rng: Rng, difficulty: number): Seeded {
  const names = words(rng, LAMPS, rng.int(3, 3 + Math.min(difficulty, 2)) + (difficulty > 2 ? 1 : 0), 0.5);
  const colours = rng.sample(COLOURS, 2);
  const lamps = keyed(names, () => ({ on: rng.chance(0.45), colour: rng.pick(colours) }));
  const [a = '', b = '', c = '', d = ''] = [...rng.sample(names, 2), ...rng.sample(names, 2)];
  const counts = rng.chance(0.5);
  return {
    title: 'Lamps',
    state: { lamps, ...(counts ? { panel: { presses: 0 } } : {}) },
    rules: [
      rng.chance(0.6)
        ? { id: 'reach', params: { n: rng.int(1, 2) } }
        : { id: 'same', params: { colour: colours[0] as string } },
      ...(rng.chance(0.4) ? [{ id: 'link', params: { a, b } }] : []),
      ...(counts ? [{ id: 'presses', params: { max: rng.int(3, 6) } }] : []),
      ...(!counts || rng.chance(0.3) ? [{ id: 'needs', params: { a: c, b: d } }] : []),
    ],
    spec: { kind: 'lamps' },
  };
}

const PROGRAM: Program = { tools: TOOLS, rules: RULES };

/** The fewest presses that leave exactly these lamps on. */
function switchTo(rng: Rng, world: Seeded, wanted: readonly string[], text: string): TaskPlan | null {
  const names = Object.keys(records(world.state, 'lamps'));
  const isOn = (name: string) => wanted.includes(name);
  const plan = shortest(PROGRAM, world, {
    actions: names.map((name) => ({ tool: 'press', args: { lamp: name } })),
    done: (now) => names.every((name) => lit(now).includes(name) === isOn(name)),
    depth: 6,
    counter: ['panel', 'presses'],
  });
  const first = plan?.[0];
  if (!plan || !first || !('tool' in first)) return null;
  const told = rng.chance(0.5);
  const rules = standingRules(PROGRAM, world).filter(({ id }) => HIDDEN.includes(id));
  const looks: Action[] = [
    { tool: 'panel', args: {} },
    { tool: 'lit', args: {} },
    ...names.map((name) => ({ tool: 'test', args: { lamp: name } })),
  ];
  // Who is not told what a press does tries a lamp or two first.
  const tests = told ? [rng.pick(looks)] : [{ ...first, tool: 'test' }, ...rng.sample(looks.slice(2), 1)];
  return {
    instruction: text + hint(rng, told, rules, 'Find out what a press does.'),
    plan: [...(rng.chance(0.6) ? tests : []), ...plan],
    checks: names.map((name): Check => ({ path: `/lamps/${name}/on`, op: '==', value: isOn(name) })),
  };
}

export const lamps: Kind = {
  program: () => PROGRAM,
  generate,
  tasks: () => ({
    light: (rng, world) =>
      switchTo(rng, world, Object.keys(records(world.state, 'lamps')), rng.pick(['Light all lamps.', 'All lamps on.'])),
    dark: (rng, world) => switchTo(rng, world, [], rng.pick(['Turn all lamps off.', 'Make it dark.'])),
    pattern: (rng, world) => {
      const names = Object.keys(records(world.state, 'lamps'));
      const rules = standingRules(PROGRAM, world);
      let state = world.state;
      for (let i = rng.int(1, 4); i > 0; i--)
        state = applyDelta(
          state,
          stepProgram(PROGRAM, state, rules, { tool: 'press', args: { lamp: rng.pick(names) } }, []).delta,
        );
      const wanted = lit(state);
      return wanted.length === 0 ? null : switchTo(rng, world, wanted, `Leave only ${wanted.join(', ')} on.`);
    },
  }),
};
