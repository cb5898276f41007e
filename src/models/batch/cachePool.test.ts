/** Which caches a pool keeps: rollouts come round to their lanes in the same order, again and again. */
import { expect, test } from 'vitest';
import { asBlocks, type PrefixCache } from '../diffusion/prefixCache';
import { CachePool } from './cachePool';

const SHAPE = { layers: 1, heads: 1, headDim: 2 };
/** Of a cache with room for 64 tokens. */
const NUMBERS = 2 * 2 * 64;

/** Rules that all worlds have, and what only one has. */
const prompt = (world: number, turns: number) =>
  asBlocks([...Array<number>(8).fill(1), ...Array<number>(10 + turns).fill(100 + world)]);

function fill(cache: PrefixCache, blocks: number[][]): void {
  const kept = cache.keepCommon(blocks);
  const rest = blocks.slice(kept);
  const all = () => new Float32Array(rest.length * SHAPE.headDim);
  if (rest.length > 0) cache.append(rest, [{ key: all(), value: all() }], rest.length);
}

/** One step of each lane in turn; gives how many tokens each found in its cache. */
function round(pool: CachePool, worlds: number, turns: number, promptOf = prompt): number[] {
  pool.begin();
  return Array.from({ length: worlds }, (_, world) => {
    const blocks = promptOf(world, turns);
    const cache = pool.take(blocks);
    const found = cache.common(blocks);
    fill(cache, blocks);
    pool.give(cache);
    return found;
  });
}

test('a lane finds its own cache again, and one that is new takes nobody else’s', () => {
  const pool = new CachePool(SHAPE);
  expect(round(pool, 4, 0)).toEqual([0, 8, 8, 8]);
  expect(round(pool, 5, 1)).toEqual([18, 18, 18, 18, 8]);
  expect(round(pool, 5, 2)).toEqual([19, 19, 19, 19, 19]);
});

test('lanes that have most of their prompt in common, one after another, keep a cache each', () => {
  const pool = new CachePool(SHAPE);
  const alike = (world: number) => asBlocks([...Array<number>(30).fill(1), 100 + world]);
  expect(round(pool, 3, 0, alike)).toEqual([0, 30, 30]);
  expect(round(pool, 3, 0, alike)).toEqual([31, 31, 31]);
});

test('where there is no room for all, most lanes still find their own', () => {
  const pool = new CachePool(SHAPE, 6 * NUMBERS);
  round(pool, 8, 0);
  for (const turns of [1, 2, 3]) {
    const found = round(pool, 8, turns);
    // Six have room; the newest is dropped for the next one.
    expect(found.filter((tokens) => tokens > 8).length).toBeGreaterThanOrEqual(5);
  }
});

test('caches of another batch make room first', () => {
  const pool = new CachePool(SHAPE, 4 * NUMBERS);
  round(pool, 4, 0);
  pool.begin();
  const others = [50, 51, 52, 53].map((world) => {
    const cache = pool.take(prompt(world, 0));
    fill(cache, prompt(world, 0));
    return cache;
  });
  others.forEach((cache) => pool.give(cache));
  pool.begin();
  others.forEach((cache, i) => expect(pool.take(prompt(50 + i, 1))).toBe(cache));
});
