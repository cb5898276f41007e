/**
 * Counter-based random numbers: a draw is a hash of its key, so that batching, blocks and cancellation never change
 * one (as with Philox or Threefry, Salmon et al. 2011; here two rounds of the murmur3 finaliser over the key words).
 * Only 32-bit integer arithmetic, so Node and every browser give the same bits.
 */

function mix(h: number): number {
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** 32-bit hash of a text (FNV-1a over UTF-16 units, then finalised), for keys that have names. */
export function hashText(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return mix(h);
}

/** 32-bit draw for a key of integers; equal keys give equal draws. */
export function hash32(...key: number[]): number {
  let h = 0x9e3779b9;
  for (const word of key) h = mix((Math.imul(h, 5) + 0xe6546b64) ^ mix((word | 0) + 0x7f4a7c15));
  return mix(h ^ key.length);
}

/** Uniform double in the open interval (0, 1) with 52 random bits, for a key of integers. */
export function uniform(...key: number[]): number {
  const high = hash32(...key, 1);
  const low = hash32(...key, 2);
  return ((high >>> 6) * 67108864 + (low >>> 6) + 0.5) / 4503599627370496;
}

/** A sequence of draws under one key, for generators that take as many as they need. */
export class Rng {
  private count = 0;

  constructor(private readonly key: readonly number[]) {}

  static of(...key: (number | string)[]): Rng {
    return new Rng(key.map((part) => (typeof part === 'string' ? hashText(part) : part)));
  }

  /** A generator of its own for a named part, independent of how much was drawn here. */
  fork(name: string | number): Rng {
    return new Rng([...this.key, typeof name === 'string' ? hashText(name) : name]);
  }

  /** Uniform in (0, 1). */
  next(): number {
    return uniform(...this.key, this.count++);
  }

  /** Integer in [low, high], both included. */
  int(low: number, high: number): number {
    return low + Math.min(Math.floor(this.next() * (high - low + 1)), high - low);
  }

  /** True with probability p. */
  chance(p: number): boolean {
    return this.next() < p;
  }

  /** One item of a non-empty list. */
  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new RangeError('pick: the list is empty');
    return items[this.int(0, items.length - 1)] as T;
  }

  /** The items in random order (Fisher-Yates), as a new list. */
  shuffle<T>(items: readonly T[]): T[] {
    const out = [...items];
    for (let i = out.length - 1; i > 0; i--) {
      const j = this.int(0, i);
      [out[i], out[j]] = [out[j] as T, out[i] as T];
    }
    return out;
  }

  /** n different items (all of them when there are fewer), in random order. */
  sample<T>(items: readonly T[], n: number): T[] {
    return this.shuffle(items).slice(0, n);
  }
}
