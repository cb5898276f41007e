/** What a batch leaves behind: a wmtrace run for each job with scores in its steps, and a small record of the job. */
import type { Score } from '../../metrics';
import type { ModelInfo } from '../../models/info';
import type { Transition } from '../../world/types';
import type { RunHeader, StepRecord } from '../records';
import type { LabJob } from './jobs';

/** What the lab adds to a step: whose answer is judged, and how. */
export interface LabVerdict {
  lane: string;
  /** The twin's answer in the state and history that the lane answered from; null where the twin has none. */
  truth: Transition | null;
  /** Why the twin has none: what it made of a state that it would not have come to. */
  noTruth?: string;
  /** Null without truth. A lane whose machinery failed scores as an answer that does not parse. */
  score: Score | null;
}

/** A step of a job: a wmtrace step with one more member. */
export interface LabStep extends StepRecord {
  lab: LabVerdict;
}

/** Header of a job's run: a wmtrace header with one more member. */
export interface LabHeader extends RunHeader {
  lab: LabJob & { history: 'free' | 'teacher' };
}

/** Numerator and denominator of a metric in one job. */
export type Sum = [sum: number, n: number];

/** How sure a model was of one answer, in [0, 1], six digits: see `CONFIDENCE`; `status` is the product over the status slot. */
export type Sureness = { [by in (typeof SURENESS)[number]]: number | null };
export const SURENESS = ['mean', 'least', 'product', 'status'] as const;

/** An observation as it was written and as the twin writes it, of a step whose texts are kept. */
export interface KeptText {
  /** Index of the step in its rollout. */
  step: number;
  written: string;
  expected: string;
}

/** What tables over texts, seeds and confidence need of a job beside its sums. */
export interface JobDetail {
  /** Like `exact`, whether the status is the twin's. */
  statusMatch: string;
  /** For each step how sure the model was; null for an answer without tokens and where the machinery failed. */
  sureness: (Sureness | null)[];
  /** Counts of BLEU-1 over the observations: matches, tokens written, tokens expected. */
  bleu1: [matched: number, written: number, expected: number];
  /** Hashes of the first call (with its directives) and of the answer to it; null for a job without steps. */
  first: { call: string; answer: string } | null;
  /** Texts of the steps that are in the sample of the batch (`keepsTexts`). */
  texts: KeptText[];
}

/** Costs that are the same whenever and wherever a job is done. */
export interface JobCost {
  /** Forward passes that produced answer tokens. */
  nfe: number;
  generatedTokens: number;
  /** Token positions sent through the model without the prefix, whose part depends on what the cache held before. */
  answerTokens: number;
}

/** Costs that depend on the machine and on what ran before. */
export interface JobTimings {
  ms: number;
  prefillMs: number;
  forwardTokens: number;
  prefillTokens: number;
}

/** One finished job: everything that tables need of it. Written last, so a job without one is not done. */
export interface JobRecord {
  type: 'job';
  job: LabJob;
  /** Steps that were made. */
  steps: number;
  /** Whether the lane's own state came to fulfil the task, and which share of the checks at the end; null under `teacher`. */
  done: boolean | null;
  progress: number | null;
  /** Whether the same actions fulfil the task in the twin, at any step; null under `teacher`. */
  real: boolean | null;
  /** For each step in order: `1` the answer is exactly the twin's, `0` it is not, `-` the twin has none. */
  exact: string;
  /** Likewise whether it leads to the twin's state. */
  stateExact: string;
  /**
   * Sums of every metric over the steps; also of `changed N` (exact deltas of those that change N fields, `5+` for more), of
   * `temporal CHECK`, and of `rougeL`.
   */
  sums: { [metric: string]: Sum };
  cost: JobCost;
  /** Steps in which the machinery failed, by code. */
  failures: { [code: string]: number };
  timings: JobTimings;
  /** Absent in batches of before it was kept: they count in no table that needs it. */
  detail?: JobDetail;
}

/**
 * Where records go, one at a time. `begin`, `step` and `end` of one job come in this order, and every promise is waited for.
 * A job that began and did not end is begun again later: what it left is discarded then.
 */
export interface LabSink {
  /** Whether the job has ended, in this or an earlier sitting. */
  has(job: LabJob): boolean | Promise<boolean>;
  begin(job: LabJob, header: LabHeader): void | Promise<void>;
  step(job: LabJob, step: LabStep): void | Promise<void>;
  end(record: JobRecord, header: LabHeader): void | Promise<void>;
}

/** Where job records come from, in the order of the batch, for the tables. */
export type JobSource = Iterable<JobRecord> | AsyncIterable<JobRecord>;

/** The models of a batch by simulator; null for the twin. */
export type LabModels = { [simulator: string]: ModelInfo | null };
