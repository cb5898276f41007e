/** How well a simulator does, told from records alone. Definitions stand with the code; sources in their comments. */
export { copyNothing } from './baseline';
export { hallucinatedIds, identifiers, visibleText, type IdCounts } from './ids';
export { countLeaves, leafScores, matchLeaves, observationLeaves, type LeafCounts } from './leaves';
export { sameObservation, scoreStep, type Score } from './score';
export { bootstrap95, median, ratioOf, resample, wilson95, type Interval, type Ratio } from './statistics';
export {
  BOOTSTRAP,
  METRIC_NAMES,
  summarize,
  toRow,
  type Means,
  type MeanCost,
  type Metric,
  type MetricDetail,
  type Row,
  type Summary,
  type Table,
} from './summary';
export type { Answer, ScoredStep } from './types';
