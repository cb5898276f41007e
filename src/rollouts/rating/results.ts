/** What votes say: strengths, means, agreement of raters and a check for side bias, each with its denominator. */
import {
  bootstrap95,
  BOOTSTRAP,
  bradleyTerry,
  bradleyTerryIntervals,
  elo,
  krippendorff,
  ratioOf,
  resample,
  signTest,
  wilson95,
  winsOf,
  type Interval,
  type Ratio,
  type Vote,
} from '../../metrics';
import { effective, votesOf } from './log';
import { authorKey, ITEMS, SCALES, type Author, type ItemKey, type Rating, type Scale, type VoteEntry } from './types';

export interface ScoreMean {
  mean: number | null;
  /** Ratings it is the mean of. */
  n: number;
  /** 95% bootstrap over pairs; null with fewer than two pairs. */
  interval: Interval | null;
}

export interface AuthorResult {
  key: string;
  author: Author;
  /** Votes in which it took part. */
  votes: number;
  wins: number;
  ties: number;
  losses: number;
  /** Bradley-Terry on the scale of chess (1000 is the geometric mean of all), with its 95% interval. */
  elo: number | null;
  interval: Interval | null;
  scores: { [scale in Scale]: ScoreMean };
}

export interface Agreement {
  of: Scale | 'preference';
  /** Krippendorff's alpha, ordinal; null where no two ratings can be compared or all are the same. */
  alpha: number | null;
  /** Units that two raters or more rated (sides of pairs; for the preference pairs), and the ratings of these. */
  units: number;
  ratings: number;
}

export interface RaterResult {
  id: string;
  name: string;
  votes: number;
  skips: number;
  /** How often the left, the right or neither side was preferred. */
  left: number;
  right: number;
  tie: number;
}

export interface RatingResults {
  /** Pairs of the set, those with a vote, and those with votes of two raters or more. */
  pairs: number;
  rated: number;
  ratedByTwo: number;
  votes: number;
  skips: number;
  /** Votes given after the twin's answer was shown. */
  truthSeen: number;
  /** Resamples behind the intervals of the scores, and those of them that the intervals of strengths could be had from. */
  draws: number;
  strengthDraws: number;
  /** Strongest first. */
  authors: AuthorResult[];
  /** Why there are no strengths, or null. */
  noStrengths: string | null;
  agreement: Agreement[];
  /** Left-hand share of the votes with a preference: 0.5 but for chance when sides do not matter; two-sided sign test. */
  bias: { left: number; right: number; tie: number; share: number | null; interval: Interval | null; p: number | null };
  raters: RaterResult[];
}

/** Resamples of few votes; of many fewer, so that resamples x votes stays bounded and a page does not stand still. */
const MOST_DRAWS = 1000;
const FEWEST_DRAWS = 200;
const DRAWN_VOTES = 400_000;

/** Resamples for a number of votes: 1000 up to 400 votes, then fewer, but never below 200. */
export function drawsFor(votes: number): number {
  return Math.max(FEWEST_DRAWS, Math.min(MOST_DRAWS, Math.floor(DRAWN_VOTES / Math.max(1, votes))));
}

/**
 * Computes all tables of a set. Only votes that count enter (`effective`); chance comes from a fixed seed. The bootstrap is
 * bounded (`drawsFor`); how many resamples it took stands in the result.
 */
export function resultsOf(rating: Rating): RatingResults {
  const votes = votesOf(rating.log);
  const skips = effective(rating.log).filter(({ type }) => type === 'skip');
  const byPair = new Map<string, VoteEntry[]>();
  for (const vote of votes) byPair.set(vote.pair, [...(byPair.get(vote.pair) ?? []), vote]);
  const sides = (some: readonly VoteEntry[]) => {
    const count = (of: (vote: VoteEntry) => boolean) => some.filter(of).length;
    return {
      left: count(({ preference, left }) => preference === left),
      right: count(({ preference, left }) => preference !== 'tie' && preference !== left),
      tie: count(({ preference }) => preference === 'tie'),
    };
  };
  const { left, right, tie } = sides(votes);
  const decided = left + right;
  return {
    pairs: rating.pairs.length,
    rated: byPair.size,
    ratedByTwo: [...byPair.values()].filter((some) => some.length > 1).length,
    votes: votes.length,
    skips: skips.length,
    truthSeen: votes.filter(({ truthSeen }) => truthSeen).length,
    ...strengths(rating, byPair),
    agreement: [...SCALES, 'preference' as const].map((of) => agreement(rating, byPair, of)),
    bias: {
      ...{ left, right, tie },
      share: decided === 0 ? null : left / decided,
      interval: decided === 0 ? null : wilson95(left, decided),
      p:
        decided === 0
          ? null
          : signTest(
              counted(left, right),
              counted(left, right).map((x) => 1 - x),
            ).p,
    },
    raters: rating.raters.map(({ id, name }) => {
      const own = votes.filter(({ rater }) => rater === id);
      return {
        ...{ id, name, votes: own.length, skips: skips.filter(({ rater }) => rater === id).length },
        ...sides(own),
      };
    }),
  };
}

