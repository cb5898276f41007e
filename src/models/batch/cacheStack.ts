/** Caches of several rows as the past of one pass: one on top of the other, filled up to the longest with unseen keys. */
import { NEVER_SEEN, type CacheShape, type LayerPair } from '../diffusion/prefixCache';
import type { ModelSession, Tensors } from '../session';

/** Keys and values of one row: per layer [heads, capacity, headDim], and the block of each place. */
export interface CacheRow {
  layers: readonly LayerPair[];
  capacity: number;
  blockIds: Int32Array;
}

interface Stacked {
  rows: readonly CacheRow[];
  capacity: number;
  blockIds: Int32Array;
  layers: readonly LayerPair[];
}

export class CacheStack {
  private last: Stacked | null = null;

  constructor(private readonly shape: CacheShape) {}

  /**
   * The inputs `past_block_ids` [rows, capacity] and `past.i.key|value` [rows, heads, capacity, headDim]. Rows must not
   * change while they are given again: what was stacked last is used again for the same rows.
   */
  feeds(session: ModelSession, rows: readonly CacheRow[]): Tensors {
    const { heads, headDim } = this.shape;
    const { capacity, blockIds, layers } = this.stack(rows);
    const out: Tensors = { past_block_ids: session.int32(blockIds, [rows.length, capacity]) };
    const shape = [rows.length, heads, capacity, headDim];
    layers.forEach(({ key, value }, i) => {
      out[`past.${i}.key`] = session.float32(key, shape);
      out[`past.${i}.value`] = session.float32(value, shape);
    });
    return out;
  }

  /** Forgets what was stacked: a batch is over. */
  clear(): void {
    this.last = null;
  }

  private stack(rows: readonly CacheRow[]): Stacked {
    const [first] = rows;
    if (rows.length === 1 && first) return { ...first, rows };
    const { last } = this;
    if (last && last.rows.length === rows.length && last.rows.every((row, r) => row === rows[r])) return last;
    const { layers: count, heads, headDim } = this.shape;
    const capacity = Math.max(...rows.map((row) => row.capacity));
    const blockIds = new Int32Array(rows.length * capacity).fill(NEVER_SEEN);
    rows.forEach((row, r) => blockIds.set(row.blockIds, r * capacity));
    const size = rows.length * heads * capacity * headDim;
    const reusable = last?.layers[0]?.key.length === size ? last.layers : null;
    const layers = Array.from({ length: count }, (_, layer): LayerPair => {
      const pair = reusable?.[layer] ?? { key: new Float32Array(size), value: new Float32Array(size) };
      for (const part of ['key', 'value'] as const) {
        rows.forEach((row, r) => {
          const from = (row.layers[layer] as LayerPair)[part];
          const length = row.capacity * headDim;
          for (let h = 0; h < heads; h++) {
            pair[part].set(from.subarray(h * length, (h + 1) * length), (r * heads + h) * capacity * headDim);
          }
        });
      }
      return pair;
    });
    return (this.last = { rows, capacity, blockIds, layers });
  }
}
