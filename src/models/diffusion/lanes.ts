/** Many answers of an MDLM at once: each lane has a cache of its own, and windows of about one length share a pass. */
import { CachePool } from '../batch/cachePool';
import { runItems, type LaneWork } from '../batch/items';
import type { BatchItem, Draft, Prediction } from '../../world/simulator';
import { Turnstile } from '../pause';
import type { DiffusionGraph, Past, PassOptions, PassRequest, WindowModel, WindowPass } from './graph';
import type { CacheShape, PrefixCache } from './prefixCache';

/** Windows share a pass if the longest has at most so many times the places of the shortest. */
const ALIKE = 1.15;

export class WindowLanes {
  private readonly pool: CachePool;

  constructor(
    private readonly graph: DiffusionGraph,
    shape: CacheShape,
  ) {
    this.pool = new CachePool(shape);
  }

  /**
   * Answers every item with a lane of its own, as `Simulator.simulateBatch`.
   * @param answer one answer by the lane's model
   */
  async run(
    items: readonly BatchItem[],
    answer: (model: WindowModel, item: BatchItem) => AsyncIterable<Draft | Prediction>,
    onAnswer?: (index: number, prediction: Prediction) => void,
  ): Promise<PromiseSettledResult<Prediction>[]> {
    const prefills = new Turnstile();
    const work: LaneWork<PassRequest, WindowPass, WindowLane> = {
      open: (ask) => new WindowLane(this.graph, this.pool, prefills, ask),
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

  /** Runs windows in groups of about one length, so that few places only fill up. */
  private async passes(requests: readonly PassRequest[]): Promise<WindowPass[]> {
    const size = (i: number) => (requests[i] as PassRequest).tokens.length;
    const order = [...requests.keys()].sort((a, b) => size(a) - size(b) || a - b);
    const out: WindowPass[] = [];
    while (order.length > 0) {
      const most = size(order[0] as number) * ALIKE;
      const group = order.splice(0, order.filter((i) => size(i) <= most).length);
      const passes = await this.graph.passes(group.map((i) => requests[i] as PassRequest));
      group.forEach((i, r) => (out[i] = passes[r] as WindowPass));
    }
    return out;
  }
}

/** The graph as one lane sees it. */
class WindowLane implements WindowModel {
  private cache: PrefixCache | null = null;

  constructor(
    private readonly graph: DiffusionGraph,
    private readonly pool: CachePool,
    private readonly prefills: Turnstile,
    private readonly ask: (request: PassRequest) => Promise<WindowPass>,
  ) {}

  /** One lane after another, so that what they have in common is encoded by the first. */
  async prefill(blocks: readonly (readonly number[])[]): Promise<number> {
    const leave = await this.prefills.enter();
    try {
      this.cache ??= this.pool.take(blocks);
      return await this.graph.prefill(blocks, this.cache);
    } finally {
      leave();
    }
  }

  past(copy = false): Past {
    if (!this.cache) throw new RangeError('nothing was prefilled');
    return this.graph.past(copy, this.cache);
  }

  pass(tokens: readonly number[], past: Past, options: PassOptions = {}): Promise<WindowPass> {
    return this.ask({ tokens, past, options });
  }

  release(): void {
    if (this.cache) this.pool.give(this.cache);
    this.cache = null;
  }
}
