/** One run on the page: the rollout, the row being made, and the row that is looked at. */
import {
  branchesOf,
  contextAfter,
  driveRollout,
  oneAction,
  type BranchSummary,
  type DriveOptions,
  stateAfter,
  type Rollout,
  type RowOptions,
  type RunHeader,
  type StepCallbacks,
  type StepRecord,
} from '../rollouts';
import type { Agent } from '../world/simulator';
import type { Action, Context, State, World } from '../world/types';
import type { LaneModel } from './lane.svelte';
import { describeRow, type RowView } from './view';

/** Keeps a row; called before the next one begins. */
export type Recorder = (header: RunHeader, step: StepRecord) => Promise<void>;

export class RunModel {
  rows = $state.raw<readonly StepRecord[]>([]);
  /** The row being made: lanes that are through have their result already. */
  pending = $state.raw<RowView | null>(null);
  /** Row that is looked at; null follows the newest. */
  chosen = $state<number | null>(null);
  /** Sentence about the newest row, for people who hear the page. */
  spoken = $state('');
  readonly world: World;
  /** Lanes of the run in the order of its header, those it was recorded with included. */
  readonly laneIds: readonly string[];
  #abort = $state.raw<AbortController | null>(null);

  constructor(
    readonly rollout: Rollout,
    readonly lanes: readonly LaneModel[],
    private readonly record: Recorder,
  ) {
    this.world = rollout.world;
    this.laneIds = rollout.header.lanes.map(({ id }) => id);
    this.rows = rollout.branch;
  }

  get busy(): boolean {
    return this.#abort !== null;
  }

  /** The row on show, if there is one. */
  get row(): RowView | null {
    if (this.chosen !== null) return this.rows[this.chosen] ?? null;
    return this.pending ?? this.rows.at(-1) ?? null;
  }

  /** The rows up to the one on show. */
  get shown(): readonly StepRecord[] {
    return this.chosen === null ? this.rows : this.rows.slice(0, this.chosen + 1);
  }

  /** What a lane's answer to the row with this index is conditioned on. */
  contextBefore(lane: string, index: number): Context {
    return contextAfter(this.world, this.rows.slice(0, index), lane);
  }

  /** State of a lane after the row on show. */
  stateOf(lane: string): State {
    return stateAfter(this.world, this.shown, lane);
  }

  /** Whether the task is done in a lane. */
  doneIn(lane: string): boolean {
    // Read for its own sake: the rollout itself is not reactive, and changes with its rows.
    void this.rows;
    return this.rollout.isDone(lane);
  }

  /** All branches of the run, in the order they were begun. */
  get branches(): BranchSummary[] {
    void this.rows;
    return branchesOf(this.rollout.steps);
  }

  /** Id of the step that the next one follows, or null. */
  get head(): string | null {
    return this.rows.at(-1)?.id ?? null;
  }

  /** Goes on from a step (null: from the start). What followed it stays, as a branch of its own. */
  goTo(id: string | null): void {
    if (this.busy) return;
    this.rollout.goTo(id);
    this.rows = this.rollout.branch;
    this.chosen = null;
    const n = this.rows.length;
    this.spoken = n === 0 ? 'The next step begins a branch at the start.' : `The next step follows step ${n}.`;
  }

  /** One action of a person, at any time. */
  async step(action: Action, options: RowOptions): Promise<void> {
    await this.drive(oneAction(action), { ...options, steps: 1, untilDone: false });
  }

  /** Lets an agent act; ends early when the task is done. */
  async drive(agent: Agent, options: DriveOptions): Promise<void> {
    await this.#exclusive(async (signal) => {
      await driveRollout(this.rollout, agent, {
        ...options,
        signal,
        callbacks: this.#callbacks,
        onAction: (action) => {
          options.onAction?.(action);
          const directives = options.directivesAt?.(this.rows.length) ?? options.directives ?? [];
          this.#begin(action, { directives });
        },
        onRow: async (row) => {
          await this.#end(row);
          // Lets the page draw between steps that take no time.
          await new Promise((resolve) => setTimeout(resolve));
        },
      });
    });
  }

  stop(): void {
    this.#abort?.abort();
  }

  #begin(action: Action, { directives = [] }: RowOptions): void {
    this.pending = { index: this.rows.length, action, directives: [...directives], results: {} };
    for (const lane of this.lanes) lane.waiting = lane.simulator.supports(this.world);
  }

  readonly #callbacks: StepCallbacks = {
    onDraft: (id, draft) => {
      const lane = this.#lane(id);
      if (lane) lane.draft = draft;
    },
    onResult: (id, result) => {
      if (this.pending) this.pending = { ...this.pending, results: { ...this.pending.results, [id]: result } };
      this.#settle(this.#lane(id));
    },
  };

  async #end(row: StepRecord): Promise<void> {
    this.rows = this.rollout.branch;
    this.pending = null;
    this.spoken = describeRow(row);
    await this.record(this.rollout.header, row);
  }

  async #exclusive(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    if (this.#abort) return;
    const abort = new AbortController();
    this.#abort = abort;
    this.chosen = null;
    try {
      await work(abort.signal);
    } catch (error) {
      if (!abort.signal.aborted) throw error;
    } finally {
      this.#abort = null;
      this.pending = null;
      for (const lane of this.lanes) this.#settle(lane);
    }
  }

  #lane(id: string): LaneModel | undefined {
    return this.lanes.find((lane) => lane.id === id);
  }

  #settle(lane: LaneModel | undefined): void {
    if (!lane) return;
    lane.draft = null;
    lane.waiting = false;
  }
}
