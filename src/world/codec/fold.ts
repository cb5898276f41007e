/**
 * Folding: after some turns the deltas become a new initial state and the history is dropped. When to fold is decided
 * from the text alone, so that twins and models with any tokenizer agree on what is visible.
 */
import { applyDelta } from '../mergePatch';
import type { Action, Context, Directive, State, Turn, World } from '../types';
import { estimateTokens } from './special';
import { callText, directivesText, worldText } from './text';

/** Turns kept at most in a context, and estimated tokens it may have before an answer; the corpus keeps to both. */
export const FOLD_TURNS = 8;
export const FOLD_TOKENS = 704;

/** The state as it is after all turns of the context. */
export function currentState(context: Context): State {
  return context.history.reduce((state, turn) => applyDelta(state, turn.delta), context.world.state);
}

/** The same situation without history: the current state is the initial one. */
export function fold(context: Context): Context {
  return { world: { ...context.world, state: currentState(context) }, history: [] };
}

/** Folds if the context has too many turns, or too many tokens for the answer to `action`; otherwise returns it as is. */
export function foldIfNeeded(context: Context, action: Action, directives: readonly Directive[]): Context {
  if (context.history.length === 0) return context;
  if (context.history.length >= FOLD_TURNS) return fold(context);
  return contextTokens(context, action, directives) > FOLD_TOKENS ? fold(context) : context;
}

/** Estimated tokens of all blocks before the answer to `action`. */
export function contextTokens(context: Context, action: Action, directives: readonly Directive[]): number {
  const turns = context.history.reduce((sum, turn) => sum + turnTokens(turn), 0);
  return worldTokens(context.world) + turns + callTokens(action, directives);
}

/**
 * What a model is shown of a context with any number of turns. Folding is replayed from the first turn, so a context
 * is folded at the same turns however often it is asked for, and the prefix between two folds stays the same.
 */
export function visibleContext(context: Context, action: Action, directives: readonly Directive[]): Context {
  let visible: Context = { world: context.world, history: [] };
  for (const turn of context.history) {
    visible = foldIfNeeded(visible, turn.action, turn.directives);
    visible = { world: visible.world, history: [...visible.history, turn] };
  }
  return foldIfNeeded(visible, action, directives);
}

// A context is measured again at every step; its parts do not change.
const worlds = new WeakMap<World, number>();
const turns = new WeakMap<Turn, number>();

/** Estimated tokens of block 0, its four special tokens included. */
export function worldTokens(world: World): number {
  const known = worlds.get(world);
  if (known !== undefined) return known;
  const tokens = Object.values(worldText(world)).reduce((sum, text) => sum + 1 + estimateTokens(text), 0);
  worlds.set(world, tokens);
  return tokens;
}

function turnTokens(turn: Turn): number {
  const known = turns.get(turn);
  if (known !== undefined) return known;
  const { observation, delta, status } = turn.text;
  const tokens = callTokens(turn.action, turn.directives) + responseTokens([observation, delta, status]);
  turns.set(turn, tokens);
  return tokens;
}

/** Estimated tokens of an answer's slots, `<resp>` and the ends included. */
export function responseTokens(slots: readonly string[]): number {
  return slots.reduce((sum, text) => sum + 1 + estimateTokens(text), 1);
}

function callTokens(action: Action, directives: readonly Directive[]): number {
  return 2 + estimateTokens(directivesText(directives)) + estimateTokens(callText(action));
}
