/** Text maps: rows under the keys r1, r2, ..., one character a cell, columns counted from 1. */
import { get, isObject, type Json, type JsonObject } from '../../world/json';
import type { Rng } from '../../world/rng';
import type { State } from '../../world/types';

export const DIRS = ['up', 'down', 'left', 'right'] as const;
export const DIR = { type: 'string', enum: DIRS } as const;

export interface Cell {
  row: number;
  col: number;
}

const STEPS: { readonly [dir: string]: readonly [number, number] } = {
  up: [-1, 0],
  down: [1, 0],
  left: [0, -1],
  right: [0, 1],
};

/** The cell beside another. */
export function beside({ row, col }: Cell, dir: string): Cell {
  const [down, right] = STEPS[dir] ?? [0, 0];
  return { row: row + down, col: col + right };
}

export function sameCell(a: Cell, b: Cell): boolean {
  return a.row === b.row && a.col === b.col;
}

/** A single record of the state without what a hand edit nested in it; empty when it is not there. */
export function single(state: State, name: string): JsonObject {
  const item = get(state, name);
  const entries = isObject(item) ? Object.entries(item).filter(([, value]) => typeof value !== 'object') : [];
  return Object.fromEntries(entries);
}

/** Where a record stands. */
export function cellOf(item: JsonObject): Cell {
  return { row: Number(item.row), col: Number(item.col) };
}

/** A cell as answers write it. */
export function cellText({ row, col }: Cell): string {
  return `r${row} c${col}`;
}

/** Sign of a cell; nothing outside the map. */
export function signAt(state: State, name: string, { row, col }: Cell): string {
  return lineOf(state, name, row)?.[col - 1] ?? '';
}

/** One row of a map, or undefined outside it. */
export function lineOf(state: State, name: string, row: number): string | undefined {
  const map = get(state, name);
  const line = isObject(map) ? get(map, `r${row}`) : undefined;
  return typeof line === 'string' ? line : undefined;
}

/** The rows of a map from top to bottom. */
export function linesOf(state: State, name: string): string[] {
  const map = get(state, name);
  return isObject(map) ? Object.values(map).filter((line): line is string => typeof line === 'string') : [];
}

/** The state of a map. */
export function mapState(rows: readonly (readonly string[])[]): { [row: string]: Json } {
  return Object.fromEntries(rows.map((row, i) => [`r${i + 1}`, row.join('')]));
}

/** All cells of a map of this size, in random order. */
export function shuffledCells(rng: Rng, height: number, width: number): Cell[] {
  return rng.shuffle(
    Array.from({ length: height * width }, (_, i) => ({ row: Math.floor(i / width) + 1, col: (i % width) + 1 })),
  );
}

/** The first cell with a sign, or undefined. */
export function findSign(state: State, name: string, sign: string): Cell | undefined {
  const lines = linesOf(state, name);
  const row = lines.findIndex((line) => line.includes(sign));
  return row < 0 ? undefined : { row: row + 1, col: (lines[row]?.indexOf(sign) ?? 0) + 1 };
}
