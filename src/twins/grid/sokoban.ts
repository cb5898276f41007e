/** A small room in which a robot pushes boxes onto marks (after Sokoban): it cannot pull, so a push may be for good. */
import type { JsonObject } from '../../world/json';
import type { Rng } from '../../world/rng';
import type { Action, Check } from '../../world/types';
import { errorAnswer, listAnswer, notFound, recordAnswer, textAnswer, type Answer } from '../kit/answer';
import { ids, keyed } from '../kit/ids';
import { listOf, shape, TEXT } from '../kit/schema';
import { record, records, type Call, type Program, type RuleDef, type Seeded, type TaskPlan } from '../kit/types';
import {
  beside,
  cellOf,
  DIR,
  DIRS,
  findSign,
  linesOf,
  mapState,
  sameCell,
  shuffledCells,
  signAt,
  single,
  type Cell,
} from './board';
import { has, sentence, shortest, type Kind } from './kind';
import { MARKS, WALLS } from './words';

const RULES: readonly RuleDef[] = [
  {
    id: 'wall',
    code: 'blocked',
    text: ({ sign }) => `${String(sign)} is a wall`,
    violated: ({ sign }, facts) => facts.sign === sign,
  },
  {
    id: 'heavy',
    code: 'too_heavy',
    text: ({ max }) => `boxes over ${String(max)} kg cannot be pushed`,
    violated: ({ max }, facts) => Number(facts.kg) > Number(max),
  },
  {
    id: 'stays',
    code: 'not_allowed',
    text: ({ sign }) => `a box on ${String(sign)} stays there`,
    violated: ({ sign }, facts) => facts.from === sign,
  },
  {
    id: 'never',
    code: 'not_allowed',
    text: ({ dir }) => `no box may be pushed ${String(dir)}`,
    violated: ({ dir }, facts) => facts.dir === dir,
  },
  {
    id: 'power',
    code: 'no_power',
    text: ({ max }) => `the battery allows ${String(max)} units`,
    violated: ({ max }, facts) => Number(facts.used) > Number(max),
  },
  { id: 'effort', text: ({ units }) => `a push uses ${String(units)} units, not 1` },
];

const TOOLS: Program['tools'] = [
  {
    name: 'room',
    description: 'All rows, no boxes',
    input: {},
    output: TEXT,
    readOnly: true,
    apply: ({ state }) => textAnswer(linesOf(state, 'room')),
  },
  {
    name: 'boxes',
    description: 'Where boxes are',
    input: {},
    output: listOf('id@boxes row:int col:int'),
    of: 'boxes',
    readOnly: true,
    apply: ({ state }) =>
      listAnswer(
        Object.entries(records(state, 'boxes')).map(([id, { row, col }]) => ({ id, row: row ?? 0, col: col ?? 0 })),
      ),
  },
  {
    name: 'box',
    description: 'One box',
    input: { id: { type: 'string', from: 'boxes', maxLength: 16 } },
    output: shape('id@boxes row:int col:int kg:int'),
    of: 'boxes',
    readOnly: true,
    apply: ({ state, args }) => {
      const box = record(state, 'boxes', args.id);
      return box ? recordAnswer({ id: args.id ?? '', ...box }) : notFound(args.id);
    },
  },
  {
    name: 'ahead',
    description: 'Next cell, and box on it',
    input: { dir: DIR },
    output: shape('sign box@boxes'),
    of: 'boxes',
    readOnly: true,
    apply: (call) => {
      const cell = beside(robotAt(call), String(call.args.dir));
      const box = boxOn(call, cell);
      return recordAnswer({ sign: signAt(call.state, 'room', cell) || 'edge', ...(box ? { box } : {}) });
    },
  },
  {
    name: 'go',
    description: 'One cell; pushes a box there',
    input: { dir: DIR },
    output: shape('row:int col:int box@boxes'),
    readOnly: false,
    apply: go,
  },
];

function robotAt(call: Call): Cell {
  return cellOf(single(call.state, 'robot'));
}

/** Id of the box on a cell. */
function boxOn(call: Call, cell: Cell): string | undefined {
  return Object.entries(records(call.state, 'boxes')).find(([, box]) => sameCell(cellOf(box), cell))?.[0];
}

function go(call: Call): Answer {
  const dir = String(call.args.dir);
  const cell = beside(robotAt(call), dir);
  const box = boxOn(call, cell);
  const stopped = blocked(call, cell) ?? (box === undefined ? undefined : pushed(call, box, cell, dir));
  if (stopped) return stopped;
  const units = box === undefined ? 1 : Number(call.rule('effort')?.units ?? 1);
  const before = single(call.state, 'robot').used;
  const used = Number(before) + units;
  const weak = before === undefined ? undefined : call.forbidden({ used }, 'power');
  if (weak) return weak;
  return recordAnswer(
    { ...cell, ...(box === undefined ? {} : { box }) },
    {
      ...(box === undefined ? {} : { boxes: { [box]: { ...beside(cell, dir) } } }),
      robot: { ...cell, ...(before === undefined ? {} : { used }) },
    },
  );
}

/** Why nothing can go to a cell, or undefined. */
function blocked(call: Call, cell: Cell): Answer | undefined {
  const sign = signAt(call.state, 'room', cell);
  return sign === '' ? errorAnswer('blocked', 'edge of the room') : call.forbidden({ sign }, 'wall');
}

/** Why a box cannot be pushed from a cell, or undefined. */
function pushed(call: Call, id: string, from: Cell, dir: string): Answer | undefined {
  const to = beside(from, dir);
  const stopped = blocked(call, to);
  if (stopped) return stopped;
  const other = boxOn(call, to);
  if (other !== undefined) return errorAnswer('blocked', `${other} is behind ${id}`);
  const kg = record(call.state, 'boxes', id)?.kg ?? 0;
  return call.forbidden({ kg, from: signAt(call.state, 'room', from), dir }, 'heavy', 'stays', 'never');
}

