/** Rollouts: the lock-step loop, the records it makes, their file format and their store. */
export { badgesOf, describeBadge, type Badge, type BadgeRow } from './badges';
export { driveRollout, oneAction, type DriveOptions } from './drive';
export { RolloutError, type RolloutErrorCode } from './errors';
export { formatFaultPlan, parseFaultPlan, scheduleOf, withFaults } from './faults';
export { newId } from './id';
export type { Lane } from './lane';
export { Rollout, TWIN_LANE, type RowOptions, type RunMeta, type StepCallbacks } from './loop';
export { Pace } from './pace';
export { promptRecord } from './prompt';
export {
  branchTo,
  contextAfter,
  isStep,
  stateAfter,
  stepsOf,
  TRACE_VERSION,
  type LaneFailure,
  type LaneHeader,
  type LaneResult,
  type OtherRecord,
  type PromptRecord,
  type RunHeader,
  type RunOrigin,
  type RunRecord,
  type SamplerRecord,
  type StepRecord,
  type TraceRecord,
} from './records';
export { replayRun } from './replay';
export { RunStore } from './store';
export type { ConflictChoice, DecideConflict, ImportReport, RunSummary, StoreOptions } from './storeTypes';
export { branchesOf, treeOfBranches, treeOfRuns, type BranchEntry, type BranchSummary, type TreeEntry } from './tree';
export { footerLine, readTrace, sameRun, traceLine, writeRun, writeTrace, type Trace } from './trace';
