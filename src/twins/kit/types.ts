/**
 * What a family of worlds consists of. A family file is data and small functions; the kit does everything else.
 * How to write one: docs/adding-a-twin.md.
 */
import { emptyObject, get, isObject, type Json, type JsonObject, type JsonScalar } from '../../world/json';
import type { Rng } from '../../world/rng';
import type { Action, Check, State } from '../../world/types';
import type { Answer } from './answer';

/** Type of one argument of a tool. Strings are at most `maxLength` characters (40 when absent), integers have four digits. */
export interface ArgSpec {
  type: 'string' | 'integer';
  enum?: readonly string[];
  optional?: boolean;
  min?: number;
  max?: number;
  maxLength?: number;
  /** Values come from the keys of this collection of the state: a hint for agents, and what `misleading` shifts. */
  from?: string;
  /** Only a part of those keys: what stands before (`head`) or after (`tail`) their last slash. */
  part?: 'head' | 'tail';
}

export type Params = { [name: string]: JsonScalar };

/** Parameters as a sentence shows them: `5` and `"5"` read the same, so code sees the text. */
export type ShownParams = { [name: string]: string };

/**
 * A domain rule: its sentence and its meaning are built from the same parameters. Some forbid (`code` and `violated`),
 * others only set how a tool works (`call.rule(id)`): a fee, a discount, a limit on what is shown.
 */
export interface RuleDef {
  id: string;
  text(params: Params): string;
  /** Status code of an answer the rule forbids. */
  code?: string;
  /** Whether the rule forbids what is asked, given the facts a tool passes. */
  violated?(params: ShownParams, facts: JsonObject): boolean;
}

/** What a tool may look at: exactly what the codec shows. */
export interface Call {
  state: State;
  args: JsonObject;
  /** The first of these rules that is enabled and violated, as an answer; otherwise undefined. */
  forbidden(facts: JsonObject, ...ruleIds: string[]): Answer | undefined;
  /** Parameters of a rule if it stands and is enabled, as its sentence shows them; otherwise undefined. */
  rule(id: string): ShownParams | undefined;
}

/** A tool: what is published about it, and what it does. */
export interface ToolDef {
  name: string;
  description: string;
  input: { [arg: string]: ArgSpec };
  /** JSON Schema of a successful answer: `shape`, `listOf` or `TEXT`. */
  output: JsonObject;
  /** Collection of the records it shows by their first member; `verbose` shows them whole. */
  of?: string;
  readOnly: boolean;
  destructive?: boolean;
  apply(call: Call): Answer;
}

/** The executable part of a family, or of one world of a procedural family. */
export interface Program {
  tools: readonly ToolDef[];
  rules: readonly RuleDef[];
}

/** What a task template gives: the instruction and the calls that fulfil it. */
export interface TaskPlan {
  instruction: string;
  plan: Action[];
  /** What counts as done; otherwise one check for each value that the plan changes. */
  checks?: Check[];
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

/**
 * Makes a task in a world, or null where it does not fit. A good template picks what to ask for and plans the calls of a
 * thoughtful agent: now and then a look first, then the changes. The kit runs the plan; a plan with a failing call or
 * without effect is dropped.
 */
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
  /** Templates for a world by their names, tried in random order until one gives a task that holds. */
  tasks(world: Seeded): { readonly [name: string]: TaskTemplate };
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
