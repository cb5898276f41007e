/**
 * Lock-step: one action, one list of directives and one seed go to every lane, one lane after another, and make one row.
 * Lanes run free: each has a history and a state of its own, made by its own answers.
 */
import { CODEC_VERSION, type Tokenizer } from '../world/codec';
import { failureOf } from '../models/errors';
import type { ModelInfo } from '../models/info';
import { holds, isDone, progress } from '../world/checks';
import { canonical } from '../world/json';
import { applyDelta } from '../world/mergePatch';
import {
  DEFAULT_STEP_OPTIONS,
  finishStep,
  type Agent,
  type AgentView,
  type Draft,
  type Prediction,
  type Simulator,
  type StepOptions,
} from '../world/simulator';
import type { Action, Context, Directive, State, World } from '../world/types';
import { RolloutError } from './errors';
import { finite } from './finite';
import { promptRecord } from './prompt';
import {
  asJson,
  branchTo,
  contextAfter,
  stateAfter,
  stepsOf,
  TRACE_VERSION,
  type LaneFailure,
  type LaneResult,
  type RunHeader,
  type RunRecord,
  type StepRecord,
} from './records';

/** Lane that holds the truth where it is there. */
export const TWIN_LANE = 'twin';

/** One simulator in a rollout. */
export interface Lane {
  id: string;
  simulator: Simulator;
  /** What this lane sets apart from the others, such as its own threshold, or the key of its draws. */
  options?: Partial<StepOptions>;
  /** Info of the model behind the simulator, once it is loaded; asked after each answer. */
  model?: () => ModelInfo | null;
  /** Tokenizer of the model, for the exact prompt; asked after each answer. */
  tokenizer?: () => Tokenizer | null;
}

/** What names a run. Everything has a default. */
export interface RunMeta {
  id?: string;
  title?: string;
  /** ISO 8601. */
  createdAt?: string;
  app?: { name: string; version: string };
}

/** What one step may set; the same for all lanes unless a lane sets it apart. */
export interface RowOptions {
  directives?: readonly Directive[];
  seed?: number;
  temperature?: number;
  topP?: number;
  threshold?: number;
  /** Who acts; `human` unless told. */
  actor?: string;
}

export interface StepCallbacks {
  onDraft?: (laneId: string, draft: Draft) => void;
  /** A lane is through; lanes that cannot answer in this world are left out of the row. */
  onResult?: (laneId: string, result: LaneResult) => void;
}

export class Rollout {
  #header: RunHeader;
  readonly #steps = new Map<string, StepRecord>();
  #head: string | null = null;
  #busy = false;

  private constructor(
    header: RunHeader,
    readonly lanes: readonly Lane[],
  ) {
    this.#header = header;
  }

  /**
   * A new run.
   * @throws RolloutError `no_lanes` when there are none or two have one id
   */
  static start(world: World, lanes: readonly Lane[], meta: RunMeta = {}): Rollout {
    checkLanes(lanes);
    const createdAt = meta.createdAt ?? new Date().toISOString();
    return new Rollout(
      {
        type: 'header',
        format: 'wmtrace',
        version: [TRACE_VERSION[0], TRACE_VERSION[1]],
        id: meta.id ?? newId(),
        title: meta.title ?? world.title,
        createdAt,
        app: meta.app ?? { name: 'terrarium', version: '0.1.0' },
        codec: CODEC_VERSION,
        world,
        lanes: lanes.map((lane, i) => laneHeader(lane, i)),
        models: lanes.flatMap((lane) => lane.model?.() ?? []).filter(isFirst),
      },
      lanes,
    );
  }

  /**
   * Goes on with a recorded run, at its last step. Lanes the run did not have begin at the start of the world.
   * @throws RolloutError `no_lanes`
   */
  static resume(run: RunRecord, lanes: readonly Lane[]): Rollout {
    checkLanes(lanes);
    const known = run.header.lanes;
    const added = lanes.map((lane, i) => laneHeader(lane, i)).filter(({ id }) => known.every((lane) => lane.id !== id));
    const rollout = new Rollout({ ...run.header, lanes: [...known, ...added] }, lanes);
    for (const step of stepsOf(run)) {
      rollout.#steps.set(step.id, step);
      rollout.#head = step.id;
    }
    return rollout;
  }

  /** Header as it is now; a model that answers for the first time is added to it. */
  get header(): RunHeader {
    return this.#header;
  }

  get world(): World {
    return this.#header.world;
  }

  get busy(): boolean {
    return this.#busy;
  }

