/**
 * Paired tests: two simulators on the same steps, seeds and draws. All p-values are two-sided. Pair by episode, not by step:
 * steps of one run are not independent, so hand in one number a run.
 */
import { Rng } from '../../world/rng';
import { binomialHalfBelow, normalTails } from './normal';

/** A test with what it rests on: `n` pairs that counted, of `of` that were handed in. */
export interface TestResult {
  p: number;
  n: number;
  of: number;
  /** Which form was used; goes into tables beside the number. */
  method: string;
}

/** Counts of pairs in which the first is better, the second is better, and neither. */
export interface SignTest extends TestResult {
  first: number;
  second: number;
}

/** Sign test: exact binomial on the pairs that differ; ties are dropped. */
export function signTest(first: readonly number[], second: readonly number[]): SignTest {
  const differences = differencesOf(first, second);
  const up = differences.filter((d) => d > 0).length;
  const down = differences.filter((d) => d < 0).length;
  const p = exactBinomial(up, down);
  return { p, n: up + down, of: differences.length, method: 'sign, exact', first: up, second: down };
}

function exactBinomial(b: number, c: number): number {
  return b + c === 0 ? 1 : Math.min(1, 2 * binomialHalfBelow(Math.min(b, c), b + c));
}

export interface McNemar {
  /** Pairs that only the first got right, and only the second. */
  b: number;
  c: number;
  /** Exact binomial, its mid-p form, and the chi-square with continuity correction (Edwards 1948). */
  exact: number;
  midP: number;
  chi2: number;
  corrected: number;
}

/**
 * McNemar's test for paired yes-or-no outcomes, from the discordant counts. Mid-p (Fagerland et al. 2013) is the one to
 * report: exact is conservative. Where b = c the two tails meet in one point, of which half counts.
 */
export function mcnemarCounts(b: number, c: number): McNemar {
  const n = b + c;
  if (n === 0) return { b, c, exact: 1, midP: 1, chi2: 0, corrected: 1 };
  const low = Math.min(b, c);
  const upTo = binomialHalfBelow(low, n);
  const point = upTo - (low === 0 ? 0 : binomialHalfBelow(low - 1, n));
  const chi2 = Math.max(0, Math.abs(b - c) - 1) ** 2 / n;
  const midP = b === c ? 1 - point / 2 : 2 * upTo - point;
  return { b, c, exact: exactBinomial(b, c), midP, chi2, corrected: normalTails(Math.sqrt(chi2)) };
}

/** McNemar's test of two lists of outcomes of the same items. @throws RangeError unless they are equally long */
export function mcnemar(first: readonly boolean[], second: readonly boolean[]): McNemar & { n: number } {
  sameLength(first, second);
  const b = first.filter((one, i) => one && !second[i]).length;
  const c = first.filter((one, i) => !one && second[i]).length;
  return { ...mcnemarCounts(b, c), n: first.length };
}

export interface Wilcoxon extends TestResult {
  /** The smaller of the two rank sums. */
  w: number;
  /** Matched-pairs rank-biserial correlation (Kerby 2014), in [-1, 1]; positive when the first is larger. */
  effect: number;
}

/**
 * Wilcoxon signed-rank test. Exact for at most 25 pairs without ties and zeros, otherwise normal with tie correction and
 * without continuity correction (as scipy's `correction=False`). Zeros are dropped (`wilcox`) or ranked and then left out
 * (`pratt`).
 * @param form `auto`, or one form by name
 */
export function wilcoxon(
  first: readonly number[],
  second: readonly number[],
  { zeros = 'wilcox', form = 'auto' }: { zeros?: 'wilcox' | 'pratt'; form?: 'auto' | 'normal' } = {},
): Wilcoxon {
  const all = differencesOf(first, second);
  const used = zeros === 'wilcox' ? all.filter((d) => d !== 0) : all;
  const { ranks, ties } = ranksOf(used.map(Math.abs), roundingOf(first, second));
  let plus = 0;
  let minus = 0;
  used.forEach((d, i) => {
    if (d > 0) plus += ranks[i] ?? 0;
    else if (d < 0) minus += ranks[i] ?? 0;
  });
  const w = Math.min(plus, minus);
  const zero = used.filter((d) => d === 0).length;
  const n = used.length - zero;
  const effect = plus + minus === 0 ? 0 : (plus - minus) / (plus + minus);
  const result = { w, effect, n, of: all.length };
  if (n === 0) return { ...result, p: 1, method: 'Wilcoxon, no differences' };
  const tied = ties.some((size) => size > 1) || all.includes(0);
  if (form === 'auto' && n <= 25 && !tied) return { ...result, p: exactWilcoxon(w, n), method: 'Wilcoxon, exact' };
  const count = used.length;
  let mean = (count * (count + 1)) / 4;
  let variance = count * (count + 1) * (2 * count + 1);
  if (zeros === 'pratt') {
    mean -= (zero * (zero + 1)) / 4;
    variance -= zero * (zero + 1) * (2 * zero + 1);
  }
  // Zeros share a rank, but their ties are already out with them.
  const tieGroups = zeros === 'pratt' && zero > 0 ? ties.slice(1) : ties;
  variance -= tieGroups.reduce((sum, t) => sum + (t ** 3 - t), 0) / 2;
  const p = variance === 0 ? 1 : normalTails((w - mean) / Math.sqrt(variance / 24));
  return { ...result, p, method: `Wilcoxon, normal, zeros ${zeros}` };
}

