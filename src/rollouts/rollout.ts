/**
 * Lock-step rollout: one action, one list of directives and one seed go over all lanes, one lane after another, each on
 * its own state and history. Rows form a tree: the next row hangs below the head, and the head can be set to any row.
 */
import { CODEC_VERSION, currentState, type Tokenizer } from '../world/codec';
import { applyDelta } from '../world/mergePatch';
import { equal, type Json } from '../world/json';
import { DEFAULT_STEP_OPTIONS, finishStep, type AgentView, type StepOptions } from '../world/simulator';
import type { Action, Context, Directive, State, Turn, World } from '../world/types';
import { RolloutError } from './errors';
import { answerOf, checksOf, failureOf, type Lane, type OnDraft } from './lane';
import { promptRecord } from './prompt';
import { newId } from './random';
import {
  APP,
  FORMAT,
  FORMAT_VERSION,
  SEED_SCHEME,
  isStep,
  type ActionSource,
  type CheckRecord,
  type LaneResult,
  type LockstepRow,
  type RunHeader,
  type StepRecord,
  type TraceRun,
} from './types';

/** What is known about a run when it starts. */
export interface RunMeta {
  title?: string;
  /** Seed of steps that name none. */
  seed?: number;
  /** Lane that is the truth; the lane called `twin` if there is one. */
  reference?: string | null;
  origin?: RunHeader['origin'];
  commit?: string | null;
  /** Replaced in tests. */
  id?: string;
  newId?: () => string;
  now?: () => Date;
}

/** What a step may be given beside the action. */
export interface StepRequest {
  directives?: readonly Directive[];
  /** The run's seed if it is missing. */
  seed?: number;
  source?: ActionSource;
  /** Sampler parameters that win over those of the lanes. */
  sampler?: Partial<Pick<StepOptions, 'temperature' | 'topP' | 'threshold'>>;
  /** Lanes that take part; all if it is missing. The others can catch up later (`complete`). */
  lanes?: readonly string[];
}

/** Called when a lane of the row in progress is through. */
export type OnLane = (laneId: string, result: LaneResult) => void;

export class Rollout {
  /** A new object whenever something in it changes. */
  header: RunHeader;
  #rows = new Map<string, LockstepRow>();
  #head: string | null = null;
  #busy = false;
  readonly #newId: () => string;
  readonly #now: () => Date;

  private constructor(
    header: RunHeader,
    readonly lanes: readonly Lane[],
    { newId: makeId = newId, now = () => new Date() }: RunMeta,
  ) {
    const ids = lanes.map((lane) => lane.id);
    const twice = ids.find((id, i) => ids.indexOf(id) !== i);
    if (twice !== undefined) throw new RangeError(`two lanes are called "${twice}"; give every lane an id of its own`);
    this.header = header;
    this.#newId = makeId;
    this.#now = now;
  }

  /** A new run without rows. @throws RangeError when two lanes have one id */
  static start(world: World, lanes: readonly Lane[], meta: RunMeta = {}): Rollout {
    const twin = lanes.find((lane) => lane.id === 'twin' && lane.simulator.supports(world));
    const header: RunHeader = {
      type: 'header',
      format: FORMAT,
      version: [...FORMAT_VERSION],
      id: meta.id ?? (meta.newId ?? newId)(),
      title: meta.title ?? world.title,
      createdAt: (meta.now?.() ?? new Date()).toISOString(),
      app: { ...APP, commit: meta.commit ?? null },
      codec: CODEC_VERSION,
      seeds: { root: meta.seed ?? DEFAULT_STEP_OPTIONS.seed, scheme: SEED_SCHEME },
      world: JSON.parse(JSON.stringify(world)) as World,
      lanes: lanes.map((lane, i) => ({ id: lane.id, simulator: lane.simulator.id, key: lane.options?.lane ?? i })),
      models: [],
      reference: meta.reference === undefined ? (twin?.id ?? null) : meta.reference,
      origin: meta.origin ?? null,
    };
    return new Rollout(header, lanes, meta);
  }

  /**
   * Goes on with a recorded run, its head at the newest row. Lanes that the record does not know are added to its
   * header; lanes that are only in the record keep their results.
   */
  static resume(run: Pick<TraceRun, 'header' | 'entries'>, lanes: readonly Lane[], meta: RunMeta = {}): Rollout {
    const known = run.header.lanes;
    const fresh = lanes.flatMap((lane, i) =>
      known.some((one) => one.id === lane.id)
        ? []
        : [{ id: lane.id, simulator: lane.simulator.id, key: lane.options?.lane ?? i }],
    );
    const header = fresh.length === 0 ? run.header : { ...run.header, lanes: [...known, ...fresh] };
    const rollout = new Rollout(header, lanes, meta);
    for (const row of run.entries.filter(isStep)) {
      rollout.#rows.set(row.id, row);
      rollout.#head = row.id;
    }
    return rollout;
  }