/** A room made backwards: boxes begin on their marks and a robot pulls them away, so most worlds can be solved. */
function generate(rng: Rng, difficulty: number): Seeded {
  const size = () => rng.int(4, Math.min(3 + difficulty, 5) + (rng.chance(0.15) ? 1 : 0));
  const [height, width] = [size(), size()];
  const wall = rng.pick(WALLS);
  const cells = shuffledCells(rng, height, width);
  const rows = Array.from({ length: height }, () => Array<string>(width).fill('.'));
  const put = (sign: string, { row, col }: Cell) => {
    (rows[row - 1] as string[])[col - 1] = sign;
  };
  for (let n = rng.int(1, difficulty + 1); n > 0; n--) put(wall, cells.pop() as Cell);
  const two = difficulty > 1 && rng.chance(0.3 * difficulty);
  const marks = rng.sample(MARKS, two ? 2 : 1);
  const boxes = marks.map(() => cells.pop() as Cell);
  let robot = cells.pop() as Cell;
  const isFree = ({ row, col }: Cell) => {
    const sign = rows[row - 1]?.[col - 1];
    return sign !== undefined && sign !== wall && !boxes.some((box) => sameCell(box, { row, col }));
  };
  marks.forEach((sign, i) => put(sign, boxes[i] as Cell));
  for (let i = 0; i < 14 + 6 * difficulty; i++) {
    const dir = rng.pick(DIRS);
    const to = beside(robot, dir);
    if (!isFree(to)) continue;
    const behind = boxes.findIndex((box) => sameCell(beside(box, dir), robot));
    if (behind >= 0 && rng.chance(0.85)) boxes[behind] = robot;
    robot = to;
  }
  const counts = rng.chance(0.4);
  const kilos = boxes.map(() => rng.int(2, 20));
  const others = [
    { id: 'heavy', params: { max: rng.int(8, 16) } },
    { id: 'stays', params: { sign: marks[0] as string } },
    { id: 'never', params: { dir: rng.pick(DIRS) } },
  ];
  return {
    title: 'Boxes',
    state: {
      room: mapState(rows),
      boxes: keyed(ids(rng, boxes.length), (_, i) => ({ ...boxes[i], kg: kilos[i] ?? 0 })),
      robot: { ...robot, ...(counts ? { used: 0 } : {}) },
    },
    rules: [
      { id: 'wall', params: { sign: wall } },
      ...rng.sample(others, counts ? 1 : 2),
      ...(counts
        ? [
            { id: 'power', params: { max: rng.int(6, 14) } },
            { id: 'effort', params: { units: rng.int(2, 3) } },
          ]
        : []),
    ],
    spec: { kind: 'sokoban' },
  };
}

interface Aim {
  path: readonly string[];
  cell: Cell;
  text: string;
}

function reach(rng: Rng, world: Seeded, aims: readonly Aim[], looks: readonly Action[]): TaskPlan | null {
  const plan = shortest({ tools: TOOLS, rules: RULES }, world, {
    actions: DIRS.map((dir) => ({ tool: 'go', args: { dir } })),
    done: (now) => aims.every(({ path, cell }) => has(now, path, { ...cell })),
    depth: 10,
    counter: ['robot', 'used'],
  });
  if (!plan) return null;
  const checks = aims.flatMap(({ path, cell }) =>
    Object.entries(cell).map(([key, value]): Check => {
      return { path: `/${path.join('/')}/${key}`, op: '==', value: value as number };
    }),
  );
  const instruction = sentence(rng.pick(['', '', 'in few moves: ']) + aims.map(({ text }) => text).join(', '));
  return { instruction, checks, plan: [...(rng.chance(0.6) ? [rng.pick(looks)] : []), ...plan] };
}

/** Marks of a room. */
function marksOf({ state }: Seeded): { sign: string; cell: Cell }[] {
  return MARKS.flatMap((sign) => {
    const cell = findSign(state, 'room', sign);
    return cell ? [{ sign, cell }] : [];
  });
}

export const sokoban: Kind = {
  program: () => ({ tools: TOOLS, rules: RULES }),
  generate,
  tasks: () => ({
    push: (rng, world) => {
      const id = rng.pick(Object.keys(records(world.state, 'boxes')));
      const { sign, cell } = rng.pick(marksOf(world));
      const text = rng.pick([`push ${id} onto ${sign}`, `move box ${id} to ${sign}`, `box ${id} belongs on ${sign}`]);
      const looks = [
        { tool: 'box', args: { id } },
        { tool: 'boxes', args: {} },
        { tool: 'room', args: {} },
      ];
      return reach(rng, world, [{ path: ['boxes', id], cell, text }], looks);
    },
    both: (rng, world) => {
      const keys = rng.shuffle(Object.keys(records(world.state, 'boxes')));
      const marks = marksOf(world);
      if (keys.length < 2 || marks.length < 2) return null;
      const aims = marks.map(({ sign, cell }, i) => {
        return { path: ['boxes', keys[i] ?? ''], cell, text: `push ${keys[i] ?? ''} onto ${sign}` };
      });
      return reach(rng, world, aims, [{ tool: 'boxes', args: {} }]);
    },
    visit: (rng, world) => {
      const { sign, cell } = rng.pick(marksOf(world));
      const text = rng.pick([`park the robot on ${sign}`, `the robot goes to ${sign}`, `drive to ${sign}`]);
      const looks = DIRS.map((dir) => ({ tool: 'ahead', args: { dir } }));
      return reach(rng, world, [{ path: ['robot'], cell, text }], looks);
    },
  }),
};
