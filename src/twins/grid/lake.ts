/** Walks over a map with walls, holes and wind (after FrozenLake). Wind comes from visible draws, so it can be foreseen. */
import type { JsonObject } from '../../world/json';
import type { State } from '../../world/types';
import { errorAnswer, notFound, recordAnswer, textAnswer, type Answer } from '../kit/answer';
import { nextDraw } from '../kit/draws';
import { shape, TEXT } from '../kit/schema';
import { record, records, type ArgSpec, type Call, type Program, type RuleDef } from '../kit/types';
import { beside, cellOf, cellText, DIR, lineOf, linesOf, sameCell, signAt, single, type Cell } from './board';

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

/** The program of a spec: whether there is wind, so that waiting takes a draw. */
export function lakeProgram(spec: JsonObject): Program {
  return { rules: RULES, tools: spec.wind === true ? [...TOOLS, WAIT] : TOOLS };
}
