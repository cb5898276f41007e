/**
 * Pins: JSON values of an answer that are fixed before it is generated. Pure: what a pin is, whether it holds in an answer,
 * and where in its slot it stands as far as that can be known (skeleton.ts writes the slot up to it).
 */
import { CODE } from './directives';
import { atPointer, pointerKey } from './checks';
import { observationText, parseDelta, parseObservation } from './codec';
import { equal, get, isObject, stringify, type Json, type JsonObject } from './json';
import type { Slot, SlotTexts, Transition } from './types';

/** One step into a JSON value: a member, with the keys that stand before it in its object, or an item of a list. */
export type PathStep = { key: string; before: readonly string[] } | { index: number };

export interface Pin {
  slot: Slot;
  /** JSON Pointer (RFC 6901) into the slot's value; empty for the whole slot. */
  pointer: string;
  /** For a whole observation, a string is plain text. */
  value: Json;
  /** Where the value stands, if that is known; one step for each part of the pointer. */
  path?: readonly PathStep[];
}

/** Parts of a JSON Pointer, unescaped. */
export function pointerParts(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value of a slot of a transition, for pins of it. A text observation is a string. */
export function slotValue({ observation, delta, status }: Transition, slot: Slot): Json {
  if (slot === 'observation') return observation.kind === 'json' ? observation.value : observation.text;
  return slot === 'delta' ? delta : status;
}

/**
 * A pin of a value of some answer (the twin's, or a former one), which also says where the value stands.
 * @returns null when there is nothing at the pointer
 */
export function pinFrom(slot: Slot, answer: Json, pointer: string): Pin | null {
  const value = atPointer(answer, pointer);
  if (value === undefined) return null;
  const path: PathStep[] = [];
  let here = answer;
  for (const part of pointerParts(pointer)) {
    if (isObject(here)) {
      const keys = Object.keys(here);
      path.push({ key: part, before: keys.slice(0, keys.indexOf(part)) });
    } else path.push({ index: Number(part) });
    here = atPointer(here, `/${pointerKey(part)}`) as Json;
  }
  return { slot, pointer, value, path };
}

/**
 * Where a pointer leads in values of a schema: keys come in the order of its `properties`. Null where it does not say, as
 * behind a member that may be missing.
 */
export function pathInSchema(schema: Json | undefined, pointer: string): PathStep[] | null {
  const path: PathStep[] = [];
  let here = schema;
  for (const part of pointerParts(pointer)) {
    if (!isObject(here)) return null;
    const [properties, items, required] = [get(here, 'properties'), get(here, 'items'), get(here, 'required')];
    if (isObject(properties) && Object.hasOwn(properties, part)) {
      const keys = Object.keys(properties);
      const before = keys.slice(0, keys.indexOf(part));
      if (Array.isArray(required) && !before.every((key) => required.includes(key))) return null;
      path.push({ key: part, before });
      here = get(properties, part);
    } else if (items !== undefined && /^(0|[1-9]\d*)$/.test(part)) {
      path.push({ index: Number(part) });
      here = items;
    } else return null;
  }
  return path;
}

/** What is wrong with a set of pins, as a sentence; null when they can be asked for together. */
export function pinProblem(pins: readonly Pin[]): string | null {
  for (const pin of pins) {
    const problem = onePinProblem(pin);
    if (problem !== null) return problem;
  }
  for (const [i, a] of pins.entries()) {
    for (const b of pins.slice(0, i)) {
      if (a.slot !== b.slot) continue;
      const inside = [a, b].some((outer) => `${(outer === a ? b : a).pointer}/`.startsWith(`${outer.pointer}/`));
      if (inside) return `Two pins of the ${a.slot} overlap: "${b.pointer}" and "${a.pointer}".`;
    }
  }
  return null;
}

function onePinProblem({ slot, pointer, value, path }: Pin): string | null {
  const name = `The pin "${pointer}" of the ${slot}`;
  if (pointer !== '' && !pointer.startsWith('/')) return `${name} is no JSON Pointer, which starts with "/".`;
  if (path && path.length !== pointerParts(pointer).length) return `${name} has a path of another length.`;
  if (slot === 'status') {
    if (pointer !== '') return `${name} points into a code; a status can only be pinned whole.`;
    return typeof value === 'string' && CODE.test(value)
      ? null
      : `${name} is ${stringify(value)}, which is no status code.`;
  }
  if (slot === 'delta' && hasList(value)) return `${name} holds a list, which a delta cannot.`;
  if (pointer !== '') return null;
  if (slot === 'delta') return isObject(value) ? null : `${name} is no object, which a delta is.`;
  return typeof value === 'string' || (typeof value === 'object' && value !== null)
    ? null
    : `${name} is ${stringify(value)}; an observation is an object, a list or a text.`;
}

function hasList(value: Json): boolean {
  return Array.isArray(value) || (isObject(value) && Object.values(value).some(hasList));
}

/** Text of a slot that is pinned whole. */
export function wholeText({ slot, value }: Pin): string {
  if (slot === 'status') return value as string;
  if (typeof value === 'string') return observationText({ kind: 'text', text: value });
  return observationText({ kind: 'json', value: value as JsonObject | Json[] });
}

/** Whether an answer has the pinned value at its place. A slot that does not parse holds nothing. */
export function pinHolds(pin: Pin, text: SlotTexts): boolean {
  const { slot, pointer, value } = pin;
  if (slot === 'status') return text.status === value;
  if (slot === 'delta') {
    const delta = parseDelta(text.delta);
    return delta.ok && sameAt(delta.value, pointer, value);
  }
  const observation = parseObservation(text.observation);
  if (!observation.ok) return false;
  if (observation.value.kind === 'text') return text.observation === (pointer === '' ? wholeText(pin) : null);
  return sameAt(observation.value.value, pointer, value);
}

function sameAt(whole: Json, pointer: string, value: Json): boolean {
  const found = atPointer(whole, pointer);
  return found !== undefined && equal(found, value);
}
