/** Leaves of observations: how much of an answer is right when it is not right as a whole. */
import { isObject, type Json } from '../world/json';
import type { Observation } from '../world/types';

/** Counts behind precision and recall; all at least 0, `matched` at most the smaller of the others. */
export interface LeafCounts {
  matched: number;
  predicted: number;
  expected: number;
}

/** Number of leaves of a value: scalars, and containers that hold nothing (so that every value has one). */
export function countLeaves(value: Json): number {
  const inner = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
  return inner.length === 0 ? 1 : inner.reduce<number>((sum, item) => sum + countLeaves(item), 0);
}

/**
 * Number of leaves two values share. A leaf is shared when path, type and value agree; items of lists are paired so that
 * order is kept and the number of shared leaves is largest (a longest common subsequence weighted by shared leaves), so one
 * missing or extra item does not spoil those behind it. The pairing is this project's own; `metrics_formats.md` 3.4 (5)
 * leaves it open.
 */
export function matchLeaves(a: Json, b: Json): number {
  if (Array.isArray(a)) {
    if (!Array.isArray(b)) return 0;
    return a.length === 0 || b.length === 0 ? Number(a.length === b.length) : alignLists(a, b);
  }
  if (!isObject(a)) return Number(a === b);
  if (!isObject(b)) return 0;
  const keys = Object.keys(a);
  if (keys.length === 0) return Number(Object.keys(b).length === 0);
  return keys.reduce((sum, key) => sum + (Object.hasOwn(b, key) ? matchLeaves(a[key] as Json, b[key] as Json) : 0), 0);
}

function alignLists(a: readonly Json[], b: readonly Json[]): number {
  // best[j]: most leaves shared by the items of a so far and the first j items of b.
  let best = new Array<number>(b.length + 1).fill(0);
  for (const item of a) {
    const next = [0];
    b.forEach((other, j) => {
      const both = (best[j] as number) + matchLeaves(item, other);
      next.push(Math.max(both, best[j + 1] as number, next[j] as number));
    });
    best = next;
  }
  return best[b.length] as number;
}

/**
 * Leaf counts of an observation against the true one. Text counts by lines, each a leaf; text never matches JSON.
 */
export function observationLeaves(expected: Observation, predicted: Observation): LeafCounts {
  const [a, b] = [leafValue(expected), leafValue(predicted)];
  return {
    matched: expected.kind === predicted.kind ? matchLeaves(a, b) : 0,
    predicted: countLeaves(b),
    expected: countLeaves(a),
  };
}

function leafValue(observation: Observation): Json {
  return observation.kind === 'json' ? observation.value : observation.text.split('\n');
}

/** Precision, recall and their harmonic mean, each in [0, 1]; extra leaves lower precision, missing ones recall. */
export function leafScores({ matched, predicted, expected }: LeafCounts): {
  precision: number;
  recall: number;
  f1: number;
} {
  return {
    precision: predicted === 0 ? 0 : matched / predicted,
    recall: expected === 0 ? 0 : matched / expected,
    f1: predicted + expected === 0 ? 0 : (2 * matched) / (predicted + expected),
  };
}
