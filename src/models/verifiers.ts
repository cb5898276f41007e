/** Verifiers for best-of-n: how good an answer is as far as that can be told without the truth. */
import type { ParseError } from '../world/simulator';
import { SLOTS, type Action, type Context, type Directive, type SlotTexts, type Transition } from '../world/types';
import { applyDelta } from '../world/mergePatch';
import { currentState } from '../world/codec';
import { equal } from '../world/json';

/** An answer to be judged, with what it answers. */
export interface Judged {
  context: Context;
  action: Action;
  directives: readonly Directive[];
  text: SlotTexts;
  transition: Transition;
  parseErrors: readonly ParseError[];
  /** Probability that the model gave each generated token. */
  confidences: readonly number[];
}

/** Score in [0, 1]; an answer with 1 is taken at once. */
export type Verifier = (answer: Judged) => number;

export const VERIFIERS: { readonly [name: string]: Verifier } = {
  /** Share of the slots that parse. */
  parses: ({ parseErrors }) => 1 - new Set(parseErrors.map(({ slot }) => slot)).size / SLOTS.length,
  /** Geometric mean of the tokens' probabilities; never quite 1, so all answers are compared. */
  likely: ({ confidences }) => {
    const sum = confidences.reduce((total, value) => total + Math.log(Math.max(value, 1e-30)), 0);
    return confidences.length > 0 ? Math.min(Math.exp(sum / confidences.length), 1 - 1e-9) : 0;
  },
  /** Parses whole, an error changes nothing, and a delta changes what it names. */
  sound: (answer) => {
    const { parseErrors, transition, context } = answer;
    if (parseErrors.length > 0) return 0;
    const { delta, status } = transition;
    if (Object.keys(delta).length === 0) return 1;
    const state = currentState(context);
    return status !== 'ok' || equal(applyDelta(state, delta), state) ? 0.5 : 1;
  },
};
