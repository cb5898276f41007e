import { expect, test } from 'vitest';
import { makeWorld } from '../../twins';
import { LISTED_TASKS, taskOf, tasksOf, without } from './tasks';

const worlds = { families: ['support', 'grid'], seeds: { from: 3, count: 2 }, difficulties: [1, 2] };

test('a batch has a task for each world; one that is not wanted goes with its seed', () => {
  const { listed, all } = tasksOf(worlds);
  expect(all).toBe(8);
  expect(listed.map(({ family, worldSeed, difficulty }) => `${family}/${worldSeed}/${difficulty}`)).toEqual([
    ...['support/3/1', 'support/3/2', 'support/4/1', 'support/4/2'],
    ...['grid/3/1', 'grid/3/2', 'grid/4/1', 'grid/4/2'],
  ]);
  expect(taskOf({ family: 'support', worldSeed: 3, difficulty: 2 })).toBe(makeWorld('support', 3, 2).task.instruction);
  const fewer = without(worlds, 3);
  expect(fewer.seeds).toEqual([4]);
  expect(tasksOf(fewer).listed.every(({ worldSeed }) => worldSeed === 4)).toBe(true);
});

test('of many worlds the first ones are listed', () => {
  const { listed, all } = tasksOf({ families: ['support'], seeds: { from: 1, count: 5000 }, difficulties: [1] });
  expect([listed.length, all]).toEqual([LISTED_TASKS, 5000]);
});
