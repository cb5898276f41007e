/** Many answers of the AR model at once: each lane has a cache of its own, and their tokens share a pass. */
import type { BatchItem, Draft, Prediction } from '../../world/simulator';
import { CachePool } from '../batch/cachePool';
import { runItems, type LaneWork } from '../batch/items';
import type { PrefixCache } from '../diffusion/prefixCache';
import type { Choice } from '../draw';
import { Turnstile } from '../pause';
import { DecodeGraph, asBlocks, keepCommon, type DecodeRequest, type Decoded } from './decode';
import type { CausalModel } from './simulator';

export class TokenLanes {
  private readonly pool: CachePool;

  constructor(private readonly graph: DecodeGraph) {
    this.pool = new CachePool(graph.config);
  }

  /**
   * Answers every item with a lane of its own, as `Simulator.simulateBatch`.
   * @param answer one answer by the lane's model
   */
  async run(
    items: readonly BatchItem[],
    answer: (model: CausalModel, item: BatchItem) => AsyncIterable<Draft | Prediction>,
    onAnswer?: (index: number, prediction: Prediction) => void,
  ): Promise<PromiseSettledResult<Prediction>[]> {
    const prefills = new Turnstile();
    const work: LaneWork<DecodeRequest, Decoded, TokenLane> = {
      open: (ask) => new TokenLane(this.graph, this.pool, prefills, ask),
      run: (requests) => this.passes(requests),
      answer,
    };
    try {
      return await runItems(items, work, onAnswer);
    } finally {
      this.graph.endBatch();
    }
  }

  /** Forgets the caches of all lanes. */
  clear(): void {
    this.pool.clear();
  }

  /** Lanes that write on greedily share a call, and lanes that want logits another. */
  private async passes(requests: readonly DecodeRequest[]): Promise<Decoded[]> {
    const out: Decoded[] = [];
    for (const writes of [true, false]) {
      const group = [...requests.keys()].filter((i) => (requests[i]?.write !== undefined) === writes);
      if (group.length === 0) continue;
      const passes = await this.graph.decode(group.map((i) => requests[i] as DecodeRequest));
      group.forEach((i, r) => (out[i] = passes[r] as Decoded));
    }
    return out;
  }
}

/** The graph as one lane sees it. */
class TokenLane implements CausalModel {
  private cache: PrefixCache | null;
  /** Tokens behind those that were kept which are in the cache by now. */
  private ahead = 0;

  constructor(
    private readonly graph: DecodeGraph,
    private readonly pool: CachePool,
    private readonly prefills: Turnstile,
    private readonly ask: (request: DecodeRequest) => Promise<Decoded>,
    cache: PrefixCache | null = null,
  ) {
    this.cache = cache;
  }

  get length(): number {
    return this.cache?.length ?? 0;
  }

  /** One lane after another, so that what they have in common is encoded by the first. */
  async keepCommon(tokens: readonly number[]): Promise<number> {
    const leave = await this.prefills.enter();
    try {
      this.cache ??= this.pool.take(asBlocks(tokens));
      const kept = keepCommon(this.cache, tokens);
      const before = tokens.slice(kept, -1);
      this.ahead = before.length;
      if (before.length > 0) await this.graph.decode([{ cache: this.cache, tokens: before }]);
      return kept;
    } finally {
      leave();
    }
  }

  async run(tokens: readonly number[]): Promise<Float32Array> {
    const { logits } = await this.last(tokens);
    return logits as Float32Array;
  }

  async write(tokens: readonly number[], limit: number, ends: number): Promise<Choice[]> {
    return (await this.last(tokens, { limit, ends })).choices;
  }

  fork(): Promise<TokenLane> {
    const cache = new DecodeGraph(this.graph.session, this.graph.config).cache;
    if (this.cache) cache.copyFrom(this.cache, this.cache.blocks.length);
    return Promise.resolve(new TokenLane(this.graph, this.pool, this.prefills, this.ask, cache));
  }

  release(): void {
    if (this.cache) this.pool.give(this.cache);
    this.cache = null;
  }

  dispose(): Promise<void> {
    this.cache = null;
    return Promise.resolve();
  }

  /** Runs what is not in the cache: the last token with the other lanes, what comes before it alone. */
  private async last(wanted: readonly number[], write?: DecodeRequest['write']): Promise<Decoded> {
    const cache = this.cache as PrefixCache;
    const tokens = wanted.slice(this.ahead);
    this.ahead = 0;
    if (tokens.length === 0) return { logits: new Float32Array(0), choices: [] };
    if (tokens.length > 1) await this.graph.decode([{ cache, tokens: tokens.slice(0, -1) }]);
    return this.ask({ cache, tokens: tokens.slice(-1), ...(write ? { write } : {}) });
  }
}
