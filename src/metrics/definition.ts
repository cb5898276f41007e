/** What a metric of a table is: what one step adds to its numerator and to its denominator. */
import type { Score } from './score';
import type { Ratio } from './statistics';
import type { ScoredStep } from './types';

/** What a step adds to a metric: `sum` to the numerator and `n` to the denominator (0 and 0 where it does not count). */
export type Part = (score: Score, step: ScoredStep) => Ratio;

export interface MetricDefinition {
  part: Part;
  /** Whether parts may be other than 0 or 1 of a single step; Wilson's interval says nothing about such a metric. */
  graded: boolean;
  /** Set for a rate of errors. */
  lowerIsBetter?: boolean;
}

/** What a step adds that a metric is not about. */
export const NOT_COUNTED: Ratio = { sum: 0, n: 0 };

/** A metric that is yes or no for each step it counts. */
export const binary = (part: Part): MetricDefinition => ({ part, graded: false });
export const graded = (part: Part): MetricDefinition => ({ part, graded: true });

/** A member of the score, for every step. */
export const all =
  (key: { [K in keyof Score]: Score[K] extends number ? K : never }[keyof Score]): Part =>
  (score) => ({ sum: score[key], n: 1 });

/** A part for the steps of which something holds. */
export const where =
  (holds: (score: Score, step: ScoredStep) => boolean, part: Part): Part =>
  (score, step) =>
    holds(score, step) ? part(score, step) : NOT_COUNTED;
