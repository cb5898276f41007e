/** How much of a state change is right when it is not right as a whole. */
import { graded, where, type Part } from './definition';
import { countLeaves, leafScores, matchLeaves, type LeafCounts } from './leaves';
import type { JsonObject } from '../world/json';

/**
 * Leaf counts of a delta against the true one: path, type and value of what is set, path of what is removed. An empty delta
 * has one leaf, "nothing", so that two empty ones agree and an empty one never matches any other.
 */
export function deltaLeaves(expected: JsonObject, predicted: JsonObject): LeafCounts {
  return {
    matched: matchLeaves(expected, predicted),
    predicted: countLeaves(predicted),
    expected: countLeaves(expected),
  };
}

const f1: Part = (score, { truth, answer }) => ({
  sum: score.parseOk * leafScores(deltaLeaves(truth.delta, answer.transition.delta)).f1,
  n: 1,
});

/**
 * Mean F1 over leaves of the delta (`metrics_formats.md` 3.4, 8; extras count against, unlike GPT-simulator), for all steps and
 * apart for those that change something (dynamic) and nothing (static). Copying nothing scores 1 on all static steps.
 */
export const deltaF1 = graded(f1);
export const deltaF1Changed = graded(where(({ changed }) => changed > 0, f1));
export const deltaF1Unchanged = graded(where(({ changed }) => changed === 0, f1));