  /** Id of the step that the next one follows; null at the start. */
  get head(): string | null {
    return this.#head;
  }

  /** All steps of all branches, in the order they were made. */
  get steps(): StepRecord[] {
    return [...this.#steps.values()];
  }

  /** The steps from the start to the head. */
  get branch(): StepRecord[] {
    return branchTo(this.#steps, this.#head);
  }

  /**
   * Continues from any step (null: from the start); what followed it stays, as another branch.
   * @throws RolloutError `no_row`
   */
  goTo(id: string | null): void {
    this.#idle();
    if (id !== null && !this.#steps.has(id)) {
      throw new RolloutError('no_row', `This run has no step "${id}".`, 'Continue from one of its own steps.');
    }
    this.#head = id;
  }

  contextOf(lane: string): Context {
    return contextAfter(this.world, this.branch, lane);
  }

  stateOf(lane: string): State {
    return stateAfter(this.world, this.branch, lane);
  }

  /** Whether the lane has done the task. */
  isDone(lane = this.leader()): boolean {
    return isDone(this.world.task, this.stateOf(lane));
  }

  /** Lane that agents look at: the twin if it can answer here, otherwise the first lane that can. */
  leader(): string {
    const able = this.lanes.filter((lane) => lane.simulator.supports(this.world));
    return (able.find((lane) => lane.id === TWIN_LANE) ?? able[0] ?? this.lanes[0])?.id ?? '';
  }

  /** What an agent sees of a lane. */
  view(lane = this.leader()): AgentView {
    const steps = this.branch.flatMap(({ action, results }) => {
      const prediction = results[lane]?.prediction;
      return prediction ? [{ action, transition: prediction.transition }] : [];
    });
    return { world: this.world, state: this.stateOf(lane), steps };
  }

  /**
   * One row. A lane whose machinery fails is recorded with the failure and keeps its state; the others go on. An abort
   * leaves no row.
   * @throws RolloutError `busy` while another step runs; the signal's reason when aborted
   */
  async step(
    action: Action,
    options: RowOptions = {},
    signal?: AbortSignal,
    callbacks: StepCallbacks | StepCallbacks['onDraft'] = {},
  ): Promise<StepRecord> {
    this.#idle();
    this.#busy = true;
    try {
      return await this.#step(
        action,
        options,
        signal,
        typeof callbacks === 'function' ? { onDraft: callbacks } : callbacks,
      );
    } finally {
      this.#busy = false;
    }
  }

  async #step(
    action: Action,
    options: RowOptions,
    signal: AbortSignal | undefined,
    callbacks: StepCallbacks,
  ): Promise<StepRecord> {
    const { actor = 'human', directives = [], ...sampling } = options;
    const branch = this.branch;
    const results: { [lane: string]: LaneResult } = {};
    let models = this.#header.models;
    const seed = options.seed ?? DEFAULT_STEP_OPTIONS.seed;
    for (const [i, lane] of this.lanes.entries()) {
      signal?.throwIfAborted();
      const context = contextAfter(this.world, branch, lane.id);
      const full: StepOptions = {
        ...DEFAULT_STEP_OPTIONS,
        lane: this.#header.lanes.find(({ id }) => id === lane.id)?.key ?? i,
        ...sampling,
        ...lane.options,
        // One action, one list of directives and one seed: a lane cannot set these apart.
        directives: [...directives],
        seed,
        step: branch.length,
      };
      const answer = await runLane(lane, context, action, full, signal, callbacks.onDraft);
      if (answer === null) continue;
      const info = lane.model?.() ?? null;
      let model = info ? models.findIndex((known) => same(known, info)) : null;
      if (info && model === -1) model = (models = [...models, info]).length - 1;
      const { temperature, topP, threshold, lane: key, step } = full;
      const tokenizer = lane.tokenizer?.() ?? null;
      const { task } = this.world;
      const before = stateAfter(this.world, branch, lane.id);
      const state = answer.prediction ? applyDelta(before, answer.prediction.transition.delta) : before;
      const result: LaneResult = {
        ...answer,
        sampler: { temperature, topP, threshold, lane: key, step },
        model,
        prompt: tokenizer ? promptRecord(context, action, directives, tokenizer) : null,
        checks: task.checks.map((check) => holds(check, state)),
        progress: progress(task, state),
        done: isDone(task, state),
      };
      results[lane.id] = result;
      callbacks.onResult?.(lane.id, result);
    }
    signal?.throwIfAborted();
    const row: StepRecord = {
      type: 'step',
      runId: this.#header.id,
      id: this.#freeId(),
      parentId: this.#head,
      index: branch.length,
      action,
      actor,
      directives: [...directives],
      seed,
      reference: results[TWIN_LANE]?.prediction ? TWIN_LANE : null,
      results,
    };
    if (models !== this.#header.models) this.#header = { ...this.#header, models };
    this.#steps.set(row.id, row);
    this.#head = row.id;
    return row;
  }

  /** Short ids that count up; an imported run may have any, so taken ones are passed over. */
  #freeId(): string {
    let n = this.#steps.size + 1;
    while (this.#steps.has(`s${n}`)) n++;
    return `s${n}`;
  }

  #idle(): void {
    if (this.#busy) throw new RolloutError('busy', 'A step is under way.', 'Wait until it is done, or stop it.');
  }
}

/** Settings of a drive: how many steps at most, and what each of them sets. */
export interface DriveOptions extends RowOptions {
  steps: number;
  /** Lane the agent acts in: it sees that lane's answers, and the drive ends when the task is done there. */
  lane?: string;
  signal?: AbortSignal;
  /** Called with the action before it is taken. */
  onAction?: (action: Action) => void;
  /** Called with each row; a promise is waited for, so that a row is stored before the next one begins. */
  onRow?: (row: StepRecord, header: RunHeader) => unknown;
  callbacks?: StepCallbacks;
}

/**
 * Lets an agent act in a rollout until the task is done in its lane (the leading one unless told) or the steps are used up.
 * @returns the rows that were made
 * @throws what the agent or `onRow` throws; the signal's reason when aborted (rows made so far stay)
 */
export async function driveRollout(rollout: Rollout, agent: Agent, options: DriveOptions): Promise<StepRecord[]> {
  const { steps, lane = rollout.leader(), signal, onAction, onRow, callbacks, ...row } = options;
  const rows: StepRecord[] = [];
  while (rows.length < steps && !rollout.isDone(lane)) {
    signal?.throwIfAborted();
    const action = await agent.act(rollout.view(lane), signal);
    onAction?.(action);
    const made = await rollout.step(action, { actor: agent.id, ...row }, signal, callbacks);
    rows.push(made);
    await onRow?.(made, rollout.header);
  }
  return rows;
}

type Answer = { prediction: Prediction; failure: null } | { prediction: null; failure: LaneFailure };

/** Answer of one lane; null when it cannot answer in this world. Only an abort gets out. */
async function runLane(
  lane: Lane,
  context: Context,
  action: Action,
  options: StepOptions,
  signal: AbortSignal | undefined,
  onDraft: StepCallbacks['onDraft'],
): Promise<Answer | null> {
  try {
    if (!lane.simulator.supports(context.world)) return null;
    const steps = lane.simulator.step(context, action, options, signal);
    const prediction = await finishStep(steps, onDraft && ((draft) => onDraft(lane.id, draft)));
    return { prediction: finite(prediction), failure: null };
  } catch (error) {
    signal?.throwIfAborted();
    return { prediction: null, failure: laneFailure(error) };
  }
}

/** Any error as a failure with code and advice; errors that bring both (of models, workers, rollouts) keep them. */
function laneFailure(error: unknown): LaneFailure {
  const { code, advice } = (error ?? {}) as { code?: unknown; advice?: unknown };
  if (error instanceof Error && typeof code === 'string' && typeof advice === 'string') {
    return { code, message: error.message, advice };
  }
  return failureOf(error);
}

function checkLanes(lanes: readonly Lane[]): void {
  const ids = lanes.map(({ id }) => id);
  if (ids.length > 0 && new Set(ids).size === ids.length) return;
  const what = ids.length === 0 ? 'A run needs at least one lane.' : `Two lanes have one id: ${ids.join(', ')}.`;
  throw new RolloutError('no_lanes', what, 'Give each lane an id of its own.');
}

function laneHeader(lane: Lane, i: number): RunHeader['lanes'][number] {
  return { id: lane.id, simulator: lane.simulator.id, key: lane.options?.lane ?? i };
}

function same(a: object, b: object): boolean {
  return canonical(asJson(a)) === canonical(asJson(b));
}

function isFirst(info: ModelInfo, i: number, all: ModelInfo[]): boolean {
  return all.findIndex((other) => same(other, info)) === i;
}

/** A random id of 16 hex digits; works outside secure contexts too, where `randomUUID` is missing. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return `run-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
