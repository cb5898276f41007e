/** Leaves of JSON values by their paths, so that leaves of several answers can be told apart one by one. */
import { pointerKey } from '../world/checks';
import { canonical, get, isObject, type Json, type JsonObject } from '../world/json';
import type { Observation, Transition } from '../world/types';

/** A scalar, or a container that holds nothing. */
export interface Leaf {
  /** JSON Pointer; items of a list of records go by their first member (`/@W17/total`), others by their place. */
  path: string;
  value: Json;
}

/**
 * All leaves of a value.
 * @param byName whether items of lists go by name where they can; otherwise all go by their place
 */
export function leavesOf(value: Json, path = '', byName = true): Leaf[] {
  const inner = Array.isArray(value)
    ? byName
      ? itemEntries(value)
      : Object.entries(value)
    : isObject(value)
      ? Object.entries(value)
      : [];
  if (inner.length === 0) return [{ path, value }];
  return inner.flatMap(([key, item]) => leavesOf(item, `${path}/${pointerKey(key)}`, byName));
}

/** Items of a list under their names: the first member if it is a scalar that no other item has, otherwise the place. */
function itemEntries(items: readonly Json[]): [string, Json][] {
  const names = items.map((item) => {
    const first = isObject(item) ? Object.values(item)[0] : undefined;
    return typeof first === 'string' || typeof first === 'number' ? `@${first}` : null;
  });
  const known = new Set(names);
  const named = !known.has(null) && known.size === items.length;
  return items.map((item, i) => [named ? (names[i] ?? '') : String(i), item]);
}

/** An observation as one JSON value: text as the list of its lines (no lines for no text). */
export function observationValue(observation: Observation): Json {
  if (observation.kind === 'json') return observation.value;
  return observation.text === '' ? [] : observation.text.split('\n');
}

/**
 * Leaves of a whole transition by path, in canonical form: `/observation/...` (`/text/...` for plain text), `/delta/...` and
 * `/status`. An empty delta has none.
 */
export function transitionLeaves({ observation, delta, status }: Transition, byName = true): Map<string, string> {
  const top = observation.kind === 'json' ? '/observation' : '/text';
  const leaves = [
    ...leavesOf(observationValue(observation), top, byName),
    ...(Object.keys(delta).length === 0 ? [] : leavesOf(delta, '/delta')),
    { path: '/status', value: status },
  ];
  return new Map(leaves.map(({ path, value }) => [path, canonical(value)]));
}

/** Collections of a state: its members that hold records. */
export function collectionsOf(state: JsonObject): [name: string, records: JsonObject][] {
  return Object.entries(state).filter((entry): entry is [string, JsonObject] => {
    const value = entry[1];
    return isObject(value) && Object.values(value).some(isObject);
  });
}

/** Paths at which a delta makes something: keys that are not in the state, however deep; the topmost of each branch. */
export function createdPaths(state: JsonObject, delta: JsonObject, path = ''): string[] {
  return Object.entries(delta).flatMap(([key, value]) => {
    const here = `${path}/${pointerKey(key)}`;
    const old = get(state, key);
    if (value === null) return [];
    if (old === undefined) return [here];
    return isObject(value) ? createdPaths(isObject(old) ? old : {}, value, here) : [];
  });
}

/** The path without its last part: where a created key stands. */
export function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}
