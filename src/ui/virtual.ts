/** Which rows of a long list are drawn: pure arithmetic on heights, most of which are only estimated. */

/**
 * Heights of n rows of which those that were drawn are known. Sums are kept in a binary indexed tree (Fenwick 1994), so a
 * list of many thousands costs as little as a short one.
 */
export class Heights {
  readonly #known: Float64Array;
  readonly #has: Uint8Array;
  /** Sums of what known heights are above the estimate. */
  readonly #tree: Float64Array;

  constructor(
    readonly count: number,
    readonly estimate: number,
  ) {
    this.#known = new Float64Array(count);
    this.#has = new Uint8Array(count);
    this.#tree = new Float64Array(count + 1);
  }

  /** Heights of a list that became longer or shorter at its end; what is known of the rest stays. */
  resized(count: number): Heights {
    const out = new Heights(count, this.estimate);
    for (let i = 0; i < Math.min(count, this.count); i++) if (this.#has[i]) out.set(i, this.#known[i] as number);
    return out;
  }

  /** Notes the height of a row; false when it was known to the half pixel. */
  set(i: number, height: number): boolean {
    if (i < 0 || i >= this.count) return false;
    const before = this.of(i);
    if (this.#has[i] && Math.abs(before - height) < 0.5) return false;
    this.#has[i] = 1;
    this.#known[i] = height;
    for (let at = i + 1; at <= this.count; at += at & -at) {
      this.#tree[at] = (this.#tree[at] as number) + height - before;
    }
    return height !== before;
  }

  of(i: number): number {
    return this.#has[i] ? (this.#known[i] as number) : this.estimate;
  }

  /** Pixels above row i, from 0 to n; n gives the height of all. */
  offset(i: number): number {
    let sum = i * this.estimate;
    for (let at = i; at > 0; at -= at & -at) sum += this.#tree[at] as number;
    return sum;
  }

  /** The row at a height; the first above the list, and the last below it. -1 for a list without rows. */
  at(y: number): number {
    let [low, high] = [0, this.count - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.offset(middle) <= y) low = middle;
      else high = middle - 1;
    }
    return high < 0 ? -1 : low;
  }
}

/** A part of what is drawn: a row, or the room of rows that are not. */
export type Part = { index: number } | { gap: number; from: number };

/**
 * The parts of a list from top to bottom: the rows in sight and some more on either side, and those that must stay (the row
 * that has the focus would lose it), with gaps in place of all others.
 */
export function partsOf(
  heights: Heights,
  view: { top: number; height: number },
  { overscan = 8, keep = [] as readonly number[] } = {},
): Part[] {
  const { count } = heights;
  if (count === 0) return [];
  const first = Math.max(0, heights.at(view.top) - overscan);
  const last = Math.min(count - 1, heights.at(view.top + view.height) + overscan);
  const drawn = new Set(keep.filter((i) => i >= 0 && i < count));
  for (let i = first; i <= last; i++) drawn.add(i);
  const out: Part[] = [];
  let next = 0;
  for (const index of [...drawn].sort((a, b) => a - b)) {
    if (index > next) out.push({ gap: heights.offset(index) - heights.offset(next), from: next });
    out.push({ index });
    next = index + 1;
  }
  if (next < count) out.push({ gap: heights.offset(count) - heights.offset(next), from: next });
  return out;
}

/** Where a key leads from a row, or null when it leads nowhere; `page` is the number of rows in sight. */
export function moved(key: string, from: number, count: number, page: number): number | null {
  const to: { [key: string]: number } = {
    ArrowDown: from + 1,
    ArrowUp: from - 1,
    PageDown: from + page,
    PageUp: from - page,
    Home: 0,
    End: count - 1,
  };
  if (count === 0 || !Object.hasOwn(to, key)) return null;
  return Math.max(0, Math.min(count - 1, to[key] as number));
}
