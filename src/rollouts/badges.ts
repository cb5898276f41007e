/**
 * What is wrong with how an episode goes, seen from its actions alone: loops, streaks of invalid calls, and calls that are
 * always the same. A badge says which steps it is about, so that a table and a tooltip can show the same thing.
 */
import { canonical } from '../world/json';
import type { Action } from '../world/types';
import { asJson, type StepRecord } from './records';

/** Equal actions in a row that make a loop, and invalid ones that make a streak. */
export const STREAK = 3;
/** Steps of two actions in turn that make a loop: each of them twice. */
export const CYCLE = 4;
/** Low variety: an episode of at least so many steps in which at most this share of the calls are different ones. */
export const VARIETY_STEPS = 6;
export const VARIETY_SHARE = 1 / 3;

/** Statuses with which an environment says that a call is none it can carry out. */
const INVALID: ReadonlySet<string> = new Set(['malformed', 'unknown_tool', 'invalid_args']);

export interface Badge {
  kind: 'repeat' | 'cycle' | 'invalid' | 'variety';
  /** Places of the first and the last step it is about. */
  from: number;
  to: number;
  /** Different calls in the stretch. */
  distinct: number;
}

/** What badges are read from; a recorded step is one. */
export type BadgeRow = Pick<StepRecord, 'action' | 'results'> & Partial<Pick<StepRecord, 'reference'>>;

/**
 * Badges of an episode (the steps of one branch, from its start), by the step they begin at. Defined thus:
 * - `repeat`: a longest stretch of at least three equal actions in a row (tool and arguments, or raw text; the order of
 *   arguments does not matter).
 * - `cycle`: a longest stretch of at least four steps in which two different actions take turns (A B A B).
 * - `invalid`: a longest stretch of at least three calls answered with `malformed`, `unknown_tool` or `invalid_args`. What
 *   counts is the answer of the step's reference (the twin), or where it has none, of `lane`; so a call that a directive
 *   makes fail in another way is not counted.
 * - `variety`: the episode has at least six steps, and at most a third of its actions are different ones.
 */
export function badgesOf(rows: readonly BadgeRow[], lane = ''): Badge[] {
  const keys = rows.map(({ action }) => keyOf(action));
  const badge = (kind: Badge['kind']) => (stretch: readonly [number, number]) => {
    const [from, to] = stretch;
    return { kind, from, to, distinct: new Set(keys.slice(from, to + 1)).size };
  };
  const repeats = stretches(rows.length, STREAK, (i, from) => keys[i] === keys[from]);
  const cycles = stretches(rows.length, CYCLE, (i, from) =>
    i < from + 2 ? i === from || keys[i] !== keys[from] : keys[i] === keys[i - 2],
  );
  const invalid = stretches(rows.length, STREAK, (i) => isInvalid(rows[i], lane));
  const different = new Set(keys).size;
  const poor = rows.length >= VARIETY_STEPS && different <= rows.length * VARIETY_SHARE;
  return [
    ...repeats.map(badge('repeat')),
    ...cycles.map(badge('cycle')),
    ...invalid.map(badge('invalid')),
    ...(poor ? [badge('variety')([0, rows.length - 1])] : []),
  ].sort((a, b) => a.from - b.from);
}

/** A badge in a word or two, and in a sentence for people who have not seen one before. */
export function describeBadge({ kind, from, to, distinct }: Badge): { label: string; title: string } {
  const n = to - from + 1;
  const where = `steps ${from + 1} to ${to + 1}`;
  switch (kind) {
    case 'repeat':
      return { label: `same call \u00d7${n}`, title: `Loop: the very same call ${n} times in a row, ${where}.` };
    case 'cycle':
      return { label: `two calls in turn \u00d7${n}`, title: `Loop: two calls take turns, ${where}.` };
    case 'invalid':
      return {
        label: `${n} invalid calls`,
        title: `${n} calls in a row that the world cannot carry out (no call, unknown tool or wrong arguments), ${where}.`,
      };
    case 'variety':
      return {
        label: 'low variety',
        title: `Only ${distinct} different ${distinct === 1 ? 'call' : 'calls'} in ${n} steps: at most a third of the calls differ.`,
      };
    default:
      return kind satisfies never;
  }
}

function keyOf(action: Action): string {
  return canonical(asJson(action));
}

function isInvalid(row: BadgeRow | undefined, lane: string): boolean {
  const prediction = row?.results[row.reference ?? lane]?.prediction;
  return prediction !== undefined && prediction !== null && INVALID.has(prediction.transition.status);
}

/** Longest stretches of at least `least` places in which each place goes with the stretch that began at `from`. */
function stretches(
  length: number,
  least: number,
  fits: (i: number, from: number) => boolean,
): (readonly [number, number])[] {
  const out: (readonly [number, number])[] = [];
  for (let from = 0; from < length;) {
    let end = from;
    while (end < length && fits(end, from)) end++;
    if (end - from >= least) out.push([from, end - 1]);
    // Where a stretch was too short, another may begin in the middle of it; a found one can share its last place only.
    from = end - from >= least ? Math.max(end - 1, from + 1) : from + 1;
    if (end === length) break;
  }
  return out;
}
