/** What an answer says, in pieces that can be compared: leaves, changes, records, identifiers. */
import { callText, directivesText, worldText } from '../../world/codec';
import { equal, isObject, type Json, type JsonObject } from '../../world/json';
import { applyDelta, diffPatch } from '../../world/mergePatch';
import type { Action, Context, Directive, Observation, State, Transition } from '../../world/types';

/** What a delta really changes: a value that is set to what it is already changes nothing. */
export function effect(state: State, delta: JsonObject): JsonObject {
  return diffPatch(state, applyDelta(state, delta));
}

export function changesNothing(state: State, delta: JsonObject): boolean {
  return Object.keys(effect(state, delta)).length === 0;
}

export function sameObservation(a: Observation, b: Observation): boolean {
  if (a.kind === 'json') return b.kind === 'json' && equal(a.value, b.value);
  return b.kind === 'text' && shown(a.text) === shown(b.text);
}

/** The codec shows lone surrogates as U+FFFD. */
function shown(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

/** Same status, observation and effect: the delta may repeat values that are there already. */
export function sameAnswer(a: Transition, b: Transition, state: State): boolean {
  return (
    a.status === b.status &&
    sameObservation(a.observation, b.observation) &&
    equal(effect(state, a.delta), effect(state, b.delta))
  );
}

/** Leaves as `path=value`, blind to the place in a list; of text, its lines. */
export function leaves(value: Json, path = ''): Set<string> {
  const out = new Set<string>();
  const visit = (item: Json, here: string): void => {
    if (Array.isArray(item)) for (const one of item) visit(one, `${here}/-`);
    else if (isObject(item)) for (const [key, one] of Object.entries(item)) visit(one, `${here}/${key}`);
    else out.add(`${here}=${JSON.stringify(item)}`);
  };
  visit(value, path);
  return out;
}

function observed(observation: Observation): Set<string> {
  return observation.kind === 'json' ? leaves(observation.value) : new Set(observation.text.split('\n'));
}

function shares(answer: Set<string>, bait: Set<string>, truth: Set<string>): boolean {
  return [...bait].some((leaf) => !truth.has(leaf) && answer.has(leaf));
}

/**
 * Whether an answer goes the way of a bait and not that of the truth. Where the two differ in status, the status decides;
 * otherwise any change or shown value that only the bait has, and, where the bait has none of its own (it shows or changes
 * less), an answer that is the bait.
 */
export function leans(answer: Transition, truth: Transition, bait: Transition, state: State): boolean {
  if (bait.status !== truth.status) return answer.status === bait.status;
  const [changed, wanted, right] = [answer, bait, truth].map(({ delta }) => leaves(effect(state, delta))) as [
    Set<string>,
    Set<string>,
    Set<string>,
  ];
  if (shares(changed, wanted, right)) return true;
  if (shares(observed(answer.observation), observed(bait.observation), observed(truth.observation))) return true;
  return !sameAnswer(bait, truth, state) && sameAnswer(answer, bait, state);
}

/** Keys of the records of a state, by collection. */
export function recordKeys(state: State): Set<string> {
  const out = new Set<string>();
  for (const value of Object.values(state)) {
    if (!isObject(value)) continue;
    for (const [key, item] of Object.entries(value)) if (isObject(item)) out.add(key);
  }
  return out;
}

/** Records of the state that an answer names: in its observation as a value or a word, in its delta as a key or value. */
export function namedRecords(answer: Transition, keys: ReadonlySet<string>): Set<string> {
  const out = new Set<string>();
  const take = (text: string) => {
    if (keys.has(text)) out.add(text);
  };
  const visit = (value: Json): void => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (isObject(value)) {
      for (const [key, item] of Object.entries(value)) {
        take(key);
        visit(item);
      }
    } else if (typeof value === 'string') take(value);
  };
  const { observation, delta } = answer;
  if (observation.kind === 'json') visit(observation.value);
  else for (const word of observation.text.split(/[\s,:;()]+/)) take(word.replace(/\.$/, ''));
  visit(delta);
  return out;
}

const ESCAPE = /\\(?:u[0-9a-fA-F]{4}|.)/gs;
const RUN = /[\p{L}\p{N}]+(?:[-_.#@][\p{L}\p{N}]+)*/gu;

/**
 * Identifiers of a text, as src/metrics/ids.ts defines them (rollouts may not import metrics): runs of letters and digits,
 * joined by single `-_.#@`, with at least one of each.
 */
export function identifiers(text: string): Set<string> {
  const runs = text.replace(ESCAPE, ' ').match(RUN) ?? [];
  return new Set(runs.filter((run) => /\p{L}/u.test(run) && /\p{N}/u.test(run)));
}

/** Everything a simulator may have read before it answers. */
export function visibleText(context: Context, action: Action, directives: readonly Directive[]): string {
  const turns = context.history.flatMap((turn) => [callText(turn.action), ...Object.values(turn.text)]);
  return [...Object.values(worldText(context.world)), ...turns, directivesText(directives), callText(action)].join(
    '\n',
  );
}

/** Names of members anywhere in a value. */
export function members(value: Json): Set<string> {
  const out = new Set<string>();
  const visit = (item: Json): void => {
    if (Array.isArray(item)) item.forEach(visit);
    else if (isObject(item)) {
      for (const [key, one] of Object.entries(item)) {
        out.add(key);
        visit(one);
      }
    }
  };
  visit(value);
  return out;
}
