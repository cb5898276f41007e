/**
 * Whether a world agrees with itself over time (`metrics_formats.md` 3.4, 9). No twin is needed: each check compares an answer with
 * what the lane itself said and changed before. Steps under directives may contradict on purpose and are not asked.
 */
import { atPointer, pointerKey } from '../../world/checks';
import { callText } from '../../world/codec/text';
import { canonical, equal, get, isObject, type Json, type JsonObject } from '../../world/json';
import type { State, Tool } from '../../world/types';
import { sameObservation } from '../score';
import { toolOf } from '../schemaOk';
import { collectionsOf, createdPaths, leavesOf, observationValue } from '../paths';
import type { Ratio } from '../statistics';
import type { LaneStep } from './lane';

export const TEMPORAL_CHECKS = ['readAfterWrite', 'repeatedRead', 'deleted', 'freshId', 'counters'] as const;
export type TemporalCheck = (typeof TEMPORAL_CHECKS)[number];

/** A check that failed, for tables of examples. */
export interface Violation {
  check: TemporalCheck;
  /** Number of the step in the lane. */
  step: number;
  /** What it is about: a path in the state, or an identifier. */
  about: string;
}

/** Passed over asked for each check, and what failed. A check nobody had occasion for has n 0. */
export type Temporal = { [C in TemporalCheck]: Ratio } & { violations: Violation[] };

/** Top-level members of a state that count upwards: those named `next` with or without more behind it. */
export function counterKeys(state: State): string[] {
  return Object.keys(state).filter((key) => /^next(?![a-z])/.test(key) && !isObject(state[key]));
}

/**
 * Checks a lane against itself:
 * - `readAfterWrite`: a field that was written earlier and is shown again by a reading tool has the value it was given;
 * - `repeatedRead`: the same reading call in the same state is answered the same;
 * - `deleted`: a reading call that names a removed record fails, or does not show it;
 * - `freshId`: a record whose key the call does not name is made under one that no record had before, removed ones included;
 * - `counters`: a counter that changes counts upwards under the same name.
 * An unparsable answer fails every check it is asked.
 * @param counters keys of the state that only grow; see `counterKeys`
 */
export function temporalChecks(
  tools: readonly Tool[],
  steps: readonly LaneStep[],
  counters: readonly string[] = counterKeys(steps[0]?.before ?? {}),
): Temporal {
  const none = () => ({ sum: 0, n: 0 });
  const out: Temporal = {
    readAfterWrite: none(),
    repeatedRead: none(),
    deleted: none(),
    freshId: none(),
    counters: none(),
    violations: [],
  };
  const written = new Set<string>();
  const removed = new Set<string>();
  const reads = new Map<string, LaneStep>();
  steps.forEach((step, at) => {
    const ask = (check: TemporalCheck, holds: boolean, about: string) => {
      out[check].n++;
      if (holds && step.parsed) out[check].sum++;
      else out.violations.push({ check, step: at, about });
    };
    const reading = step.directives.length === 0 && toolOf(tools, step.action)?.annotations?.readOnlyHint === true;
    if (reading) {
      const call = `${callText(step.action)}\n${canonical(step.before)}`;
      const earlier = reads.get(call);
      if (earlier) ask('repeatedRead', sameAnswer(earlier, step), callText(step.action));
      else reads.set(call, step);
      for (const { path, same } of shownAgain(step, written)) ask('readAfterWrite', same, path);
      for (const id of namedRemoved(step, removed)) ask('deleted', !shows(step, id), id);
    }
    for (const id of madeIds(step)) ask('freshId', !removed.has(id), id);
    for (const key of counters) {
      const [before, after] = [get(step.before, key), get(step.after, key)];
      if (before !== undefined && !equal(before, after ?? null)) ask('counters', countsUp(before, after), `/${key}`);
    }
    note(step, written, removed);
  });
  return out;
}

function sameAnswer(a: LaneStep, b: LaneStep): boolean {
  return (
    a.transition.status === b.transition.status && sameObservation(a.transition.observation, b.transition.observation)
  );
}

/** Fields of records in an observation that were written before, and whether they are shown as the state has them. */
function shownAgain({ before, transition }: LaneStep, written: ReadonlySet<string>): { path: string; same: boolean }[] {
  const { observation, status } = transition;
  if (status !== 'ok' || observation.kind !== 'json') return [];
  const items = (Array.isArray(observation.value) ? observation.value : [observation.value]).filter(isObject);
  return items.flatMap((item) => {
    const id = Object.values(item)[0];
    const homes = collectionsOf(before).filter(([, records]) => typeof id === 'string' && isObject(get(records, id)));
    // An identifier of two collections does not say which record is meant.
    const [home] = homes;
    if (!home || homes.length > 1) return [];
    return Object.entries(item).flatMap(([field, value]) => {
      const path = `/${pointerKey(home[0])}/${pointerKey(String(id))}/${pointerKey(field)}`;
      if (!written.has(path)) return [];
      const stored = atPointer(before, path);
      return stored === undefined ? [] : [{ path, same: equal(stored, value) }];
    });
  });
}

/** Removed records that a call names as a whole argument, unless something else in the state goes by that name now. */
function namedRemoved({ action, before }: LaneStep, removed: ReadonlySet<string>): string[] {
  if (!('args' in action)) return [];
  const named = Object.values(action.args).filter((value) => typeof value === 'string' && removed.has(value));
  return (named as string[]).filter((id) => !collectionsOf(before).some(([, records]) => Object.hasOwn(records, id)));
}

/** Whether an answer is successful and has the identifier as a value. */
function shows({ transition: { observation, status } }: LaneStep, id: string): boolean {
  return status === 'ok' && leavesOf(observationValue(observation)).some(({ value }) => value === id);
}

function countsUp(before: Json, after: Json | undefined): boolean {
  if (typeof before === 'number') return typeof after === 'number' && after > before;
  if (typeof before !== 'string' || typeof after !== 'string') return false;
  const [old, now] = [/^(.*?)(\d+)$/s.exec(before), /^(.*?)(\d+)$/s.exec(after)];
  return old !== null && now !== null && old[1] === now[1] && Number(now[2]) > Number(old[2]);
}

/** Keeps what a step wrote and removed in mind. */
function note({ before, after, transition }: LaneStep, written: Set<string>, removed: Set<string>): void {
  for (const { path, value } of leavesOf(transition.delta)) if (value !== null) written.add(path);
  for (const [name, records] of collectionsOf(before)) {
    const later = get(after, name);
    const gone = (id: string) => !isObject(later) || !Object.hasOwn(later, id);
    for (const id of Object.keys(records as JsonObject)) if (gone(id)) removed.add(id);
  }
}

/** Keys of the records that a step makes and its call does not name. */
function madeIds({ action, before, transition }: LaneStep): string[] {
  const call = callText(action);
  return createdPaths(before, transition.delta)
    .filter((path) => path.split('/').length === 3)
    .map((path) => (path.split('/').at(-1) ?? '').replaceAll('~1', '/').replaceAll('~0', '~'))
    .filter((id) => !call.includes(id));
}
