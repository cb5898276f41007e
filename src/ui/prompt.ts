/** The exact prompt of the shipped pair as the codec writes it, and as people can read it. */
import { promptRecord, type PromptRecord } from '../rollouts';
import type { Tokenizer } from '../world/codec/special';
import type { Action, Context, Directive } from '../world/types';

/** Stands in until a tokenizer is there: the text is right as long as nothing is folded for its length. */
const UNKNOWN: Tokenizer = { vocabSize: 0, sha256: '', encode: () => [], decode: () => '' };

export type CompactPrompt = Omit<PromptRecord, 'tokens'> & {
  /** Null while no tokenizer is there. */
  tokens: number | null;
};

/** What a model is shown for an action, folded exactly as the simulators fold it. */
export function compactPrompt(
  context: Context,
  action: Action,
  directives: readonly Directive[],
  tokenizer: Tokenizer | null,
): CompactPrompt {
  const record = promptRecord(context, action, directives, tokenizer ?? UNKNOWN);
  return tokenizer ? record : { ...record, tokens: null };
}

/** The prompt with a line break before each part. A value that spells such a tag gets one too: for reading only. */
export function readable(prompt: string): string {
  return prompt.replace(/(?!^)<(?:tools|state|task|turn|resp)>/g, '\n$&');
}
