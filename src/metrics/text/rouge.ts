/** ROUGE-L as rouge-score computes it. Secondary, as BLEU is. */
import { tokenizeRouge } from './tokenize';

export interface Rouge {
  precision: number;
  recall: number;
  f1: number;
}

/**
 * ROUGE-L (Lin 2004) of one prediction in the form of the Python package rouge-score without stemmer: the longest common
 * subsequence of tokens over the prediction's length (precision), over the target's (recall), and their harmonic mean. All
 * 0 where either text has no tokens.
 */
export function rougeL(target: string, prediction: string): Rouge {
  const [a, b] = [tokenizeRouge(target), tokenizeRouge(prediction)];
  if (a.length === 0 || b.length === 0) return { precision: 0, recall: 0, f1: 0 };
  const common = longestCommon(a, b);
  const [precision, recall] = [common / b.length, common / a.length];
  return { precision, recall, f1: common === 0 ? 0 : (2 * precision * recall) / (precision + recall) };
}

/** Length of the longest common subsequence. */
export function longestCommon(a: readonly string[], b: readonly string[]): number {
  let best = new Array<number>(b.length + 1).fill(0);
  for (const token of a) {
    const next = [0];
    b.forEach((other, j) => {
      next.push(token === other ? (best[j] ?? 0) + 1 : Math.max(best[j + 1] ?? 0, next[j] ?? 0));
    });
    best = next;
  }
  return best[b.length] ?? 0;
}
