import { describe, expect, test } from 'vitest';
import { Rng } from '../../world/rng';
import { drawState, nextDraw } from './draws';
import { coined, idPrefix, ids, keyed, nextId, word, words } from './ids';
import { idsOf, listOf, shape } from './schema';

describe('identifiers', () => {
  test('are different, share a prefix, and leave room for the next', () => {
    for (let seed = 0; seed < 200; seed++) {
      const all = ids(Rng.of('ids', seed), 5);
      expect(new Set(all).size).toBe(5);
      expect(new Set(all.map((id) => id.replace(/\d+$/, ''))).size).toBe(1);
      const next = nextId(all);
      expect(all).not.toContain(next);
      expect(next).toHaveLength(all[0]?.length ?? 0);
    }
  });

  test('prefixes and coined words seldom repeat', () => {
    const of = (make: (rng: Rng) => string) =>
      new Set(Array.from({ length: 300 }, (_, i) => make(Rng.of('x', i)))).size;
    expect(of(idPrefix)).toBeGreaterThan(200);
    expect(of(coined)).toBeGreaterThan(280);
  });

  test('words are different and partly coined', () => {
    const list = ['a', 'b', 'c', 'd'];
    const drawn = Array.from({ length: 200 }, (_, i) => words(Rng.of('w', i), list, 3, 0.5));
    expect(drawn.every((some) => new Set(some).size === 3)).toBe(true);
    const own = drawn.flat().filter((one) => list.includes(one)).length;
    expect(own).toBeGreaterThan(230);
    expect(own).toBeLessThan(370);
    expect(words(Rng.of('few'), ['a'], 3, 0)).toHaveLength(3);
    expect(list).toContain(word(Rng.of('one'), list, 0));
  });

  test('the next of none, and records under keys', () => {
    expect(nextId([])).toBe('x1');
    expect(nextId(['W9', 'W10', 'W2'])).toBe('W11');
    expect(keyed(['a', 'b'], (key, i) => ({ key, i }))).toEqual({ a: { key: 'a', i: 0 }, b: { key: 'b', i: 1 } });
  });
});

test('draws go round, and a state without them gives nothing', () => {
  const state = drawState(Rng.of('d'), 3, 1, 6);
  let now = state;
  const seen: number[] = [];
  for (let i = 0; i < 7; i++) {
    const { value, delta } = nextDraw(now);
    seen.push(value);
    now = { ...now, ...delta };
  }
  expect(seen.slice(0, 3)).toEqual(Object.values(state.draws as object));
  expect(seen.slice(3, 6)).toEqual(seen.slice(0, 3));
  expect(now.draw).toBe('d2');
  for (const broken of [
    {},
    { draws: 3, draw: 'd1' },
    { draws: { d1: 'x' }, draw: 'd1' },
    { ...state, draw: 'zz' },
    { ...state, draw: {} },
  ])
    expect(nextDraw(broken)).toEqual({ value: 0, delta: {} });
});

test('output schemas in one word a member', () => {
  expect(shape('id@orders total:int share:num paid:bool state:open|closed name note:any').properties).toEqual({
    id: { type: 'string', 'x-from': 'orders' },
    total: { type: 'integer' },
    share: { type: 'number' },
    paid: { type: 'boolean' },
    state: { type: 'string', enum: ['open', 'closed'] },
    name: { type: 'string' },
    note: {},
  });
  expect(listOf('a')).toEqual({ type: 'array', items: { type: 'object', properties: { a: { type: 'string' } } } });
  expect(idsOf('items')).toEqual({ type: 'array', items: { type: 'string', 'x-from': 'items' } });
  expect(shape('').properties).toEqual({});
});
