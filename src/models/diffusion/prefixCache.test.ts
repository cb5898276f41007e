/** Bookkeeping of the prefix cache: what is held is what was put in, wherever it had to move. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NEVER_SEEN, PrefixCache, type LayerPair } from './prefixCache';

const SHAPE = { layers: 2, heads: 3, headDim: 2 };

/** Keys that name their layer, head, token and place in the head; values are their negatives. */
function present(blocks: number[][], stride: number): LayerPair[] {
  const ids = blocks.flat();
  return Array.from({ length: SHAPE.layers }, (_, layer) => {
    const key = new Float32Array(SHAPE.heads * stride * SHAPE.headDim).fill(NaN);
    for (let h = 0; h < SHAPE.heads; h++) {
      ids.forEach((id, t) => {
        for (let d = 0; d < SHAPE.headDim; d++) {
          key[(h * stride + t) * SHAPE.headDim + d] = layer * 1e6 + h * 1e5 + d * 1e4 + id;
        }
      });
    }
    return { key, value: key.map((v) => -v) };
  });
}

function check(cache: PrefixCache, blocks: number[][]): void {
  const ids = blocks.flat();
  expect(cache.blocks).toEqual(blocks);
  expect(cache.length).toBe(ids.length);
  expect(cache.capacity % 64).toBe(0);
  expect(cache.capacity).toBeGreaterThanOrEqual(Math.max(64, ids.length));
  expect(cache.capacity).toBeLessThan(ids.length + 128);
  const blockIds = blocks.flatMap((block, i) => block.map(() => i));
  expect([...cache.pastBlockIds()]).toEqual(
    Array.from({ length: cache.capacity }, (_, i) => blockIds[i] ?? NEVER_SEEN),
  );
  const want = present(blocks, Math.max(1, ids.length));
  cache.layers.forEach(({ key, value }, layer) => {
    expect(key.length).toBe(SHAPE.heads * cache.capacity * SHAPE.headDim);
    expect(key.every(Number.isFinite) && value.every(Number.isFinite)).toBe(true);
    for (let h = 0; h < SHAPE.heads; h++) {
      const size = ids.length * SHAPE.headDim;
      const here = h * cache.capacity * SHAPE.headDim;
      const there = h * Math.max(1, ids.length) * SHAPE.headDim;
      expect(key.slice(here, here + size)).toEqual(want[layer]?.key.slice(there, there + size));
      expect(value.slice(here, here + size)).toEqual(want[layer]?.value.slice(there, there + size));
    }
  });
}

describe('PrefixCache', () => {
  it('holds exactly the blocks asked for, after any sequence of changes', () => {
    const block = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 70 });
    const wanted = fc.array(fc.array(block, { maxLength: 5 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(wanted, fc.integer({ min: 0, max: 9 }), (sequence, slack) => {
        const cache = new PrefixCache(SHAPE);
        for (const blocks of sequence) {
          const before = cache.blocks.map((one) => [...one]);
          const kept = cache.keepCommon(blocks);
          expect(before.slice(0, kept)).toEqual(blocks.slice(0, kept));
          if (kept < before.length && kept < blocks.length) expect(before[kept]).not.toEqual(blocks[kept]);
          const added = blocks.slice(kept);
          const count = added.flat().length;
          if (count > 0) cache.append(added, present(added, count + slack), count + slack);
          check(cache, blocks);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('keeps no block of which only a part is the same', () => {
    const cache = new PrefixCache(SHAPE);
    cache.append([[1, 2, 3]], present([[1, 2, 3]], 3), 3);
    expect(cache.keepCommon([[1, 2, 3, 4]])).toBe(0);
    check(cache, []);
  });

  it('refuses keys of another shape', () => {
    const cache = new PrefixCache(SHAPE);
    expect(() => cache.append([[1]], present([[1]], 2), 1)).toThrow(RangeError);
  });
});
