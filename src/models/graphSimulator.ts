/** What simulators by a graph have in common: one answer at a time, batches in lanes, and an end that waits for both. */
import type { Tokenizer } from '../world/codec';
import {
  answerAll,
  type BatchItem,
  type Draft,
  type Prediction,
  type Simulator,
  type StepOptions,
} from '../world/simulator';
import type { Action, Context } from '../world/types';
import type { Lanes } from './batch/lanes';
import type { ModelConfig } from './config';
import type { ModelInfo } from './info';
import { Turnstile } from './pause';
import { VERIFIERS, type Verifier } from './verifiers';

/** A graph with the cache of the answers that are given one at a time. */
interface Closable {
  /** No pass starts from now on; whoever is at work ends with `disposed`. */
  retire?(): void;
  dispose(): Promise<void>;
}

export abstract class GraphSimulator<Model> implements Simulator {
  private readonly turnstile = new Turnstile();
  /** Verifiers for best-of-n by name; callers may add their own. */
  readonly verifiers: { [name: string]: Verifier } = { ...VERIFIERS };

  /** @param lanes null for a runtime that has none: batches are then answered one by one */
  constructor(
    private readonly graph: Model & Closable,
    private readonly lanes: Pick<Lanes<Model, never, never>, 'run' | 'clear'> | null,
    protected readonly config: ModelConfig,
    protected readonly tokenizer: Tokenizer,
    readonly info: ModelInfo,
  ) {}

  get id(): string {
    return this.info.id;
  }

  supports(): boolean {
    return true;
  }

  /** One answer by a model that is nobody else's meanwhile. */
  protected abstract answer(
    model: Model,
    context: Context,
    action: Action,
    options: StepOptions,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Draft | Prediction>;

  /** As in `Simulator`; what passes and tokens are counted stands at `answer`. */
  async *step(
    context: Context,
    action: Action,
    options: StepOptions,
    signal?: AbortSignal,
  ): AsyncIterable<Draft | Prediction> {
    const leave = await this.turnstile.enter();
    try {
      signal?.throwIfAborted();
      yield* this.answer(this.graph, context, action, options, signal);
    } finally {
      leave();
    }
  }

  /** As in `Simulator`, at most `LANES` at a time; one after another on a runtime without lanes. */
  async simulateBatch(
    items: readonly BatchItem[],
    signal?: AbortSignal,
    onAnswer?: (index: number, prediction: Prediction) => void,
  ): Promise<PromiseSettledResult<Prediction>[]> {
    const { lanes } = this;
    if (!lanes) {
      const step: Simulator['step'] = (...all) => this.step(...all);
      return answerAll({ id: this.id, supports: () => true, step }, items, signal, onAnswer);
    }
    const leave = await this.turnstile.enter();
    try {
      signal?.throwIfAborted();
      return await lanes.run(
        items,
        (model, { context, action, options }) => this.answer(model, context, action, options, signal),
        onAnswer,
      );
    } finally {
      leave();
    }
  }

  /** Frees the model; a second call does nothing. */
  async dispose(): Promise<void> {
    this.graph.retire?.();
    // A step under way still makes tensors: it ends first, at its next pass.
    const leave = await this.turnstile.enter();
    try {
      this.lanes?.clear();
      await this.graph.dispose();
    } finally {
      leave();
    }
  }
}
