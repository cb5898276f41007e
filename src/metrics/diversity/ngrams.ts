/** Diversity of a set of texts by their n-grams. Report it under the sampler `ancestral`; fast samplers lower it. */
import { bleuOf, closest } from '../text/bleu';
import { ngrams, tokenize13a } from '../text/tokenize';
import type { Ratio } from '../statistics';

export interface SelfBleu {
  /** Sentence BLEU of each text against all others, in [0, 100]. */
  each: number[];
  /** Their mean, lower is more diverse; null for fewer than two texts. */
  mean: number | null;
  n: number;
}

/**
 * Self-BLEU (Zhu et al. 2018, Texygen): each text as hypothesis, all others as its references, effective order. Most of what other
 * texts have of an n-gram is the highest count, or the second highest for the text that has the highest, so every text is
 * counted once.
 */
export function selfBleu(texts: readonly string[], order = 4): SelfBleu {
  if (texts.length < 2) return { each: [], mean: null, n: texts.length };
  const tokens = texts.map((text) => tokenize13a(text));
  const orders = Array.from({ length: order }, (_, i) => i + 1);
  const grams = tokens.map((own) => orders.map((n) => ngrams(own, n)));
  const most = orders.map((_, n) => highest(grams.map((own) => own[n] ?? new Map<string, number>())));
  const lengths = tokens.map((own) => own.length);
  const each = tokens.map((own, i) => {
    const counts = orders.map(() => 0);
    const totals = orders.map(() => 0);
    orders.forEach((_, n) => {
      for (const [gram, count] of grams[i]?.[n] ?? []) {
        const top = most[n]?.get(gram);
        const clip = top?.owner === i ? top.second : (top?.first ?? 0);
        counts[n] = (counts[n] ?? 0) + Math.min(count, clip);
        totals[n] = (totals[n] ?? 0) + count;
      }
    });
    const referenceLength = closest(own.length, lengths.toSpliced(i, 1));
    return bleuOf({ counts, totals, hypothesisLength: own.length, referenceLength }, true).score;
  });
  return { each, mean: each.reduce((sum, score) => sum + score, 0) / texts.length, n: texts.length };
}

/** The two highest counts of each n-gram, and the text that has the first. */
function highest(all: readonly Map<string, number>[]): Map<string, { first: number; second: number; owner: number }> {
  const out = new Map<string, { first: number; second: number; owner: number }>();
  all.forEach((grams, owner) => {
    for (const [gram, count] of grams) {
      const top = out.get(gram);
      if (!top) out.set(gram, { first: count, second: 0, owner });
      else if (count > top.first) out.set(gram, { first: count, second: top.first, owner });
      else if (count > top.second) top.second = count;
    }
  });
  return out;
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
