/** The batch lab: many rollouts, one after another, and what comes out of them (docs/lab.md). */
export { Aggregator, aggregate, RESULTS_VERSION, type Cut, type LabResults, type LabTimings } from './aggregate';
export type { BleuDetail, LabTable, TimingTable } from './cell';
export type { Detail } from './detail';
export { modelsOf, type Fair, type FairMode } from './fair';
export { BEST_OF, withAncestral, withBestOf, type BestOfPreset } from './presets';
export { regimeOf, type Regime } from './regime';
export { KEPT_TEXTS, textShare } from './sample';
export type { PassRate, SeedTable } from './seeds';
export type { SurenessTable } from './sureness';
export type { SameCall, TextTable } from './texts';
export type { Comparison, ConsistencyRatio, Difference } from './compare';
export { LabError, type LabErrorCode } from './errors';
export { changedModel, DRAW_KEYS, runText, specText, steady, tableFiles } from './files';
export type { LabLane } from './job';
export { expandJobs, type LabJob } from './jobs';
export { MemorySink } from './memory';
export type {
  JobCost,
  JobDetail,
  JobRecord,
  JobSource,
  JobTimings,
  LabHeader,
  LabModels,
  LabSink,
  LabStep,
  LabVerdict,
  Sum,
} from './records';
export { htmlReport } from './report';
export {
  describeSpec,
  intervalLine,
  resultSections,
  type ResultCell,
  type ResultRow,
  type ResultSection,
  type ResultTable,
  type ShareCell,
} from './tables';
export { readResult, RESULT_FILE_VERSION, writeResult, type OpenedResult, type ResultDifference } from './resultFile';
export { LabRunner, type LabOptions, type LabProgress } from './runner';
export {
  AGENT_KINDS,
  countJobs,
  parseLabSpec,
  readLabSpec,
  seedsOf,
  SIMULATOR_KINDS,
  specHash,
  type LabAgent,
  type LabSampling,
  type LabSimulator,
  type LabSpec,
  type Seeds,
  type SimulatorKind,
} from './spec';
export { LabStore, type BatchRow } from './store';
export type { SurvivalPoint } from '../../metrics';
