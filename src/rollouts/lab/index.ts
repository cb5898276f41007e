/** The batch lab: many rollouts, one after another, and what comes out of them (docs/lab.md). */
export { Aggregator, aggregate, type Cut, type LabResults, type LabTimings } from './aggregate';
export type { Detail, LabTable, TimingTable } from './cell';
export type { Comparison, ConsistencyRatio } from './compare';
export { LabError, type LabErrorCode } from './errors';
export { changedModel, DRAW_KEYS, runText, specText, steady, tableFiles } from './files';
export type { LabLane } from './job';
export { expandJobs, type LabJob } from './jobs';
export { MemorySink } from './memory';
export type {
  JobCost,
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
export type { SurvivalPoint } from './survival';
