/**
 * What a person changed of a generated world: its state and its rules. Small enough to travel in a link, and such that
 * the twin still knows the truth.
 */
import {
  emptyObject,
  equal,
  get,
  isObject,
  parseJson,
  type Json,
  type JsonObject,
  type JsonScalar,
} from '../world/json';
import type { Parsed } from '../world/json';
import { applyDelta, diffPatch } from '../world/mergePatch';
import type { Rule, State, World } from '../world/types';

export interface RuleEdit {
  enabled?: boolean;
  params?: { [name: string]: JsonScalar };
}

/** Edits of a world: a merge patch of its state and changes of rules by their id. Empty objects mean none. */
export interface WorldEdits {
  state: JsonObject;
  rules: { [id: string]: RuleEdit };
}

export const NO_EDITS: WorldEdits = { state: {}, rules: {} };

/** Sentence of a rule for its params (`ruleText` of the twins). */
export type RuleText = (world: World, rule: Rule) => string | null;

export function isEdited(edits: WorldEdits): boolean {
  return Object.keys(edits.state).length > 0 || Object.keys(edits.rules).length > 0;
}

/**
 * The edited world. Edits of rules or params that the world does not have are dropped; a rule whose sentence is unknown
 * keeps its text.
 */
export function applyEdits(base: World, edits: WorldEdits, ruleText: RuleText): World {
  if (!isEdited(edits)) return base;
  const world: World = { ...base, state: applyDelta(base.state, edits.state) };
  world.rules = base.rules.map((rule) => {
    const edit = Object.hasOwn(edits.rules, rule.id) ? edits.rules[rule.id] : undefined;
    if (!edit) return rule;
    const params = { ...rule.params };
    for (const [name, value] of Object.entries(edit.params ?? {})) {
      if (Object.hasOwn(params, name) && typeof params[name] === typeof value) params[name] = value;
    }
    const changed: Rule = { ...rule, enabled: edit.enabled ?? rule.enabled, params };
    return { ...changed, text: ruleText(base, changed) ?? rule.text };
  });
  return world;
}

/** The edits that turn `base` into `world`, looking at state and rules only. */
export function editsBetween(base: World, world: World): WorldEdits {
  const edits: WorldEdits = { state: diffPatch(base.state, world.state), rules: {} };
  for (const rule of world.rules) {
    const before = base.rules.find((candidate) => candidate.id === rule.id);
    if (!before) continue;
    const edit: RuleEdit = {};
    if (rule.enabled !== before.enabled) edit.enabled = rule.enabled;
    const params = Object.entries(rule.params).filter(([name, value]) => before.params[name] !== value);
    if (params.length > 0) edit.params = Object.fromEntries(params);
    if (Object.keys(edit).length > 0) edits.rules[rule.id] = edit;
  }
  return edits;
}

/** Edits from JSON that came with a link, or null when it has another shape. */
export function readEdits(value: Json): WorldEdits | null {
  if (!isObject(value)) return null;
  const state = get(value, 'state') ?? {};
  const rules = get(value, 'rules') ?? {};
  if (!isObject(state) || hasList(state) || !isObject(rules)) return null;
  const out: WorldEdits = { state, rules: {} };
  for (const [id, edit] of Object.entries(rules)) {
    if (!isObject(edit)) return null;
    const enabled = get(edit, 'enabled');
    const params = get(edit, 'params');
    if (enabled !== undefined && typeof enabled !== 'boolean') return null;
    if (params !== undefined && (!isObject(params) || Object.values(params).some((item) => !isScalar(item))))
      return null;
    out.rules[id] = {
      ...(enabled === undefined ? {} : { enabled }),
      ...(params === undefined ? {} : { params: params as { [name: string]: JsonScalar } }),
    };
  }
  return out;
}

function isScalar(value: Json): value is JsonScalar {
  return value === null || typeof value !== 'object';
}

function hasList(value: Json): boolean {
  if (Array.isArray(value)) return true;
  return isObject(value) && Object.values(value).some(hasList);
}

/**
 * Reads the text of a state. A state is an object of objects and scalars without null and without lists, so that every
 * change of it can be written as a merge patch; the error says where the text is not.
 */
export function parseState(text: string): Parsed<State> {
  const parsed = parseJson(text);
  if (!parsed.ok) return { ok: false, error: `This is not JSON yet: ${parsed.error}` };
  if (!isObject(parsed.value)) return { ok: false, error: 'A state is a JSON object: {"collection": {"id": {...}}}.' };
  const bad = unfit(parsed.value, '');
  if (bad) return { ok: false, error: bad };
  return { ok: true, value: parsed.value };
}

function unfit(value: Json, path: string): string | null {
  if (value === null) return `${path} is null; leave the member out instead (in a patch, null removes).`;
  if (Array.isArray(value)) return `${path} is a list; use an object with keys such as "1", "2" instead.`;
  if (!isObject(value)) return null;
  for (const [key, item] of Object.entries(value)) {
    const found = unfit(item, `${path}/${key}`);
    if (found) return found;
  }
  return null;
}

/** Reads what was typed for a scalar: JSON where it is a number, true, false or a quoted string, else the text itself. */
export function parseScalar(text: string): string | number | boolean {
  const parsed = parseJson(text);
  if (parsed.ok && parsed.value !== null && typeof parsed.value !== 'object') return parsed.value;
  return text;
}

/** A copy of the state with the value at a path of keys set, or removed when the value is undefined. */
export function setAt(state: State, path: readonly string[], value: Json | undefined): State {
  const [key, ...rest] = path;
  if (key === undefined) return state;
  const out = emptyObject();
  for (const [name, item] of Object.entries(state)) {
    if (name !== key) out[name] = item;
    else if (rest.length > 0) out[name] = isObject(item) ? setAt(item, rest, value) : item;
    else if (value !== undefined) out[name] = value;
  }
  if (rest.length === 0 && value !== undefined && !Object.hasOwn(state, key)) out[key] = value;
  return out;
}

/** Whether two worlds differ in nothing a person can edit here. */
export function sameWorld(a: World, b: World): boolean {
  return equal(a as unknown as Json, b as unknown as Json);
}
