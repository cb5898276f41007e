/**
 * Every quality metric of a table. To add one, write a `MetricDefinition` in a file of its own and name it in `METRICS`:
 * means, denominators, intervals, families and the printed table follow.
 */
import type { Score } from './score';
import type { Ratio } from './statistics';
import type { ScoredStep } from './types';

/** What a step adds to a metric: `sum` to the numerator and `n` to the denominator (0 and 0 where it does not count). */
type Part = (score: Score, step: ScoredStep) => Ratio;

export interface MetricDefinition {
  part: Part;
  /** Whether parts may be other than 0 or 1 of a single step; Wilson's interval says nothing about such a metric. */
  graded: boolean;
}

const all =
  (key: { [K in keyof Score]: Score[K] extends number ? K : never }[keyof Score]): Part =>
  (score) => ({ sum: score[key], n: 1 });
const where =
  (holds: (score: Score) => boolean, part: Part): Part =>
  (score, step) =>
    holds(score) ? part(score, step) : { sum: 0, n: 0 };
const binary = (part: Part): MetricDefinition => ({ part, graded: false });
const graded = (part: Part): MetricDefinition => ({ part, graded: true });

const exactObservation = all('observationExact');
const exactDelta = all('deltaExact');

/** Definitions by name. Those named `...Success` and so on count only the steps their name says. */
export const METRICS = {
  parseOk: binary(all('parseOk')),
  statusMatch: binary(all('statusMatch')),
  classMatch: binary(all('classMatch')),
  observationExact: binary(exactObservation),
  /** Only where the twin succeeds: errors are easy, since directives and rules spell most of them out. */
  observationExactSuccess: binary(where(({ success }) => success, exactObservation)),
  observationExactError: binary(where(({ success }) => !success, exactObservation)),
  deltaExact: binary(exactDelta),
  /** Only where the twin's delta is not empty: an empty answer is right everywhere else. */
  deltaExactChanged: binary(where(({ changed }) => changed > 0, exactDelta)),
  deltaExactUnchanged: binary(where(({ changed }) => changed === 0, exactDelta)),
  stateExact: binary(all('stateExact')),
  answerExact: binary(all('answerExact')),
  leafPrecision: graded(all('leafPrecision')),
  leafRecall: graded(all('leafRecall')),
  leafF1: graded(all('leafF1')),
  /** Identifiers from nowhere over identifiers named; lower is better. */
  hallucinatedIdRate: graded(({ ids }) => ({ sum: ids.hallucinated, n: ids.named })),
} satisfies { [name: string]: MetricDefinition };

export type Metric = keyof typeof METRICS;
export const METRIC_NAMES = Object.keys(METRICS) as Metric[];
