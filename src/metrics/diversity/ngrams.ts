/** Diversity of a set of texts by their n-grams. Report it under the sampler `ancestral`; fast samplers lower it. */
import { sentenceBleu } from '../text/bleu';
import { ngrams, tokenize13a } from '../text/tokenize';
import type { Ratio } from '../statistics';

export interface SelfBleu {
  /** Sentence BLEU of each text against all others, in [0, 100]. */
  each: number[];
  /** Their mean, lower is more diverse; null for fewer than two texts. */
  mean: number | null;
  n: number;
}

/** Self-BLEU (Zhu et al. 2018, Texygen): each text as hypothesis, all others as its references, effective order. */
export function selfBleu(texts: readonly string[], order = 4): SelfBleu {
  if (texts.length < 2) return { each: [], mean: null, n: texts.length };
  const each = texts.map((text, i) => sentenceBleu(text, texts.toSpliced(i, 1), order));
  return { each, mean: each.reduce((sum, score) => sum + score, 0) / texts.length, n: texts.length };
}

/**
 * Distinct-n (Li et al. 2016): different n-grams over all n-grams, pooled over the texts; `n` is the number of n-grams,
 * without which the share says little, since it falls with length.
 * @param tokenize how texts are cut; by default 13a
 */
export function distinct(texts: readonly string[], order: number, tokenize = tokenize13a): Ratio {
  const seen = new Set<string>();
  let n = 0;
  for (const text of texts) {
    for (const [gram, count] of ngrams(tokenize(text), order)) {
      seen.add(gram);
      n += count;
    }
  }
  return { sum: seen.size, n };
}
