/** How well a simulator does, told from records alone. Definitions stand with the code; sources in their comments. */
export { copyNothing } from './baseline';
export { hallucinatedIds, identifiers, visibleText, type IdCounts } from './ids';
export { countLeaves, leafScores, matchLeaves, observationLeaves, type LeafCounts } from './leaves';
export { METRIC_NAMES, METRICS, type Metric, type MetricDefinition } from './registry';
export { sameObservation, scoreStep, type Score } from './score';
export { BOOTSTRAP, bootstrap95, median, ratioOf, resample, wilson95, type Interval, type Ratio } from './statistics';
export {
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
export { BLEU1_SIGNATURE, bleu, bleu1, sentenceBleu, type Bleu, type BleuOptions, type BleuPair } from './text/bleu';
export { longestCommon, rougeL, type Rouge } from './text/rouge';
export { ngrams, tokenize13a, tokenizeRouge } from './text/tokenize';
export { distinct, selfBleu, type SelfBleu } from './diversity/ngrams';
export {
  answerConfidence,
  calibration,
  CONFIDENCE,
  type Bin,
  type Calibration,
  type Judged,
} from './stats/calibration';
export { holm } from './stats/holm';
export {
  mcnemar,
  mcnemarCounts,
  permutationTest,
  signTest,
  wilcoxon,
  type McNemar,
  type SignTest,
  type TestResult,
  type Wilcoxon,
} from './stats/paired';
export { pairedBootstrap, type Difference } from './stats/pairedBootstrap';
export { passAtK, passHatK, passRates } from './stats/passAtK';
