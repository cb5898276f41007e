/**
 * How long rollouts stay true: the first step whose answer is not exactly the twin's, and the curve S(k), the share of
 * rollouts that are still exact after k steps. A rollout that ends before it diverges (its task is done, or its steps are used
 * up) is censored there: it counts at the steps it has and says nothing of later ones (Kaplan and Meier 1958).
 */
import type { Interval } from '../../metrics';

/** By step from 0: rollouts that were exact in all steps before and have this one, and those of them that diverge in it. */
export interface Hazard {
  atRisk: number[];
  diverged: number[];
}

export interface SurvivalPoint {
  /** Number of steps, from 1. */
  step: number;
  atRisk: number;
  diverged: number;
  /** Share that is still exact after this step. */
  share: number;
  /** 95%, bootstrap over the same clusters as every other interval; null with fewer than two. */
  interval: Interval | null;
}

/** Index of the first step that is not exact, or null; steps without truth are neither. */
export function divergedAt(exact: string): number | null {
  const at = exact.indexOf('0');
  return at < 0 ? null : at;
}

/** Adds one rollout, given by a character a step, to a hazard. */
export function addRollout(hazard: Hazard, exact: string): void {
  for (let step = 0; step < exact.length; step++) {
    // A step without truth after exact ones ends what can be said, as the end of the rollout does.
    if (exact[step] === '-') return;
    hazard.atRisk[step] = (hazard.atRisk[step] ?? 0) + 1;
    hazard.diverged[step] = (hazard.diverged[step] ?? 0) + Number(exact[step] === '0');
    if (exact[step] === '0') return;
  }
}

/** The curve over clusters of rollouts, with its bootstrap interval at every step. */
export function survivalOf(clusters: readonly Hazard[], resamples: readonly Uint32Array[]): SurvivalPoint[] {
  const steps = clusters.reduce((most, { atRisk }) => Math.max(most, atRisk.length), 0);
  const all = clusters.map((_, i) => i);
  const total = curve(clusters, all, steps);
  const draws = clusters.length < 2 ? [] : resamples.map((draw) => curve(clusters, draw, steps).share);
  return total.share.map((share, i) => ({
    step: i + 1,
    atRisk: total.atRisk[i] as number,
    diverged: total.diverged[i] as number,
    share,
    interval: percentiles(draws.map((shares) => shares[i] as number)),
  }));
}

/** First number of steps after which at most half are still exact; null when that is never seen. */
export function medianSurvival(points: readonly SurvivalPoint[]): number | null {
  return points.find(({ share }) => share <= 0.5)?.step ?? null;
}

function curve(clusters: readonly Hazard[], draw: Iterable<number>, steps: number) {
  const atRisk = new Array<number>(steps).fill(0);
  const diverged = new Array<number>(steps).fill(0);
  for (const i of draw) {
    const hazard = clusters[i] as Hazard;
    for (let step = 0; step < hazard.atRisk.length; step++) {
      atRisk[step] = (atRisk[step] as number) + (hazard.atRisk[step] as number);
      diverged[step] = (diverged[step] as number) + (hazard.diverged[step] as number);
    }
  }
  let left = 1;
  const share = atRisk.map((n, i) => (left *= n === 0 ? 1 : 1 - (diverged[i] as number) / n));
  return { atRisk, diverged, share };
}

/** The interval of sorted draws as `bootstrap95` cuts it: 1 in 40 at each end. */
function percentiles(values: number[]): Interval | null {
  if (values.length === 0) return null;
  values.sort((a, b) => a - b);
  const cut = Math.floor(values.length / 40);
  return [values[cut] as number, values[values.length - 1 - cut] as number];
}
