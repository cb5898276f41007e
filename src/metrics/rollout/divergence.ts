/**
 * When a rollout leaves the twin's track, and the curve S(k), the share of rollouts that are still on it after k steps. A rollout
 * that ends before it diverges (its task is done, or its steps are used up) is censored there: it counts at the steps it has
 * and says nothing of later ones (Kaplan and Meier 1958), so short rollouts do not pass for good ones.
 */
import { percentiles95, type Interval, type Ratio } from '../statistics';

/** A step: whether it is as the twin's, or null where the twin has no answer. What "as" means is up to the caller. */
export type Mark = boolean | null;

/**
 * Number of the first step that is not as the twin's (from 0), or null when none is known to differ. As in the curve, a step
 * without truth ends what can be said: of the steps behind it none counts.
 */
export function firstDivergence(marks: readonly Mark[]): number | null {
  const at = marks.findIndex((mark) => mark !== true);
  return at < 0 || marks[at] === null ? null : at;
}

/** Whether it is known if a rollout diverges: it did, or it has truth to its end. Otherwise it is censored. */
export function divergenceKnown(marks: readonly Mark[]): boolean {
  return firstDivergence(marks) !== null || !marks.includes(null);
}

/** By step from 0: rollouts that agreed in all steps before and have this one, and those of them that diverge in it. */
export interface Hazard {
  atRisk: number[];
  diverged: number[];
}

/** A point of a survival curve. */
export interface SurvivalPoint {
  /** Number of steps, from 1. */
  step: number;
  /** Rollouts that had agreed for step - 1 steps and have this one: the denominator. */
  atRisk: number;
  /** Those that diverge in it. */
  diverged: number;
  /** S(step), the estimated share that agrees for so many steps, in [0, 1]; never rises. */
  share: number;
  /** 95%, bootstrap over clusters; null with fewer than two, and where all of them agree. */
  interval: Interval | null;
}

/** Adds one rollout to a hazard. A step without truth after agreeing ones ends what can be said, as the rollout's end does. */
export function addRollout(hazard: Hazard, marks: readonly Mark[]): void {
  for (const [step, mark] of marks.entries()) {
    if (mark === null) return;
    hazard.atRisk[step] = (hazard.atRisk[step] ?? 0) + 1;
    hazard.diverged[step] = (hazard.diverged[step] ?? 0) + Number(!mark);
    if (!mark) return;
  }
}

/**
 * The curve over clusters of rollouts by the product-limit estimate, S(k) = Π (1 - diverged/atRisk), with its percentile
 * bootstrap interval at every step.
 * @param resamples draws of whole clusters (`resample`); none for no intervals
 */
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
    interval: percentiles95(draws.map((shares) => shares[i] as number)),
  }));
}

/** Survival curve of rollouts as one cluster, without intervals. */
export function survival(rollouts: readonly (readonly Mark[])[]): SurvivalPoint[] {
  const hazard: Hazard = { atRisk: [], diverged: [] };
  for (const marks of rollouts) addRollout(hazard, marks);
  return survivalOf([hazard], []);
}

/** Median number of steps until divergence: the first with a share of at most one half; null when that is never seen. */
export function medianSurvival(points: readonly Pick<SurvivalPoint, 'step' | 'share'>[]): number | null {
  // A product of ratios that is one half may come out a little above it.
  return points.find(({ share }) => share <= 0.5 + 1e-9)?.step ?? null;
}

/** Share of wrong steps at each place, whatever came before it: how errors grow along a rollout. */
export function errorByStep(rollouts: readonly (readonly boolean[])[]): Ratio[] {
  const longest = rollouts.reduce((most, marks) => Math.max(most, marks.length), 0);
  return Array.from({ length: longest }, (_, i) => {
    const here = rollouts.filter((marks) => marks.length > i);
    return { sum: here.filter((marks) => !marks[i]).length, n: here.length };
  });
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
