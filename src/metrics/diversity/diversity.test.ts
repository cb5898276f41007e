import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Rng } from '../../world/rng';
import golden from '../../../test/fixtures/metrics/golden_metrics.json';
import { kMeans, principalComponents } from './clusters';
import { eigenSymmetric } from './eigen';
import { hashedFeatures, ngramKernel } from './features';
import { divergenceCurve, frontierIntegral, mauve, MAUVE_LEAST, mauveOf, smoothed } from './mauve';
import { vendi, vendiOfTexts } from './vendi';

const identity = (n: number) =>
  Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => Number(i === j)));

describe('vendi', () => {
  it.each([
    ['1', 1],
    ['2', 2],
    ['inf', Infinity],
  ] as const)('agrees with the golden values at q = %s', (name, q) => {
    const { identity4, ones4, mixed, mixed_K } = golden.vendi;
    expect(vendi(identity(4), q)).toBeCloseTo(identity4[name], 9);
    expect(vendi(new Array<number[]>(4).fill([1, 1, 1, 1]), q)).toBeCloseTo(ones4[name], 6);
    expect(vendi(mixed_K, q)).toBeCloseTo(mixed[name], 6);
  });

  it('lies between 1 and n, falls with q, and does not care about order', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', '1'), { maxLength: 5 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 8 }), (texts) => {
        const { score, n } = vendiOfTexts(texts);
        // Equal texts are brought together on the way; the whole kernel gives the same.
        expect(score).toBeCloseTo(vendi(ngramKernel(texts)), 9);
        expect(score).toBeGreaterThanOrEqual(1 - 1e-9);
        expect(score).toBeLessThanOrEqual(n + 1e-9);
        expect(vendiOfTexts(texts.toReversed()).score).toBeCloseTo(score, 9);
        expect(vendiOfTexts(texts, 2).score).toBeLessThanOrEqual(score + 1e-9);
        expect(vendiOfTexts(texts, Infinity).score).toBeLessThanOrEqual(vendiOfTexts(texts, 2).score + 1e-9);
        expect(vendiOfTexts([...texts, ...texts]).score).toBeCloseTo(score, 6);
      }),
      { numRuns: 50 },
    );
    expect(ngramKernel(['a b', 'c d', ''])).toEqual(identity(3));
  });
});

describe('eigenSymmetric', () => {
  it('takes a matrix apart into what makes it up', () => {
    const size = 5;
    const entries = fc.array(fc.double({ min: -3, max: 3, noNaN: true }), {
      minLength: size * size,
      maxLength: size * size,
    });
    fc.assert(
      fc.property(entries, (numbers) => {
        const at = (i: number, j: number) => (numbers[i * size + j] ?? 0) + (numbers[j * size + i] ?? 0);
        const matrix = Array.from({ length: size }, (_, i) => Array.from({ length: size }, (_, j) => at(i, j)));
        const { values, vectors } = eigenSymmetric(matrix);
        values.forEach((value, i) => expect(value).toBeLessThanOrEqual((values[i - 1] ?? Infinity) + 1e-9));
        for (let i = 0; i < size; i++) {
          for (let j = 0; j < size; j++) {
            const sum = values.reduce((s, value, k) => s + value * (vectors[k]?.[i] ?? 0) * (vectors[k]?.[j] ?? 0), 0);
            expect(sum).toBeCloseTo(at(i, j), 7);
          }
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe('mauve', () => {
  const { p, q, c, ...expected } = golden.mauve_from_hist;

  it('agrees with the golden values from histograms', () => {
    expect(mauveOf(p, q, c)).toBeCloseTo(expected.mauve, 6);
    expect(mauveOf(p, q, 1)).toBeCloseTo(expected.mauve_c1, 6);
    expect(mauveOf(p, p, c)).toBeCloseTo(expected.identical, 9);
    expect(mauveOf([1, 0], [0, 1], c)).toBeCloseTo(expected.disjoint, 6);
    expect(frontierIntegral(p, q)).toBeCloseTo(expected.frontier_integral, 6);
    // The golden counts are of 100 samples a side.
    const [one, other] = [p, q].map((shares) => smoothed(shares.map((x) => 100 * x))) as [number[], number[]];
    expect(mauveOf(one, other, c)).toBeCloseTo(expected.mauve_star, 6);
    expect(frontierIntegral(one, other)).toBeCloseTo(expected.frontier_integral_star, 6);
    expected.curve_first5.forEach((point, i) => {
      const [x, y] = divergenceCurve(p, q, c)[i] ?? [];
      expect(x).toBeCloseTo(point[0] ?? NaN, 6);
      expect(y).toBeCloseTo(point[1] ?? NaN, 6);
    });
  });

  it('is bounded and the same both ways', () => {
    const counts = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(counts, counts, (a, b) => {
        const [one, other] = [smoothed(a), smoothed(b)];
        const score = mauveOf(one, other);
        expect(score).toBeCloseTo(mauveOf(other, one), 9);
        expect(score).toBeGreaterThan(0);
        expect(score).toBeLessThanOrEqual(1 + 1e-9);
        expect(frontierIntegral(one, other)).toBeCloseTo(frontierIntegral(other, one), 12);
        expect(frontierIntegral(one, other)).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('is hidden with few samples, high for the same source and low for another', () => {
    const make = (n: number, seed: number, words: string[]) => {
      const rng = Rng.of('mauve', seed);
      return Array.from({ length: n }, () => `${rng.pick(words)} ${rng.pick(words)} ${rng.int(0, 4)}`);
    };
    const few = mauve(make(MAUVE_LEAST - 1, 0, ['a', 'b']), make(400, 0, ['a', 'b']));
    expect(few).toMatchObject({ score: null, smoothed: null, n: [199, 400] });
    const words = ['order', 'paid', 'sent', 'lamp', 'vase', 'note', 'total'];
    const same = mauve(make(210, 0, words), make(210, 3, words));
    const other = mauve(make(210, 0, words), make(210, 0, ['x', 'y', 'z', 'Error:', 'not']));
    expect(same.n).toEqual([210, 210]);
    expect(same.clusters).toBe(21);
    expect(same.score).toBeGreaterThan(0.9);
    expect(other.score).toBeLessThan(0.2);
    expect(mauve(make(210, 0, words), make(210, 3, words))).toEqual(same);
  });
});

describe('clusters', () => {
  it('find groups that lie apart, and the one direction that matters', () => {
    const points = Array.from({ length: 30 }, (_, i) => [10 * (i % 3) + 0.01 * i, 0.001 * (i % 2), 0]);
    const labels = kMeans(points, 3);
    expect(new Set(labels).size).toBe(3);
    labels.forEach((label, i) => expect(label).toBe(labels[i % 3]));
    expect(principalComponents(points)[0]).toHaveLength(1);
  });

  it('features have length 1, or 0 for nothing', () => {
    const length = (text: string) => hashedFeatures(text).reduce((sum, x) => sum + x * x, 0);
    expect(length('a b c')).toBeCloseTo(1, 12);
    expect(length('')).toBe(0);
  });
});
