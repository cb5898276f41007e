/**
 * The window in which an MDLM writes an answer: its slots, what is written, masked or pinned, and when a slot grows. Sizes
 * come from a fixed start and from what the model writes, never from the true answer (models/training/sampler.py does the
 * same in torch). What is written when is up to the samplers; see denoise.ts.
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
  padId,
  type SlotSizes,
  type Tokenizer,
} from '../../world/codec';
import type { DraftToken } from '../../world/simulator';
import { SLOTS, type Slot, type SlotTexts } from '../../world/types';

/** What a pass says about the places of a window, counted from `<resp>` at 0. `best` is greedy, `token` may be drawn. */
export interface Guess {
  best: ArrayLike<number>;
  token: ArrayLike<number>;
  /** Probability of `token`. */
  confidence: ArrayLike<number>;
  /** Lead of the best token over the second, and entropy in nats. */
  margin: ArrayLike<number>;
  entropy: ArrayLike<number>;
  /** What `token` would be without a constraint; absent where there is none. */
  free?: ArrayLike<number>;
}

/** A token that may not stand at a place. */
export type Ban = (token: number) => boolean;

/** A place that is known before anything is generated: its token, or what may not stand there. */
export type FixedPlace = { id: number } | { ban: Ban };
/** Per slot, the places from its start on; those behind them are open. */
export type FixedSlots = Partial<Record<Slot, readonly (FixedPlace | null)[]>>;

interface Place {
  id: number;
  confidence: number;
  /** Pass in which the place was committed, from 1; 0 while it is masked or when it was pinned. */
  pass: number;
  /** Never masked again: pinned, or at or behind an `<end>` that cropped its slot. */
  settled: boolean;
  /** Left out of passes: behind such an `<end>`. */
  hidden: boolean;
  ban: Ban | null;
  /** How often it was masked again. */
  visits: number;
}

export interface WindowOptions {
  fixed?: FixedSlots | undefined;
  /** Leave what stands behind a committed `<end>` out of later passes. */
  crop?: boolean | undefined;
}

export class AnswerWindow {
  private readonly slots: Record<Slot, Place[]>;
  /** Nothing is committed yet: slots may still find that they are too small. */
  private fresh = true;
  private passes = 0;
  private readonly crops: boolean;

