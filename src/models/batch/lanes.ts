/** Lanes that share one graph: each has a cache of its own, what they have in common is encoded once, passes are shared. */
import type { BatchItem, Draft, Prediction } from '../../world/simulator';
import type { CacheShape, PrefixCache } from '../diffusion/prefixCache';
import { Turnstile } from '../pause';
import { CachePool } from './cachePool';
import { LANES, runItems, type LaneWork } from './items';

/** What the lanes of a batch have in common. */
export interface SharedCaches {
  pool: CachePool;
  prefills: Turnstile;
}

/** One lane's cache, out of the pool. */
export abstract class PooledLane {
  protected cache: PrefixCache | null = null;

  constructor(protected readonly shared: SharedCaches) {}

  /** Encodes one lane after another, so that what they have in common is encoded by the first. */
  protected async encode<T>(
    blocks: readonly (readonly number[])[],
    work: (cache: PrefixCache) => Promise<T>,
  ): Promise<T> {
    return this.inTurn(() => work(this.take(blocks)));
  }

  /** The lane's cache; at first the one of the pool that suits these blocks best. */
  protected take(blocks: readonly (readonly number[])[]): PrefixCache {
    return (this.cache ??= this.shared.pool.take(blocks));
  }

  /** Runs the model for this lane alone while no other lane does. */
  protected async inTurn<T>(work: () => Promise<T>): Promise<T> {
    const leave = await this.shared.prefills.enter();
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /** Gives the cache back; the lane is done. */
  release(): void {
    if (this.cache) this.shared.pool.give(this.cache);
    this.cache = null;
  }
}

/** Lanes of a kind of model. */
export abstract class Lanes<Model, Request, Answer> {
  private readonly pool: CachePool;

  constructor(shape: CacheShape) {
    this.pool = new CachePool(shape);
  }

  /** A lane's model; `ask` waits until all lanes ask. Where it is `alone` no other lane is at work until it is done. */
  protected abstract open(
    shared: SharedCaches,
    ask: (request: Request) => Promise<Answer>,
    alone: boolean,
  ): Model & PooledLane;
  /** Whether an item gains nothing by passes shared with others. Such items are answered first, one after another. */
  protected abstract alone(item: BatchItem): boolean;
  /** Requests, by their numbers, that run together: each in one group. */
  protected abstract groups(requests: readonly Request[]): number[][];
  /** Runs a group in one pass. */
  protected abstract pass(requests: readonly Request[]): Promise<Answer[]>;
  /** The batch is over: what the graph kept for its passes can go. */
  protected abstract end(): void;

  /**
   * Answers every item with a lane of its own, as `Simulator.simulateBatch`.
   * @param answer one answer by the lane's model
   */
  async run(
    items: readonly BatchItem[],
    answer: (model: Model, item: BatchItem) => AsyncIterable<Draft | Prediction>,
    onAnswer?: (index: number, prediction: Prediction) => void,
  ): Promise<PromiseSettledResult<Prediction>[]> {
    const shared = { pool: this.pool, prefills: new Turnstile() };
    this.pool.begin();
    const out: PromiseSettledResult<Prediction>[] = [];
    try {
      for (const alone of [true, false]) {
        const some = [...items.keys()].filter((i) => this.alone(items[i] as BatchItem) === alone);
        const work: LaneWork<Request, Answer, Model & PooledLane> = {
          open: (ask) => this.open(shared, ask, alone),
          run: (requests) => this.runAll(requests),
          answer,
        };
        const settled = await runItems(
          some.map((i) => items[i] as BatchItem),
          work,
          alone ? 1 : LANES,
          (index, prediction) => onAnswer?.(some[index] as number, prediction),
        );
        settled.forEach((one, index) => (out[some[index] as number] = one));
      }
      return out;
    } finally {
      this.end();
    }
  }

  /** Forgets the caches of all lanes. */
  clear(): void {
    this.pool.clear();
  }

  private async runAll(requests: readonly Request[]): Promise<Answer[]> {
    const out: Answer[] = [];
    for (const group of this.groups(requests)) {
      const answers = await this.pass(group.map((i) => requests[i] as Request));
      group.forEach((i, r) => (out[i] = answers[r] as Answer));
    }
    return out;
  }
}
