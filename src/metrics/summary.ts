/** Means with denominators and intervals over many steps: the numbers of a table. */
import type { Cost } from '../world/simulator';
import { METRIC_NAMES, METRICS, type Metric } from './registry';
import { scoreStep, type Score } from './score';
import { BOOTSTRAP, bootstrap95, ratioOf, resample, wilson95, type Interval, type Ratio } from './statistics';
import type { ScoredStep } from './types';

/** Sum and denominator of one metric, with its 95% intervals (null where they cannot be had). */
export interface MetricDetail extends Ratio {
  wilson: Interval | null;
  bootstrap: Interval | null;
}

/** Means of costs per step; see `Cost` for what each counts. */
export type MeanCost = { [K in keyof Cost]: number | null };

/** Means over a set of steps; null where nothing counts. */
export type Means = { [M in Metric]: number | null } & MeanCost;

export interface Table extends Means {
  /** Steps, runs they come from, steps where the twin succeeds, steps where its delta is not empty. */
  n: number;
  episodes: number;
  successN: number;
  changedN: number;
  intervals: { [M in Metric]: MetricDetail };
}

export interface Summary extends Table {
  /** Delta accuracy by the number of fields the twin changes. */
  byChangedFields: { [fields: string]: { n: number; exact: number } };
  families: { [family: string]: Table };
}

/** One scored step as tables use it. */
export interface Row {
  episode: string;
  family: string;
  score: Score;
  /** What the step adds to each metric. */
  parts: Parts;
  cost: Cost;
}

export type Parts = { [M in Metric]: Ratio };

/** Asks every metric of the registry what a step adds to it. */
export function partsOf(score: Score, step: ScoredStep): Parts {
  return Object.fromEntries(METRIC_NAMES.map((name) => [name, METRICS[name].part(score, step)])) as Parts;
}

/** Scores a step for a table. */
export function toRow(step: ScoredStep): Row {
  const score = scoreStep(step);
  return { episode: step.episode, family: step.family, score, parts: partsOf(score, step), cost: step.answer.cost };
}

/**
 * Means over steps with denominators, Wilson intervals (steps taken for independent) and bootstrap intervals over runs.
 */
export function summarize(rows: readonly Row[], bootstrap = BOOTSTRAP): Summary {
  const byFamily = group(rows, ({ family }) => family);
  const byChanged = group(
    rows.filter(({ score }) => score.changed > 0),
    ({ score }) => (score.changed < 5 ? String(score.changed) : '5+'),
  );
  return {
    ...table(rows, bootstrap),
    byChangedFields: Object.fromEntries(
      sorted(byChanged).map(([fields, part]) => [
        fields,
        { n: part.length, exact: ratioOf(part.map(({ parts }) => parts.deltaExact)) ?? 0 },
      ]),
    ),
    families: Object.fromEntries(sorted(byFamily).map(([family, part]) => [family, table(part, bootstrap)])),
  };
}

function table(rows: readonly Row[], bootstrap: typeof BOOTSTRAP): Table {
  const episodes = [...group(rows, ({ episode }) => episode).values()];
  const resamples = resample(episodes.length, bootstrap.count, bootstrap.seed);
  const intervals = {} as Table['intervals'];
  const means = {} as { [M in Metric]: number | null };
  for (const name of METRIC_NAMES) {
    const clusters = episodes.map((steps) => total(steps.map(({ parts }) => parts[name])));
    const { sum, n } = total(clusters);
    means[name] = n === 0 ? null : sum / n;
    intervals[name] = {
      sum,
      n,
      wilson: n === 0 || METRICS[name].graded ? null : wilson95(sum, n),
      bootstrap: bootstrap95(clusters, resamples),
    };
  }
  return {
    n: rows.length,
    episodes: episodes.length,
    successN: rows.filter(({ score }) => score.success).length,
    changedN: rows.filter(({ score }) => score.changed > 0).length,
    ...means,
    ...meanCost(rows),
    intervals,
  };
}

function meanCost(rows: readonly Row[]): MeanCost {
  const mean = (key: keyof Cost) => ratioOf(rows.map(({ cost }) => ({ sum: cost[key], n: 1 })));
  return {
    nfe: mean('nfe'),
    generatedTokens: mean('generatedTokens'),
    forwardTokens: mean('forwardTokens'),
    prefillTokens: mean('prefillTokens'),
    ms: mean('ms'),
    prefillMs: mean('prefillMs'),
  };
}

function total(parts: readonly Ratio[]): Ratio {
  return parts.reduce((a, b) => ({ sum: a.sum + b.sum, n: a.n + b.n }), { sum: 0, n: 0 });
}

function group<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const out = new Map<string, T[]>();
  for (const item of items) {
    const list = out.get(key(item));
    if (list) list.push(item);
    else out.set(key(item), [item]);
  }
  return out;
}

function sorted<T>(groups: Map<string, T>): [string, T][] {
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
}
