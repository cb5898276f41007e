import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Heights, moved, partsOf } from './virtual';

describe('heights', () => {
  it('sum up like a plain list of them, whatever was measured in whatever order', () => {
    const size = fc.integer({ min: 1, max: 60 });
    fc.assert(
      fc.property(
        size,
        fc.array(fc.tuple(fc.nat(59), fc.integer({ min: 1, max: 90 })), { maxLength: 80 }),
        (n, sets) => {
          const heights = new Heights(n, 20);
          const plain = new Array<number>(n).fill(20);
          for (const [i, height] of sets) {
            heights.set(i, height);
            if (i < n) plain[i] = height;
          }
          const offset = (i: number) => plain.slice(0, i).reduce((a, b) => a + b, 0);
          for (let i = 0; i <= n; i++) expect(heights.offset(i)).toBe(offset(i));
          for (let i = 0; i < n; i++) {
            expect(heights.at(offset(i))).toBe(i);
            expect(heights.at(offset(i) + (plain[i] as number) - 0.5)).toBe(i);
          }
          expect(heights.at(-10)).toBe(0);
          expect(heights.at(1e9)).toBe(n - 1);
          const longer = heights.resized(n + 3);
          expect(longer.offset(n + 3)).toBe(offset(n) + 60);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('say whether a measure is news', () => {
    const heights = new Heights(3, 20);
    expect(heights.set(1, 20)).toBe(false);
    expect(heights.set(1, 20.2)).toBe(false);
    expect(heights.set(1, 30)).toBe(true);
    expect(heights.set(3, 30)).toBe(false);
    expect(new Heights(0, 20).at(5)).toBe(-1);
  });
});

describe('what is drawn', () => {
  const indexes = (parts: ReturnType<typeof partsOf>) => parts.flatMap((part) => ('index' in part ? [part.index] : []));
  const room = (parts: ReturnType<typeof partsOf>, heights: Heights) =>
    parts.reduce((sum, part) => sum + ('index' in part ? heights.of(part.index) : part.gap), 0);

  it('is the window and a little more, in the room of all', () => {
    const heights = new Heights(10_000, 20);
    const parts = partsOf(heights, { top: 100_000, height: 200 }, { overscan: 5 });
    expect(indexes(parts)).toEqual(Array.from({ length: 21 }, (_, i) => 4995 + i));
    expect(room(parts, heights)).toBe(200_000);
    expect(parts[0]).toEqual({ gap: 99_900, from: 0 });
  });

  it('keeps the row with the focus where it is, and has no gaps where there are no rows', () => {
    const heights = new Heights(100, 20);
    const parts = partsOf(heights, { top: 1000, height: 100 }, { overscan: 0, keep: [3, 3, 52, 200, -1] });
    expect(indexes(parts)).toEqual([3, 50, 51, 52, 53, 54, 55]);
    expect(room(parts, heights)).toBe(2000);
    const few = partsOf(new Heights(3, 20), { top: 0, height: 500 });
    expect(few).toEqual([{ index: 0 }, { index: 1 }, { index: 2 }]);
    expect(partsOf(new Heights(0, 20), { top: 0, height: 500 })).toEqual([]);
  });
});

describe('keys', () => {
  it('lead to a row of the list, or nowhere', () => {
    expect(
      ['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End', 'a'].map((key) => moved(key, 5, 100, 10)),
    ).toEqual([6, 4, 15, 0, 0, 99, null]);
    expect(moved('ArrowDown', 99, 100, 10)).toBe(99);
    expect(moved('End', 0, 0, 10)).toBeNull();
  });
});