  get id(): string {
    return this.header.id;
  }

  get world(): World {
    return this.header.world;
  }

  get busy(): boolean {
    return this.#busy;
  }

  /** All rows of the tree in the order they were made. */
  get rows(): LockstepRow[] {
    return [...this.#rows.values()];
  }

  /** The row that the next one hangs below; null at the start. */
  get head(): LockstepRow | null {
    return this.#head === null ? null : this.row(this.#head);
  }

  /** @throws RolloutError `unknown-step` */
  row(id: string): LockstepRow {
    const row = this.#rows.get(id);
    if (!row) throw new RolloutError('unknown-step', `This run has no step "${id}".`, 'Choose a step of this run.');
    return row;
  }

  /** Rows from the start to a row (the head by default). */
  path(at: string | null = this.#head): LockstepRow[] {
    const out: LockstepRow[] = [];
    for (let id = at; id !== null; id = out.at(-1)?.parentId ?? null) out.push(this.row(id));
    return out.reverse();
  }

  /** Rows that hang directly below a row; null asks for the first rows. */
  children(id: string | null): LockstepRow[] {
    return this.rows.filter((row) => row.parentId === id);
  }

  /** Moves the head one row back; nothing is deleted. False at the start. */
  undo(): boolean {
    if (this.#head === null) return false;
    this.checkout(this.row(this.#head).parentId);
    return true;
  }

  /** Sets the head, so that the next step branches off there. @throws RolloutError `busy`, `unknown-step` */
  checkout(id: string | null): void {
    this.#free();
    if (id !== null) this.row(id);
    this.#head = id;
  }

  /** What a lane's next answer is conditioned on: the start world and the lane's own turns. */
  context(laneId: string, at: string | null = this.#head): Context {
    return { world: this.world, history: this.path(at).flatMap((row) => turnOf(row, laneId)) };
  }

  /** A lane's state after a row (the head by default). */
  state(laneId: string, at: string | null = this.#head): State {
    return currentState(this.context(laneId, at));
  }

  /** The task's checks on a lane's state. */
  outcome(laneId: string, at: string | null = this.#head): CheckRecord {
    return checksOf(this.world.task, this.state(laneId, at));
  }

  /** What an agent sees that acts in a lane. */
  view(laneId: string, at: string | null = this.#head): AgentView {
    const steps = this.path(at).flatMap((row) => {
      const result = row.lanes[laneId];
      return result?.kind === 'answer' ? [{ action: row.action, transition: result.transition }] : [];
    });
    return { world: this.world, state: this.state(laneId, at), steps };
  }

  /** Lane in which agents act when nothing else is said: the reference, or the first lane. */
  get driver(): string {
    const { reference } = this.header;
    if (reference !== null && this.lanes.some((lane) => lane.id === reference)) return reference;
    return this.lanes[0]?.id ?? '';
  }

  /**
   * One row: the action over all lanes, one after another. A lane that rejects is recorded as an error and the others go
   * on. Aborting rejects with the signal's reason and leaves the run as it was.
   * @throws RolloutError `busy` while another step runs, `unknown-lane`
   */
  async step(
    action: Action,
    request: StepRequest = {},
    signal?: AbortSignal,
    onDraft?: OnDraft,
    onLane?: OnLane,
  ): Promise<LockstepRow> {
    const lanes = this.#chosen(request.lanes);
    return this.#exclusive(async () => {
      const parent = this.head;
      let row: LockstepRow = {
        type: 'step',
        id: this.#newId(),
        runId: this.id,
        parentId: parent?.id ?? null,
        index: parent === null ? 0 : parent.index + 1,
        createdAt: this.#now().toISOString(),
        source: request.source ?? { kind: 'human' },
        action: jsonCopy(action),
        directives: jsonCopy([...(request.directives ?? [])]),
        seed: request.seed ?? this.header.seeds.root,
        reference: null,
        lanes: {},
      };
      const models = [...this.header.models];
      for (const lane of lanes) row = await this.#withLane(row, lane, request.sampler, models, signal, onDraft, onLane);
      this.#keep(row, models);
      this.#head = row.id;
      return row;
    });
  }

  /**
   * Lets a lane that was not there (or failed) answer the rows up to the head, in order, with their own actions,
   * directives and seeds. Stops at the first row in which the lane fails; gives the rows that changed.
   */
  async complete(
    laneId: string,
    request: Pick<StepRequest, 'sampler'> = {},
    signal?: AbortSignal,
    onDraft?: OnDraft,
  ): Promise<LockstepRow[]> {
    const [lane] = this.#chosen([laneId]);
    if (!lane) return [];
    return this.#exclusive(async () => {
      const out: LockstepRow[] = [];
      let gap = false;
      for (const { id } of this.path()) {
        const row = this.row(id);
        gap ||= row.lanes[laneId]?.kind !== 'answer';
        // Behind a gap every answer stands on another history, so it is asked for again.
        if (!gap) continue;
        const models = [...this.header.models];
        const next = await this.#withLane(row, lane, request.sampler, models, signal, onDraft);
        this.#keep(next, models);
        out.push(next);
        if (next.lanes[laneId]?.kind !== 'answer') break;
      }
      return out;
    });
  }

