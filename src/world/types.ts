/**
 * The vocabulary of the project: the five parts of a world, an action, and the transition that answers it.
 * A world is plain JSON, so it can be stored, put into a link and sent to a worker unchanged.
 */
import type { Json, JsonObject, JsonScalar } from './json';

/** Part 1. Collections of records; objects and non-null scalars only, so that merge patches stay exact. */
export type State = JsonObject;

/** One deterministic check of a task on the final state. `path` is a JSON Pointer (RFC 6901). */
export type Check =
  | { path: string; op: '==' | '!=' | '<' | '<=' | '>' | '>='; value: JsonScalar }
  | { path: string; op: 'exists' | 'absent' };

/** Part 2. What the agent is asked to do, and when it is done. */
export interface Task {
  instruction: string;
  checks: Check[];
  /** Calls the shortest known plan takes; the measure of action efficiency. Not shown to models. */
  par?: number;
}

/** Part 3. A tool in the shape of the Model Context Protocol (schema 2026-07-28), the members used here. */
export interface Tool {
  name: string;
  description: string;
  inputSchema: JsonObject;
  outputSchema?: JsonObject;
  annotations?: { readOnlyHint?: boolean; destructiveHint?: boolean; idempotentHint?: boolean };
}

/** Part 4. A domain rule. In a twin the sentence and the code are built from the same `id` and `params`. */
export interface Rule {
  id: string;
  text: string;
  enabled: boolean;
  /** Values that the sentence shows and the code reads, such as a limit in days. */
  params: { [name: string]: JsonScalar };
}

/** Part 5. A typed request on how the world should answer this turn. */
export type Directive =
  | { kind: 'fail'; code: string }
  | { kind: 'partial'; n: number }
  | { kind: 'empty' | 'terse' | 'verbose' | 'scarce' | 'stale' | 'misleading' };

/** Where a world's truth comes from. `null` on a world means: it runs, but nobody knows the right answer. */
export interface TwinRef {
  family: string;
  seed: number;
  difficulty: number;
  /** What a procedural family needs to execute the world; everything in it is visible in the other parts too. */
  spec?: JsonObject;
}

export interface World {
  id: string;
  title: string;
  twin: TwinRef | null;
  state: State;
  task: Task;
  tools: Tool[];
  rules: Rule[];
}

/** A tool call. Malformed calls are legal input: what was typed is kept as `raw`. */
export type Action = { tool: string; args: JsonObject } | { raw: string };

/** A JSON object or array (MCP `structuredContent`), or plain text. */
export type Observation = { kind: 'json'; value: JsonObject | Json[] } | { kind: 'text'; text: string };

/** `ok`, or the code of the error the observation reports: lower-case letters and underscores. */
export type Status = string;

/** The answer to one action. */
export interface Transition {
  observation: Observation;
  delta: JsonObject;
  status: Status;
}

/** The three slots of an answer as text, exactly as a model wrote them or as the codec writes a transition. */
export interface SlotTexts {
  observation: string;
  delta: string;
  status: string;
}

export const SLOTS = ['observation', 'delta', 'status'] as const;
export type Slot = (typeof SLOTS)[number];

/** One finished turn as it stands in the history: `text` is what later turns are conditioned on. */
export interface Turn {
  directives: Directive[];
  action: Action;
  text: SlotTexts;
  /** The parsed delta; empty when the answer had none or an invalid one. */
  delta: JsonObject;
}

/**
 * What the next answer is conditioned on: the world (whose state is the one at the start of the visible context) and
 * the turns since. Everything in it is shown by the codec, and nothing else may reach a simulator.
 */
export interface Context {
  world: World;
  history: Turn[];
}