  constructor(sizes: SlotSizes = START_SIZES, { fixed = {}, crop = false }: WindowOptions = {}) {
    this.slots = { observation: [], delta: [], status: [] };
    this.crops = crop;
    for (const slot of SLOTS) {
      this.slots[slot] = masks(sizes[slot]);
      fixed[slot]?.forEach((known, i) => {
        const place = this.slots[slot][i];
        if (!place) throw new RangeError(`slot ${slot} has no room for what is fixed in it`);
        if (known === null) return;
        if ('ban' in known) place.ban = known.ban;
        else Object.assign(place, { id: known.id, confidence: 1, settled: true });
      });
      this.cropSlot(slot);
    }
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
   * Places that a pass has to run, `<resp>` at 0 included: all that are not cropped away.
   * @param shift the prediction for a place is read at the place before it, which then has to stay
   */
  shown(shift: boolean): number[] {
    const places = this.places();
    return [
      0,
      ...places.flatMap((place, i) => (!place.hidden || (shift && places[i + 1]?.id === MASK) ? [i + 1] : [])),
    ];
  }

  /** What may not stand at a place, if it is restricted. */
  ban(place: number): Ban | null {
    return this.at(place).ban;
  }

  /** How often a place was masked again. */
  visits(place: number): number {
    return this.at(place).visits;
  }

  isMasked(place: number): boolean {
    return this.at(place).id === MASK;
  }

  /** Whether a sampler wrote the place and may take it back. */
  isWritten(place: number): boolean {
    const { id, settled } = this.at(place);
    return id !== MASK && !settled;
  }

  /** Places of the first block with a masked place; blocks have `size` places and end with their slot. */
  firstBlock(size: number): number[] {
    const offsets = this.offsets();
    for (const slot of SLOTS) {
      const at = this.slots[slot].findIndex((place) => place.id === MASK);
      if (at < 0) continue;
      const start = at - (at % size);
      const end = Math.min(start + size, this.slots[slot].length);
      return Array.from({ length: end - start }, (_, i) => offsets[slot] + start + i);
    }
    return [];
  }

  /**
   * Takes note of a pass. While nothing was committed and the best token of a slot's last place is text, that slot grows.
   * @returns whether the window grew, so that the pass is of no further use
   */
  notice(guess: Guess): boolean {
    this.passes++;
    const offsets = this.offsets();
    if (this.fresh) {
      const grown = SLOTS.filter((slot) => {
        const last = this.slots[slot].length - 1;
        const open = this.slots[slot][last]?.id === MASK;
        return open && (guess.best[offsets[slot] + last] as number) >= FIRST_TEXT && this.grow(slot);
      });
      if (grown.length > 0) return true;
      this.fresh = false;
    }
    for (const at of this.masked()) this.at(at).confidence = guess.confidence[at] as number;
    return false;
  }

  /** Writes the tokens of a pass at these places, and crops slots that now have their `<end>`. */
  commit(at: readonly number[], guess: Guess): void {
    for (const one of at) {
      const place = this.at(one);
      place.id = guess.token[one] as number;
      place.pass = this.passes;
    }
    for (const slot of SLOTS) this.cropSlot(slot);
  }

  /** Takes back what was written at these places. */
  remask(at: readonly number[]): void {
    for (const one of at) {
      const place = this.at(one);
      place.id = MASK;
      place.pass = 0;
      place.visits++;
    }
  }

  /** Slots that are full without `<end>` grow and keep what they hold; says whether one did. */
  growFull(): boolean {
    const full = (slot: Slot) => this.slots[slot].every(({ id }) => id !== MASK && id !== END);
    return SLOTS.filter((slot) => full(slot) && this.grow(slot)).length > 0;
  }

  private grow(slot: Slot): boolean {
    const places = this.slots[slot];
    const larger = largerSize(slot, places.length);
    if (larger === undefined) return false;
    places.push(...masks(larger - places.length));
    return true;
  }

  /** What is masked behind a committed `<end>` can only be pads: it needs no passes, and later ones do not see it. */
  private cropSlot(slot: Slot): void {
    if (!this.crops) return;
    const places = this.slots[slot];
    const end = places.findIndex(({ id }) => id === END);
    if (end < 0) return;
    const { confidence, pass } = places[end] as Place;
    (places[end] as Place).settled = true;
    places.slice(end + 1).forEach((place, i) => {
      if (place.id === MASK) Object.assign(place, { id: padId(i), confidence, pass });
      place.settled = place.hidden = true;
    });
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

  private at(place: number): Place {
    const { observation, delta } = this.sizes;
    let i = place - 1;
    if (i < observation) return this.slots.observation[i] as Place;
    i -= observation;
    return (i < delta ? this.slots.delta[i] : this.slots.status[i - delta]) as Place;
  }

  /** First place of each slot. */
  private offsets(): SlotSizes {
    const { observation, delta } = this.sizes;
    return { observation: 1, delta: 1 + observation, status: 1 + observation + delta };
  }
}

/** The smallest trained size of a slot that has room for so many tokens, but not below the size it starts from. */
export function sizeFor(slot: Slot, tokens: number): number | undefined {
  return SLOT_SIZES[slot].find((size) => size >= Math.max(tokens, START_SIZES[slot]));
}

function masks(n: number): Place[] {
  return Array.from({ length: n }, () => ({
    id: MASK,
    confidence: 0,
    pass: 0,
    settled: false,
    hidden: false,
    ban: null,
    visits: 0,
  }));
}
