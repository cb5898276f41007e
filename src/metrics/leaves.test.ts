import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { equal, type Json } from '../world/json';
import type { Observation } from '../world/types';
import { countLeaves, leafScores, matchLeaves, observationLeaves } from './leaves';

const values = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>;
const json = (value: Json): Observation => ({ kind: 'json', value: value as Json[] });
const text = (line: string): Observation => ({ kind: 'text', text: line });
const scores = (truth: Observation, predicted: Observation) => leafScores(observationLeaves(truth, predicted));

describe('leaves', () => {
  it('are scalars and empty containers', () => {
    expect(countLeaves({ a: 1, b: { c: 'x', d: {} }, e: [], f: [1, [2, null]] })).toBe(7);
  });

  it('of a value all match the value itself, in any order of keys', () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(matchLeaves(value, value)).toBe(countLeaves(value));
      }),
    );
    expect(matchLeaves({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(2);
  });

  it('match symmetrically, at most all of either side, and all of both only for equal values', () => {
    fc.assert(
      fc.property(values, values, (a, b) => {
        const matched = matchLeaves(a, b);
        expect(matched).toBe(matchLeaves(b, a));
        expect(matched).toBeLessThanOrEqual(Math.min(countLeaves(a), countLeaves(b)));
        expect(matched === countLeaves(a) && matched === countLeaves(b)).toBe(equal(a, b));
      }),
    );
  });

  it('need path, type and value', () => {
    expect(matchLeaves({ total: 40 }, { total: '40' })).toBe(0);
    expect(matchLeaves({ total: 40 }, { sum: 40 })).toBe(0);
    expect(matchLeaves({ a: {} }, { a: [] })).toBe(0);
    expect(matchLeaves({ a: null }, {})).toBe(0);
  });

  it('of keys that objects inherit are data', () => {
    expect(matchLeaves(JSON.parse('{"__proto__":1,"toString":2}') as Json, { a: 1 })).toBe(0);
    expect(matchLeaves({ constructor: 1 }, {})).toBe(0);
  });

  it('of lists are paired in order, so that one extra item costs itself alone', () => {
    const a = [
      { id: 'W1', n: 1 },
      { id: 'W2', n: 2 },
    ];
    expect(scores(json(a), json([{ id: 'W0', n: 0 }, ...a]))).toEqual({ precision: 4 / 6, recall: 1, f1: 0.8 });
    expect(scores(json(a), json(a.slice(1)))).toEqual({ precision: 1, recall: 0.5, f1: 2 / 3 });
    // Fields of different records do not make up a record.
    expect(
      matchLeaves(
        [{ id: 'W1', n: 1 }],
        [
          { id: 'W1', n: 2 },
          { id: 'W2', n: 1 },
        ],
      ),
    ).toBe(1);
    expect(matchLeaves(['a', 'b'], ['b', 'a'])).toBe(1);
  });
});

describe('leaf scores of observations', () => {
  it('count extras against precision', () => {
    expect(scores(json({ id: 'W1' }), json({ id: 'W1', total: 3, name: 'x' }))).toEqual({
      precision: 1 / 3,
      recall: 1,
      f1: 0.5,
    });
  });

  it('take lines of text for leaves, and never text for JSON', () => {
    expect(scores(text('a\nb\nc'), text('a\nc'))).toEqual({ precision: 1, recall: 2 / 3, f1: 0.8 });
    expect(scores(text(''), text(''))).toEqual({ precision: 1, recall: 1, f1: 1 });
    expect(scores(json(['a']), text('a'))).toEqual({ precision: 0, recall: 0, f1: 0 });
  });
});
