/** Puzzles with one solution, and what people ask for in them. */
import type { JsonObject } from '../../world/json';
import type { Rng } from '../../world/rng';
import type { Action, Check } from '../../world/types';
import { letters } from '../kit/ids';
import type { Seeded, TaskPlan } from '../kit/types';
import type { Kind } from './kind';
import { sudokuProgram } from './sudoku';
import { DIGITS, digitsOf, options, part, peers, solve, UNITS, type Digits, type Unit } from './sudokuGrid';

const cellsOf = (rows: string): string[] => [...rows].flatMap((row) => DIGITS.map((col) => `${row}${col}`));

function unitsOf({ spec }: Seeded): readonly Unit[] {
  return spec?.latin === true ? UNITS.slice(0, 2) : UNITS;
}

/** A full grid: one of the solutions of a grid whose first row and first column are drawn. */
function fullGrid(rng: Rng, rows: string, units: readonly Unit[]): Digits {
  const first = rng.shuffle(DIGITS);
  const start = Object.fromEntries(first.map((digit, i) => [`${rows[0] ?? ''}${i + 1}`, digit]));
  return rng.pick(solve(start, rows, units, 24));
}

/** Cells emptied one after another as long as the rest has one solution. */
function emptied(rng: Rng, full: Digits, rows: string, units: readonly Unit[], most: number): Digits {
  let digits = full;
  for (const cell of rng.shuffle(cellsOf(rows))) {
    const { [cell]: _, ...rest } = digits;
    if (16 - Object.keys(rest).length > most) break;
    if (solve(rest, rows, units).length === 1) digits = rest;
  }
  return digits;
}

function generate(rng: Rng, difficulty: number): Seeded {
  const rows = rng.chance(0.4) ? 'abcd' : rowLetters(rng);
  const latin = rng.chance(0.3);
  const units = latin ? UNITS.slice(0, 2) : UNITS;
  const full = fullGrid(rng, rows, units);
  const given = emptied(rng, full, rows, units, rng.int(2, 3) + 2 * difficulty);
  const penal = rng.chance(0.45);
  const placed: Digits = {};
  const empty = rng.shuffle(cellsOf(rows).filter((cell) => given[cell] === undefined));
  for (const cell of empty.slice(0, rng.int(0, 2))) {
    // A digit that was placed wrongly is there to be found; one that clashes only where rules let it be placed.
    const possible = penal ? DIGITS : options({ ...given, ...placed }, rows, cell, units);
    const digit = rng.chance(0.5) && possible.length > 0 ? rng.pick(possible) : (full[cell] ?? 1);
    if (possible.includes(digit as (typeof DIGITS)[number])) placed[cell] = digit;
  }
  const names = latin ? 'row or column' : 'row, column or block';
  const bonus = rng.chance(0.4);
  const counts = rng.chance(0.5);
  const line = rng.chance(0.5) ? `row ${rng.pick([...rows])}` : `column ${rng.int(1, 4)}`;
  const game: JsonObject = {
    ...(penal || bonus ? { score: rng.int(0, 20) } : {}),
    ...(counts ? { erased: rng.int(0, 1) } : {}),
  };
  const rules = [
    penal
      ? { id: 'penalty', params: { points: rng.int(2, 5), units: names } }
      : { id: 'clash', params: { units: names } },
    ...(bonus ? [{ id: 'bonus', params: { points: rng.int(2, 9) } }] : []),
    ...(counts ? [{ id: 'erasures', params: { max: rng.int(1, 2) } }] : []),
    ...(rng.chance(0.35) || !(bonus || counts) ? [{ id: 'locked', params: { line } }] : []),
  ];
  const sorted = Object.fromEntries(cellsOf(rows).flatMap((cell) => (given[cell] ? [[cell, given[cell]]] : [])));
  return { title: 'Sudoku', state: { given: sorted, placed, game }, rules, spec: { kind: 'sudoku', rows, latin } };
}

/** Four different letters in the order of the alphabet. */
function rowLetters(rng: Rng): string {
  const out = new Set<string>();
  while (out.size < 4) out.add(letters(rng, 1));
  return [...out].sort().join('');
}

