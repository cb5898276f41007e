/** What a rater has typed for a pair: filled field by field, kept at once, and a vote when all is there. */
import { itemOn, leftOf, preferenceOf, SIDES, type Side } from './blind';
import {
  ITEMS,
  SCALES,
  type ItemKey,
  type RatingPair,
  type RatingSet,
  type Scale,
  type Scores,
  type VoteEntry,
} from './types';

/** A field that takes a digit, in the order in which they are filled. */
export interface Field {
  side: Side;
  scale: Scale;
}

export const FIELDS: readonly Field[] = SIDES.flatMap((side) => SCALES.map((scale) => ({ side, scale })));
/** Place of the preference, behind the digits. */
export const PREFERENCE = FIELDS.length;

export interface Draft {
  pair: string;
  /** One for each of `FIELDS`. */
  scores: (number | null)[];
  preference: Side | 'tie' | null;
  truthSeen: boolean;
  /** Place of the field that the next digit goes to; `PREFERENCE` for the preference. */
  at: number;
}

/** Nothing typed yet. */
export function emptyDraft(pair: string): Draft {
  return { pair, scores: FIELDS.map(() => null), preference: null, truthSeen: false, at: 0 };
}

/** With a score in a field; the next empty field behind it is next. */
export function withScore(draft: Draft, at: number, score: number): Draft {
  if (!FIELDS[at] || !Number.isInteger(score) || score < 1 || score > 5) return draft;
  const scores = draft.scores.map((old, i) => (i === at ? score : old));
  const next = scores.findIndex((value, i) => i > at && value === null);
  const any = scores.indexOf(null);
  return { ...draft, scores, at: next !== -1 ? next : any !== -1 ? any : PREFERENCE };
}

/** With a preference; the first empty field is next. */
export function withPreference(draft: Draft, preference: Side | 'tie'): Draft {
  const empty = draft.scores.indexOf(null);
  return { ...draft, preference, at: empty === -1 ? PREFERENCE : empty };
}

/** With another field next, within bounds. */
export function moved(draft: Draft, by: number): Draft {
  return { ...draft, at: Math.min(PREFERENCE, Math.max(0, draft.at + by)) };
}

/** What is missing, as words: `left realism`; empty when it is a vote. */
export function missing(draft: Draft): string[] {
  const fields = FIELDS.filter((_, i) => draft.scores[i] === null).map(({ side, scale }) => `${side} ${scale}`);
  return draft.preference === null ? [...fields, 'preference'] : fields;
}

/** The vote of a finished draft, or null when something is missing. */
export function voteOf(
  draft: Draft,
  { set, rater, id, createdAt }: { set: RatingSet; rater: string; id: string; createdAt: string },
): VoteEntry | null {
  if (draft.preference === null || missing(draft).length > 0) return null;
  const left = leftOf(set.seed, rater, draft.pair);
  const scores = Object.fromEntries(ITEMS.map((item) => [item, {} as Scores])) as VoteEntry['scores'];
  for (const [i, { side, scale }] of FIELDS.entries()) scores[itemOn(side, left)][scale] = draft.scores[i] as number;
  const preference = preferenceOf(draft.preference, left);
  const { pair, truthSeen } = draft;
  return { type: 'vote', id, pair, rater, createdAt, left, preference, scores, truthSeen };
}

/** The draft that a vote was made of, to correct it. */
export function draftOf(vote: VoteEntry): Draft {
  const { pair, left, scores, truthSeen } = vote;
  const side = (item: ItemKey): Side => (item === left ? 'left' : 'right');
  return {
    pair,
    scores: FIELDS.map((field) => scores[itemOn(field.side, left)][field.scale]),
    preference: vote.preference === 'tie' ? 'tie' : side(vote.preference),
    truthSeen,
    at: PREFERENCE,
  };
}

/** Whether a kept draft belongs to a pair of the set. */
export function fits(draft: Draft, pairs: readonly Pick<RatingPair, 'id'>[]): boolean {
  return draft.scores.length === FIELDS.length && pairs.some(({ id }) => id === draft.pair);
}
