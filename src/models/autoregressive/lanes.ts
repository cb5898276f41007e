/** Many answers of the AR model at once: each lane has a cache of its own, and their tokens share a pass. */
import { alikeGroups } from '../batch/alike';
import { Lanes, PooledLane, type SharedCaches } from '../batch/lanes';
import { asBlocks, type PrefixCache } from '../diffusion/prefixCache';
import type { Choice } from '../draw';
import { DecodeGraph, keepCommon, type DecodeRequest, type Decoded } from './decode';
import type { CausalModel } from './writer';

/** Rows of one call at most: with four a token takes 0.6 to 0.7 of its time alone, with more hardly less (decision 0009). */
const ROWS = 4;
/** Rows share a call if the longest cache has at most so many times the places of the shortest. */
const ALIKE = 1.25;

export class TokenLanes extends Lanes<CausalModel, DecodeRequest, Decoded> {
  constructor(private readonly graph: DecodeGraph) {
    super(graph.config);
  }

  protected open(shared: SharedCaches, ask: (request: DecodeRequest) => Promise<Decoded>): TokenLane {
    return new TokenLane(this.graph, shared, ask);
  }

  protected alone(): boolean {
    return false;
  }

  /**
   * Lanes that write on greedily share calls, and lanes that want logits others; a few rows each, of about one length. Every
   * call copies the caches of all its rows into the runtime and goes on until its last row is done, so that large groups are
   * slower than one lane after another (docs/decisions/0009-runtime-causes.md).
   */
  protected groups(requests: readonly DecodeRequest[]): number[][] {
    const all = [...requests.keys()];
    const writes = (i: number) => requests[i]?.write !== undefined;
    const size = (i: number) => (requests[i] as DecodeRequest).cache.capacity;
    return [all.filter(writes), all.filter((i) => !writes(i))].flatMap((some) => alikeGroups(some, size, ALIKE, ROWS));
  }

  protected pass(requests: readonly DecodeRequest[]): Promise<Decoded[]> {
    return this.graph.decode(requests);
  }

  protected end(): void {
    this.graph.endBatch();
  }
}

/** The graph as one lane sees it. */
class TokenLane extends PooledLane implements CausalModel {
  /** Tokens behind those that were kept which are in the cache by now. */
  private ahead = 0;

  constructor(
    private readonly graph: DecodeGraph,
    shared: SharedCaches,
    private readonly ask: (request: DecodeRequest) => Promise<Decoded>,
    cache: PrefixCache | null = null,
  ) {
    super(shared);
    this.cache = cache;
  }

  get length(): number {
    return this.cache?.length ?? 0;
  }

  keepCommon(tokens: readonly number[]): Promise<number> {
    return this.encode(asBlocks(tokens), async (cache) => {
      const kept = keepCommon(cache, tokens);
      const before = tokens.slice(kept, -1);
      this.ahead = before.length;
      if (before.length > 0) await this.graph.decode([{ cache, tokens: before }]);
      return kept;
    });
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
    return Promise.resolve(new TokenLane(this.graph, this.shared, this.ask, cache));
  }

  /** A copy's cache is its own: it does not go back. */
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
