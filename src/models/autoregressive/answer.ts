/** An answer that is written left to right: which slot a token belongs to, and when the answer is over. */
import { END, SLOT_SIZES, decodeAnswer, type Tokenizer } from '../../world/codec';
import type { DraftToken } from '../../world/simulator';
import { SLOTS, type Slot, type SlotTexts } from '../../world/types';
import type { Choice } from '../draw';

/** Tokens an answer may have at most: what the largest window holds. An answer cut off there lacks its last slots. */
export const MAX_TOKENS = SLOTS.reduce((sum, slot) => sum + Math.max(...SLOT_SIZES[slot]), 0);

export class AnswerStream {
  private readonly written: DraftToken[] = [];
  private at = 0;
  private rounds = 0;

  /** @param forced tokens that the answer starts with, whatever the model says */
  constructor(forced: readonly number[] = []) {
    for (const id of forced) this.add({ token: id, confidence: 1 }, 0);
  }

  get done(): boolean {
    return this.at >= SLOTS.length || this.written.length >= MAX_TOKENS;
  }

  /** `<end>` that are still to come, and tokens there is room for. */
  get left(): { ends: number; tokens: number } {
    return { ends: SLOTS.length - this.at, tokens: MAX_TOKENS - this.written.length };
  }

  /** The slot that the next token belongs to. */
  get slot(): Slot {
    return SLOTS[Math.min(this.at, SLOTS.length - 1)] as Slot;
  }

  get ids(): number[] {
    return this.written.map((token) => token.id);
  }

  /**
   * Adds a generated token.
   * @param pass that it came from; absent: one pass a token
   */
  push(choice: Choice, pass = ++this.rounds): void {
    this.add(choice, pass);
  }

  private add(choice: Choice, pass: number): void {
    const slot = SLOTS[this.at];
    if (this.done || slot === undefined) throw new RangeError('the answer is over');
    this.written.push({ slot, id: choice.token, masked: false, confidence: choice.confidence, pass });
    if (choice.token === END) this.at++;
  }

  draft(): DraftToken[] {
    return [...this.written];
  }

  text(tokenizer: Tokenizer): SlotTexts {
    return decodeAnswer(this.ids, tokenizer);
  }
}
