/**
 * Caches of lanes. A lane gets the one that leads its prompt the furthest, or a copy of what that holds where another lane
 * has taken it: lanes of one world encode it once, and a rollout finds its own cache again at its next step.
 */
import { PrefixCache, type CacheShape } from '../diffusion/prefixCache';

/** Numbers that all free caches together may keep: half a gigabyte, a hundred lanes of 640 tokens. */
const MOST_NUMBERS = 2 ** 27;

export class CachePool {
  /** Free ones, those that were given back last at the end. */
  private free: PrefixCache[] = [];
  private readonly taken = new Set<PrefixCache>();
  /** Caches that this batch has used. */
  private recent = new WeakSet<PrefixCache>();

  /** @param most numbers that free caches may keep */
  constructor(
    private readonly shape: CacheShape,
    private readonly most = MOST_NUMBERS,
  ) {}

  /** A batch begins: what others left is older than all that it leaves itself. */
  begin(): void {
    this.recent = new WeakSet();
  }

  /** A cache for a prompt; it may hold more than what leads these blocks. Give it back when the answer is there. */
  take(blocks: readonly (readonly number[])[]): PrefixCache {
    // Free ones come first, so that a copy is made only where it holds more.
    let best = { cache: null as PrefixCache | null, common: 0 };
    for (const cache of [...this.free, ...this.taken]) {
      const common = cache.common(blocks);
      if (common > best.common) best = { cache, common };
    }
    let { cache } = best;
    // What a free one would lose if it were taken may be what its own lane comes back for: then it is copied from. One that this
    // batch has used is another lane's in any case.
    const own = cache !== null && best.common * 2 >= cache.blocks.length && !this.recent.has(cache);
    if (cache && own && this.free.includes(cache)) this.free = this.free.filter((one) => one !== cache);
    else {
      const made = new PrefixCache(this.shape);
      if (cache) made.copyFrom(cache, best.common);
      cache = made;
    }
    this.taken.add(cache);
    this.recent.add(cache);
    return cache;
  }

  /**
   * Takes a cache back. Where there are too many, the oldest of other batches go first, and then the newest: a rollout comes
   * round to its lanes in the same order, so dropping the oldest would drop each one just before it is wanted.
   */
  give(cache: PrefixCache): void {
    if (!this.taken.delete(cache)) return;
    this.free.push(cache);
    const { layers, heads, headDim } = this.shape;
    const size = (one: PrefixCache) => 2 * layers * heads * headDim * one.capacity;
    for (let sum = this.free.reduce((total, one) => total + size(one), 0); sum > this.most;) {
      // -1 where this batch has used them all: that is the last one.
      const older = this.free.findIndex((one) => !this.recent.has(one));
      const [gone] = this.free.splice(older, 1);
      sum -= size(gone as PrefixCache);
    }
  }

  clear(): void {
    this.free = [];
  }
}
