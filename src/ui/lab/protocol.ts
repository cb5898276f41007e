/** What the page and the worker of the lab say to each other: calls over comlink, and during a run messages over its port. */
import type { LaneStatus } from '../../../workers/client';
import type { Failure, ProviderName } from '../../models';
import type {
  JobRecord,
  LabJob,
  LabModels,
  LabProgress,
  LabResults,
  LabSimulator,
  LabTimings,
} from '../../rollouts/lab';
import type { SteeringFacts, SteeringTables } from '../../rollouts/steering';
import type { SuiteName, SuitePart, SuiteSpec } from '../../rollouts/suites';

/** A batch to work at. */
export interface RunRequest {
  /** Id in the store. */
  batch: string;
  /** Absolute URL of the folder with `ar/` and `mdlm/`. */
  models: string;
  provider: ProviderName | 'auto';
}

/** The tables of a batch as far as it is. */
export interface LabTables {
  results: LabResults;
  timings: LabTimings;
}

/** What a batch leaves to be kept or sent. */
export const FILES = ['results.json', 'timings.json', 'report.html', 'results.wmresult.json', 'steps.jsonl'] as const;
export type FileName = (typeof FILES)[number];

/** Which finished rollouts are looked for. */
export const FILTERS = ['all', 'diverged', 'failed', 'only in the lane'] as const;
export type Filter = (typeof FILTERS)[number];

/** A finished rollout in a list: what of its record a line shows. */
export interface RolloutRow extends Pick<JobRecord, 'steps' | 'exact' | 'done' | 'real'> {
  job: LabJob;
}

/** The first rollouts that a filter lets through, and how many there are in all. */
export interface RolloutList {
  rows: RolloutRow[];
  total: number;
}

/** From the worker during a run; the last one is `ended` or `failed`. `alive` only says that the worker does not hang. */
export type RunMessage =
  | { type: 'alive' }
  /** A model loads, is ready, or failed. */
  | { type: 'model'; simulator: string; status: LaneStatus }
  | { type: 'progress'; progress: LabProgress }
  /** `done`: every rollout. Otherwise it was cancelled. */
  | { type: 'ended'; done: boolean; progress: LabProgress }
  | { type: 'failed'; failure: Failure };

/** What of it the page is told; a failure is thrown. */
export type RunNews = Exclude<RunMessage, { type: 'alive' | 'failed' }>;

/** A suite to run: the adversarial one, or steering. */
export interface SuiteRequest extends Pick<RunRequest, 'models' | 'provider'> {
  suite: SuiteName;
  spec: SuiteSpec;
  simulators: readonly LabSimulator[];
  /** Parts that an earlier sitting has, and the models it had them from; null for none. */
  skip: number;
  before: LabModels | null;
}

/** From the worker during a suite; the last one is `ended` or `failed`. */
export type SuiteMessage =
  | { type: 'alive' }
  | { type: 'model'; simulator: string; status: LaneStatus }
  | { type: 'models'; models: LabModels }
  /** Parts since the message before; `leftMs` is an estimate, null until there is one. */
  | { type: 'parts'; parts: SuitePart[]; workedMs: number; leftMs: number | null }
  | { type: 'paused'; paused: boolean }
  /** `done`: every part. Otherwise it was cancelled. */
  | { type: 'ended'; done: boolean }
  | { type: 'failed'; failure: Failure };
export type SuiteNews = Exclude<SuiteMessage, { type: 'alive' | 'failed' }>;

/** The worker's calls. One run at a time, be it of a batch or of a suite. */
export interface LabApi {
  run(request: RunRequest, port: MessagePort): Promise<void>;
  suite(request: SuiteRequest, port: MessagePort): Promise<void>;
  /** Tables of steering, which take their time: bootstrap over worlds for every cell. */
  steering(facts: SteeringFacts, order: readonly string[]): Outcome<SteeringTables>;
  /** Before the next step; a suite before its next part. */
  pause(): void;
  resume(): void;
  tables(batch: string): Promise<Outcome<LabTables>>;
  rollouts(batch: string, filter: Filter): Promise<Outcome<RolloutList>>;
  /** A finished rollout as wmtrace. */
  rollout(batch: string, job: LabJob): Promise<Outcome<string>>;
  file(batch: string, name: FileName): Promise<Outcome<Blob>>;
}

/** A result or why there is none: comlink keeps of an error only its name and message. */
export type Outcome<T> = { ok: true; value: T } | { ok: false; failure: Failure };
