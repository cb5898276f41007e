/** Folding: after some turns the deltas become a new initial state and the history is dropped. */
import { applyDelta } from '../mergePatch';
import type { Action, Context, Directive, State } from '../types';
import { encodeContext } from './blocks';
import type { Tokenizer } from './special';

/** Turns kept at most in a context, and tokens it may have before an answer; the corpus keeps to both. */
export const FOLD_TURNS = 6;
export const FOLD_TOKENS = 416;

/** The state as it is after all turns of the context. */
export function currentState(context: Context): State {
  return context.history.reduce((state, turn) => applyDelta(state, turn.delta), context.world.state);
}

/** The same situation without history: the current state is the initial one. */
export function fold(context: Context): Context {
  return { world: { ...context.world, state: currentState(context) }, history: [] };
}

/** Folds if the context has too many turns, or too many tokens for the answer to `action`; otherwise returns it as is. */
export function foldIfNeeded(
  context: Context,
  action: Action,
  directives: readonly Directive[],
  tokenizer: Tokenizer,
): Context {
  if (context.history.length === 0) return context;
  if (context.history.length >= FOLD_TURNS) return fold(context);
  const tokens = encodeContext(context, action, directives, tokenizer).reduce((sum, block) => sum + block.length, 0);
  return tokens > FOLD_TOKENS ? fold(context) : context;
}

/**
 * What a model is shown of a context with any number of turns. Folding is replayed from the first turn, so a context
 * is folded at the same turns however often it is asked for, and the prefix between two folds stays the same.
 */
export function visibleContext(
  context: Context,
  action: Action,
  directives: readonly Directive[],
  tokenizer: Tokenizer,
): Context {
  let visible: Context = { world: context.world, history: [] };
  for (const turn of context.history) {
    visible = foldIfNeeded(visible, turn.action, turn.directives, tokenizer);
    visible = { world: visible.world, history: [...visible.history, turn] };
  }
  return foldIfNeeded(visible, action, directives, tokenizer);
}
