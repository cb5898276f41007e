/** The log of a set: what counts of it, and how logs of several raters become one. */
import { canonical } from '../../world/json';
import { asJson } from '../records';
import { RatingError } from './errors';
import type { LogEntry, Rating, SkipEntry, VoteEntry } from './types';

/** Order of a log: by time, and by id where that is the same. */
export function compareEntries(a: LogEntry, b: LogEntry): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? -1 : 1;
  return a.id < b.id ? -1 : Number(a.id > b.id);
}

/**
 * What counts of a log: for each rater and pair the last vote or skip that was not taken back, in the order of the log.
 * The order of the entries given does not matter.
 */
export function effective(log: readonly LogEntry[]): (VoteEntry | SkipEntry)[] {
  const undone = new Set(log.flatMap((entry) => (entry.type === 'undo' ? [entry.of] : [])));
  const last = new Map<string, VoteEntry | SkipEntry>();
  for (const entry of [...log].sort(compareEntries)) {
    if ((entry.type !== 'vote' && entry.type !== 'skip') || undone.has(entry.id)) continue;
    last.set(JSON.stringify([entry.rater, entry.pair]), entry);
  }
  return [...last.values()].sort(compareEntries);
}

/** The votes that count. */
export function votesOf(log: readonly LogEntry[]): VoteEntry[] {
  return effective(log).filter((entry) => entry.type === 'vote');
}

/** Whether the authors of a vote's pair were shown. */
export function isRevealed(log: readonly LogEntry[], vote: string): boolean {
  return log.some((entry) => entry.type === 'reveal' && entry.of === vote);
}

/** The order in which everything is written: pairs and raters by id, the log by time. */
export function sortRating({ set, raters, pairs, log }: Rating): Rating {
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : Number(a.id > b.id));
  return { set, raters: [...raters].sort(byId), pairs: [...pairs].sort(byId), log: [...log].sort(compareEntries) };
}

/**
 * Two collections of one set as one: the union by ids, sorted. It does not matter which is first, nor how often or in which
 * steps files are merged.
 * @throws RatingError `conflict` when they are of different sets, or one id stands for two things
 */
export function mergeRatings(a: Rating, b: Rating): Rating {
  if (a.set.id !== b.set.id || !same(a.set, b.set)) {
    throw conflict(`The sets "${a.set.title}" (${a.set.id}) and "${b.set.title}" (${b.set.id}) are not the same.`);
  }
  return sortRating({
    set: a.set,
    raters: union('rater', a.raters, b.raters),
    pairs: union('pair', a.pairs, b.pairs),
    log: union('log entry', a.log, b.log),
  });
}

function union<T extends { id: string }>(what: string, a: readonly T[], b: readonly T[]): T[] {
  const out = new Map(a.map((item) => [item.id, item]));
  for (const item of b) {
    const known = out.get(item.id);
    if (known && !same(known, item)) throw conflict(`The ${what} "${item.id}" says different things in the two.`);
    out.set(item.id, item);
  }
  return [...out.values()];
}

function same(a: object, b: object): boolean {
  return canonical(asJson(a)) === canonical(asJson(b));
}

function conflict(what: string): RatingError {
  const advice = 'Nothing was imported. One of the files was changed by hand: get it again from the rater.';
  return new RatingError('conflict', what, advice);
}
