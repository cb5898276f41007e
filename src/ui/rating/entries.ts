/** Small parts of the log that need no page: heads of entries, and which pair comes next. */
import { newId } from '../../rollouts';
import { effective, orderFor, type Rating } from '../../rollouts/rating';

/** Id with a prefix of its own, as `set-0123456789abcdef`. */
export function idOf(kind: 'set' | 'rater' | 'entry'): string {
  return newId().replace('run-', `${kind}-`);
}

/** Now, as ISO 8601 in UTC. */
export function now(): string {
  return new Date().toISOString();
}

/** Id and time of a new entry. */
export function entryHead(): { id: string; createdAt: string } {
  return { id: idOf('entry'), createdAt: now() };
}

/** The first pair, in the rater's own order, that they neither voted on nor skipped; null when all are done. */
export function nextPair({ set, pairs, log }: Rating, rater: string): string | null {
  const done = new Set(effective(log).flatMap((entry) => (entry.rater === rater ? [entry.pair] : [])));
  const ids = pairs.map(({ id }) => id);
  return orderFor(set.seed, rater, ids).find((id) => !done.has(id)) ?? null;
}
