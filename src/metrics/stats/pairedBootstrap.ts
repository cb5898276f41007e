/** The difference between two simulators with its interval. */
import { BOOTSTRAP, percentiles95, resample, type Interval, type Ratio } from '../statistics';

export interface Difference {
  /** First minus second; null where either counts nothing. */
  difference: number | null;
  /**
   * Percentile bootstrap at 95% over episodes; null where either side counts something in fewer than two, or where all of
   * them have the same difference.
   */
  interval: Interval | null;
  /** Episodes. */
  n: number;
  first: Ratio;
  second: Ratio;
}

/**
 * Difference of two ratios of sums on the same episodes, such as exact answers of two simulators: every resample draws whole
 * episodes and takes both simulators' parts of them, so that what they share cancels.
 * @throws RangeError unless both have the same number of episodes, in the same order
 */
export function pairedBootstrap(
  first: readonly Ratio[],
  second: readonly Ratio[],
  draws: readonly Uint32Array[] = resample(first.length, BOOTSTRAP.count, BOOTSTRAP.seed),
): Difference {
  if (first.length !== second.length) {
    throw new RangeError(`Pairs need the same episodes on both sides, not ${first.length} and ${second.length}.`);
  }
  const [a, b] = [total(first), total(second)];
  const result = { difference: minus(a, b), n: first.length, first: a, second: b };
  const counting = (side: readonly Ratio[]) => side.filter(({ n }) => n > 0).length;
  if (Math.min(counting(first), counting(second)) < 2) return { ...result, interval: null };
  const values: number[] = [];
  for (const draw of draws) {
    const [x, y] = [pick(first, draw), pick(second, draw)];
    const value = minus(x, y);
    if (value !== null) values.push(value);
  }
  return { ...result, interval: percentiles95(values) };
}

function total(parts: readonly Ratio[]): Ratio {
  return parts.reduce((a, b) => ({ sum: a.sum + b.sum, n: a.n + b.n }), { sum: 0, n: 0 });
}

function pick(parts: readonly Ratio[], draw: Uint32Array): Ratio {
  const out = { sum: 0, n: 0 };
  for (const i of draw) {
    out.sum += parts[i]?.sum ?? 0;
    out.n += parts[i]?.n ?? 0;
  }
  return out;
}

function minus(a: Ratio, b: Ratio): number | null {
  return a.n === 0 || b.n === 0 ? null : a.sum / a.n - b.sum / b.n;
}
