/** Whether a model is right as often as it is sure. */
import type { DraftToken } from '../../world/simulator';

/** One answer: how sure the model was, in [0, 1], and whether it was right. */
export interface Judged {
  confidence: number;
  correct: boolean;
}

/** A bin of the reliability diagram; means are null where it is empty. */
export interface Bin {
  low: number;
  high: number;
  n: number;
  confidence: number | null;
  accuracy: number | null;
}

export interface Calibration {
  /** Expected calibration error, in [0, 1]; null without answers. */
  ece: number | null;
  brier: number | null;
  n: number;
  bins: Bin[];
}

/**
 * Expected calibration error (Naeini et al. 2015; Guo et al. 2017), Σ n_b/n · |accuracy - confidence| over equal-width bins
 * closed on the right (0 falls into the first), and the Brier score, the mean of (confidence - correct)².
 */
export function calibration(answers: readonly Judged[], count = 10): Calibration {
  const bins: Judged[][] = Array.from({ length: count }, () => []);
  for (const answer of answers) {
    const at = Math.ceil(answer.confidence * count - 1e-12) - 1;
    bins[Math.min(Math.max(at, 0), count - 1)]?.push(answer);
  }
  const n = answers.length;
  const mean = (items: readonly number[]) => items.reduce((sum, x) => sum + x, 0) / items.length;
  const shown = bins.map((items, i): Bin => {
    const empty = items.length === 0;
    return {
      low: i / count,
      high: (i + 1) / count,
      n: items.length,
      confidence: empty ? null : mean(items.map(({ confidence }) => confidence)),
      accuracy: empty ? null : mean(items.map(({ correct }) => Number(correct))),
    };
  });
  if (n === 0) return { ece: null, brier: null, n, bins: shown };
  const ece = shown.reduce((sum, bin) => sum + (bin.n / n) * Math.abs((bin.accuracy ?? 0) - (bin.confidence ?? 0)), 0);
  const brier = mean(answers.map(({ confidence, correct }) => (confidence - Number(correct)) ** 2));
  return { ece, brier, n, bins: shown };
}

/**
 * How an answer's confidence is made of its tokens'. For a diffusion model each is the probability at the pass that
 * committed the token, which depends on the order; say so beside the number.
 */
export const CONFIDENCE = {
  mean: (values) => values.reduce((sum, x) => sum + x, 0) / values.length,
  least: (values) => Math.min(...values),
  product: (values) => values.reduce((product, x) => product * x, 1),
} satisfies { [name: string]: (values: readonly number[]) => number };

/** Confidence of an answer from its tokens; null for a simulator without tokens. */
export function answerConfidence(tokens: readonly DraftToken[], by: keyof typeof CONFIDENCE): number | null {
  const values = tokens.filter(({ masked }) => !masked).map(({ confidence }) => confidence);
  return values.length === 0 ? null : CONFIDENCE[by](values);
}
