/** The window in which a diffusion model writes an answer: three slots, each with a size of its own. */
import { SLOTS, type Slot } from '../types';
import { END, MASK, PUNCTUATION, RESP, padId, type Tokenizer } from './special';

/** Tokens per slot, `<end>` included. */
export type SlotSizes = Record<Slot, number>;

/** The sizes models are trained with; a sampler may choose any of them. */
export const SLOT_SIZES: Record<Slot, readonly number[]> = {
  observation: [16, 32, 64, 128],
  delta: [4, 16, 40, 80],
  status: [8],
};

/** Sizes a sampler starts from, whatever the answer is: the smallest, which half of the answers fit; the others grow. */
export const START_SIZES: SlotSizes = { observation: 16, delta: 4, status: 8 };

/** Where a slot lies in the window: positions [start, end), counted from `<resp>` at 0. */
export interface SlotSpan {
  slot: Slot;
  start: number;
  end: number;
}

export function slotSpans(sizes: SlotSizes): SlotSpan[] {
  let start = 1;
  return SLOTS.map((slot) => {
    const span = { slot, start, end: start + sizes[slot] };
    start = span.end;
    return span;
  });
}

/** A window before anything is written: `<resp>`, then masks. */
export function maskedWindow(sizes: SlotSizes): number[] {
  return [RESP, ...Array<number>(SLOTS.reduce((sum, slot) => sum + sizes[slot], 0)).fill(MASK)];
}

/** The next larger trained size of a slot, or undefined at the largest. */
export function largerSize(slot: Slot, size: number): number | undefined {
  return SLOT_SIZES[slot].find((option) => option > size);
}

/**
 * One slot filled with known content: content, `<end>`, pads in their cycle.
 * @throws RangeError when the content does not fit.
 */
export function fillSlot(content: readonly number[], size: number): number[] {
  if (content.length >= size) throw new RangeError(`${content.length} tokens do not fit a slot of ${size}`);
  return [...content, END, ...Array.from({ length: size - content.length - 1 }, (_, i) => padId(i))];
}

/**
 * Content with `n` elastic pads before the token at `index`, as they are inserted in training: allowed where that token
 * or the one before it is JSON punctuation only. Dropping pads on read-out gives the content back.
 * @throws RangeError at any other place.
 */
export function insertElastic(content: readonly number[], index: number, n: number, tokenizer: Tokenizer): number[] {
  const isBoundary = [content[index], content[index - 1]].some(
    (id) => id !== undefined && PUNCTUATION.test(tokenizer.decode([id])),
  );
  if (!isBoundary) throw new RangeError(`position ${index} is not beside JSON punctuation`);
  return [...content.slice(0, index), ...Array.from({ length: n }, (_, i) => padId(i)), ...content.slice(index)];
}
