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

/** What calibration is computed from, by bin; sums of parts add up, so answers need not be held. */
export interface CalibrationSums {
  n: number[];
  confidence: number[];
  correct: number[];
  /** Sum of (confidence - correct)² over all bins. */
  squares: number;
}

/** Sums of no answers. */
export function noCalibration(bins = 10): CalibrationSums {
  const zeros = () => new Array<number>(bins).fill(0);
  return { n: zeros(), confidence: zeros(), correct: zeros(), squares: 0 };
}

/** Adds an answer to sums; bins are of equal width and closed on the right, and 0 falls into the first. */
export function addJudged(sums: CalibrationSums, { confidence, correct }: Judged): void {
  const count = sums.n.length;
  const at = Math.min(Math.max(Math.ceil(confidence * count - 1e-12) - 1, 0), count - 1);
  sums.n[at] = (sums.n[at] ?? 0) + 1;
  sums.confidence[at] = (sums.confidence[at] ?? 0) + confidence;
  sums.correct[at] = (sums.correct[at] ?? 0) + Number(correct);
  sums.squares += (confidence - Number(correct)) ** 2;
}

/** Adds the sums of a part to a total of as many bins. */
export function addCalibration(total: CalibrationSums, part: CalibrationSums): void {
  for (const key of ['n', 'confidence', 'correct'] as const) {
    part[key].forEach((value, i) => (total[key][i] = (total[key][i] ?? 0) + value));
  }
  total.squares += part.squares;
}

/**
 * Expected calibration error (Naeini et al. 2015; Guo et al. 2017), Σ n_b/n · |accuracy - confidence| over equal-width bins
 * closed on the right (0 falls into the first), and the Brier score, the mean of (confidence - correct)².
 */
export function calibrationOf(sums: CalibrationSums): Calibration {
  const count = sums.n.length;
  const bins = sums.n.map((n, i): Bin => {
    const mean = (of: readonly number[]) => (n === 0 ? null : (of[i] ?? 0) / n);
    return {
      low: i / count,
      high: (i + 1) / count,
      n,
      confidence: mean(sums.confidence),
      accuracy: mean(sums.correct),
    };
  });
  const n = sums.n.reduce((total, here) => total + here, 0);
  if (n === 0) return { ece: null, brier: null, n, bins };
  const ece = bins.reduce((sum, bin) => sum + (bin.n / n) * Math.abs((bin.accuracy ?? 0) - (bin.confidence ?? 0)), 0);
  return { ece, brier: sums.squares / n, n, bins };
}

/** Calibration of a list of answers; see `calibrationOf`. */
export function calibration(answers: readonly Judged[], count = 10): Calibration {
  const sums = noCalibration(count);
  for (const answer of answers) addJudged(sums, answer);
  return calibrationOf(sums);
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
