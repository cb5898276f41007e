/** A small room in which a robot pushes boxes onto marks (after Sokoban): it cannot pull, so a push may be for good. */
import { errorAnswer, listAnswer, notFound, recordAnswer, textAnswer, type Answer } from '../kit/answer';
import { listOf, shape, TEXT } from '../kit/schema';
import { record, records, type Call, type Program, type RuleDef } from '../kit/types';
import { beside, cellOf, DIR, linesOf, sameCell, signAt, single, type Cell } from './board';

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
    name: 'pushable',
    description: 'With the robot behind it',
    input: { id: { type: 'string', from: 'boxes', maxLength: 16 }, dir: DIR },
    output: shape('id@boxes ok:bool'),
    of: 'boxes',
    readOnly: true,
    apply: (call) => {
      const box = record(call.state, 'boxes', call.args.id);
      if (!box) return notFound(call.args.id);
      const id = String(call.args.id);
      return recordAnswer({ id, ok: pushed(call, id, cellOf(box), String(call.args.dir)) === undefined });
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

/** One program for all rooms: what differs is in the state and the rules. */
export const SOKOBAN: Program = { tools: TOOLS, rules: RULES };