/** `ones` ones, then zeros: the left column of a sign test; the right one is its complement. */
function counted(ones: number, zeros: number): number[] {
  return Array.from({ length: ones + zeros }, (_, i) => Number(i < ones));
}

type ByPair = ReadonlyMap<string, readonly VoteEntry[]>;

type Strengths = Pick<RatingResults, 'authors' | 'draws' | 'strengthDraws' | 'noStrengths'>;

function strengths(rating: Rating, byPair: ByPair): Strengths {
  const pairs = rating.pairs.filter(({ id }) => byPair.has(id));
  const authors = new Map<string, Author>();
  for (const pair of pairs) for (const item of ITEMS) authors.set(authorKey(pair[item].by), pair[item].by);
  const keys = [...authors.keys()].sort();
  const groups = pairs.map(({ id, a, b }) =>
    (byPair.get(id) ?? []).map(({ preference }): Vote => {
      return { a: keys.indexOf(authorKey(a.by)), b: keys.indexOf(authorKey(b.by)), outcome: preference };
    }),
  );
  const votes = groups.flat();
  const strength = votes.length > 0 ? bradleyTerry(winsOf(votes, keys.length)) : null;
  const draws = drawsFor(votes.length);
  const { intervals, used } = bradleyTerryIntervals(strength ? groups : [], keys.length, { count: draws });
  const samples = resample(pairs.length, draws, BOOTSTRAP.seed);
  const out = keys.map((key, i): AuthorResult => {
    const own = votes.filter(({ a, b }) => a === i || b === i);
    const wins = own.filter(({ a, outcome }) => outcome === (a === i ? 'a' : 'b')).length;
    const ties = own.filter(({ outcome }) => outcome === 'tie').length;
    const interval = intervals?.[i];
    return {
      ...{ key, author: authors.get(key) as Author, votes: own.length, wins, ties, losses: own.length - wins - ties },
      elo: strength ? elo(strength[i] as number) : null,
      interval: interval ? [elo(interval[0]), elo(interval[1])] : null,
      scores: Object.fromEntries(
        SCALES.map((scale) => [
          scale,
          scoreMean(
            pairs.map((pair) => partOf(pair, key, scale, byPair)),
            samples,
          ),
        ]),
      ) as AuthorResult['scores'],
    };
  });
  out.sort((a, b) => (b.elo ?? 0) - (a.elo ?? 0) || b.wins - a.wins);
  return { authors: out, draws, strengthDraws: used, noStrengths: strength ? null : whyNone(votes.length) };
}

function whyNone(votes: number): string {
  if (votes === 0) return 'No votes yet.';
  return 'Strengths need more votes: every author must have won (or tied) and lost (or tied) against the rest, directly or through others.';
}

/** Sum and number of the ratings that an author got in one pair. */
function partOf(pair: Rating['pairs'][number], key: string, scale: Scale, byPair: ByPair): Ratio {
  const ratings = ITEMS.filter((item) => authorKey(pair[item].by) === key).flatMap((item) =>
    (byPair.get(pair.id) ?? []).map(({ scores }) => scores[item][scale]),
  );
  return { sum: ratings.reduce((sum, x) => sum + x, 0), n: ratings.length };
}

function scoreMean(parts: readonly Ratio[], draws: readonly Uint32Array[]): ScoreMean {
  const n = parts.reduce((sum, part) => sum + part.n, 0);
  return { mean: ratioOf(parts), n, interval: bootstrap95(parts, draws) };
}

const PREFERENCES = { a: 1, tie: 0, b: -1 } as const;

function agreement(rating: Rating, byPair: ByPair, of: Agreement['of']): Agreement {
  const rated = [...byPair].filter(([, votes]) => votes.length > 1);
  const units = rated.flatMap(([pair]): [string, ItemKey][] =>
    of === 'preference' ? [[pair, 'a']] : ITEMS.map((item) => [pair, item]),
  );
  const value = (vote: VoteEntry, item: ItemKey) =>
    of === 'preference' ? PREFERENCES[vote.preference] : vote.scores[item][of];
  const rows = rating.raters.map(({ id }) =>
    units.map(([pair, item]) => {
      const vote = byPair.get(pair)?.find(({ rater }) => rater === id);
      return vote ? value(vote, item) : null;
    }),
  );
  const ratings = rows.flat().filter((x) => x !== null).length;
  return { of, alpha: krippendorff(rows, 'ordinal'), units: units.length, ratings };
}
