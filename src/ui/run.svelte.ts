/** One run: a start world, its lanes and the rows so far; steps by hand and by agents. */
import { isDone } from '../world/checks';
import { currentState } from '../world/codec/fold';
import { DEFAULT_STEP_OPTIONS, finishStep, type Agent, type AgentView } from '../world/simulator';
import type { Action, Directive, State, World } from '../world/types';
import type { Settings } from './hash';
import type { LaneModel } from './lane.svelte';
import { contextOf, describeRow, type RowView } from './view';

export class RunModel {
  world = $state.raw<World>() as World;
  rows = $state.raw<readonly RowView[]>([]);
  /** The row being made: lanes that are through have their result already. */
  pending = $state.raw<RowView | null>(null);
  /** Row that is looked at; null follows the newest. */
  chosen = $state<number | null>(null);
  /** Sentence about the newest row, for people who hear the page. */
  spoken = $state('');
  #abort = $state.raw<AbortController | null>(null);

  constructor(
    world: World,
    readonly lanes: readonly LaneModel[],
  ) {
    this.world = world;
  }

  get busy(): boolean {
    return this.#abort !== null;
  }

  /** The row on show, if there is one. */
  get row(): RowView | null {
    if (this.chosen !== null) return this.rows[this.chosen] ?? null;
    return this.pending ?? this.rows.at(-1) ?? null;
  }

  /** State of a lane after the row on show. */
  stateOf(lane: string): State {
    const upTo = this.chosen === null ? this.rows.length : this.chosen + 1;
    return currentState(contextOf(this.world, this.rows, lane, upTo));
  }

  get done(): boolean {
    return isDone(this.world.task, currentState(contextOf(this.world, this.rows, 'twin')));
  }

  async step(action: Action, directives: readonly Directive[], settings: Settings): Promise<void> {
    await this.#exclusive((signal) => this.#step(action, directives, settings, signal));
  }

  /** Lets an agent act up to `steps` times; ends early when the task is done. */
  async runAgent(
    agent: Agent,
    steps: number,
    settings: Settings,
    directives: readonly Directive[],
    onaction: (action: Action) => void,
  ): Promise<void> {
    await this.#exclusive(async (signal) => {
      for (let i = 0; i < steps && !this.done; i++) {
        const action = await agent.act(this.view(), signal);
        onaction(action);
        await this.#step(action, directives, settings, signal);
        // Lets the page draw between steps that take no time.
        await new Promise((resolve) => setTimeout(resolve));
      }
    });
  }

  /** What agents see: the twin's lane. */
  view(): AgentView {
    const steps = this.rows.flatMap((row) => {
      const prediction = row.results['twin']?.prediction;
      return prediction ? [{ action: row.action, transition: prediction.transition }] : [];
    });
    return { world: this.world, state: currentState(contextOf(this.world, this.rows, 'twin')), steps };
  }

  stop(): void {
    this.#abort?.abort();
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
      for (const lane of this.lanes) {
        lane.draft = null;
        lane.waiting = false;
      }
    }
  }

  async #step(
    action: Action,
    directives: readonly Directive[],
    settings: Settings,
    signal: AbortSignal,
  ): Promise<void> {
    const { seed, temperature, threshold, topP } = settings;
    let row: RowView = { index: this.rows.length, action, directives: [...directives], results: {} };
    this.pending = row;
    for (const lane of this.lanes) lane.waiting = true;
    for (const [i, lane] of this.lanes.entries()) {
      signal.throwIfAborted();
      const options = {
        ...DEFAULT_STEP_OPTIONS,
        directives: [...directives],
        seed,
        temperature,
        threshold,
        topP,
        step: row.index,
        lane: i,
      };
      if (lane.simulator.supports(this.world)) {
        const steps = lane.simulator.step(contextOf(this.world, this.rows, lane.id), action, options, signal);
        const prediction = await finishStep(steps, (draft) => (lane.draft = draft));
        row = { ...row, results: { ...row.results, [lane.id]: { prediction, failure: null } } };
        this.pending = row;
      }
      lane.draft = null;
      lane.waiting = false;
    }
    this.rows = [...this.rows, row];
    this.pending = null;
    this.spoken = describeRow(row);
  }
}
