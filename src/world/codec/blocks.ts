/** From worlds, calls and answers to blocks of tokens in clean form, the same for every model, and back. */
import type { Action, Context, Directive, SlotTexts, Turn, World } from '../types';
import { CALL, END, FIRST_TEXT, RESP, RULES, STATE, TASK, TOOLS, TURN, type Tokenizer } from './special';
import { callText, directivesText, worldText } from './text';

/** Block 0: rules, tools, state, task. */
export function encodeWorld(world: World, tokenizer: Tokenizer): number[] {
  const text = worldText(world);
  return [
    RULES,
    ...tokenizer.encode(text.rules),
    TOOLS,
    ...tokenizer.encode(text.tools),
    STATE,
    ...tokenizer.encode(text.state),
    TASK,
    ...tokenizer.encode(text.task),
  ];
}

/** Block 2k-1: the directives of turn k (a span that may be empty, or untold) and its call. */
export function encodeCall(directives: readonly Directive[] | null, action: Action, tokenizer: Tokenizer): number[] {
  return [TURN, ...tokenizer.encode(directivesText(directives)), CALL, ...tokenizer.encode(callText(action))];
}

/** Block 2k: the answer, each slot closed by `<end>`. */
export function encodeAnswer(text: SlotTexts, tokenizer: Tokenizer): number[] {
  return [
    RESP,
    ...tokenizer.encode(text.observation),
    END,
    ...tokenizer.encode(text.delta),
    END,
    ...tokenizer.encode(text.status),
    END,
  ];
}

/** The blocks of one finished turn. */
export function encodeTurn(turn: Turn, tokenizer: Tokenizer): [number[], number[]] {
  return [encodeCall(turn.directives, turn.action, tokenizer), encodeAnswer(turn.text, tokenizer)];
}

/** All blocks before the answer to `action`; the answer's own block has the number `blocks.length`. */
export function encodeContext(
  context: Context,
  action: Action,
  directives: readonly Directive[],
  tokenizer: Tokenizer,
): number[][] {
  return [
    encodeWorld(context.world, tokenizer),
    ...context.history.flatMap((turn) => encodeTurn(turn, tokenizer)),
    encodeCall(directives, action, tokenizer),
  ];
}

/** Number of the block each token stands in, for blocks laid end to end. */
export function blockIds(blocks: readonly (readonly number[])[]): number[] {
  return blocks.flatMap((block, i) => block.map(() => i));
}

/**
 * Text of an answer's tokens (with or without the leading `<resp>`). Slots end at `<end>`; masks and pads give nothing;
 * a slot that never came is empty.
 */
export function decodeAnswer(ids: readonly number[], tokenizer: Tokenizer): SlotTexts {
  const slots: number[][] = [[], [], []];
  let slot = 0;
  for (const id of ids) {
    if (id === END) slot++;
    else if (id >= FIRST_TEXT) slots[slot]?.push(id);
    if (slot > 2) break;
  }
  const [observation = '', delta = '', status = ''] = slots.map((part) => tokenizer.decode(part));
  return { observation, delta, status };
}
