/** Pairs for a set: which candidates are held against one another, chosen by seed and evenly over authors. */
import { canonical } from '../../world/json';
import { Rng } from '../../world/rng';
import { asJson } from '../records';
import { TWIN, type Candidate } from './candidates';
import { digest } from './digest';
import { RatingError } from './errors';
import { authorKey, completionOf, type RatedItem, type RatingPair, type RatingSet } from './types';

/** Different answers of one author to one prompt that may enter pairs; more would only repeat the prompt. */
const PER_AUTHOR = 4;

export interface PairChoice {
  pairs: RatingPair[];
  /** Pairs there are; `pairs` are chosen from them. */
  found: number;
  /** Pairs left out because both say the same, word for word: there is nothing to prefer. */
  same: number;
}

/**
 * Chooses pairs: two candidates of one group and different authors, with different texts. The pairs of authors take turns, so
 * that each is compared about equally often.
 * @param most pairs to choose
 * @throws RatingError `no_pairs` when there is none
 */
export async function choosePairs(
  candidates: readonly Candidate[],
  { seed, truth, most }: { seed: number; truth: RatingSet['truth']; most: number },
): Promise<PairChoice> {
  const rng = Rng.of('rating-pairs', seed);
  const buckets = new Map<string, [Candidate, Candidate][]>();
  let same = 0;
  for (const group of groupsOf(candidates, truth).values()) {
    const few = fewOf(group, rng);
    for (const [i, x] of few.entries()) {
      for (const y of few.slice(i + 1)) {
        const keys = [authorKey(x.item.by), authorKey(y.item.by)].sort();
        if (keys[0] === keys[1]) continue;
        if (completionOf(x.item) === completionOf(y.item) && sameCalls(x.item, y.item)) same++;
        else append(buckets, keys.join('\n'), [x, y]);
      }
    }
  }
  const found = [...buckets.values()].reduce((sum, list) => sum + list.length, 0);
  if (found === 0) throw noPairs(same);
  // In an order that does not depend on which run was read first.
  const queues = [...buckets].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, list]) => rng.shuffle(list));
  const chosen: [Candidate, Candidate][] = [];
  for (let i = 0; chosen.length < Math.min(most, found); i++) {
    for (const queue of queues) {
      const next = queue[i];
      if (next && chosen.length < most) chosen.push(next);
    }
  }
  const pairs = new Map<string, RatingPair>();
  for (const [x, y] of chosen) {
    const pair = await makePair(x, y, truth === 'help');
    pairs.set(pair.id, pair);
  }
  return { pairs: [...pairs.values()], found, same };
}

/** The pair of two candidates; `a` is the one whose author and text come first, wherever they were recorded. */
export async function makePair(x: Candidate, y: Candidate, help: boolean): Promise<RatingPair> {
  const key = ({ item }: Candidate) => `${authorKey(item.by)}\n${completionOf(item)}`;
  const [a, b] = key(x) <= key(y) ? [x, y] : [y, x];
  const { prompt } = a;
  const bare = { prompt, a: a.item, b: b.item, truth: help ? a.truth() : null };
  return { type: 'pair', id: await pairId(bare), ...bare };
}

/** Id of a pair: a hash of all it says. */
export async function pairId(pair: Pick<RatingPair, 'prompt' | 'a' | 'b' | 'truth'>): Promise<string> {
  const { prompt, a, b, truth } = pair;
  return `p${await digest(canonical(asJson({ prompt, a, b, truth })))}`;
}

/** Whether two items answer the same calls. */
export function sameCalls(x: Pick<RatedItem, 'turns'>, y: Pick<RatedItem, 'turns'>): boolean {
  const calls = ({ turns }: Pick<RatedItem, 'turns'>) => turns.map(({ directives, call }) => [directives, call]);
  return JSON.stringify(calls(x)) === JSON.stringify(calls(y));
}

/**
 * Candidates by group. The twin stands in them only where it is to be rated; where it was not recorded it is asked, so that
 * every author meets it.
 */
function groupsOf(candidates: readonly Candidate[], truth: RatingSet['truth']): Map<string, Candidate[]> {
  const groups = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    if (candidate.item.by.name === TWIN.name && truth !== 'side') continue;
    append(groups, candidate.group, candidate);
  }
  if (truth !== 'side') return groups;
  for (const group of groups.values()) {
    const [first] = group;
    if (!first || group.some(({ item }) => item.by.name === TWIN.name)) continue;
    const turns = first.truth();
    if (turns) group.push({ ...first, item: { ...first.item, by: TWIN, turns } });
  }
  return groups;
}

/** A group with each answer once for an author, and not more than a few of each. */
function fewOf(group: readonly Candidate[], rng: Rng): Candidate[] {
  const byAuthor = new Map<string, Map<string, Candidate>>();
  for (const candidate of group) {
    const author = authorKey(candidate.item.by);
    const texts = byAuthor.get(author) ?? new Map<string, Candidate>();
    byAuthor.set(author, texts);
    const text = completionOf(candidate.item);
    if (!texts.has(text)) texts.set(text, candidate);
  }
  return [...byAuthor.values()].flatMap((texts) => rng.sample([...texts.values()], PER_AUTHOR));
}

function append<T>(map: Map<string, T[]>, key: string, item: T): void {
  const list = map.get(key);
  if (list) list.push(item);
  else map.set(key, [item]);
}

function noPairs(same: number): RatingError {
  const what =
    same > 0
      ? `All ${same} pairs there are say the same word for word, so there is nothing to prefer.`
      : 'No two authors answered the same prompt in these runs.';
  const advice =
    'Choose runs with two lanes or more; after their first difference, lanes that run free no longer see the same prompt. A batch of the lab under "teacher" gives most pairs.';
  return new RatingError('no_pairs', what, advice);
}
