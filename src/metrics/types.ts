/** What is scored: an answer beside the true one, and what stood before both. */
import type { Prediction } from '../world/simulator';
import type { Action, Context, Directive, Transition } from '../world/types';

/** The part of a prediction that metrics read. */
export type Answer = Pick<Prediction, 'transition' | 'text' | 'parseErrors' | 'cost'>;

/** One answered step. `context` is what the simulator was shown before it. */
export interface ScoredStep {
  /** The run the step belongs to; steps of one run are not independent, so intervals resample whole runs. */
  episode: string;
  family: string;
  context: Context;
  action: Action;
  directives: readonly Directive[];
  /** The twin's answer. */
  truth: Transition;
  /**
   * The twin's answer to the same call without directives. Where it is not given, nobody knows what the directives changed,
   * and compliance and collateral do not count the step.
   */
  undirected?: Transition;
  answer: Answer;
}
