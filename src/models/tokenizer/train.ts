/** Training of byte-pair merges (Sennrich et al. 2016) on counted pre-tokens. */
import { FIRST_TEXT } from '../../world/codec/special';
import { FIRST_MERGE, pairKey } from './bpe';

/**
 * Merges learned from pre-tokens and how often each occurs. Ties go to the pair with the smaller ids, so the result
 * depends on the counts alone.
 * @param vocabSize size to reach; training stops earlier when no pair occurs twice
 */
export function trainMerges(counts: ReadonlyMap<string, number>, vocabSize: number): [number, number][] {
  const utf8 = new TextEncoder();
  const words = [...counts].map(([piece, count]) => ({
    ids: Array.from(utf8.encode(piece), (byte) => FIRST_TEXT + byte),
    count,
  }));
  const totals = new Map<number, number>();
  const places = new Map<number, Set<number>>();
  const add = (key: number, count: number, word: number) => {
    totals.set(key, (totals.get(key) ?? 0) + count);
    let set = places.get(key);
    if (!set) places.set(key, (set = new Set()));
    set.add(word);
  };
  const count = (word: number, sign: 1 | -1) => {
    const { ids, count } = words[word] as (typeof words)[number];
    for (let i = 0; i + 1 < ids.length; i++) add(pairKey(ids[i] as number, ids[i + 1] as number), sign * count, word);
  };
  words.forEach((_, word) => count(word, 1));

  const merges: [number, number][] = [];
  while (FIRST_MERGE + merges.length < vocabSize) {
    let best = -1;
    let most = 1;
    for (const [key, total] of totals) {
      if (total > most || (total === most && most > 1 && key < best)) [best, most] = [key, total];
    }
    if (best < 0) break;
    const pair: [number, number] = [Math.floor(best / 65536), best % 65536];
    const made = FIRST_MERGE + merges.length;
    merges.push(pair);
    for (const word of places.get(best) ?? []) {
      count(word, -1);
      const entry = words[word] as (typeof words)[number];
      entry.ids = replacePair(entry.ids, pair, made);
      count(word, 1);
    }
    totals.delete(best);
    places.delete(best);
  }
  return merges;
}

function replacePair(ids: readonly number[], [left, right]: readonly [number, number], made: number): number[] {
  const out: number[] = [];
  for (let i = 0; i < ids.length; i++) {
    if (ids[i] === left && ids[i + 1] === right) {
      out.push(made);
      i++;
    } else out.push(ids[i] as number);
  }
  return out;
}
