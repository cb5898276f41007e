import { expect, test } from 'vitest';
import type { GridWorld, SteeringGrid } from '../../rollouts/steering';
import { columnsOf, PER_FAMILY, worldName } from './columns';

const worldsOf = (family: string, n: number): GridWorld[] =>
  Array.from({ length: n }, (_, i) => ({ family, worldSeed: i + 1, difficulty: 1 }));
const gridOf = (...families: [string, number][]): SteeringGrid => ({
  ...{ simulators: ['twin'], directives: ['fail'], cells: [], families: families.map(([family]) => family) },
  worlds: families.flatMap(([family, n]) => worldsOf(family, n)),
});

test('few worlds are columns from the beginning, many only of families that were opened; a family is turned over', () => {
  const few = gridOf(['support', 3], ['grid', 2]);
  expect(columnsOf(few, {}, {}).map(({ family, worlds }) => [family, worlds.length])).toEqual([
    ['support', 3],
    ['grid', 2],
  ]);
  expect(columnsOf(few, { grid: false }, {}).map(({ all, worlds }) => [all, worlds.length])).toEqual([
    [3, 3],
    [2, 0],
  ]);
  const many = gridOf(['support', 2 * PER_FAMILY + 1], ['grid', 2]);
  expect(columnsOf(many, {}, {}).every(({ worlds }) => worlds.length === 0)).toBe(true);
  const at = (first: number) => columnsOf(many, { support: true }, { support: first })[0];
  expect(at(0)?.worlds).toEqual(worldsOf('support', PER_FAMILY));
  expect(at(PER_FAMILY)?.worlds[0]?.worldSeed).toBe(PER_FAMILY + 1);
  expect(at(99)).toMatchObject({ from: 2 * PER_FAMILY, worlds: [{ worldSeed: 2 * PER_FAMILY + 1 }] });
  expect(at(-5)?.from).toBe(0);
  expect(worldName({ worldSeed: 4, difficulty: 2 }, true)).toBe('seed 4, d2');
});