  /** The row with the result of one more lane. Models that are new are added to `models`. */
  async #withLane(
    row: LockstepRow,
    lane: Lane,
    sampler: StepRequest['sampler'],
    models: RunHeader['models'],
    signal?: AbortSignal,
    onDraft?: OnDraft,
    onLane?: OnLane,
  ): Promise<LockstepRow> {
    signal?.throwIfAborted();
    const result = await this.#ask(row, lane, sampler, models, signal, onDraft);
    onLane?.(lane.id, result);
    const isReference = lane.id === this.header.reference && result.kind === 'answer';
    return { ...row, reference: isReference ? lane.id : row.reference, lanes: { ...row.lanes, [lane.id]: result } };
  }

  async #ask(
    row: LockstepRow,
    lane: Lane,
    sampler: StepRequest['sampler'],
    models: RunHeader['models'],
    signal?: AbortSignal,
    onDraft?: OnDraft,
  ): Promise<LaneResult> {
    const options: StepOptions = {
      ...DEFAULT_STEP_OPTIONS,
      ...lane.options,
      ...sampler,
      directives: row.directives,
      seed: row.seed,
      step: row.index,
      lane: this.header.lanes.find((one) => one.id === lane.id)?.key ?? 0,
    };
    const { temperature, topP, threshold } = options;
    const used = { temperature, topP, threshold };
    try {
      if (!lane.simulator.supports(this.world)) {
        return { kind: 'skipped', reason: `"${lane.simulator.id}" cannot answer in this world.` };
      }
      const context = this.context(lane.id, row.parentId);
      const steps = lane.simulator.step(context, row.action, options, signal);
      const prediction = await finishStep(steps, (draft) => onDraft?.(lane.id, draft));
      signal?.throwIfAborted();
      const answer = answerOf(prediction);
      const state = applyDelta(currentState(context), answer.transition.delta);
      const { seed, ...rest } = answer;
      return {
        kind: 'answer',
        seed,
        sampler: used,
        model: placeOf(lane, models),
        prompt: promptOf(lane.tokenizer?.() ?? null, context, row),
        ...rest,
        checks: checksOf(this.world.task, state),
      };
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      return failureOf(error, row.seed, used, placeOf(lane, models));
    }
  }

  #keep(row: LockstepRow, models: RunHeader['models']): void {
    this.#rows.set(row.id, row);
    if (models.length > this.header.models.length) this.header = { ...this.header, models };
  }

  #chosen(ids: readonly string[] | undefined): readonly Lane[] {
    const unknown = ids?.find((id) => !this.lanes.some((lane) => lane.id === id));
    if (unknown !== undefined) {
      throw new RolloutError('unknown-lane', `This run has no lane "${unknown}".`, 'Choose a lane that is open.');
    }
    return ids ? this.lanes.filter((lane) => ids.includes(lane.id)) : this.lanes;
  }

  #free(): void {
    if (this.#busy) {
      throw new RolloutError('busy', 'A step is running already.', 'Wait until it is finished, or stop it.');
    }
  }

  async #exclusive<T>(work: () => Promise<T>): Promise<T> {
    this.#free();
    this.#busy = true;
    try {
      return await work();
    } finally {
      this.#busy = false;
    }
  }
}

function jsonCopy<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/** The turn that a row left in a lane's history; none where the lane gave no answer. */
function turnOf({ action, directives, lanes }: StepRecord, laneId: string): Turn[] {
  const result = lanes[laneId];
  if (result?.kind !== 'answer') return [];
  return [{ directives, action, text: result.text, delta: result.transition.delta }];
}

/** Place of a lane's model in the list, to which it is added when it is new. */
function placeOf(lane: Lane, models: RunHeader['models']): number | null {
  const found = lane.model?.() ?? null;
  if (found === null) return null;
  const model = jsonCopy(found);
  const at = models.findIndex((one) => equal(one as unknown as Json, model as unknown as Json));
  return at >= 0 ? at : models.push(model) - 1;
}

function promptOf(tokenizer: Tokenizer | null, context: Context, { action, directives }: StepRecord) {
  return tokenizer && promptRecord(context, action, directives, tokenizer);
}
