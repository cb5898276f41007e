/** Sudoku of four by four: givens, digits placed by the agent, and what happens to one that clashes. */
import type { JsonObject } from '../../world/json';
import { errorAnswer, listAnswer, recordAnswer, textAnswer, type Answer } from '../kit/answer';
import { shape, TEXT } from '../kit/schema';
import type { ArgSpec, Call, Program, RuleDef } from '../kit/types';
import { single } from './board';
import { clashes, digitsOf, options, part, peers, UNITS } from './sudokuGrid';

const RULES: readonly RuleDef[] = [
  {
    id: 'clash',
    code: 'clash',
    text: ({ units }) => `no digit twice in a ${String(units)}`,
    violated: ({ units }, facts) => clashesIn(units, facts),
  },
  {
    id: 'penalty',
    text: ({ points, units }) => `placing a digit already in its ${String(units)} costs ${String(points)} points`,
  },
  {
    id: 'locked',
    code: 'locked',
    text: ({ line }) => `${String(line)} is locked`,
    violated: ({ line }, facts) => facts.row === line || facts.column === line,
  },
  {
    id: 'erasures',
    code: 'full',
    text: ({ max }) => `erasures: at most ${String(max)}`,
    violated: ({ max }, facts) => Number(facts.erased) > Number(max),
  },
  { id: 'bonus', text: ({ points }) => `the last digit of a row earns ${String(points)} points` },
];

function clashesIn(units = '', facts: JsonObject): boolean {
  return UNITS.some((unit) => units.split(/\W+/).includes(unit) && facts[`in_${unit}`] === true);
}

/** The program of a spec: the letters of the rows, and whether blocks count (not in a Latin square). */
export function sudokuProgram(spec: JsonObject): Program {
  const { rows } = spec;
  if (typeof rows !== 'string' || new Set(rows).size !== 4) throw new Error(`these are no four rows: ${String(rows)}`);
  const latin = spec.latin === true;
  const units = latin ? UNITS.slice(0, 2) : UNITS;
  const row: ArgSpec = { type: 'string', enum: [...rows] };
  const col: ArgSpec = { type: 'integer', min: 1, max: 4 };
  const digit: ArgSpec = { type: 'integer', min: 1, max: 4 };
  const cellOf = ({ args }: Call) => `${String(args.row)}${String(args.col)}`;
  return {
    rules: RULES,
    tools: [
      {
        name: 'grid',
        description: latin ? 'All rows' : 'All rows; blocks are 2 by 2',
        input: {},
        output: TEXT,
        readOnly: true,
        apply: ({ state }) => {
          const digits = digitsOf(state);
          return textAnswer([...rows].map((name) => [1, 2, 3, 4].map((n) => digits[`${name}${n}`] ?? '.').join('')));
        },
      },
      {
        name: 'cell',
        description: 'Digit and kind of a cell',
        input: { row, col },
        output: shape('cell digit:int kind:given|placed|empty'),
        readOnly: true,
        apply: (call) => {
          const cell = cellOf(call);
          const placed = part(call.state, 'placed')[cell];
          const value = placed ?? part(call.state, 'given')[cell];
          if (value === undefined) return recordAnswer({ cell, kind: 'empty' });
          return recordAnswer({ cell, digit: value, kind: placed === undefined ? 'given' : 'placed' });
        },
      },
      {
        name: 'options',
        description: `Digits not in its ${latin ? 'row, column' : 'row, column, block'}`,
        input: { row, col },
        output: { type: 'array', items: { type: 'integer' } },
        readOnly: true,
        apply: (call) => listAnswer(options(digitsOf(call.state), rows, cellOf(call), units)),
      },
      {
        name: 'count',
        description: 'Cells with a digit',
        input: { digit },
        output: shape('digit:int count:int'),
        readOnly: true,
        apply: ({ state, args }) => {
          const count = Object.values(digitsOf(state)).filter((value) => value === args.digit).length;
          return recordAnswer({ digit: args.digit ?? 0, count });
        },
      },
      {
        name: 'place',
        description: 'Into an empty cell',
        input: { row, col, digit },
        output: shape('cell digit:int score:int'),
        readOnly: false,
        apply: (call) => place(call, rows, cellOf(call), Number(call.args.digit)),
      },
      {
        name: 'erase',
        description: 'A placed digit',
        input: { row, col },
        output: shape('cell erased:int'),
        readOnly: false,
        destructive: true,
        apply: (call) => erase(call, cellOf(call)),
      },
    ],
  };
}

/** Facts about a line that a rule may lock. */
function lines(cell: string): JsonObject {
  return { row: `row ${cell[0] ?? ''}`, column: `column ${cell[1] ?? ''}` };
}

function place(call: Call, rows: string, cell: string, digit: number): Answer {
  const digits = digitsOf(call.state);
  if (digits[cell] !== undefined) return errorAnswer('not_empty', `${cell} has a ${digits[cell]}`);
  const facts = lines(cell);
  for (const unit of UNITS) facts[`in_${unit}`] = clashes(digits, rows, cell, digit, unit);
  const refused = call.forbidden(facts, 'locked', 'clash');
  if (refused) return refused;
  const { score } = single(call.state, 'game');
  const [penalty, bonus] = [call.rule('penalty'), call.rule('bonus')];
  const full = peers(rows, cell, 'row').every((peer) => digits[peer] !== undefined);
  const gained =
    (full ? Number(bonus?.points ?? 0) : 0) - (clashesIn(penalty?.units, facts) ? Number(penalty?.points) : 0);
  const after = score === undefined ? {} : { score: Number(score) + gained };
  return recordAnswer({ cell, digit, ...after }, { placed: { [cell]: digit }, game: after });
}

function erase(call: Call, cell: string): Answer {
  if (part(call.state, 'given')[cell] !== undefined) return errorAnswer('given', `${cell} is given`);
  if (part(call.state, 'placed')[cell] === undefined) return errorAnswer('empty', `${cell} is empty`);
  const before = single(call.state, 'game').erased;
  const erased = Number(before) + 1;
  const refused = call.forbidden({ ...lines(cell), erased }, 'locked', 'erasures');
  const after = before === undefined ? {} : { erased };
  return refused ?? recordAnswer({ cell, ...after }, { placed: { [cell]: null }, game: after });
}
