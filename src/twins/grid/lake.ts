/** Walks over a map with walls, holes and wind (after FrozenLake). Wind comes from visible draws, so it can be foreseen. */
import type { JsonObject } from '../../world/json';
import type { Rng } from '../../world/rng';
import type { Action, Check, State } from '../../world/types';
import { errorAnswer, notFound, recordAnswer, textAnswer, type Answer } from '../kit/answer';
import { drawState, nextDraw } from '../kit/draws';
import { ids, keyed, words } from '../kit/ids';
import { shape, TEXT } from '../kit/schema';
import { record, records, type ArgSpec, type Call, type Program, type RuleDef, type Seeded } from '../kit/types';
import {
  beside,
  cellOf,
  cellText,
  DIR,
  DIRS,
  findSign,
  lineOf,
  linesOf,
  mapState,
  sameCell,
  shuffledCells,
  signAt,
  single,
  type Cell,
} from './board';
import { has, shortest, type Kind, type Quest } from './kind';
import { GOALS, HOLES, NAMES, THINGS, WALLS } from './words';

const RULES: readonly RuleDef[] = [
  {
    id: 'wall',
    code: 'blocked',
    text: ({ sign }) => `${String(sign)} blocks the way`,
    violated: ({ sign }, facts) => facts.sign === sign,
  },
  { id: 'hole_end', text: ({ sign }) => `who steps on ${String(sign)} is lost` },
  {
    id: 'hole_back',
    text: ({ sign, row, col }) => `${String(sign)} leads back to r${String(row)} c${String(col)}`,
  },
  {
    id: 'wind',
    text: ({ max, dir }) => `a move takes a draw; up to ${String(max)} it goes ${String(dir)}, or nowhere`,
  },
  {
    id: 'steps',
    code: 'tired',
    text: ({ max }) => `at most ${String(max)} steps each`,
    violated: ({ max }, facts) => Number(facts.steps) > Number(max),
  },
  {
    id: 'carry',
    code: 'full',
    text: ({ max }) => `nobody carries more than ${String(max)}`,
    violated: ({ max }, facts) => Number(facts.carried) > Number(max),
  },
];

const who: ArgSpec = { type: 'string', from: 'walkers', maxLength: 16 };
const thing: ArgSpec = { type: 'string', from: 'things', maxLength: 16 };

const TOOLS: Program['tools'] = [
  {
    name: 'map',
    description: 'All rows',
    input: {},
    output: TEXT,
    readOnly: true,
    apply: ({ state }) => textAnswer(linesOf(state, 'map')),
  },
  {
    name: 'look',
    description: 'Place, then rows around',
    input: { who },
    output: TEXT,
    readOnly: true,
    apply: (call) =>
      withWalker(call, (walker) => {
        const cell = cellOf(walker);
        const around = [-1, 0, 1].flatMap((d) => lineOf(call.state, 'map', cell.row + d) ?? []);
        return textAnswer([cellText(cell), ...around], {}, [String(walker.state)]);
      }),
  },
  {
    name: 'peek',
    description: 'Sign of the next cell',
    input: { who, dir: DIR },
    output: TEXT,
    readOnly: true,
    apply: (call) =>
      withWalker(call, (walker) => {
        const cell = beside(cellOf(walker), String(call.args.dir));
        return textAnswer([signAt(call.state, 'map', cell) || 'edge'], {}, [cellText(cell)]);
      }),
  },
  {
    name: 'thing',
    description: 'One thing, where last put',
    input: { id: thing },
    output: shape('id@things name row:int col:int by'),
    of: 'things',
    readOnly: true,
    apply: ({ state, args }) => {
      const item = record(state, 'things', args.id);
      return item ? recordAnswer({ id: args.id ?? '', ...item }) : notFound(args.id);
    },
  },
  {
    name: 'move',
    description: 'One cell, unless lost',
    input: { who, dir: DIR },
    output: TEXT,
    readOnly: false,
    apply: move,
  },
  {
    name: 'take',
    description: 'A thing where one stands',
    input: { who, thing },
    output: TEXT,
    readOnly: false,
    apply: take,
  },
  {
    name: 'drop',
    description: 'Puts it where one stands',
    input: { who, thing },
    output: TEXT,
    readOnly: false,
    apply: drop,
  },
];

const WAIT: Program['tools'][number] = {
  name: 'wait',
  description: 'Takes a draw',
  input: {},
  output: TEXT,
  readOnly: false,
  apply: ({ state }) => {
    const { delta } = drawOf(state);
    return delta.draw === undefined
      ? errorAnswer('not_found', 'no draws')
      : textAnswer([`next ${delta.draw as string}`], delta);
  },
};

