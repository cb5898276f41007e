/** What a rater sees: sides and order by seed, and nothing from which an author could be told. */
import { hash32, hashText, Rng } from '../../world/rng';
import type { Preference, ItemKey, RatedTurn, RatingPair, RatingSet } from './types';

export const SIDES = ['left', 'right'] as const;
export type Side = (typeof SIDES)[number];

/** A pair without authors, runs and steps: what a page may draw. */
export interface BlindPair {
  prompt: string;
  left: readonly RatedTurn[];
  right: readonly RatedTurn[];
  truth: readonly RatedTurn[] | null;
}

/** Which item stands on the left for a rater: a coin thrown by (seed, rater, pair), so it is the same after a reload. */
export function leftOf(seed: number, rater: string, pair: string): ItemKey {
  return hash32(hashText('rating-side'), seed, hashText(rater), hashText(pair)) & 1 ? 'a' : 'b';
}

/** The item of a side. */
export function itemOn(side: Side, left: ItemKey): ItemKey {
  if (side === 'left') return left;
  return left === 'a' ? 'b' : 'a';
}

/** A preference by side as one by item. */
export function preferenceOf(choice: Side | 'tie', left: ItemKey): Preference {
  return choice === 'tie' ? 'tie' : itemOn(choice, left);
}

/** Order in which a rater meets the pairs; each rater has one of their own, so that tiredness falls on different pairs. */
export function orderFor(seed: number, rater: string, pairs: readonly string[]): string[] {
  return Rng.of('rating-order', seed, rater).shuffle([...pairs].sort());
}

/** What is shown of a pair to a rater. */
export function blindPair(set: RatingSet, rater: string, pair: RatingPair): BlindPair {
  const left = leftOf(set.seed, rater, pair.id);
  return {
    prompt: pair.prompt,
    left: pair[left].turns,
    right: pair[itemOn('right', left)].turns,
    truth: pair.truth,
  };
}
