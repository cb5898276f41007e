/** The exact prompt of a model, for the record. */
import { callText, directivesText, encodeContext, visibleContext, worldText, type Tokenizer } from '../world/codec';
import type { Action, Context, Directive } from '../world/types';
import type { PromptRecord } from './records';

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
  const text = worldText(visible.world);
  const parts = [`<rules>${text.rules}<tools>${text.tools}<state>${text.state}<task>${text.task}`];
  for (const turn of visible.history) {
    parts.push(`<turn>${directivesText(turn.directives)}<call>${callText(turn.action)}`);
    parts.push(`<resp>${turn.text.observation}<end>${turn.text.delta}<end>${turn.text.status}<end>`);
  }
  parts.push(`<turn>${directivesText(directives)}<call>${callText(action)}<resp>`);
  const blocks = encodeContext(visible, action, directives, tokenizer);
  return {
    text: parts.join(''),
    tokens: blocks.reduce((sum, block) => sum + block.length, 1),
    foldedTurns: context.history.length - visible.history.length,
  };
}
