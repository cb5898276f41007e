/**
 * Caches of lanes. A lane gets the one that leads its prompt the furthest, or a copy of what that holds where another lane
 * has taken it: lanes of one world encode it once, and a rollout finds its own cache again at its next step.
 */
import { PrefixCache, type CacheShape } from '../diffusion/prefixCache';

/** Numbers that all free caches together may keep: a quarter of a gigabyte. */
const MOST_NUMBERS = 2 ** 26;

export class CachePool {
  /** Free ones, those that were given back last at the end. */
  private free: PrefixCache[] = [];
  private readonly taken = new Set<PrefixCache>();

  constructor(private readonly shape: CacheShape) {}

  /** A cache for a prompt; it may hold more than what leads these blocks. Give it back when the answer is there. */
  take(blocks: readonly (readonly number[])[]): PrefixCache {
    // Free ones come first, so that a copy is made only where it holds more.
    let best = { cache: null as PrefixCache | null, common: 0 };
    for (const cache of [...this.free, ...this.taken]) {
      const common = cache.common(blocks);
      if (common > best.common) best = { cache, common };
    }
    let { cache } = best;
    if (cache && this.free.includes(cache)) this.free = this.free.filter((one) => one !== cache);
    else {
      const made = new PrefixCache(this.shape);
      if (cache) made.copyFrom(cache, best.common);
      cache = made;
    }
    this.taken.add(cache);
    return cache;
  }

  give(cache: PrefixCache): void {
    if (!this.taken.delete(cache)) return;
    this.free.push(cache);
    const { layers, heads, headDim } = this.shape;
    const size = (one: PrefixCache) => 2 * layers * heads * headDim * one.capacity;
    for (let sum = this.free.reduce((total, one) => total + size(one), 0); sum > MOST_NUMBERS; ) {
      sum -= size(this.free.shift() as PrefixCache);
    }
  }

  clear(): void {
    this.free = [];
  }
}
