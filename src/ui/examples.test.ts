import { expect, test } from 'vitest';
import { FAMILIES, makeWorld } from '../twins';
import { exampleOf, findFamilies } from './examples';

test('an example is the world that opens, and a family that cannot make it has none', () => {
  const world = makeWorld('support', 7, 2);
  expect(exampleOf('support', 7, 2)).toEqual({
    title: world.title,
    task: world.task.instruction,
    tools: world.tools.length,
    par: world.task.par,
  });
  expect(exampleOf('support', 7, 2)).toBe(exampleOf('support', 7, 2));
  expect(exampleOf('nowhere', 7, 2)).toBeNull();
});

test('families are found by every word typed, in any order and case', () => {
  const families = [
    { name: 'support', title: 'Support desk', line: 'Orders, returns and refunds of a shop' },
    { name: 'webshop', title: 'Web shop', line: 'Search and buy' },
  ];
  const found = (text: string) => findFamilies(families, text).map(({ name }) => name);
  expect(found('')).toEqual(['support', 'webshop']);
  expect(found('SHOP refunds')).toEqual(['support']);
  expect(found('shop')).toEqual(['support', 'webshop']);
  expect(found('shop mars')).toEqual([]);
  expect(findFamilies(FAMILIES, 'support').length).toBeGreaterThan(0);
});
