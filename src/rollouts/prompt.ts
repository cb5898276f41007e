/** The exact prompt of a model, for the record. */
import { callText, directivesText, encodeContext, visibleContext, worldText, type Tokenizer } from '../world/codec';
import type { Action, Context, Directive, World } from '../world/types';
import type { PromptRecord } from './records';

/** The text of a prompt whose context is folded already (`visibleContext`). */
export function promptText(visible: Context, action: Action, directives: readonly Directive[]): string {
  const parts = [worldPrompt(visible.world)];
  for (const turn of visible.history) {
    parts.push(`<turn>${directivesText(turn.directives)}<call>${callText(turn.action)}`);
    parts.push(`<resp>${turn.text.observation}<end>${turn.text.delta}<end>${turn.text.status}<end>`);
  }
  parts.push(`<turn>${directivesText(directives)}<call>${callText(action)}<resp>`);
  return parts.join('');
}

/** The part of a prompt before the first turn. */
export function worldPrompt(world: World): string {
  const text = worldText(world);
  return `<rules>${text.rules}<tools>${text.tools}<state>${text.state}<task>${text.task}`;
}

/**
 * What a model is shown for an action: folded as the simulators fold it, special tokens by their names, up to and
 * including the `<resp>` that the answer stands behind.
 */
export function promptRecord(
  context: Context,
  action: Action,
  directives: readonly Directive[],
  tokenizer: Tokenizer,
): PromptRecord {
  const visible = visibleContext(context, action, directives);
  const blocks = encodeContext(visible, action, directives, tokenizer);
  return {
    text: promptText(visible, action, directives),
    tokens: blocks.reduce((sum, block) => sum + block.length, 1),
    foldedTurns: context.history.length - visible.history.length,
  };
}
