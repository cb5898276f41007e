/**
 * Lock-step: one action, one list of directives and one seed go to every lane, one lane after another, and make one row.
 * Lanes run free: each has a history and a state of its own, made by its own answers.
 */
import type { ModelInfo } from '../models/info';
import { CODEC_VERSION } from '../world/codec';
import { isDone } from '../world/checks';
import { DEFAULT_STEP_OPTIONS, type AgentView, type Draft, type StepOptions } from '../world/simulator';
import type { Action, Context, Directive, State, World } from '../world/types';
import { RolloutError } from './errors';
import { newId } from './id';
import { checkLanes, laneHeader, type Lane } from './lane';
import { laneResult, same, stepOptions } from './laneResult';
import {
  branchTo,
  contextAfter,
  stateAfter,
  stepsOf,
  TRACE_VERSION,
  type LaneResult,
  type RunOrigin,
  type RunHeader,
  type RunRecord,
  type StepRecord,
} from './records';

/** Lane that holds the truth where it is there. */
export const TWIN_LANE = 'twin';

/** What names a run. Everything has a default. */
export interface RunMeta {
  id?: string;
  title?: string;
  /** ISO 8601. */
  createdAt?: string;
  app?: { name: string; version: string };
  /** The step of another run that this one goes on from. */
  from?: RunOrigin;
}

/** What one step may set; the same for all lanes unless a lane sets it apart. */
export interface RowOptions extends Partial<Omit<StepOptions, 'directives' | 'lane' | 'step'>> {
  directives?: readonly Directive[];
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
        ...(meta.from ? { from: meta.from } : {}),
        models: lanes.flatMap((lane) => lane.model?.() ?? []).filter(isFirst),
      },
      lanes,
    );
  }

  /**
   * Goes on with a recorded run, at the step named or at its last one. Lanes the run did not have begin at the start of
   * the world.
   * @throws RolloutError `no_lanes`; `no_row` for a step that is not in the run
   */
  static resume(run: RunRecord, lanes: readonly Lane[], at?: string | null): Rollout {
    checkLanes(lanes);
    const known = run.header.lanes;
    const added = lanes.map((lane, i) => laneHeader(lane, i)).filter(({ id }) => known.every((lane) => lane.id !== id));
    const rollout = new Rollout({ ...run.header, lanes: [...known, ...added] }, lanes);
    for (const step of stepsOf(run)) {
      rollout.#steps.set(step.id, step);
      rollout.#head = step.id;
    }
    if (at !== undefined) rollout.goTo(at);
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
   * @throws RolloutError `busy` while another step runs, `other_codec` for a run whose prompts are of another version of
   * the codec; the signal's reason when aborted
   */
  async step(
    action: Action,
    options: RowOptions = {},
    signal?: AbortSignal,
    callbacks: StepCallbacks | StepCallbacks['onDraft'] = {},
  ): Promise<StepRecord> {
    if (this.header.codec !== CODEC_VERSION) {
      throw new RolloutError(
        'other_codec',
        `The run was recorded with codec ${String(this.header.codec)}, and this is codec ${CODEC_VERSION}.`,
        'It can be read and exported; start a new run to go on.',
      );
    }
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
      const key = this.#header.lanes.find(({ id }) => id === lane.id)?.key ?? i;
      const full = stepOptions(lane, key, sampling, { directives, seed, step: branch.length });
      const asked = { world: this.world, branch, action, options: full, models };
      const answer = await laneResult(lane, asked, signal, callbacks.onDraft);
      if (answer === null) continue;
      models = answer.models;
      results[lane.id] = answer.result;
      callbacks.onResult?.(lane.id, answer.result);
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

function isFirst(info: ModelInfo, i: number, all: ModelInfo[]): boolean {
  return all.findIndex((other) => same(other, info)) === i;
}