const argsOf = (cell: string): JsonObject => ({ row: cell[0] ?? '', col: Number(cell[1]) });

/** The calls that give these cells their digits: wrong ones are erased first, then all are placed in this order. */
function fill(rng: Rng, world: Seeded, cells: readonly string[], instruction: string, look?: Action): TaskPlan | null {
  const rows = String(world.spec?.rows);
  const solution = solve(part(world.state, 'given'), rows, unitsOf(world))[0];
  const now = digitsOf(world.state);
  const wrong = cells.filter((cell) => now[cell] !== undefined && now[cell] !== solution?.[cell]);
  const open = cells.filter((cell) => now[cell] !== solution?.[cell]);
  if (!solution || open.length === 0 || open.length > 6) return null;
  const looks = open.slice(0, 1).map((cell) => ({ tool: 'options', args: argsOf(cell) }));
  return {
    instruction,
    plan: [
      ...(rng.chance(0.6) ? [look ?? rng.pick([{ tool: 'grid', args: {} }, ...looks])] : []),
      ...wrong.map((cell) => ({ tool: 'erase', args: argsOf(cell) })),
      ...open.map((cell) => ({ tool: 'place', args: { ...argsOf(cell), digit: solution[cell] ?? 0 } })),
    ],
    checks: cells.flatMap((cell): Check[] =>
      part(world.state, 'given')[cell] === undefined
        ? [{ path: `/placed/${cell}`, op: '==', value: solution[cell] ?? 0 }]
        : [],
    ),
  };
}

export const sudoku: Kind = {
  program: sudokuProgram,
  generate,
  tasks: () => ({
    cell: (rng, world) => {
      const rows = String(world.spec?.rows);
      const cell = rng.pick(cellsOf(rows).filter((name) => digitsOf(world.state)[name] === undefined));
      const text = rng.pick([
        `Fill ${cell}.`,
        `Which digit belongs in ${cell}? Place it.`,
        `Place the right digit in ${cell}.`,
      ]);
      return fill(rng, world, [cell], text, { tool: 'options', args: argsOf(cell) });
    },
    line: (rng, world) => {
      const rows = String(world.spec?.rows);
      const cell = rng.pick(cellsOf(rows));
      const unit = rng.pick(unitsOf(world));
      const name = { row: `row ${cell[0] ?? ''}`, column: `column ${cell[1] ?? ''}`, block: `the block of ${cell}` }[
        unit
      ];
      return fill(
        rng,
        world,
        [cell, ...peers(rows, cell, unit)].sort(),
        rng.pick([`Complete ${name}.`, `Fill ${name}.`]),
      );
    },
    repair: (rng, world) => {
      const rows = String(world.spec?.rows);
      const solution = solve(part(world.state, 'given'), rows, unitsOf(world))[0] ?? {};
      const wrong = Object.entries(part(world.state, 'placed')).filter(([cell, digit]) => solution[cell] !== digit);
      if (wrong.length !== 1) return null;
      const text = rng.pick([
        'One placed digit is wrong. Correct it.',
        'Find the wrong digit and put in the right one.',
      ]);
      return fill(rng, world, [String(wrong[0]?.[0])], text, { tool: 'grid', args: {} });
    },
    solve: (rng, world) => {
      const text = rng.pick(['Solve the puzzle.', 'Fill all cells.', 'Complete the grid.']);
      return fill(rng, world, cellsOf(String(world.spec?.rows)), text, { tool: 'grid', args: {} });
    },
    clear: (rng, world) => {
      const cells = Object.keys(part(world.state, 'placed'));
      if (cells.length === 0) return null;
      const text = rng.pick(['Take back every placed digit.', 'Only the givens shall stand.']);
      const plan = cells.map((cell) => ({ tool: 'erase', args: argsOf(cell) }));
      const checks = cells.map((cell): Check => ({ path: `/placed/${cell}`, op: 'absent' }));
      return { instruction: text, plan: [...(rng.chance(0.5) ? [{ tool: 'grid', args: {} }] : []), ...plan], checks };
    },
  }),
};
