/**
 * The window in which an MDLM writes an answer, and the threshold sampler over it (models/training/sampler.py does the
 * same in torch). Sizes come from a fixed start and from what the model writes, never from the true answer.
 */
import {
  END,
  FIRST_TEXT,
  MASK,
  RESP,
  SLOT_SIZES,
  START_SIZES,
  isPad,
  largerSize,
  type SlotSizes,
  type Tokenizer,
} from '../../world/codec';
import type { DraftToken } from '../../world/simulator';
import { SLOTS, type Slot, type SlotTexts } from '../../world/types';

/** What a pass says about the places of a window, counted from `<resp>` at 0. `best` is greedy, `token` may be drawn. */
export interface Guess {
  best: ArrayLike<number>;
  token: ArrayLike<number>;
  confidence: ArrayLike<number>;
}

interface Place {
  id: number;
  confidence: number;
  /** Pass in which the place was committed, from 1; 0 while it is masked. */
  pass: number;
}

/** Every pass commits a place or grows a slot, so this many passes always suffice. */
export const MAX_PASSES = SLOTS.reduce((sum, slot) => sum + Math.max(...SLOT_SIZES[slot]) + SLOT_SIZES[slot].length, 0);

export class AnswerWindow {
  private readonly slots: Record<Slot, Place[]>;
  /** Nothing is committed yet: slots may still find that they are too small. */
  private fresh = true;
  private passes = 0;

  constructor(sizes: SlotSizes = START_SIZES) {
    this.slots = { observation: [], delta: [], status: [] };
    for (const slot of SLOTS) this.slots[slot] = masks(sizes[slot]);
  }

  /** `<resp>` and all places. */
  tokens(): number[] {
    return [RESP, ...this.places().map((place) => place.id)];
  }

  get done(): boolean {
    return this.places().every((place) => place.id !== MASK);
  }

  get sizes(): SlotSizes {
    const size = (slot: Slot) => this.slots[slot].length;
    return { observation: size('observation'), delta: size('delta'), status: size('status') };
  }

  /** Places that are masked, counted from `<resp>` at 0. */
  masked(): number[] {
    return this.places().flatMap((place, i) => (place.id === MASK ? [i + 1] : []));
  }

  /**
   * Takes one pass in. While the window is untouched and the best token of a slot's last place is text, that slot grows
   * and nothing is committed. Otherwise every masked place with at least `threshold` confidence is committed, and always
   * the most confident one; then slots that are full without `<end>` grow and keep what they hold.
   */
  advance(guess: Guess, threshold: number): void {
    this.passes++;
    const offsets = this.offsets();
    if (this.fresh) {
      const grown = SLOTS.filter((slot) => {
        const last = offsets[slot] + this.slots[slot].length - 1;
        return (guess.best[last] as number) >= FIRST_TEXT && this.grow(slot);
      });
      if (grown.length > 0) return;
      this.fresh = false;
    }
    this.commit(guess, threshold);
    for (const slot of SLOTS) {
      const ids = this.slots[slot].map((place) => place.id);
      if (!ids.includes(MASK) && !ids.includes(END)) this.grow(slot);
    }
  }

  private commit(guess: Guess, threshold: number): void {
    const places = this.places();
    const masked = this.masked();
    let top = masked[0] as number;
    for (const at of masked) if ((guess.confidence[at] as number) > (guess.confidence[top] as number)) top = at;
    for (const at of masked) {
      const place = places[at - 1] as Place;
      place.confidence = guess.confidence[at] as number;
      if (at !== top && place.confidence < threshold) continue;
      place.id = guess.token[at] as number;
      place.pass = this.passes;
    }
  }

  private grow(slot: Slot): boolean {
    const places = this.slots[slot];
    const larger = largerSize(slot, places.length);
    if (larger === undefined) return false;
    places.push(...masks(larger - places.length));
    return true;
  }

  /** Every place for drawing. Pads are among them; a replay needs the whole window. */
  draft(): DraftToken[] {
    return SLOTS.flatMap((slot) =>
      this.slots[slot].map(({ id, confidence, pass }) => ({ slot, id, masked: id === MASK, confidence, pass })),
    );
  }

  /** The answer as far as it is written: each slot up to its first `<end>`, without masks and pads. */
  text(tokenizer: Tokenizer): SlotTexts {
    const [observation = '', delta = '', status = ''] = SLOTS.map((slot) => {
      const ids = this.slots[slot].map((place) => place.id);
      const end = ids.indexOf(END);
      return tokenizer.decode((end < 0 ? ids : ids.slice(0, end)).filter((id) => id !== MASK && !isPad(id)));
    });
    return { observation, delta, status };
  }

  private places(): Place[] {
    return SLOTS.flatMap((slot) => this.slots[slot]);
  }

  /** First place of each slot. */
  private offsets(): SlotSizes {
    const { observation, delta } = this.sizes;
    return { observation: 1, delta: 1 + observation, status: 1 + observation + delta };
  }
}

function masks(n: number): Place[] {
  return Array.from({ length: n }, () => ({ id: MASK, confidence: 0, pass: 0 }));
}
