/** What a model is shown, as blocks of clean tokens, and the finished answer as a prediction. */
import { encodeAnswer, encodeContext, parseAnswer, visibleContext, type Tokenizer } from '../world/codec';
import type { ConstraintRecord, Cost, DraftToken, Prediction, Selection, StepOptions } from '../world/simulator';
import type { Action, Context, SlotTexts } from '../world/types';
import { ModelError } from './errors';

/**
 * Blocks before the answer (block 0, then call and response of each visible turn, then this call).
 * @param room tokens that must be left for the answer
 * @throws ModelError `context_too_long`
 */
export function promptBlocks(
  context: Context,
  action: Action,
  options: StepOptions,
  tokenizer: Tokenizer,
  maxPositions: number,
  room: number,
): number[][] {
  const visible = visibleContext(context, action, options.directives);
  const blocks = encodeContext(visible, action, options.directives, tokenizer);
  const length = blocks.reduce((sum, block) => sum + block.length, 0);
  if (length + room > maxPositions) {
    throw new ModelError(
      'context_too_long',
      `This world and call have ${length} tokens; the model takes ${maxPositions - room} before an answer.`,
      'Shorten the state, the rules or the tools.',
    );
  }
  return blocks;
}

/** Puts an answer together. `ms` and the counts of `cost` are the caller's; `generatedTokens` is counted here. */
export function makePrediction(
  text: SlotTexts,
  tokens: DraftToken[],
  cost: Omit<Cost, 'generatedTokens'>,
  seed: number,
  tokenizer: Tokenizer,
  selection: Selection | null = null,
  constraint?: ConstraintRecord,
): Prediction {
  const generatedTokens = encodeAnswer(text, tokenizer).length - 1;
  return {
    ...{ kind: 'prediction', ...parseAnswer(text), text, tokens, cost: { ...cost, generatedTokens }, seed },
    ...(selection ? { selection } : {}),
    ...(constraint ? { constraint } : {}),
  };
}

/** Length of the longest common prefix under `same`. */
export function commonPrefix<T>(a: readonly T[], b: readonly T[], same: (x: T, y: T) => boolean): number {
  const end = Math.min(a.length, b.length);
  let n = 0;
  while (n < end && same(a[n] as T, b[n] as T)) n++;
  return n;
}