/** The next draw; what a hand edit nested under its pointer counts as no draw. */
function drawOf(state: State): ReturnType<typeof nextDraw> {
  const { draw } = state;
  return typeof draw === 'string' ? nextDraw({ draws: single(state, 'draws'), draw }) : { value: 0, delta: {} };
}

function withWalker(call: Call, then: (walker: JsonObject, name: string) => Answer): Answer {
  const walker = record(call.state, 'walkers', call.args.who);
  return walker ? then(walker, String(call.args.who)) : notFound(call.args.who);
}

function move(call: Call): Answer {
  return withWalker(call, (walker, name) => {
    if (walker.state === 'lost') return errorAnswer('lost', `${name} is lost`);
    const steps = Number(walker.steps) + 1;
    const tired = call.forbidden({ steps }, 'steps');
    if (tired) return tired;
    const wind = call.rule('wind');
    const draw = wind ? drawOf(call.state) : { value: 0, delta: {} };
    const blown = draw.delta.draw !== undefined && draw.value <= Number(wind?.max);
    const here = cellOf(walker);
    const cell = beside(here, blown ? String(wind?.dir) : String(call.args.dir));
    const sign = signAt(call.state, 'map', cell);
    const stopped = sign === '' ? errorAnswer('blocked', 'edge of the map') : call.forbidden({ sign }, 'wall');
    if (stopped && !blown) return stopped;
    const counted: JsonObject = walker.steps === undefined ? {} : { steps };
    const change = stopped ? {} : arrive(call, cell, sign);
    const text = `${blown ? 'wind: ' : ''}${name} ${cellText(cellOf({ ...here, ...change }))}`;
    const delta = { walkers: { [name]: { ...change, ...counted } }, ...draw.delta };
    return textAnswer([change.state === 'lost' ? `${text} lost` : text], delta, [`on ${sign || 'edge'}`]);
  });
}

/** What stepping on a cell makes of a walker. */
function arrive(call: Call, cell: Cell, sign: string): JsonObject {
  if (call.rule('hole_end')?.sign === sign) return { ...cell, state: 'lost' };
  const back = call.rule('hole_back');
  return back?.sign === sign ? { row: Number(back.row), col: Number(back.col) } : { ...cell };
}

function take(call: Call): Answer {
  return withWalker(call, (walker, name) => {
    const id = String(call.args.thing);
    const item = record(call.state, 'things', id);
    if (!item) return notFound(call.args.thing);
    if (item.by !== 'none') return errorAnswer('taken', `${id} is taken`);
    const own = Object.values(records(call.state, 'things')).filter(({ by }) => by === name);
    const full = call.forbidden({ carried: own.length + 1 }, 'carry');
    if (full) return full;
    if (!sameCell(cellOf(walker), cellOf(item))) return errorAnswer('too_far', `${id} is not here`);
    return textAnswer([`${name} has ${id}`], { things: { [id]: { by: name } } }, [String(item.name)]);
  });
}

function drop(call: Call): Answer {
  return withWalker(call, (walker, name) => {
    const id = String(call.args.thing);
    const item = record(call.state, 'things', id);
    if (!item) return notFound(call.args.thing);
    if (item.by !== name) return errorAnswer('not_held', `${name} has no ${id}`);
    const delta = { things: { [id]: { ...cellOf(walker), by: 'none' } } };
    return textAnswer([`${id} at ${cellText(cellOf(walker))}`], delta, [String(item.name)]);
  });
}

function generate(rng: Rng, difficulty: number): Seeded {
  const [height, width] = [rng.int(3, 2 + difficulty), rng.int(3, 3 + difficulty)];
  const [wall, hole] = [rng.pick(WALLS), rng.pick(HOLES)];
  const free = rng.pick(['.', '-']);
  const rows = Array.from({ length: height }, () => Array<string>(width).fill(free));
  const cells = shuffledCells(rng, height, width);
  const put = (sign: string, cell = cells.pop()) => {
    const row = cell && rows[cell.row - 1];
    if (cell && row) row[cell.col - 1] = sign;
  };
  put(rng.pick(GOALS));
  for (let n = rng.int(1, difficulty + 1); n > 0; n--) put(wall);
  for (let n = rng.int(1, difficulty + 1); n > 0; n--) put(hole);
  const counts = rng.chance(0.5);
  const place = (): JsonObject => ({ ...(cells.pop() ?? { row: 1, col: 1 }) });
  const names = words(rng, NAMES, difficulty > 1 ? rng.int(1, 2) : 1, 0.5);
  const walkers = keyed(names, () => ({ ...place(), state: 'fine', ...(counts ? { steps: 0 } : {}) }));
  const start = Object.values(walkers)[0] as JsonObject;
  const labels = words(rng, THINGS, 2, 0.4);
  const held = rng.chance(0.5);
  const things = keyed(ids(rng, held ? 2 : rng.int(1, 2)), (_, i) => ({
    name: labels[i] ?? '',
    ...(held && i > 0 ? cellOf(start) : place()),
    by: held && i > 0 ? (names[0] ?? '') : 'none',
  }));
  const wind = rng.chance(0.65);
  return {
    title: 'Walk',
    state: { map: mapState(rows), walkers, things, ...(wind ? drawState(rng, rng.int(4, 5), 1, 6) : {}) },
    rules: [
      { id: 'wall', params: { sign: wall } },
      rng.chance(0.5)
        ? { id: 'hole_end', params: { sign: hole } }
        : { id: 'hole_back', params: { sign: hole, row: Number(start.row), col: Number(start.col) } },
      ...(wind ? [{ id: 'wind', params: { max: rng.int(1, 3), dir: rng.pick(DIRS) } }] : []),
      ...(counts ? [{ id: 'steps', params: { max: rng.int(3, 7) } }] : []),
      ...(held && !(counts && wind) ? [{ id: 'carry', params: { max: 1 } }] : []),
    ],
    spec: { kind: 'lake', wind },
  };
}

