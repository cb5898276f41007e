/** Strengths from pairwise votes. */
import { Rng } from '../../world/rng';
import type { Interval } from '../statistics';

/** One vote between two competitors by their numbers; a tie is half a win for each. */
export interface Vote {
  a: number;
  b: number;
  outcome: 'a' | 'b' | 'tie';
}

/** Matrix of wins, `wins[i][j]` of i over j. */
export function winsOf(votes: readonly Vote[], competitors: number): number[][] {
  const wins = Array.from({ length: competitors }, () => new Array<number>(competitors).fill(0));
  const add = (i: number, j: number, x: number) => {
    const row = wins[i];
    if (row) row[j] = (row[j] ?? 0) + x;
  };
  for (const { a, b, outcome } of votes) {
    if (outcome !== 'b') add(a, b, outcome === 'a' ? 1 : 0.5);
    if (outcome !== 'a') add(b, a, outcome === 'b' ? 1 : 0.5);
  }
  return wins;
}

/**
 * Bradley-Terry strengths by minorisation-maximisation (Hunter 2004): π_i ← W_i / Σ_j n_ij/(π_i + π_j), scaled to geometric mean 1.
 * The likelihood has a maximum only where every competitor has won and lost something against the rest; otherwise null.
 */
export function bradleyTerry(wins: readonly (readonly number[])[]): number[] | null {
  const n = wins.length;
  if (!isConnected(wins)) return null;
  let strengths = new Array<number>(n).fill(1);
  for (let round = 0; round < 100_000; round++) {
    const next = strengths.map((own, i) => {
      const won = wins[i]?.reduce((sum, x) => sum + x, 0) ?? 0;
      const games = strengths.reduce((sum, other, j) => {
        if (i === j) return sum;
        return sum + ((wins[i]?.[j] ?? 0) + (wins[j]?.[i] ?? 0)) / (own + other);
      }, 0);
      return n === 1 ? 1 : won / games;
    });
    const log = next.reduce((sum, x) => sum + Math.log(x), 0) / n;
    const scaled = next.map((x) => x / Math.exp(log));
    const moved = Math.max(...scaled.map((x, i) => Math.abs(Math.log(x / (strengths[i] ?? 1)))));
    strengths = scaled;
    if (moved < 1e-12) break;
  }
  return strengths;
}

/** A strength on the scale of chess: 1000 + 400·log10 π. */
export function elo(strength: number): number {
  return 1000 + 400 * Math.log10(strength);
}

/** Intervals of strengths, and how many resamples they are from. */
export interface StrengthIntervals {
  /** By competitor; null where fewer than half of the resamples have a maximum, since the rest would say too little. */
  intervals: Interval[] | null;
  /** Resamples that have a maximum, of all that were drawn. */
  used: number;
  drawn: number;
}

/**
 * 95% percentile bootstrap over votes of each strength. Votes that belong together (several raters on one pair) are given as
 * a list, which is drawn whole: counted as independent they would make the intervals too narrow. Resamples without a maximum
 * are left out, which is stated: the more there are, the more the intervals are of those in which everybody won something.
 */
export function bradleyTerryIntervals(
  votes: readonly (Vote | readonly Vote[])[],
  competitors: number,
  { count = 1000, seed = 12345 }: { count?: number; seed?: number } = {},
): StrengthIntervals {
  if (votes.length === 0) return { intervals: null, used: 0, drawn: 0 };
  const rng = Rng.of('bradley-terry', seed, votes.length);
  const draws: number[][] = [];
  for (let i = 0; i < count; i++) {
    const drawn = votes.flatMap(() => rng.pick(votes));
    const strengths = bradleyTerry(winsOf(drawn, competitors));
    if (strengths) draws.push(strengths);
  }
  const counts = { used: draws.length, drawn: count };
  if (draws.length < count / 2) return { intervals: null, ...counts };
  const cut = Math.floor(draws.length / 40);
  const intervals = Array.from({ length: competitors }, (_, i): Interval => {
    const sorted = draws.map((strengths) => strengths[i] ?? 0).sort((a, b) => a - b);
    return [sorted[cut] ?? 0, sorted[sorted.length - 1 - cut] ?? 0];
  });
  return { intervals, ...counts };
}

/** Whether from every competitor a chain of wins leads to every other (Ford 1957). */
function isConnected(wins: readonly (readonly number[])[]): boolean {
  const reach = (forward: boolean) => {
    const seen = new Set([0]);
    for (const i of seen) {
      wins.forEach((_, j) => {
        if ((forward ? wins[i]?.[j] : wins[j]?.[i]) ?? 0) seen.add(j);
      });
    }
    return seen.size === wins.length;
  };
  return wins.length > 0 && reach(true) && reach(false);
}
