/** Rooms of boxes, and what is to be pushed where. */
import type { Rng } from '../../world/rng';
import type { Action, Check } from '../../world/types';
import { ids, keyed } from '../kit/ids';
import { records, type Seeded, type TaskPlan } from '../kit/types';
import { beside, DIRS, findSign, mapState, sameCell, shuffledCells, type Cell } from './board';
import { has, sentence, shortest, type Kind } from './kind';
import { SOKOBAN } from './sokoban';
import { MARKS, WALLS } from './words';

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
  const places = marks.map((_, i) => boxes[i] as Cell);
  const isHome = () => places.some((place, i) => sameCell(place, boxes[i] as Cell));
  for (let i = 0; i < 12 + 4 * difficulty || (i < 150 && isHome()); i++) {
    const dir = rng.pick(DIRS);
    const to = beside(robot, dir);
    if (!isFree(to)) continue;
    const behind = boxes.findIndex((box) => sameCell(beside(box, dir), robot));
    if (behind >= 0 && rng.chance(0.85)) boxes[behind] = robot;
    robot = to;
  }
  const counts = rng.chance(0.4);
  const kilos = boxes.map(() => rng.int(2, 20));
  const power = rng.int(8, 14);
  const others = [
    { id: 'heavy', params: { max: rng.int(10, 18) } },
    { id: 'stays', params: { sign: marks[0] as string } },
    { id: 'never', params: { dir: rng.pick(DIRS) } },
  ];
  return {
    title: 'Boxes',
    state: {
      room: mapState(rows),
      boxes: keyed(ids(rng, boxes.length), (_, i) => ({ ...boxes[i], kg: kilos[i] ?? 0 })),
      robot: { ...robot, ...(counts ? { used: power - rng.int(4, 8) } : {}) },
    },
    rules: [
      { id: 'wall', params: { sign: wall } },
      ...rng.sample(others, counts ? 1 : 2),
      ...(counts
        ? [
            { id: 'power', params: { max: power } },
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
  const plan = shortest(SOKOBAN, world, {
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
  program: () => SOKOBAN,
  generate,
  tasks: () => ({
    push: (rng, world) => {
      const id = rng.pick(Object.keys(records(world.state, 'boxes')));
      const { sign, cell } = rng.pick(marksOf(world));
      if (has(world.state, ['boxes', id], { ...cell })) return null;
      const text = rng.pick([`push ${id} onto ${sign}`, `move box ${id} to ${sign}`, `box ${id} belongs on ${sign}`]);
      const looks = [
        { tool: 'box', args: { id } },
        { tool: 'boxes', args: {} },
        { tool: 'room', args: {} },
      ];
      const task = reach(rng, world, [{ path: ['boxes', id], cell, text }], looks);
      // A single push is soon done and soon learned.
      return task && (task.plan.length > 2 || rng.chance(0.2)) ? task : null;
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
      // Half of the worlds in which a box can be pushed home are kept for that.
      if (rng.chance(0.6)) return null;
      const { sign, cell } = rng.pick(marksOf(world));
      const text = rng.pick([`park the robot on ${sign}`, `the robot goes to ${sign}`, `drive to ${sign}`]);
      const looks = DIRS.map((dir) => ({ tool: 'ahead', args: { dir } }));
      return reach(rng, world, [{ path: ['robot'], cell, text }], looks);
    },
  }),
};
