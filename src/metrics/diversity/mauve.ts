/**
 * A score in the style of MAUVE (Pillutla et al. 2021, 2023), from the formulas of the papers: how close the distribution of what a
 * simulator writes is to that of the true answers. The features are hashed n-grams, not those of a language model, so
 * numbers compare within one table only.
 */
import { kMeans, principalComponents } from './clusters';
import { hashedFeatures, normalized } from './features';

/** Samples a side below which the score is not shown: with few it is optimistic and noisy. */
export const MAUVE_LEAST = 200;

/** Mixtures along the curve, as in the reference: 25 from 1e-6 to 1 - 1e-6. */
const MIXTURES = Array.from({ length: 25 }, (_, i) => 1e-6 + (i * (1 - 2e-6)) / 24);

/**
 * Points of the divergence curve of two histograms: (e^(-c·KL(q‖r)), e^(-c·KL(p‖r))) for r = λp + (1-λ)q, from (1, 0) to
 * (0, 1), by descending first coordinate.
 */
export function divergenceCurve(p: readonly number[], q: readonly number[], c = 5): [number, number][] {
  const inner = MIXTURES.map((lambda): [number, number] => {
    const r = p.map((x, i) => lambda * x + (1 - lambda) * (q[i] ?? 0));
    return [Math.exp(-c * divergence(q, r)), Math.exp(-c * divergence(p, r))];
  });
  return [[1, 0], ...inner, [0, 1]];
}

/**
 * Area under the divergence curve, the mean of the areas over either axis; 1 for equal histograms and about 0.004 (c = 5), not 0,
 * for disjoint ones.
 */
export function mauveOf(p: readonly number[], q: readonly number[], c = 5): number {
  const curve = divergenceCurve(p, q, c);
  const swapped = curve.map(([x, y]): [number, number] => [y, x]);
  return (area(curve) + area(swapped)) / 2;
}

/** Frontier integral (Liu et al. 2021): the same comparison as one divergence, 0 for equal histograms. */
export function frontierIntegral(p: readonly number[], q: readonly number[]): number {
  return p.reduce((total, x, i) => {
    const y = q[i] ?? 0;
    if (x === y) return total;
    const least = Math.min(x, y);
    // ∫ of the mixed divergences over λ in closed form; a term with one of them 0 has the limit max/2.
    return total + (x + y) / 2 - (least === 0 ? 0 : (x * y * Math.log(x / y)) / (x - y));
  }, 0);
}

/** Shares of counts, each raised by one half (Krichevsky and Trofimov), as in MAUVE*. */
export function smoothed(counts: readonly number[]): number[] {
  const total = counts.reduce((sum, count) => sum + count + 0.5, 0);
  return counts.map((count) => (count + 0.5) / total);
}

export interface Mauve {
  /** In (0, 1]; null below `MAUVE_LEAST` samples on either side. */
  score: number | null;
  /** The same from smoothed counts, less optimistic with few samples. */
  smoothed: number | null;
  /** Texts of either side, clusters, and principal components kept. */
  n: [written: number, expected: number];
  clusters: number;
  components: number;
  name: 'MAUVE-style';
}

/**
 * MAUVE-style score of texts against reference texts: features of length 1, principal components with 90% of the variance
 * (fitted on both), k-means with k = max(2, round(min(n)/10)), histograms over the clusters, area under the curve (c = 5).
 * @param features the vector of a text; by default hashed n-grams. A mean-pooled hidden state of a model would do as well
 */
export function mauve(
  written: readonly string[],
  expected: readonly string[],
  { seed = 1, features = hashedFeatures }: { seed?: number; features?: (text: string) => readonly number[] } = {},
): Mauve {
  const n: [number, number] = [written.length, expected.length];
  const few = Math.min(...n);
  if (few < MAUVE_LEAST) return { score: null, smoothed: null, n, clusters: 0, components: 0, name: 'MAUVE-style' };
  const vectors = principalComponents([...written, ...expected].map((text) => normalized(features(text))));
  const k = Math.max(2, Math.round(few / 10));
  const labels = kMeans(vectors, k, { seed });
  const count = (part: readonly number[]) => {
    const counts = new Array<number>(k).fill(0);
    for (const label of part) counts[label] = (counts[label] ?? 0) + 1;
    return counts;
  };
  const [p, q] = [count(labels.slice(0, written.length)), count(labels.slice(written.length))];
  const share = (counts: readonly number[], of: number) => counts.map((one) => one / of);
  return {
    score: mauveOf(share(p, n[0]), share(q, n[1])),
    smoothed: mauveOf(smoothed(p), smoothed(q)),
    n,
    clusters: k,
    components: vectors[0]?.length ?? 0,
    name: 'MAUVE-style',
  };
}

/** KL(a‖b) in nats; b is positive wherever a is. */
function divergence(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, x, i) => (x === 0 ? sum : sum + x * Math.log(x / (b[i] ?? 0))), 0);
}

/** Trapezoids over the first coordinate. */
function area(curve: readonly (readonly [number, number])[]): number {
  const sorted = [...curve].sort(([a, b], [c, d]) => a - c || d - b);
  let sum = 0;
  for (let i = 1; i < sorted.length; i++) {
    const [[x0, y0], [x1, y1]] = [sorted[i - 1] as [number, number], sorted[i] as [number, number]];
    sum += ((x1 - x0) * (y0 + y1)) / 2;
  }
  return sum;
}
