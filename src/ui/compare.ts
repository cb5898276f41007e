/** An answer beside the twin's: what is equal, and the differences of what is not, line by line or word by word. */
import { diffLines, diffWordsWithSpace } from 'diff';
import { pointerKey } from '../world/checks';
import { equal, isObject, type Json, type JsonObject } from '../world/json';
import type { Prediction } from '../world/simulator';
import type { Observation, Transition } from '../world/types';
import { readablePath } from './readable';

/** A piece of a diff. `same` stands in both, `missing` only in the twin's answer, `extra` only in the compared one. */
export interface DiffPart {
  kind: 'same' | 'missing' | 'extra';
  text: string;
}

/** Which parts of two transitions agree. Key order does not count. */
export interface Agreement {
  status: boolean;
  observation: boolean;
  delta: boolean;
  all: boolean;
}

export function agreement(answer: Transition, truth: Transition): Agreement {
  const status = answer.status === truth.status;
  const observation =
    answer.observation.kind === truth.observation.kind && equal(bare(answer.observation), bare(truth.observation));
  const delta = equal(answer.delta, truth.delta);
  return { status, observation, delta, all: status && observation && delta };
}

/** Differences of two observations: JSON by the lines of its indented form, everything else by words. */
export function observationDiff(answer: Prediction, truth: Prediction): { lines: boolean; parts: DiffPart[] } {
  const [a, b] = [answer.transition.observation, truth.transition.observation];
  if (a.kind === 'json' && b.kind === 'json') return { lines: true, parts: jsonDiff(a.value, b.value) };
  // What does not parse is held against the truth as it is written, not as it is shown.
  return { lines: false, parts: parts(diffWordsWithSpace(truth.text.observation, answer.text.observation)) };
}

/** Differences of two JSON values with sorted keys, so that order is not shown as a change. */
export function jsonDiff(answer: Json, truth: Json): DiffPart[] {
  return parts(diffLines(indented(sorted(truth)), indented(sorted(answer))));
}

/** Differences of two deltas, a line for each leaf; the order of the leaves does not count. */
export function deltaDiff(answer: JsonObject, truth: JsonObject): DiffPart[] {
  const text = (delta: JsonObject) =>
    deltaLines(delta)
      .sort()
      .map((line) => `${line}\n`)
      .join('');
  return parts(diffLines(text(truth), text(answer)));
}

/** A delta as people read it: `orders › W17 › status = "cancelled"` for what it sets, `orders › W20 removed` for the rest. */
export function deltaLines(delta: JsonObject, path = ''): string[] {
  return Object.entries(delta).flatMap(([key, value]) => {
    const here = `${path}/${pointerKey(key)}`;
    if (value === null) return [`${readablePath(here)} removed`];
    if (isObject(value) && Object.keys(value).length > 0) return deltaLines(value, here);
    return [`${readablePath(here)} = ${JSON.stringify(value)}`];
  });
}

function parts(changes: { value: string; added: boolean; removed: boolean }[]): DiffPart[] {
  return changes.map(({ value, added, removed }) => ({
    kind: added ? 'extra' : removed ? 'missing' : 'same',
    text: value,
  }));
}

/** An observation as people read it: indented JSON, or the text. */
export function observationView(observation: Observation): string {
  return observation.kind === 'json' ? indented(observation.value) : observation.text;
}

/** Characters of a line in a lane's column at the usual width of the page. */
const WIDTH = 28;

/**
 * Indented JSON in which whatever fits a line stands on one line: short records stay readable beside one another.
 * `used` is the number of characters that stand before the value in its line.
 */
export function indented(value: Json, indent = '', used = indent.length): string {
  const flat = spaced(value);
  if (typeof value !== 'object' || value === null || flat.length + used <= WIDTH) return flat;
  const inner = `${indent}  `;
  const list = Array.isArray(value);
  const items = list
    ? value.map((item) => inner + indented(item, inner))
    : Object.entries(value).map(([key, item]) => {
        const start = `${inner}${JSON.stringify(key)}: `;
        return start + indented(item, inner, start.length);
      });
  if (items.length === 0) return flat;
  return `${list ? '[' : '{'}\n${items.join(',\n')}\n${indent}${list ? ']' : '}'}`;
}

function spaced(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const items = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${spaced(item)}`);
  return items.length > 0 ? `{ ${items.join(', ')} }` : '{}';
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key] as Json)]),
  );
}

function bare(observation: Observation): Json {
  return observation.kind === 'json' ? observation.value : observation.text;
}
