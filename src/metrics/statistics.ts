/** Intervals. Everything is a pure function of its arguments; chance comes from a seed. */
import { Rng } from '../world/rng';

export type Interval = [low: number, high: number];

/** Two-sided 95% quantile of the normal distribution. */
const Z95 = 1.959963984540054;

/**
 * Wilson score interval at 95% of k successes in n trials (Wilson 1927, equation 5 of Brown, Cai and DasGupta 2001, without
 * continuity correction). It takes trials for independent; for steps of common runs use the bootstrap beside it.
 * @throws RangeError unless n is positive and 0 <= k <= n
 */
export function wilson95(k: number, n: number): Interval {
  if (!(n > 0 && k >= 0 && k <= n)) throw new RangeError(`Wilson needs 0 <= k <= n and n > 0, not k=${k}, n=${n}`);
  const z2 = Z95 * Z95;
  const centre = (k + z2 / 2) / (n + z2);
  const half = (Z95 / (n + z2)) * Math.sqrt((k * (n - k)) / n + z2 / 4);
  // At the edges the formula gives exactly 0 and 1 but for rounding.
  return [k === 0 ? 0 : centre - half, k === n ? 1 : centre + half];
}

/** One cluster's part of a ratio of sums, such as right answers over answers of one run. */
export interface Ratio {
  sum: number;
  n: number;
}

/** Sum over sum; null where nothing was counted. */
export function ratioOf(parts: readonly Ratio[]): number | null {
  let sum = 0;
  let n = 0;
  for (const part of parts) {
    sum += part.sum;
    n += part.n;
  }
  return n === 0 ? null : sum / n;
}

/** Resamples of every bootstrap; 1000 as in sacrebleu, whose seed is used as well. */
export const BOOTSTRAP = { count: 1000, seed: 12345 };

/**
 * Resamples with replacement: `count` lists of `clusters` indices. Made once and used for every metric and every model, so
 * that intervals of one table rest on the same draws.
 */
export function resample(clusters: number, count: number, seed: number): Uint32Array[] {
  const rng = Rng.of('bootstrap', seed, clusters);
  return Array.from({ length: clusters === 0 ? 0 : count }, () =>
    Uint32Array.from({ length: clusters }, () => rng.int(0, clusters - 1)),
  );
}

/**
 * Percentile bootstrap at 95% over clusters (whole runs, never single steps) of a ratio of sums: of the sorted resampled
 * ratios 1 in 40 is dropped at each end, as sacrebleu does. Resamples in which nothing is counted are left out.
 * @returns null with fewer than two clusters that count anything, and where all of them agree: there is no spread to see
 */
export function bootstrap95(clusters: readonly Ratio[], resamples: readonly Uint32Array[]): Interval | null {
  if (clusters.filter(({ n }) => n > 0).length < 2) return null;
  const ratios: number[] = [];
  for (const draw of resamples) {
    let sum = 0;
    let n = 0;
    for (const index of draw) {
      const part = clusters[index] as Ratio;
      sum += part.sum;
      n += part.n;
    }
    if (n > 0) ratios.push(sum / n);
  }
  return percentiles95(ratios);
}

/**
 * Percentile interval at 95% of resampled values: 1 in 40 is dropped at each end, as sacrebleu does. Null of none, and where
 * the ends are the same but for rounding: that resamples agree is no certainty, so no interval of no width is shown as one.
 */
export function percentiles95(values: readonly number[]): Interval | null {
  if (values.length === 0) return null;
  const sorted = Float64Array.from(values).sort();
  const cut = Math.floor(sorted.length / 40);
  const [low, high] = [sorted[cut] as number, sorted[sorted.length - 1 - cut] as number];
  return high - low <= 1e-12 * Math.max(Math.abs(low), Math.abs(high)) ? null : [low, high];
}

/** Median of numbers (the mean of the middle two for an even count); null of none. */
export function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  if (sorted.length === 0) return null;
  return ((sorted[Math.ceil(middle) - 1] as number) + (sorted[Math.floor(middle)] as number)) / 2;
}
