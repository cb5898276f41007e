/**
 * Votes as training data in TRL's standard formats, one JSON object a line. Prompt and completion are the codec's text, special
 * tokens by name: the prompt is what a run's export has (`prompt.text`), up to `<resp>`.
 */
import { median } from '../../metrics';
import { stringify } from '../../world/json';
import { votesOf } from './log';
import { sameCalls } from './pairs';
import { completionOf, headOf, ITEMS, type ItemKey, type Rating, type RatingPair, type RatingSet } from './types';

export interface DpoRow {
  prompt: string;
  chosen: string;
  rejected: string;
}

export interface KtoRow {
  prompt: string;
  completion: string;
  label: boolean;
}

/** Rows, and what gave none: nothing is left out in silence. */
export interface Rows<T> {
  rows: T[];
  /** Comparisons or answers with votes that gave no row, by reason. */
  left: { tie: number; split: number; middle: number; calls: number };
}

/** From this median of training utility on an answer is wanted (KTO), and up to the other one unwanted. */
export const WANTED = 4;
export const UNWANTED = 2;

interface Comparison {
  prompt: string;
  texts: [string, string];
  /** Votes for the first and the second text, and for neither. */
  votes: [number, number, number];
}

/**
 * DPO rows: one for each two texts behind one prompt that more raters preferred one way than the other, over all pairs in which
 * they meet. Votes for a tie decide nothing: where all votes are ties (`tie`) or both sides have as many (`split`) there is no row.
 */
export function dpoRows(rating: Rating): Rows<DpoRow> {
  const out: Rows<DpoRow> = { rows: [], left: { tie: 0, split: 0, middle: 0, calls: 0 } };
  const comparisons = new Map<string, Comparison>();
  for (const { pair, votes } of votedPairs(rating)) {
    const situation = situationOf(rating.set.kind, pair);
    if (situation === null) {
      out.left.calls++;
      continue;
    }
    const { prompt, a, b } = situation;
    const texts: [string, string] = a <= b ? [a, b] : [b, a];
    const key = JSON.stringify([prompt, ...texts]);
    const comparison = comparisons.get(key) ?? { prompt, texts, votes: [0, 0, 0] };
    comparisons.set(key, comparison);
    for (const { preference } of votes) {
      if (preference === 'tie') comparison.votes[2]++;
      else comparison.votes[situation[preference] === texts[0] ? 0 : 1]++;
    }
  }
  for (const { prompt, texts, votes } of comparisons.values()) {
    const [first, second] = votes;
    if (first === second) out.left[first === 0 ? 'tie' : 'split']++;
    else {
      const [chosen, rejected] = first > second ? texts : [texts[1], texts[0]];
      out.rows.push({ prompt, chosen, rejected });
    }
  }
  return out;
}

/**
 * KTO rows: one for each text behind a prompt, over all its ratings of training utility: wanted where their median is 4 or
 * more, unwanted where it is 2 or less. What lies between gives no row (`middle`).
 */
export function ktoRows(rating: Rating): Rows<KtoRow> {
  const out: Rows<KtoRow> = { rows: [], left: { tie: 0, split: 0, middle: 0, calls: 0 } };
  const answers = new Map<string, { prompt: string; completion: string; utility: number[] }>();
  for (const { pair, votes } of votedPairs(rating)) {
    for (const item of ITEMS) {
      const { prompt, completion } = behind(rating.set.kind, pair, item);
      const key = JSON.stringify([prompt, completion]);
      const answer = answers.get(key) ?? { prompt, completion, utility: [] };
      answers.set(key, answer);
      answer.utility.push(...votes.map(({ scores }) => scores[item].utility));
    }
  }
  for (const { prompt, completion, utility } of answers.values()) {
    const middle = median(utility) as number;
    if (middle >= WANTED || middle <= UNWANTED) out.rows.push({ prompt, completion, label: middle >= WANTED });
    else out.left.middle++;
  }
  return out;
}

/** Rows as JSON lines, UTF-8. */
export function rowsText(rows: readonly (DpoRow | KtoRow)[]): string {
  return rows.map((row) => `${stringify({ ...row })}\n`).join('');
}

function votedPairs(rating: Rating) {
  const votes = votesOf(rating.log);
  return rating.pairs
    .map((pair) => ({ pair, votes: votes.filter((vote) => vote.pair === pair.id) }))
    .filter((voted) => voted.votes.length > 0);
}

/** Prompt and completion of one item. Of a rollout the first call belongs to the prompt, since no model wrote it. */
function behind(kind: RatingSet['kind'], pair: RatingPair, item: ItemKey): { prompt: string; completion: string } {
  const [first] = pair[item].turns;
  // The prompt of an answer has its call already.
  const prompt = kind === 'answer' || !first ? pair.prompt : pair.prompt + headOf(first);
  return { prompt, completion: completionOf(pair[item]) };
}

/** Both texts behind their common prompt; null where the two rollouts were not asked the same. */
function situationOf(kind: RatingSet['kind'], pair: RatingPair): { prompt: string; a: string; b: string } | null {
  if (!sameCalls(pair.a, pair.b)) return null;
  const { prompt, completion } = behind(kind, pair, 'a');
  return { prompt, a: completion, b: behind(kind, pair, 'b').completion };
}
