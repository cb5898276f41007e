/** Two simulators on the same situations: the difference with its interval, a test, and how far a world can be trusted. */
import {
  bootstrap95,
  BOOTSTRAP,
  compareParts,
  holm,
  METRICS,
  ratioOf,
  signTest,
  type Interval,
  type MetricDefinition,
  type Ratio,
} from '../../metrics';
import type { Cell } from './cell';
import type { Draws } from './detail';
import type { LabSpec } from './spec';

/**
 * What is compared, chosen before any batch is run: Holm's adjustment is for all of it, so more would cost power. Metrics of
 * steps, and success in the lane and of its actions in the twin.
 */
export const COMPARED = [
  ...['metric answerExact', 'metric observationExact', 'metric deltaExactChanged', 'metric statusMatch'],
  ...['metric leafF1', 'metric hallucinatedIds', 'metric directiveCompliance', 'success', 'real'],
] as const;

/** One metric of two simulators on the same worlds. The unit is the world: what happens in one world is no independent evidence. */
export interface Difference {
  /** Name without what it is of. */
  metric: string;
  /** First minus second, over the worlds that both have done; null where either counts nothing. */
  difference: number | null;
  /** 95%, paired bootstrap over worlds; null with fewer than two, and where all have the same difference. */
  interval: Interval | null;
  worlds: number;
  /** Worlds in which the first is better, and the second; the others are ties. */
  firstBetter: number;
  secondBetter: number;
  /** Permutation test over worlds, two-sided; beside it Wilcoxon's signed-rank test and the sign test. */
  p: number;
  wilcoxonP: number;
  signP: number;
}

export interface Comparison extends Difference {
  first: string;
  second: string;
  /** `p` adjusted for all comparisons of the batch (Holm). */
  pHolm: number;
}

/** W2R over Real: what actions found in the model do in the twin, over what is done by acting in the twin (arXiv 2512.18832). */
export interface ConsistencyRatio extends Ratio {
  ratio: number | null;
  interval: Interval | null;
  worlds: number;
}

/** Every pair of simulators, in the order of the spec, by every compared metric that either of them has. */
export function compareAll(spec: LabSpec, cellOf: (simulator: string) => Cell | undefined, draws: Draws): Comparison[] {
  const ids = spec.simulators.map(({ id }) => id);
  const out: Comparison[] = [];
  for (const [i, first] of ids.entries()) {
    for (const second of ids.slice(i + 1)) {
      const pair = [cellOf(first), cellOf(second)] as const;
      if (!pair[0] || !pair[1]) continue;
      for (const name of COMPARED) {
        const difference = differenceOf(pair[0], pair[1], name, draws);
        if (difference) out.push({ first, second, ...difference, pHolm: 1 });
      }
    }
  }
  const adjusted = holm(out.map(({ p }) => p));
  return out.map((comparison, i) => ({ ...comparison, pHolm: adjusted[i] as number }));
}

/**
 * One metric of two simulators on the worlds that both have done; null where there is no such world.
 * @param only worlds to look at; all unless told
 */
export function differenceOf(
  first: Cell,
  second: Cell,
  name: string,
  draws: Draws,
  only: (world: string) => boolean = () => true,
): Difference | null {
  const pairs = pairsOf(first, second, name).filter(({ world, a, b }) => only(world) && a.n > 0 && b.n > 0);
  if (pairs.length === 0) return null;
  const [x, y] = [pairs.map(({ a }) => a), pairs.map(({ b }) => b)];
  const metric = name.replace('metric ', '');
  const { lowerIsBetter = false }: Partial<MetricDefinition> = isMetric(metric) ? METRICS[metric] : {};
  const options = { lowerIsBetter, trials: trialsFor(pairs.length), seed: BOOTSTRAP.seed };
  const { difference, interval, p, wilcoxonP } = compareParts(x, y, draws(pairs.length), options);
  const mean = ({ sum, n }: Ratio) => sum / n;
  const sign = signTest(x.map(mean), y.map(mean));
  const [up, down] = lowerIsBetter ? [sign.second, sign.first] : [sign.first, sign.second];
  return {
    ...{ metric, difference, interval, worlds: pairs.length, firstBetter: up, secondBetter: down },
    ...{ p: p ?? 1, wilcoxonP: wilcoxonP ?? 1, signP: sign.p },
  };
}

/** Trials of the permutation test: 10,000 as long as that is quick, and never fewer than 1,000. */
export function trialsFor(worlds: number): number {
  return Math.max(1000, Math.min(10_000, Math.floor(2e6 / Math.max(worlds, 1))));
}

function isMetric(name: string): name is keyof typeof METRICS {
  return Object.hasOwn(METRICS, name);
}

/** The consistency ratio of every simulator beside the twin; empty where the twin is not in the batch or nothing ran free. */
export function consistencyOf(
  spec: LabSpec,
  cellOf: (simulator: string) => Cell | undefined,
  draws: Draws,
): { [simulator: string]: ConsistencyRatio } {
  const twin = spec.simulators.find(({ kind }) => kind === 'twin');
  const real = twin && cellOf(twin.id);
  const out: { [simulator: string]: ConsistencyRatio } = {};
  for (const { id, kind } of spec.simulators) {
    const model = cellOf(id);
    if (!real || !model || kind === 'twin' || spec.history === 'teacher') continue;
    const worlds = pairsOf(model, real, 'real').map(({ a, b }) => ({ sum: a.sum, n: b.sum }));
    const sum = worlds.reduce((total, part) => total + part.sum, 0);
    const n = worlds.reduce((total, part) => total + part.n, 0);
    const interval = bootstrap95(worlds, draws(worlds.length));
    out[id] = { sum, n, ratio: ratioOf(worlds), interval, worlds: worlds.length };
  }
  return out;
}

/** What both have in each world; a world in which one lacks a rollout (the batch stopped there) is left out. */
function pairsOf(first: Cell, second: Cell, name: string): { world: string; a: Ratio; b: Ratio }[] {
  const there = second.byWorld(name);
  return [...first.byWorld(name)].flatMap(([world, a]) => {
    const b = there.get(world);
    return b && a.jobs === b.jobs ? [{ world, a, b }] : [];
  });
}
