/** Two simulators on the same steps: by how much they differ, and whether that is more than chance. */
import { METRIC_NAMES, METRICS, type Metric, type MetricDefinition } from './registry';
import { BOOTSTRAP, resample, type Ratio } from './statistics';
import { holm } from './stats/holm';
import { permutationTest, wilcoxon } from './stats/paired';
import { pairedBootstrap, type Difference } from './stats/pairedBootstrap';
import type { Row } from './summary';

export interface Comparison extends Difference {
  /** Permutation test over episodes; null where no episode counts. */
  p: number | null;
  /** Wilcoxon's signed-rank test over episodes, beside it: it weighs how many rather than how much. */
  wilcoxonP: number | null;
  /** `p` adjusted by Holm over all metrics that have one. */
  adjusted: number | null;
  /** Episodes the tests rest on, those of them that differ, and who is better in them. */
  tested: number;
  differing: number;
  better: 'first' | 'second' | 'neither';
}

/**
 * Compares two simulators metric by metric. The unit is the episode: steps of one run are not independent. Each episode gives
 * one pair of means, and those on which a metric counts nothing for either are left out of its tests. The difference and its
 * interval are of the ratio of sums, the number that tables show.
 * @throws RangeError unless both answered the same episodes with equally many steps
 */
export function compareRows(
  first: readonly Row[],
  second: readonly Row[],
  { bootstrap = BOOTSTRAP, trials = 10_000, metrics = METRIC_NAMES as readonly Metric[] } = {},
): { [M in Metric]?: Comparison } {
  const [a, b] = [episodesOf(first), episodesOf(second)];
  for (const [episode, rows] of a) {
    if (rows.length !== b.get(episode)?.length)
      throw new RangeError(`Episode ${episode} is not the same on both sides.`);
  }
  if (a.size !== b.size) throw new RangeError('Both sides need the same episodes.');
  const names = [...a.keys()];
  const draws = resample(names.length, bootstrap.count, bootstrap.seed);
  const results = metrics.map((metric): [Metric, Comparison] => {
    const parts = (side: Map<string, Row[]>) => names.map((name) => total(side.get(name) ?? [], metric));
    const { lowerIsBetter = false }: MetricDefinition = METRICS[metric];
    return [metric, compareParts(parts(a), parts(b), draws, { lowerIsBetter, trials, seed: bootstrap.seed })];
  });
  const tested = results.filter(([, { p }]) => p !== null);
  const adjusted = holm(tested.map(([, { p }]) => p ?? 1));
  tested.forEach(([, comparison], i) => (comparison.adjusted = adjusted[i] ?? null));
  return Object.fromEntries(results) as { [M in Metric]?: Comparison };
}

/**
 * One comparison from what each episode adds on either side, in the same order; `adjusted` is left to the caller, who knows how
 * many tests there are.
 * @param draws resamples of the episodes, for the interval
 * @param options whether a lower number is better; trials and seed of the permutation test
 * @throws RangeError unless both sides have equally many episodes
 */
export function compareParts(
  first: readonly Ratio[],
  second: readonly Ratio[],
  draws: readonly Uint32Array[],
  options: { lowerIsBetter: boolean; trials: number; seed: number },
): Comparison {
  const both = first.map((_, i) => i).filter((i) => (first[i]?.n ?? 0) > 0 && (second[i]?.n ?? 0) > 0);
  const means = (side: readonly Ratio[]) => both.map((i) => (side[i]?.sum ?? 0) / (side[i]?.n ?? 1));
  const [x, y] = [means(first), means(second)];
  const base = pairedBootstrap(first, second, draws);
  // Equal sums of other terms may differ in the last bit.
  const difference = Math.abs(base.difference ?? 0) < 1e-12 ? 0 : (base.difference ?? 0);
  const sign = Math.sign(difference) * (options.lowerIsBetter ? -1 : 1);
  const test = both.length === 0 ? null : permutationTest(x, y, options);
  return {
    ...base,
    p: test?.p ?? null,
    wilcoxonP: both.length === 0 ? null : wilcoxon(x, y).p,
    adjusted: null,
    tested: both.length,
    differing: test?.n ?? 0,
    better: sign > 0 ? 'first' : sign < 0 ? 'second' : 'neither',
  };
}

function total(rows: readonly Row[], metric: Metric): Ratio {
  return rows.reduce((sum, { parts }) => ({ sum: sum.sum + parts[metric].sum, n: sum.n + parts[metric].n }), {
    sum: 0,
    n: 0,
  });
}

function episodesOf(rows: readonly Row[]): Map<string, Row[]> {
  const out = new Map<string, Row[]>();
  for (const row of rows) {
    const list = out.get(row.episode);
    if (list) list.push(row);
    else out.set(row.episode, [row]);
  }
  return out;
}
