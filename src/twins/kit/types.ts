/** What a family of worlds consists of. A family file is data and small functions; the kit does everything else. */
import { emptyObject, get, isObject, type Json, type JsonObject, type JsonScalar } from '../../world/json';
import type { Rng } from '../../world/rng';
import type { Action, State } from '../../world/types';
import type { Answer } from './answer';

/** Type of one argument of a tool. Strings are at most `maxLength` characters (40 when absent), integers have four digits. */
export interface ArgSpec {
  type: 'string' | 'integer';
  enum?: readonly string[];
  optional?: boolean;
  min?: number;
  max?: number;
  maxLength?: number;
  /** A hint for people and agents: values come from the keys of this collection of the state. */
  from?: string;
}

export type Params = { [name: string]: JsonScalar };

/** A domain rule: its sentence and its predicate are built from the same parameters. */
export interface RuleDef {
  id: string;
  /** Status code of an answer the rule forbids. */
  code: string;
  text(params: Params): string;
  /** Whether the rule forbids what is asked, given the facts a tool passes. */
  violated(params: Params, facts: JsonObject): boolean;
}

/** What a tool may look at: exactly what the codec shows. */
export interface Call {
  state: State;
  args: JsonObject;
  /** The first of these rules that is enabled and violated, as an answer; otherwise undefined. */
  forbidden(facts: JsonObject, ...ruleIds: string[]): Answer | undefined;
}

/** A tool: what is published about it, and what it does. */
export interface ToolDef {
  name: string;
  description: string;
  input: { [arg: string]: ArgSpec };
  output?: JsonObject;
  readOnly: boolean;
  destructive?: boolean;
  apply(call: Call): Answer;
}

/** The executable part of a family, or of one world of a procedural family. */
export interface Program {
  tools: readonly ToolDef[];
  rules: readonly RuleDef[];
}

/** What a task template gives: the instruction and the calls that fulfil it. The checks come from running them. */
export interface TaskPlan {
  instruction: string;
  plan: Action[];
}

/** A sampled world before it has a task. */
export interface Seeded {
  title: string;
  state: State;
  /** Rules of this world with their parameters; all are enabled. */
  rules: { id: string; params: Params }[];
  /** What a procedural family needs to execute the world. */
  spec?: JsonObject;
}

export type TaskTemplate = (rng: Rng, world: Seeded) => TaskPlan | null;

export interface Family {
  name: string;
  title: string;
  /** One line for the world picker. */
  line: string;
  heldOut: boolean;
  /** Codes offered for `fail(code)`. */
  failCodes: readonly string[];
  /** The program of a world. @throws Error when the spec is not one of this family's. */
  program(spec: JsonObject | undefined): Program;
  generate(rng: Rng, difficulty: number): Seeded;
  /** Templates for a world, tried in random order until one gives a task that holds. */
  tasks(world: Seeded): readonly TaskTemplate[];
}

export type Records = { [id: string]: JsonObject };

/** A collection of the state as records of scalars; empty when it is not there. What a hand edit nested is passed over. */
export function records(state: State, name: string): Records {
  const value = get(state, name);
  const out = emptyObject() as Records;
  for (const [id, item] of isObject(value) ? Object.entries(value) : []) {
    if (isObject(item)) out[id] = scalars(item);
  }
  return out;
}

/** One record of scalars, or undefined; never what sits on Object.prototype. */
export function record(state: State, name: string, id: Json | undefined): JsonObject | undefined {
  const all = get(state, name);
  if (!isObject(all) || id === undefined || typeof id === 'object') return undefined;
  const value = get(all, String(id));
  return isObject(value) ? scalars(value) : undefined;
}

/** The members that are scalars: all of them, except after a hand edit that nested something. */
function scalars(item: JsonObject): JsonObject {
  const out = emptyObject();
  for (const [key, value] of Object.entries(item)) if (typeof value !== 'object') out[key] = value;
  return out;
}

/** The identifier after one that ends in a number: `W17` gives `W18`. The counter of fresh ids is such an id in the state. */
export function freshId(id: string): string {
  return id.replace(/\d+$/, (digits) => String(Number(digits) + 1));
}
