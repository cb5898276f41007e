/** Sudoku of four by four as pure functions: who shares a unit with whom, what clashes, what fits, and all solutions. */
import { get, isObject } from '../../world/json';
import type { State } from '../../world/types';

export const DIGITS = [1, 2, 3, 4] as const;

/** Digits by cell, for example `{"a1":3}`. */
export type Digits = { [cell: string]: number };

/** What may not hold a digit twice. */
export const UNITS = ['row', 'column', 'block'] as const;
export type Unit = (typeof UNITS)[number];

/** The cells that share a unit with a cell. `rows` are the letters of the rows from top to bottom. */
export function peers(rows: string, cell: string, unit: Unit): string[] {
  const [row, col] = [rows.indexOf(cell[0] ?? ''), Number(cell[1]) - 1];
  const half = (n: number) => Math.floor(n / 2);
  return [0, 1, 2, 3].flatMap((r) =>
    [0, 1, 2, 3].flatMap((c) => {
      if (r === row && c === col) return [];
      const shares =
        unit === 'row' ? r === row : unit === 'column' ? c === col : half(r) === half(row) && half(c) === half(col);
      return shares ? [`${rows[r] ?? ''}${c + 1}`] : [];
    }),
  );
}

/** The digits of a state: givens first, then those placed. */
export function digitsOf(state: State): Digits {
  return { ...part(state, 'given'), ...part(state, 'placed') };
}

/** One of the two collections of digits. */
export function part(state: State, name: string): Digits {
  const cells = get(state, name);
  const entries = isObject(cells) ? Object.entries(cells) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, number] => typeof entry[1] === 'number'));
}

/** Whether a digit would stand twice in a unit of a cell. */
export function clashes(digits: Digits, rows: string, cell: string, digit: number, unit: Unit): boolean {
  return peers(rows, cell, unit).some((peer) => digits[peer] === digit);
}

/** Digits that none of these units of a cell holds yet. */
export function options(digits: Digits, rows: string, cell: string, units: readonly Unit[]): number[] {
  return DIGITS.filter((digit) => !units.some((unit) => clashes(digits, rows, cell, digit, unit)));
}

/** All ways to fill the empty cells, at most `most` of them. */
export function solve(digits: Digits, rows: string, units: readonly Unit[], most = 2): Digits[] {
  const empty = [...rows].flatMap((row) => [1, 2, 3, 4].map((col) => `${row}${col}`)).find((cell) => !digits[cell]);
  if (empty === undefined) return [digits];
  const out: Digits[] = [];
  for (const digit of options(digits, rows, empty, units)) {
    if (out.length < most) out.push(...solve({ ...digits, [empty]: digit }, rows, units, most - out.length));
  }
  return out;
}
