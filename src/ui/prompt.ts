/** The exact prompt of the shipped pair, block by block as the codec writes it, with the places where it was folded. */
import {
  blockIds,
  callText,
  directivesText,
  encodeContext,
  visibleContext,
  worldText,
  type Tokenizer,
} from '../world/codec';
import type { Action, Context, Directive } from '../world/types';

export interface CompactPrompt {
  /** The text with the special tokens by name; line breaks before special tokens are for reading only. */
  text: string;
  /** Tokens before the answer; null while no tokenizer is there, and then nothing is folded. */
  tokens: number | null;
  blocks: number;
  /** Turns whose deltas were folded into the state that is shown. */
  foldedTurns: number;
}

/** What a model is shown for an action, folded exactly as the simulators fold it. */
export function compactPrompt(
  context: Context,
  action: Action,
  directives: readonly Directive[],
  tokenizer: Tokenizer | null,
): CompactPrompt {
  const visible = tokenizer ? visibleContext(context, action, directives, tokenizer) : context;
  const text = worldText(visible.world);
  const lines = [`<rules>${text.rules}`, `<tools>${text.tools}`, `<state>${text.state}`, `<task>${text.task}`];
  for (const turn of visible.history) {
    lines.push(`<turn>${directivesText(turn.directives)}<call>${callText(turn.action)}`);
    lines.push(`<resp>${turn.text.observation}<end>${turn.text.delta}<end>${turn.text.status}<end>`);
  }
  lines.push(`<turn>${directivesText(directives)}<call>${callText(action)}`, '<resp>');
  const blocks = tokenizer ? encodeContext(visible, action, directives, tokenizer) : [];
  return {
    text: lines.join('\n'),
    tokens: tokenizer ? blockIds(blocks).length : null,
    blocks: 2 * visible.history.length + 2,
    foldedTurns: context.history.length - visible.history.length,
  };
}
