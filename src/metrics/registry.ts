/**
 * Every quality metric of a table. To add one, write a `MetricDefinition` in a file of its own and name it in `METRICS`:
 * means, denominators, intervals, families and the printed table follow.
 */
import { collateralKept, directiveCompliance } from './compliance';
import { conservation } from './conservation';
import {
  contentFreeText,
  contentGeneratedId,
  contentNumeric,
  contentObjective,
  contentScore,
  contentTimestamp,
} from './content';
import { all, binary, graded, where, type MetricDefinition } from './definition';
import { deltaF1, deltaF1Changed, deltaF1Unchanged } from './deltaF1';
import { wrongNumbers, wrongOutcome, wrongText } from './mistakes';
import { schemaOk } from './schemaOk';

const exactObservation = all('observationExact');
const exactDelta = all('deltaExact');

/** Definitions by name. Those named `...Success` and so on count only the steps their name says. */
export const METRICS = {
  parseOk: binary(all('parseOk')),
  schemaOk,
  statusMatch: binary(all('statusMatch')),
  classMatch: binary(all('classMatch')),
  /** Same kind of error, where the twin fails. */
  errorKindMatch: binary(where(({ success }) => !success, all('statusMatch'))),
  observationExact: binary(exactObservation),
  /** Only where the twin succeeds: errors are easy, since directives and rules spell most of them out. */
  observationExactSuccess: binary(where(({ success }) => success, exactObservation)),
  observationExactError: binary(where(({ success }) => !success, exactObservation)),
  wrongOutcome,
  wrongNumbers,
  wrongText,
  deltaExact: binary(exactDelta),
  /** Only where the twin's delta is not empty: an empty answer is right everywhere else. */
  deltaExactChanged: binary(where(({ changed }) => changed > 0, exactDelta)),
  deltaExactUnchanged: binary(where(({ changed }) => changed === 0, exactDelta)),
  deltaF1,
  deltaF1Changed,
  deltaF1Unchanged,
  stateExact: binary(all('stateExact')),
  answerExact: binary(all('answerExact')),
  leafPrecision: graded(all('leafPrecision')),
  leafRecall: graded(all('leafRecall')),
  leafF1: graded(all('leafF1')),
  /** Identifiers from nowhere over identifiers named; lower is better. */
  hallucinatedIds: { ...graded(({ ids }) => ({ sum: ids.hallucinated, n: ids.named })), lowerIsBetter: true },
  contentScore,
  contentObjective,
  contentNumeric,
  contentGeneratedId,
  contentTimestamp,
  contentFreeText,
  conservation,
  directiveCompliance,
  collateralKept,
} satisfies { [name: string]: MetricDefinition };

export type { MetricDefinition };
export type Metric = keyof typeof METRICS;
export const METRIC_NAMES = Object.keys(METRICS) as Metric[];
