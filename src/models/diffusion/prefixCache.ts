/**
 * Keys and values of clean blocks for an MDLM. Under the block-causal mask what a block sees does not change when others
 * follow, so the cache is exact: any leading blocks can be kept, and blocks can be added one at a time or together.
 *
 * The arrays have room for a multiple of `BUCKET` tokens, so that the graph meets few shapes and never an empty past; the
 * places behind the last token have a block that nothing sees.
 */
import { commonPrefix } from '../prompt';

/** Block of keys that only fill up. */
export const NEVER_SEEN = 2 ** 30;
const BUCKET = 64;

/** Shape of a model's cache. */
export interface CacheShape {
  layers: number;
  heads: number;
  headDim: number;
}

/** Keys and values of one layer, each [heads, tokens, headDim]. */
export interface LayerPair {
  key: Float32Array;
  value: Float32Array;
}

/** Tokens as blocks of their own: each sees those before it only. */
export function asBlocks(tokens: readonly number[]): number[][] {
  return tokens.map((token) => [token]);
}

export class PrefixCache {
  private held: number[][] = [];
  private tokens = 0;
  private room = BUCKET;
  private pairs: LayerPair[];

  constructor(private readonly shape: CacheShape) {
    this.pairs = this.allocate(BUCKET);
  }

  /** Tokens in the cache. */
  get length(): number {
    return this.tokens;
  }

  /** Tokens there is room for; the length of the graph's past. */
  get capacity(): number {
    return this.room;
  }

  /** Per layer, keys and values [heads, capacity, headDim]. */
  get layers(): readonly LayerPair[] {
    return this.pairs;
  }

  /** Blocks in the cache. */
  get blocks(): readonly (readonly number[])[] {
    return this.held;
  }

  /**
   * Keeps the leading blocks that are the same in `blocks` and forgets the others.
   * @returns how many are kept
   */
  keepCommon(blocks: readonly (readonly number[])[]): number {
    const kept = this.common(blocks);
    this.held = this.held.slice(0, kept);
    this.tokens = this.held.reduce((sum, block) => sum + block.length, 0);
    this.resize(this.tokens);
    return kept;
  }

  /** How many leading blocks are the same in `blocks`; nothing changes. */
  common(blocks: readonly (readonly number[])[]): number {
    return commonPrefix<readonly number[]>(this.held, blocks, same);
  }

  /** Becomes a copy of the leading `count` blocks of another cache of the same shape. */
  copyFrom(other: PrefixCache, count: number): void {
    this.clear();
    const blocks = other.blocks.slice(0, count);
    if (blocks.length > 0) this.append(blocks, other.layers, other.capacity);
  }

  /**
   * Adds blocks with the keys and values a pass gave for them.
   * @param present per layer [heads, stride, headDim], whose first tokens are those of the blocks
   */
  append(blocks: readonly (readonly number[])[], present: readonly LayerPair[], stride: number): void {
    const count = blocks.reduce((sum, block) => sum + block.length, 0);
    const start = this.tokens;
    this.resize(start + count);
    const { heads, headDim } = this.shape;
    this.pairs.forEach((pair, layer) => {
      for (const part of ['key', 'value'] as const) {
        const from = present[layer]?.[part];
        if (from?.length !== heads * stride * headDim) throw new RangeError(`layer ${layer}: no ${part} of this shape`);
        for (let h = 0; h < heads; h++) {
          const source = from.subarray(h * stride * headDim, (h * stride + count) * headDim);
          pair[part].set(source, (h * this.room + start) * headDim);
        }
      }
    });
    this.held.push(...blocks.map((block) => [...block]));
    this.tokens += count;
  }

  /** Block of every place of the past, `NEVER_SEEN` where there is no token. */
  pastBlockIds(): Int32Array {
    const out = new Int32Array(this.room).fill(NEVER_SEEN);
    let at = 0;
    this.held.forEach((block, i) => {
      out.fill(i, at, at + block.length);
      at += block.length;
    });
    return out;
  }

  clear(): void {
    this.held = [];
    this.tokens = 0;
    this.resize(0);
  }

  /** Makes room for `tokens`, and gives room back that is no longer needed; what is held moves along. */
  private resize(tokens: number): void {
    const room = Math.max(BUCKET, Math.ceil(tokens / BUCKET) * BUCKET);
    if (room === this.room) return;
    const { heads, headDim } = this.shape;
    const before = this.pairs;
    const kept = Math.min(this.tokens, room) * headDim;
    this.pairs = this.allocate(room);
    this.pairs.forEach((pair, layer) => {
      for (const part of ['key', 'value'] as const) {
        for (let h = 0; h < heads; h++) {
          const start = h * this.room * headDim;
          pair[part].set((before[layer] as LayerPair)[part].subarray(start, start + kept), h * room * headDim);
        }
      }
    });
    this.room = room;
  }

  private allocate(room: number): LayerPair[] {
    const { layers, heads, headDim } = this.shape;
    const array = () => new Float32Array(heads * room * headDim);
    return Array.from({ length: layers }, () => ({ key: array(), value: array() }));
  }
}

function same(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((id, i) => id === b[i]);
}
