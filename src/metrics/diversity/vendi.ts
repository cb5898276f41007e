/** The Vendi score: how many different things a sample holds. */
import { eigenSymmetric } from './eigen';
import { ngramKernel } from './features';

/**
 * Vendi score (Friedman and Dieng 2023, with orders by Pasarkar and Dieng 2024) of a similarity matrix: the exponential of the Rényi
 * entropy of order q of the eigenvalues of K/n. K is positive semi-definite with ones on the diagonal; the score lies between 1
 * (all alike) and n (nothing in common). Unlike upstream's `score_X`, every form honours q.
 */
export function vendi(kernel: readonly (readonly number[])[], q: 1 | 2 | typeof Infinity = 1): number {
  const n = kernel.length;
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
  return { score: vendi(ngramKernel(texts), q), n: texts.length };
}
