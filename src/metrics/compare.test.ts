import { describe, expect, it } from 'vitest';
import { compareRows } from './compare';
import { toRow, type Row } from './summary';
import { shown, stepOf, written } from './testing';
import { textDiversity, textMauve, textOverlap } from './text/tables';

const truth = shown({ id: 'W1', total: 40 });
const right = (episode: number) => toRow(stepOf(truth, { episode: String(episode) }));
const wrong = (episode: number) =>
  toRow(stepOf(truth, { episode: String(episode), answer: written(shown({ id: 'W99', total: 40 })) }));
const rows = (of: (episode: number) => Row) => Array.from({ length: 40 }, (_, i) => of(i >> 1));

describe('compareRows', () => {
  it('finds who is better, by how much, and adjusts for the number of metrics', () => {
    const result = compareRows(
      rows(right),
      rows((i) => (i % 2 ? wrong(i) : right(i))),
    );
    expect(result.observationExact).toMatchObject({
      difference: 0.5,
      n: 20,
      tested: 20,
      differing: 10,
      better: 'first',
    });
    expect(result.observationExact?.interval?.[0]).toBeGreaterThan(0);
    expect(result.observationExact?.p).toBeLessThan(0.01);
    expect(result.observationExact?.adjusted).toBeGreaterThan(result.observationExact?.p ?? 1);
    expect(result.observationExact?.wilcoxonP).toBeLessThan(0.01);
    // The rate of errors is lower for the first.
    expect(result.hallucinatedIds).toMatchObject({ better: 'first' });
    expect(result.hallucinatedIds?.difference).toBeLessThan(0);
    expect(result.parseOk).toMatchObject({ difference: 0, p: 1, adjusted: 1, differing: 0, better: 'neither' });
    expect(result.deltaExactChanged).toMatchObject({ difference: null, p: null, adjusted: null, tested: 0 });
  });

  it('is the other way round the other way round', () => {
    const [a, b] = [rows(right), rows((i) => (i % 3 ? right(i) : wrong(i)))];
    const metrics = ['leafF1', 'answerExact'] as const;
    const [one, other] = [compareRows(a, b, { metrics }), compareRows(b, a, { metrics })];
    for (const name of metrics) {
      expect(other[name]?.difference).toBeCloseTo(-(one[name]?.difference ?? NaN), 12);
      expect(other[name]?.p).toBeCloseTo(one[name]?.p ?? NaN, 2);
      expect(other[name]?.better).toBe('second');
    }
    expect(Object.keys(one)).toEqual(metrics);
  });

  it('needs the same episodes', () => {
    expect(() => compareRows(rows(right), rows(right).slice(1))).toThrow(RangeError);
    expect(() => compareRows([right(1)], [right(1), right(2)])).toThrow(RangeError);
    expect(compareRows([], []).parseOk).toMatchObject({ difference: null, p: null });
  });
});

describe('tables of texts', () => {
  it('count failed answers and say on how many they rest', () => {
    const pairs = [
      { written: '{"id":"W1"}', expected: '{"id":"W1"}' },
      { written: '', expected: '{"id":"W2"}' },
    ];
    const { bleu1, rougeL } = textOverlap(pairs);
    expect(rougeL).toEqual({ sum: 1, n: 2 });
    expect(bleu1).toBeCloseTo(100 * Math.exp(-1), 9);
    expect(textOverlap([])).toMatchObject({ bleu1: null, rougeL: { sum: 0, n: 0 } });
    expect(textMauve(pairs)).toMatchObject({ score: null, n: [2, 2] });
    expect(textDiversity(['a b', 'a b'])).toEqual({
      n: 2,
      used: 2,
      selfBleu: 100,
      distinct1: { sum: 2, n: 4 },
      distinct2: { sum: 1, n: 2 },
      vendi: expect.closeTo(1, 9) as number,
    });
    expect(textDiversity(Array.from({ length: 500 }, (_, i) => `x${i}`))).toMatchObject({ n: 500, used: 200 });
    expect(textDiversity([])).toMatchObject({ selfBleu: null, vendi: null, n: 0 });
  });
});