function program(spec: JsonObject): Program {
  return { rules: RULES, tools: spec.wind === true ? [...TOOLS, WAIT] : TOOLS };
}

/** What a walker is to reach: a cell, a thing, or both in this order. */
function errand(rng: Rng, world: Seeded, wants: { goal: boolean; thing: boolean }) {
  const { state } = world;
  const name = rng.pick(Object.keys(records(state, 'walkers')));
  const [id, item] = rng.pick(Object.entries(records(state, 'things')));
  const sign = GOALS.find((one) => findSign(state, 'map', one)) ?? '';
  const cell = findSign(state, 'map', sign);
  if (!cell) return null;
  const moves: Action[] = DIRS.map((dir) => ({ tool: 'move', args: { who: name, dir } }));
  const handling: Action[] = [
    { tool: 'take', args: { who: name, thing: id } },
    ...Object.entries(records(state, 'things')).flatMap(([other, { by }]) =>
      by === name && other !== id ? [{ tool: 'drop', args: { who: name, thing: other } }] : [],
    ),
  ];
  const waits: Action[] = world.spec?.wind === true ? [{ tool: 'wait', args: {} }] : [];
  const quest: Quest = {
    actions: [...moves, ...(wants.thing ? handling : []), ...waits],
    done: (now) =>
      (!wants.goal || has(now, ['walkers', name], { ...cell })) &&
      (!wants.thing || has(now, ['things', id], { by: name })),
    depth: 9,
    counter: ['walkers', name, 'steps'],
  };
  const plan = shortest(program(world.spec ?? {}), world, quest);
  if (!plan) return null;
  const checks: Check[] = [
    ...(wants.thing ? [{ path: `/things/${id}/by`, op: '==' as const, value: name }] : []),
    ...(wants.goal
      ? Object.entries(cell).map(([key, value]) => ({
          path: `/walkers/${name}/${key}`,
          op: '==' as const,
          value: value as number,
        }))
      : []),
  ];
  const looks: Action[] = [
    { tool: 'look', args: { who: name } },
    { tool: 'map', args: {} },
    ...(wants.thing ? [{ tool: 'thing', args: { id } }] : []),
    ...plan.slice(0, 1).flatMap((call) => ('tool' in call && call.tool === 'move' ? [{ ...call, tool: 'peek' }] : [])),
  ];
  const label = `the ${String(item?.name)} ${id}`;
  return { name, sign, label, checks, plan: [...(rng.chance(0.6) ? [rng.pick(looks)] : []), ...plan] };
}

export const lake: Kind = {
  program,
  generate,
  tasks: () => ({
    walk: (rng, world) => {
      const found = errand(rng, world, { goal: true, thing: false });
      if (!found) return null;
      const { name, sign, plan, checks } = found;
      const text = rng.pick([
        `Bring ${name} to ${sign}.`,
        `${name} has to get to ${sign}.`,
        `Lead ${name} to ${sign} safely.`,
      ]);
      return { instruction: text, plan, checks };
    },
    fetch: (rng, world) => {
      const found = errand(rng, world, { goal: false, thing: true });
      if (!found) return null;
      const { name, label, plan, checks } = found;
      const text = rng.pick([`${name} needs ${label}.`, `Let ${name} fetch ${label}.`, `Get ${label} for ${name}.`]);
      return { instruction: text, plan, checks };
    },
    carry: (rng, world) => {
      const found = errand(rng, world, { goal: true, thing: true });
      if (!found) return null;
      const { name, label, sign, plan, checks } = found;
      const text = rng.pick([`${name} brings ${label} to ${sign}.`, `Let ${name} carry ${label} to ${sign}.`]);
      return { instruction: text, plan, checks };
    },
  }),
};