/**
 * Mean ranks from 1, and sizes of the groups of equal values in ascending order.
 * @param rounding by how much values that count as equal may lie apart
 */
function ranksOf(values: readonly number[], rounding: number): { ranks: number[]; ties: number[] } {
  const order = values.map((_, i) => i).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
  const ranks = new Array<number>(values.length).fill(0);
  const ties: number[] = [];
  for (let i = 0; i < order.length;) {
    const least = values[order[i] ?? 0] ?? 0;
    let j = i;
    while (j < order.length && (values[order[j] ?? 0] ?? 0) - least <= rounding) j++;
    for (const at of order.slice(i, j)) ranks[at] = (i + 1 + j) / 2;
    ties.push(j - i);
    i = j;
  }
  return { ranks, ties };
}

/** P of a rank sum this small or smaller, twice: counts subsets of 1..n by their sum. */
function exactWilcoxon(w: number, n: number): number {
  const most = (n * (n + 1)) / 2;
  const ways = new Array<number>(most + 1).fill(0);
  ways[0] = 1;
  for (let rank = 1; rank <= n; rank++) {
    for (let sum = most; sum >= rank; sum--) ways[sum] = (ways[sum] ?? 0) + (ways[sum - rank] ?? 0);
  }
  const below = ways.slice(0, w + 1).reduce((a, b) => a + b, 0);
  return Math.min(1, (2 * below) / 2 ** n);
}

/**
 * Paired permutation test of the mean difference (sacrebleu's paired approximate randomisation): signs of the differences
 * are flipped at random, p = (c + 1) / (trials + 1) with c the flips that give at least the observed difference.
 */
export function permutationTest(
  first: readonly number[],
  second: readonly number[],
  { trials = 10_000, seed = 12345 }: { trials?: number; seed?: number } = {},
): TestResult & { difference: number } {
  const differences = differencesOf(first, second);
  const n = differences.length;
  const total = differences.reduce((sum, d) => sum + d, 0);
  const changing = differences.filter((d) => d !== 0);
  // Sums of equal terms in another order must not count as smaller.
  const seen = Math.abs(total) - 1e-12 * differences.reduce((sum, d) => sum + Math.abs(d), 0);
  const method = `permutation, ${trials} trials`;
  if (changing.length === 0) return { p: 1, n: 0, of: n, method, difference: 0 };
  const rng = Rng.of('permutation', seed, n);
  let least = 0;
  for (let trial = 0; trial < trials; trial++) {
    let sum = 0;
    let bits = 0;
    for (let i = 0; i < changing.length; i++) {
      // One draw holds the signs of 32 pairs.
      if (i % 32 === 0) bits = Math.floor(rng.next() * 2 ** 32);
      const d = changing[i] as number;
      sum += (bits >>> (i % 32)) & 1 ? d : -d;
    }
    if (Math.abs(sum) >= seen) least++;
  }
  const p = (least + 1) / (trials + 1);
  return { p, n: changing.length, of: n, method, difference: total / n };
}

function differencesOf(first: readonly number[], second: readonly number[]): number[] {
  sameLength(first, second);
  const rounding = roundingOf(first, second);
  return first.map((value, i) => {
    const d = value - (second[i] ?? 0);
    return Math.abs(d) <= rounding ? 0 : d;
  });
}

/** Rounding of differences: 0.3 - 0.2 and 0.2 - 0.1 are a tie, although not to the last bit. */
function roundingOf(first: readonly number[], second: readonly number[]): number {
  const most = (values: readonly number[]) => values.reduce((top, value) => Math.max(top, Math.abs(value)), 0);
  return 1e-12 * Math.max(most(first), most(second));
}

function sameLength(first: readonly unknown[], second: readonly unknown[]): void {
  if (first.length === second.length) return;
  throw new RangeError(`Pairs need equally many values on both sides, not ${first.length} and ${second.length}.`);
}
