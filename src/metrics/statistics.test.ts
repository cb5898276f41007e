import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import golden from '../../test/fixtures/metrics/golden_metrics.json';
import { bootstrap95, median, ratioOf, resample, wilson95 } from './statistics';

describe('wilson95', () => {
  it.each(golden.wilson95)('agrees with the golden interval for $k of $n', ({ k, n, ci }) => {
    const [low, high] = wilson95(k, n);
    expect(low).toBeCloseTo(ci[0] as number, 7);
    expect(high).toBeCloseTo(ci[1] as number, 7);
  });

  it('holds the share, stays in [0, 1], mirrors and narrows with n', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5000 }), fc.double({ min: 0, max: 1, noNaN: true }), (n, share) => {
        const k = Math.round(share * n);
        const [low, high] = wilson95(k, n);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(low).toBeLessThanOrEqual(k / n);
        expect(high).toBeGreaterThanOrEqual(k / n);
        const [otherLow, otherHigh] = wilson95(n - k, n);
        expect(otherLow).toBeCloseTo(1 - high, 12);
        expect(otherHigh).toBeCloseTo(1 - low, 12);
        const [wideLow, wideHigh] = wilson95(4 * k, 4 * n);
        expect(wideHigh - wideLow).toBeLessThan(high - low);
      }),
    );
  });

  it.each([
    [1, 0],
    [-1, 3],
    [4, 3],
    [NaN, 3],
  ])('refuses %d of %d', (k, n) => {
    expect(() => wilson95(k, n)).toThrow(RangeError);
  });
});

describe('bootstrap95', () => {
  const binary = (shares: number[]) => shares.map((sum) => ({ sum, n: 1 }));

  it('is about as wide as the normal interval for independent clusters', () => {
    const clusters = binary(Array.from({ length: 400 }, (_, i) => (i % 4 === 0 ? 1 : 0)));
    const [low, high] = bootstrap95(clusters, resample(400, 1000, 1)) as [number, number];
    const half = 1.96 * Math.sqrt((0.25 * 0.75) / 400);
    expect(low).toBeGreaterThan(0.25 - 1.25 * half);
    expect(low).toBeLessThan(0.25 - 0.75 * half);
    expect(high).toBeLessThan(0.25 + 1.25 * half);
    expect(high).toBeGreaterThan(0.25 + 0.75 * half);
  });

  it('is wider when the steps of a run go together than if they were independent', () => {
    const runs = Array.from({ length: 40 }, (_, i) => ({ sum: i % 2 === 0 ? 10 : 0, n: 10 }));
    const single = binary(Array.from({ length: 400 }, (_, i) => i % 2));
    const [runLow, runHigh] = bootstrap95(runs, resample(40, 1000, 1)) as [number, number];
    const [low, high] = bootstrap95(single, resample(400, 1000, 1)) as [number, number];
    expect(runHigh - runLow).toBeGreaterThan(2 * (high - low));
  });

  it('depends on the seed only, and cuts one in forty at each end', () => {
    const clusters = binary([0, 1, 1, 0, 1]);
    expect(bootstrap95(clusters, resample(5, 200, 7))).toEqual(bootstrap95(clusters, resample(5, 200, 7)));
    expect(resample(5, 3, 7)).not.toEqual(resample(5, 3, 8));
    // 40 resamples that pick cluster i only: the least and the greatest ratio are dropped.
    const ladder = Array.from({ length: 40 }, (_, i) => ({ sum: i, n: 1 }));
    const draws = ladder.map((_, i) => Uint32Array.of(i));
    expect(bootstrap95(ladder, draws)).toEqual([1, 38]);
  });

  it('says nothing where there is nothing to see', () => {
    expect(bootstrap95([], resample(0, 10, 1))).toBeNull();
    expect(bootstrap95([{ sum: 3, n: 5 }], resample(1, 10, 1))).toBeNull();
    const lone = [
      { sum: 1, n: 2 },
      { sum: 0, n: 0 },
    ];
    expect(bootstrap95(lone, resample(2, 10, 1))).toBeNull();
    // Where all clusters agree resamples do too, up to rounding: no width is no interval.
    const thirds = Array.from({ length: 6 }, (_, i) => ({ sum: 0.1 * (i + 1), n: 0.3 * (i + 1) }));
    expect(bootstrap95(binary([1, 1, 1]), resample(3, 40, 1))).toBeNull();
    expect(bootstrap95(thirds, resample(6, 40, 1))).toBeNull();
    expect(ratioOf([{ sum: 0, n: 0 }])).toBeNull();
    expect(ratioOf([])).toBeNull();
  });
});

it('median: the middle, or the mean of both middles', () => {
  expect(median([])).toBeNull();
  expect(median([10, 9, 100])).toBe(10);
  expect(median([4, 1, 3, 2])).toBe(2.5);
});
