/** The Vendi score: how many different things a sample holds. */
import { eigenSymmetric } from './eigen';
import { ngramKernel } from './features';

/**
 * Vendi score (Friedman and Dieng 2023, with orders by Pasarkar and Dieng 2024) of a similarity matrix: the exponential of the Rényi
 * entropy of order q of the eigenvalues of K/n. K is positive semi-definite with ones on the diagonal; the score lies between 1
 * (all alike) and n (nothing in common). Unlike upstream's `score_X`, every form honours q.
 * @param n items, the sum of the diagonal: one each, unless equal ones were brought together
 */
export function vendi(
  kernel: readonly (readonly number[])[],
  q: 1 | 2 | typeof Infinity = 1,
  n = kernel.length,
): number {
  if (n === 0) return 0;
  const values = eigenSymmetric(kernel)
    .values.map((value) => value / n)
    .filter((value) => value > 1e-15);
  if (q === 1) return Math.exp(-values.reduce((sum, value) => sum + value * Math.log(value), 0));
  if (q === 2) return 1 / values.reduce((sum, value) => sum + value * value, 0);
  return 1 / Math.max(...values);
}

/** Vendi score of texts by the cosine of their n-grams, with the number of texts, which bounds it. */
export function vendiOfTexts(texts: readonly string[], q: 1 | 2 | typeof Infinity = 1): { score: number; n: number } {
  // Rows of equal texts are equal: K = S L S' with a column of S for each different text. Its eigenvalues beside zero are
  // those of D L D, D the roots of how often each text occurs; answers repeat, and the work grows with the cube.
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  const weights = [...counts.values()].map((count) => Math.sqrt(count));
  const kernel = ngramKernel([...counts.keys()]).map((row, i) =>
    row.map((similarity, j) => similarity * (weights[i] ?? 0) * (weights[j] ?? 0)),
  );
  return { score: vendi(kernel, q, texts.length), n: texts.length };
}
