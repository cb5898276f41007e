/** How well a simulator does, told from records alone. Definitions stand with the code; sources in their comments. */

// One step, and tables of steps.
export {
  anchorInterval,
  anchorResult,
  summarizeAnchors,
  type AnchorResult,
  type AnchorRow,
  type AnchorShare,
  type AnchorSummary,
} from './anchors';
export {
  baselineSimulator,
  copyNothing,
  copyNothingSimulator,
  mostFrequent,
  mostFrequentSimulator,
  type Example,
} from './baseline';
export { collateral, collateralLeaves, steeredOf, verdicts, type Steered, type Verdict } from './compliance';
export { compareParts, compareRows, type Comparison } from './compare';
export { conservedFields, sumOf, type Account } from './conservation';
export {
  CONTENT_CLASSES,
  contentClass,
  contentCounts,
  contentMatch,
  TOLERANCE,
  type ContentClass,
  type ContentCounts,
} from './content';
export { deltaLeaves } from './deltaF1';
export { hallucinatedIds, identifiers, visibleText, type IdCounts } from './ids';
export { countLeaves, leafScores, matchLeaves, observationLeaves, type LeafCounts } from './leaves';
export { createdPaths, leavesOf, observationValue, transitionLeaves, type Leaf } from './paths';
export { mistakeOf } from './mistakes';
export { METRIC_NAMES, METRICS, type Metric, type MetricDefinition } from './registry';
export { schemaErrors, type SchemaError } from './schema';
export { answerSchemaErrors, toolOf } from './schemaOk';
export { sameObservation, scoreStep, type Score } from './score';
export {
  BOOTSTRAP,
  bootstrap95,
  median,
  percentiles95,
  ratioOf,
  resample,
  wilson95,
  type Interval,
  type Ratio,
} from './statistics';
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

// Whole runs.
export { consistency, type Consistency, type Share, type TaskTrial } from './rollout/consistency';
export {
  addRollout,
  errorByStep,
  divergenceKnown,
  firstDivergence,
  medianSurvival,
  survival,
  survivalOf,
  type Hazard,
  type Mark,
  type SurvivalPoint,
} from './rollout/divergence';
export { laneSteps, recordedLane, type LaneStep } from './rollout/lane';
export { meanOutcome, outcomeOf, type Outcome } from './rollout/outcome';
export { agreementOverSeeds, spreadOverSeeds, type Spread } from './rollout/spread';
export {
  counterKeys,
  TEMPORAL_CHECKS,
  temporalChecks,
  type Temporal,
  type TemporalCheck,
  type Violation,
} from './rollout/temporal';

// Text overlap and diversity: secondary, never alone.
export {
  BLEU1_SIGNATURE,
  bleu,
  bleu1,
  bleuOf,
  sentenceBleu,
  type Bleu,
  type BleuOptions,
  type BleuPair,
} from './text/bleu';
export { longestCommon, rougeL, type Rouge } from './text/rouge';
export {
  DIVERSITY_MOST,
  textDiversity,
  textMauve,
  textOverlap,
  type TextDiversity,
  type TextOverlap,
  type TextPair,
} from './text/tables';
export { ngrams, tokenize13a, tokenizeRouge } from './text/tokenize';
export { hashedFeatures, ngramKernel } from './diversity/features';
export {
  divergenceCurve,
  frontierIntegral,
  mauve,
  MAUVE_LEAST,
  mauveOf,
  smoothed,
  type Mauve,
} from './diversity/mauve';
export { distinct, selfBleu, type SelfBleu } from './diversity/ngrams';
export { vendi, vendiOfTexts } from './diversity/vendi';

// Statistics.
export {
  bradleyTerry,
  bradleyTerryIntervals,
  elo,
  winsOf,
  type StrengthIntervals,
  type Vote,
} from './stats/bradleyTerry';
export {
  addCalibration,
  answerConfidence,
  calibration,
  calibrationOf,
  CONFIDENCE,
  addJudged,
  noCalibration,
  type Bin,
  type Calibration,
  type CalibrationSums,
  type Judged,
} from './stats/calibration';
export { holm } from './stats/holm';
export { krippendorff, type Level } from './stats/krippendorff';
export { maskedBound, perplexity, type Bound, type MaskedDraw } from './stats/likelihood';
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
