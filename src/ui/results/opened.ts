/** What is said of a result file that was opened: whether its tables are what its rows give. */
import { count } from '../text';
import type { Opened } from './readFile';

export interface Verdict {
  good: boolean;
  /** One sentence. */
  text: string;
}

/** Differences beyond which only the first are listed. */
export const LISTED = 12;

/** The verdict on an opened file, in a sentence. */
export function verdictOf({ kind, result }: Opened): Verdict {
  const { differences, warnings } = result;
  const rows =
    kind === 'batch' ? count(result.recomputed.results.jobs.done, 'rollout') : count(result.items.length, 'answer');
  if (differences.length === 0) {
    return { good: true, text: `Computed again here from ${rows}: every number is the one in the file, to the digit.` };
  }
  const n = differences.length;
  const told = n === 1 ? '1 number is' : `${n} numbers are`;
  const why =
    warnings.length > 0
      ? 'The file was made by another version.'
      : 'The file was changed after it was written, or its writer computes otherwise: do not rely on it.';
  return {
    good: false,
    text: `Computed again here from ${rows}, ${told} not what the file says. ${why} Shown is what its ${kind === 'batch' ? 'rows' : 'answers'} give.`,
  };
}
