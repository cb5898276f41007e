/** Many answers of an MDLM at once: each lane has a cache of its own, and windows of about one length share a pass. */
import { alikeGroups } from '../batch/alike';
import { Lanes, PooledLane, type SharedCaches } from '../batch/lanes';
import type { BatchItem } from '../../world/simulator';
import type { DiffusionGraph, Past, PassRequest, WindowModel } from './graph';
import type { Clean, PassOptions, WindowPass } from './pass';
import type { CacheShape, PrefixCache } from './prefixCache';

/** Windows share a pass if the longest has at most so many times the places of the shortest. */
const ALIKE = 1.15;

export class WindowLanes extends Lanes<WindowModel, PassRequest, WindowPass> {
  /** @param writes whether the graph's loop, where it has one, can write the answer to an item */
  constructor(
    private readonly graph: DiffusionGraph,
    shape: CacheShape,
    private readonly writes: (item: BatchItem) => boolean,
  ) {
    super(shape);
  }

  protected open(shared: SharedCaches, ask: (request: PassRequest) => Promise<WindowPass>, alone: boolean): WindowLane {
    return new WindowLane(this.graph, shared, ask, alone);
  }

  /** On WebAssembly shared passes gain nothing, and an answer in one call does (docs/decisions/0011). */
  protected alone(item: BatchItem): boolean {
    return this.graph.write !== undefined && this.writes(item);
  }

  /** Windows of about one length, so that few places only fill up. */
  protected groups(requests: readonly PassRequest[]): number[][] {
    const size = (i: number) => (requests[i] as PassRequest).tokens.length;
    return alikeGroups([...requests.keys()], size, ALIKE);
  }

  protected pass(requests: readonly PassRequest[]): Promise<WindowPass[]> {
    return this.graph.passes(requests);
  }

  protected end(): void {
    this.graph.endBatch();
  }
}

/** The graph as one lane sees it. */
class WindowLane extends PooledLane implements WindowModel {
  /** As in `WindowModel`: only where no other lane is at work. */
  readonly keepCommon?: WindowModel['keepCommon'];
  readonly write?: WindowModel['write'];

  constructor(
    private readonly graph: DiffusionGraph,
    shared: SharedCaches,
    private readonly ask: (request: PassRequest) => Promise<WindowPass>,
    alone: boolean,
  ) {
    super(shared);
    if (!alone) return;
    this.keepCommon = graph.keeping((blocks) => this.take(blocks));
    this.write = graph.writing(() => this.filled());
  }

  prefill(blocks: readonly (readonly number[])[]): Promise<number> {
    return this.encode(this.graph.attended(blocks), (cache) => this.graph.prefill(blocks, cache));
  }

  past(copy = false): Past {
    return this.graph.past(copy, this.filled());
  }

  extend(tokens: readonly number[], clean: Clean): void {
    this.graph.extend(tokens, clean, this.filled());
  }

  /** A second cache of this lane's own, which does not go back to the pool. */
  fork(): WindowModel {
    const fork = this.graph.fork(this.filled(), (...all) => this.pass(...all));
    // It encodes when its turn comes, as the lanes do.
    return { ...fork, prefill: (blocks) => this.inTurn(() => fork.prefill(blocks)) };
  }

  pass(tokens: readonly number[], past: Past, options: PassOptions = {}): Promise<WindowPass> {
    return this.ask({ tokens, past, options });
  }

  private filled(): PrefixCache {
    if (!this.cache) throw new RangeError('nothing was prefilled');
    return this.cache;
  }
}
