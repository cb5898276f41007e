/** Principal components and k-means: what MAUVE needs to turn vectors into histograms. */
import { Rng } from '../../world/rng';
import { eigenSymmetric } from './eigen';

type Vectors = readonly (readonly number[])[];

/** Projects vectors on the fewest principal components that hold `share` of the variance; centred, not whitened. */
export function principalComponents(vectors: Vectors, share = 0.9): number[][] {
  const width = vectors[0]?.length ?? 0;
  const n = vectors.length;
  const centre = Array.from({ length: width }, (_, j) => vectors.reduce((sum, row) => sum + (row[j] ?? 0), 0) / n);
  const moved = vectors.map((row) => row.map((x, j) => x - (centre[j] ?? 0)));
  const covariance = Array.from({ length: width }, () => new Array<number>(width).fill(0));
  for (const row of moved) {
    row.forEach((x, i) => {
      const line = covariance[i] as number[];
      for (let j = 0; j < width; j++) line[j] = (line[j] ?? 0) + (x * (row[j] ?? 0)) / n;
    });
  }
  const { values, vectors: axes } = eigenSymmetric(covariance);
  const total = values.reduce((sum, value) => sum + Math.max(0, value), 0);
  let held = 0;
  let kept = 0;
  while (kept < width && (kept === 0 || held < share * total)) held += Math.max(0, values[kept++] ?? 0);
  return moved.map((row) => axes.slice(0, kept).map((axis) => axis.reduce((sum, x, j) => sum + x * (row[j] ?? 0), 0)));
}

/**
 * k-means (Lloyd) with k-means++ starts: the best of `redos` by the sum of squared distances.
 * @returns the cluster of each vector
 */
export function kMeans(vectors: Vectors, k: number, { redos = 5, rounds = 500, seed = 1 } = {}): number[] {
  let best: { labels: number[]; cost: number } = { labels: vectors.map(() => 0), cost: Infinity };
  for (let redo = 0; redo < redos; redo++) {
    const result = lloyd(vectors, starts(vectors, k, Rng.of('kmeans', seed, redo)), rounds);
    if (result.cost < best.cost) best = result;
  }
  return best.labels;
}

/** Starting points: each next one is drawn with a chance that grows with its squared distance from those before. */
function starts(vectors: Vectors, k: number, rng: Rng): number[][] {
  const out = [[...(vectors[rng.int(0, vectors.length - 1)] ?? [])]];
  const distances = vectors.map((vector) => squared(vector, out[0] ?? []));
  while (out.length < k) {
    const total = distances.reduce((sum, d) => sum + d, 0);
    let left = rng.next() * total;
    let at = distances.findIndex((d) => (left -= d) <= 0);
    if (at < 0) at = vectors.length - 1;
    const next = [...(vectors[at] ?? [])];
    out.push(next);
    vectors.forEach((vector, i) => (distances[i] = Math.min(distances[i] ?? 0, squared(vector, next))));
  }
  return out;
}

function lloyd(vectors: Vectors, centres: number[][], rounds: number): { labels: number[]; cost: number } {
  let labels: number[] = [];
  let cost = 0;
  for (let round = 0; round < rounds; round++) {
    cost = 0;
    const next = vectors.map((vector) => {
      const { at, distance } = nearest(vector, centres);
      cost += distance;
      return at;
    });
    if (next.every((label, i) => label === labels[i])) break;
    labels = next;
    const sums = centres.map((centre) => ({ n: 0, sum: centre.map(() => 0) }));
    vectors.forEach((vector, i) => {
      const here = sums[labels[i] ?? 0];
      if (!here) return;
      here.n++;
      vector.forEach((x, j) => (here.sum[j] = (here.sum[j] ?? 0) + x));
    });
    // A cluster without members stays where it is.
    sums.forEach(({ n, sum }, i) => n > 0 && (centres[i] = sum.map((x) => x / n)));
  }
  return { labels, cost };
}

function nearest(vector: readonly number[], centres: Vectors): { at: number; distance: number } {
  let [at, distance] = [0, Infinity];
  for (let i = 0; i < centres.length; i++) {
    const here = squared(vector, centres[i] as readonly number[], distance);
    if (here < distance) [at, distance] = [i, here];
  }
  return { at, distance };
}

/** Squared distance; what exceeds `enough` is cut short. */
function squared(a: readonly number[], b: readonly number[], enough = Infinity): number {
  let sum = 0;
  for (let i = 0; i < a.length && sum < enough; i++) {
    const d = (a[i] as number) - (b[i] as number);
    sum += d * d;
  }
  return sum;
}
