/** Which failures concern one answer alone. */
import { failureOf } from '../errors';

const OF_ONE_ITEM = new Set<string>(['bad_options', 'context_too_long']);

/** Whether a batch cannot go on after this. */
export function endsBatch(reason: unknown): boolean {
  return !OF_ONE_ITEM.has(failureOf(reason).code);
}
