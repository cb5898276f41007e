/** What the adversarial suite is made of. Scenarios are plain data, so they can be stored, shown and sent to a worker. */
import type { Rng } from '../../world/rng';
import type { JsonObject } from '../../world/json';
import type { ParseError } from '../../world/simulator';
import type { Action, Context, Directive, Rule, SlotTexts, State, Transition, World } from '../../world/types';
import type { FailureName } from './failures';
import type { LaneFailure } from '../records';

/** A change of the world in mid-run. A patch of the state folds the history into it; changed rules leave it visible. */
export interface Edit {
  state?: JsonObject;
  rules?: Rule[];
}

/** A wrong answer that a scenario tempts to, and what falling for it is called. */
export interface Trap {
  failure: FailureName;
  /** What a simulator answers that falls for it. */
  bait?: Transition;
  /** Members that no record in the answer may have, because nobody can know them. */
  absent?: string[];
}

export interface ScriptedStep {
  /** Made before the step. */
  edit?: Edit;
  action: Action;
  directives: Directive[];
  traps: Trap[];
}

/** One adversarial situation: a world, what is done in it, and the traps on the way. */
export interface Scenario {
  kind: string;
  seed: number;
  family: string;
  world: World;
  steps: ScriptedStep[];
}

/** A scripted step with what a simulator is shown before it and the true answer. */
export interface PlayedStep {
  context: Context;
  /** State before the step. */
  state: State;
  action: Action;
  directives: Directive[];
  truth: Transition;
  traps: Trap[];
}

/** Where a scenario is made: a twin's world, the calls that fulfil its task, and draws. */
export interface Site {
  world: World;
  plan: Action[];
  rng: Rng;
}

/** A kind of scenarios. */
export interface ScenarioKind {
  name: string;
  title: string;
  /** What it tries, in one sentence. */
  line: string;
  /** The world and the steps, or null where this world offers no such situation. */
  build(site: Site): { world: World; steps: ScriptedStep[] } | null;
}

/**
 * `exact`: every answer is the twin's. `held`: none of the invariants broke, some answer differs in other details.
 * `failed`: at least one invariant broke, or there was no readable answer.
 */
export type Verdict = 'exact' | 'held' | 'failed';

/** One answer beside the true one. */
export interface JudgedStep {
  action: Action;
  directives: Directive[];
  /** Whether the world was edited before the step. */
  edited: boolean;
  truth: SlotTexts;
  /** What was answered; null when the machinery failed. */
  answer: SlotTexts | null;
  parseErrors: ParseError[];
  failures: FailureName[];
  breakdown: LaneFailure | null;
}

export interface ScenarioResult {
  kind: string;
  seed: number;
  family: string;
  simulator: string;
  verdict: Verdict;
  /** All failures of its steps, each once, the first to occur first. */
  failures: FailureName[];
  steps: JudgedStep[];
}
