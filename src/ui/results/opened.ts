/** What is said of a result file that was opened: whether its tables are what its rows give. */
import type { OpenedResult } from '../../rollouts/lab';

export interface Verdict {
  good: boolean;
  /** One sentence. */
  text: string;
}

/** Differences beyond which only the first are listed. */
export const LISTED = 12;

/** The verdict on an opened file, in a sentence. */
export function verdictOf({ differences, recomputed, warnings }: OpenedResult): Verdict {
  const { done } = recomputed.results.jobs;
  const rows = `${done} ${done === 1 ? 'rollout' : 'rollouts'}`;
  if (differences.length === 0) {
    return { good: true, text: `Computed again here from ${rows}: every number is the one in the file, to the digit.` };
  }
  const n = differences.length;
  const told = `${n} ${n === 1 ? 'number is' : 'numbers are'}`;
  const why =
    warnings.length > 0
      ? 'The file was made by another version.'
      : 'The file was changed after it was written, or its writer computes otherwise: do not rely on it.';
  return {
    good: false,
    text: `Computed again here from ${rows}, ${told} not what the file says. ${why} Shown is what its rows give.`,
  };
}
