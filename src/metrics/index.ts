/** How well a simulator does, told from records alone. Definitions stand with the code; sources in their comments. */
export { copyNothing } from './baseline';
export { hallucinatedIds, identifiers, visibleText, type IdCounts } from './ids';
export { countLeaves, leafScores, matchLeaves, observationLeaves, type LeafCounts } from './leaves';
export { METRIC_NAMES, METRICS, type Metric, type MetricDefinition } from './registry';
export { sameObservation, scoreStep, type Score } from './score';
export { bootstrap95, median, ratioOf, resample, wilson95, type Interval, type Ratio } from './statistics';
export {
  BOOTSTRAP,
  partsOf,
  summarize,
  toRow,
  type Means,
  type MeanCost,
  type MetricDetail,
  type Parts,
  type Row,
  type Summary,
  type Table,
} from './summary';
export type { Answer, ScoredStep } from './types';
