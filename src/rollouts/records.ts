/**
 * What is recorded of a run: one header and a tree of steps, plain JSON that is stored and exported unchanged, a record a
 * line (docs/formats/wmtrace.md). Keys that are not named here may stand in any record and are kept.
 */
import type { ModelInfo } from '../models/info';
import { currentState } from '../world/codec/fold';
import type { Json, JsonObject } from '../world/json';
import type { Prediction, StepOptions } from '../world/simulator';
import type { Action, Context, Directive, State, Turn, World } from '../world/types';

/** Version of the format this code writes: a reader refuses another major and warns about a newer minor. */
export const TRACE_VERSION: readonly [number, number] = [1, 0];

/** A lane as the header names it. `key` is the key of its draws (`StepOptions.lane`). */
export interface LaneHeader {
  id: string;
  simulator: string;
  key: number;
}

/** Where a run began that goes on from a changed state of another: the run, its step (null: its start), and the lane. */
export interface RunOrigin {
  run: string;
  step: string | null;
  /** Steps of the other run before it. */
  index: number;
  lane: string;
}

export interface RunHeader {
  type: 'header';
  format: 'wmtrace';
  version: [number, number];
  id: string;
  title: string;
  /** ISO 8601, UTC. */
  createdAt: string;
  app: { name: string; version: string };
  /** Version of the codec that the prompts are written in. */
  codec: number;
  /** The world at the start, whole: state, task, tools, rules, and its twin if it has one. */
  world: World;
  lanes: LaneHeader[];
  /** Absent for a run that began by itself. */
  from?: RunOrigin;
  /** Models that answered in the run, with the hashes of their files; steps name them by their place in this list. */
  models: ModelInfo[];
}

/** Why a lane gave no answer. Of the machinery; a wrong answer is an answer. */
export interface LaneFailure {
  code: string;
  message: string;
  advice: string;
}

/** What a model was shown, in the codec's compact form with the special tokens by name. */
export interface PromptRecord {
  text: string;
  tokens: number;
  /** Turns of the lane whose deltas were folded into the state that is shown. */
  foldedTurns: number;
}

/** Sampling of one answer; directives and seed stand in the step. What was not set is absent. */
export type SamplerRecord = Omit<StepOptions, 'directives' | 'seed'>;

/** One lane in one step. Exactly one of `prediction` and `failure` is there. */
export interface LaneResult {
  prediction: Prediction | null;
  failure: LaneFailure | null;
  sampler: SamplerRecord;
  /** Place in the header's `models`, or null where no model answered (the twin). */
  model: number | null;
  /** Null where nothing reads text (the twin) or the tokenizer is not known. */
  prompt: PromptRecord | null;
  /** Whether each check of the task holds in the lane's state after the step, in the order of the task. */
  checks: boolean[];
  /** Share of the checks that hold, in [0, 1]. */
  progress: number;
  done: boolean;
}

/** One lock-step row: one action, and what every lane made of it. */
export interface StepRecord {
  type: 'step';
  runId: string;
  /** Unique in its run. */
  id: string;
  /** The step before it, or null at the start. Two steps with one parent are branches. */
  parentId: string | null;
  /** Number of steps before it on its branch. */
  index: number;
  action: Action;
  /** Who acted: `human`, or the id of an agent. */
  actor: string;
  directives: Directive[];
  seed: number;
  /** Lane whose answers count as true in this step, if one has them. */
  reference: string | null;
  results: { [lane: string]: LaneResult };
}

/** Votes, notes and whatever later versions add: kept as they are, in their place. */
export interface OtherRecord extends JsonObject {
  type: string;
}

export type TraceRecord = StepRecord | OtherRecord;

/** A run as it is stored and exported: its header and its records in the order they were made, parents first. */
export interface RunRecord {
  header: RunHeader;
  records: TraceRecord[];
  /** Keys of an imported footer that this code does not write itself; `truncated` marks a recording that broke off. */
  footer?: JsonObject;
}

export function isStep(record: TraceRecord): record is StepRecord {
  return record.type === 'step';
}

/** The steps of a run, without notes and the like. */
export function stepsOf(run: RunRecord): StepRecord[] {
  return run.records.filter(isStep);
}

/**
 * The branch that ends in a step, from the start on; empty for null.
 * @throws Error when the id, or one of the parents, is not there
 */
export function branchTo(steps: ReadonlyMap<string, StepRecord>, id: string | null): StepRecord[] {
  const out: StepRecord[] = [];
  for (let at = id; at !== null;) {
    const step = steps.get(at);
    if (!step) throw new Error(`There is no step "${at}" in this run.`);
    out.push(step);
    at = step.parentId;
  }
  return out.reverse();
}

/**
 * What a lane's next answer is conditioned on after the steps of a branch: the start world and the lane's own turns. Steps
 * in which the lane failed or was not there left no trace in it.
 */
export function contextAfter(world: World, branch: readonly StepRecord[], lane: string): Context {
  const history = branch.flatMap(({ action, directives, results }): Turn[] => {
    const prediction = Object.hasOwn(results, lane) ? results[lane]?.prediction : null;
    return prediction ? [{ directives, action, text: prediction.text, delta: prediction.transition.delta }] : [];
  });
  return { world, history };
}

/** State of a lane after the steps of a branch. */
export function stateAfter(world: World, branch: readonly StepRecord[], lane: string): State {
  return currentState(contextAfter(world, branch, lane));
}

/** JSON Pointer of the first number that JSON cannot write (NaN, Infinity), or null when there is none. */
export function findNonFinite(value: unknown, path = ''): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? null : path || '/';
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, item] of Object.entries(value)) {
    const found = findNonFinite(item, `${path}/${key}`);
    if (found !== null) return found;
  }
  return null;
}

/** A record as the JSON it is made of; types that JSON lacks never stand in one. */
export function asJson(record: object): Json {
  return record as Json;
}
