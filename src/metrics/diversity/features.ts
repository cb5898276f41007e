/** Texts as vectors, without a model: hashed n-grams. */
import { hashText } from '../../world/rng';
import { ngrams, tokenize13a } from '../text/tokenize';

/**
 * Counts of 1- and 2-grams (13a) of a text, hashed into `dimensions` places with a sign from the hash (Weinberger et al. 2009),
 * scaled to length 1; all 0 for a text without tokens.
 */
export function hashedFeatures(text: string, dimensions = 64): number[] {
  const out = new Array<number>(dimensions).fill(0);
  const tokens = tokenize13a(text);
  for (const order of [1, 2]) {
    for (const [gram, count] of ngrams(tokens, order)) {
      const hash = hashText(`${order} ${gram}`);
      out[hash % dimensions] = (out[hash % dimensions] ?? 0) + (hash >>> 31 === 0 ? count : -count);
    }
  }
  return normalized(out);
}

/** A vector scaled to length 1; one of length 0 stays. */
export function normalized(vector: readonly number[]): number[] {
  const length = Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0));
  return vector.map((x) => (length === 0 ? 0 : x / length));
}

/**
 * Similarity of texts for the Vendi score: the cosine of their 1- and 2-gram counts, exact and not hashed; in [0, 1], and 1 on
 * the diagonal. As an inner product it is positive semi-definite. Texts without tokens are alike and unlike all others.
 */
export function ngramKernel(texts: readonly string[]): number[][] {
  const vectors = texts.map((text) => {
    const tokens = tokenize13a(text);
    const grams = new Map([...ngrams(tokens, 1), ...[...ngrams(tokens, 2)].map(([g, c]) => [`2 ${g}`, c] as const)]);
    if (grams.size === 0) grams.set('', 1);
    const length = Math.sqrt([...grams.values()].reduce((sum, count) => sum + count * count, 0));
    return { grams, length };
  });
  return vectors.map((a, i) =>
    vectors.map((b, j) => {
      if (i === j) return 1;
      let sum = 0;
      for (const [gram, count] of a.grams) sum += count * (b.grams.get(gram) ?? 0);
      return sum / (a.length * b.length);
    }),
  );
}
