/** BLEU as sacrebleu computes it. A secondary number: `"ok"` against `"error"` in a JSON answer still scores 94.7. */
import { ngrams, tokenize13a } from './tokenize';

/** Signature of BLEU-1 in this project; sacrebleu's own has no field for the highest order. */
export const BLEU1_SIGNATURE = 'nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|order:1';

export interface BleuOptions {
  /** Highest order of n-grams; 4 as in sacrebleu. */
  order?: number;
  /** Average over the orders the hypothesis is long enough for only: for single sentences. */
  effective?: boolean;
}

export interface Bleu {
  /** In [0, 100]. */
  score: number;
  /** Brevity penalty, in [0, 1]. */
  bp: number;
  /** Clipped matches and n-grams of the hypotheses, by order from 1. */
  counts: number[];
  totals: number[];
  hypothesisLength: number;
  referenceLength: number;
}

/** One hypothesis with the references it may match. */
export interface BleuPair {
  hypothesis: string;
  references: readonly string[];
}

/**
 * Corpus BLEU (Papineni et al. 2002) in sacrebleu's form: 13a tokens, case kept, counts summed over all pairs,
 * 100 · BP · exp(mean over orders of ln precision), BP = exp(1 - ref/hyp) when the hypotheses are shorter and 0 when they
 * are empty. The reference length is the closest one, of two equally close the shorter. Orders without a match take
 * 1/2, 1/4, ... of a match in turn (smoothing `exp`); no match at all is 0. Of one order no smoothing is ever used.
 */
export function bleu(pairs: readonly BleuPair[], { order = 4, effective = false }: BleuOptions = {}): Bleu {
  const counts = new Array<number>(order).fill(0);
  const totals = new Array<number>(order).fill(0);
  let hypothesisLength = 0;
  let referenceLength = 0;
  for (const { hypothesis, references } of pairs) {
    const tokens = tokenize13a(hypothesis);
    const others = references.map(tokenize13a);
    hypothesisLength += tokens.length;
    referenceLength += closest(
      tokens.length,
      others.map((other) => other.length),
    );
    for (let n = 1; n <= order; n++) {
      const most = others.map((other) => ngrams(other, n));
      for (const [gram, count] of ngrams(tokens, n)) {
        const clip = most.reduce((best, grams) => Math.max(best, grams.get(gram) ?? 0), 0);
        counts[n - 1] = (counts[n - 1] ?? 0) + Math.min(count, clip);
        totals[n - 1] = (totals[n - 1] ?? 0) + count;
      }
    }
  }
  return bleuOf({ counts, totals, hypothesisLength, referenceLength }, effective);
}

/** BLEU from what was counted. */
export function bleuOf(
  counted: Pick<Bleu, 'counts' | 'totals' | 'hypothesisLength' | 'referenceLength'>,
  effective: boolean,
): Bleu {
  const bp = brevity(counted.hypothesisLength, counted.referenceLength);
  return { score: 100 * bp * meanPrecision(counted.counts, counted.totals, effective), bp, ...counted };
}

/** Sentence BLEU of one hypothesis, over the orders it is long enough for; in [0, 100]. */
export function sentenceBleu(hypothesis: string, references: readonly string[], order = 4): number {
  return bleu([{ hypothesis, references }], { order, effective: true }).score;
}

/** Corpus BLEU-1; see `BLEU1_SIGNATURE`. */
export function bleu1(pairs: readonly BleuPair[]): Bleu {
  return bleu(pairs, { order: 1 });
}

/** The reference length closest to a hypothesis; of two equally close the shorter. */
export function closest(length: number, references: readonly number[]): number {
  let best = references[0] ?? 0;
  for (const other of references) {
    const nearer = Math.abs(other - length) - Math.abs(best - length);
    if (nearer < 0 || (nearer === 0 && other < best)) best = other;
  }
  return best;
}

function brevity(hypothesis: number, reference: number): number {
  if (hypothesis >= reference) return 1;
  return hypothesis === 0 ? 0 : Math.exp(1 - reference / hypothesis);
}

/** Geometric mean of the precisions; 0 where nothing matches. */
function meanPrecision(counts: readonly number[], totals: readonly number[], effective: boolean): number {
  if (counts.every((count) => count === 0)) return 0;
  let smooth = 1;
  let sum = 0;
  let orders = 0;
  for (const [i, total] of totals.entries()) {
    if (total === 0) break;
    orders = i + 1;
    const count = counts[i] ?? 0;
    if (count === 0) smooth *= 2;
    sum += Math.log(count === 0 ? 1 / (smooth * total) : count / total);
  }
  // Without effective order an order that no hypothesis is long enough for has precision 0.
  if (!effective && orders < totals.length) return 0;
  return Math.exp(sum / orders);
}
