/** When a rollout leaves the twin's track. */
import type { Ratio } from '../statistics';

/**
 * Number of the first step that is not as the twin's (from 0), or null when all are. What "as" means is up to the caller:
 * the whole answer, the observation, or the state.
 */
export function firstDivergence(agrees: readonly boolean[]): number | null {
  const at = agrees.indexOf(false);
  return at < 0 ? null : at;
}

/** A point of a survival curve. */
export interface Survival {
  /** Steps done. */
  k: number;
  /** Runs that had agreed for k - 1 steps and have a k-th one: the denominator of this step. */
  atRisk: number;
  /** Those that diverge at the k-th step. */
  diverged: number;
  /** S(k), the estimated share of runs that agree for k steps, in [0, 1]; never rises. */
  share: number;
}

/**
 * Survival curve of runs by the product-limit estimate (Kaplan and Meier 1958): S(k) = Π (1 - diverged/atRisk). Runs that end
 * without diverging leave the denominator, so short runs do not pass for good ones.
 * @param runs for each run, step by step, whether it is as the twin's
 */
export function survival(runs: readonly (readonly boolean[])[]): Survival[] {
  const out: Survival[] = [];
  let share = 1;
  for (let k = 1; ; k++) {
    const here = runs.filter((run) => run.length >= k && run.slice(0, k - 1).every(Boolean));
    if (here.length === 0) return out;
    const diverged = here.filter((run) => !run[k - 1]).length;
    share *= 1 - diverged / here.length;
    out.push({ k, atRisk: here.length, diverged, share });
  }
}

/** Median number of steps until divergence: the first k with S(k) at most one half; null when the curve stays above. */
export function medianSurvival(curve: readonly Survival[]): number | null {
  return curve.find(({ share }) => share <= 0.5)?.k ?? null;
}

/** Share of wrong steps at each place, whatever came before it: how errors grow along a run. */
export function errorByStep(runs: readonly (readonly boolean[])[]): Ratio[] {
  const longest = runs.reduce((most, run) => Math.max(most, run.length), 0);
  return Array.from({ length: longest }, (_, i) => {
    const here = runs.filter((run) => run.length > i);
    return { sum: here.filter((run) => !run[i]).length, n: here.length };
  });
}
