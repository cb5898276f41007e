/**
 * The constraint on a window that is filled from all sides. Every place gets its token from one answer that agrees with all
 * that is written, so whichever places a sampler writes, the rest can still be filled.
 */
import type { SlotSizes } from '../../world/codec';
import { SLOTS, type Slot } from '../../world/types';
import type { AnswerWindow } from '../diffusion/window';
import type { Outcome } from './answers';
import { Rated, type PathDrawing, type PlaceChoice, type PlaceScores } from './rated';
import { SlotPath, type PlaceView } from './slotPath';

export class WindowConstraint {
  /** @param elastic whether pads may stand inside of a slot, between what is fixed and what is not */
  constructor(
    private readonly outcomes: readonly Outcome[],
    private readonly vocabSize: number,
    private readonly elastic: (slot: Slot) => boolean,
  ) {}

  /** The first slot in which no kind of answer fits the places of the window; null when one fits them all. */
  problem(places: readonly PlaceView[], sizes: SlotSizes): Slot | null {
    const kinds = this.pathsOf(places, sizes);
    if (kinds.some((paths) => SLOTS.every((slot) => paths[slot].possible))) return null;
    return SLOTS.find((slot) => !kinds.some((paths) => paths[slot].possible)) ?? 'observation';
  }

  /**
   * What the masked places get on the best path; null for the others.
   * @param places all places of the window, in order
   * @param scores what the pass says about a masked place, by its number in `places`
   * @throws RangeError when no answer agrees with what is written, which `problem` tells before
   */
  choose(
    places: readonly PlaceView[],
    sizes: SlotSizes,
    scores: (place: number) => PlaceScores,
    drawing: PathDrawing,
  ): (PlaceChoice | null)[] {
    const kinds = this.pathsOf(places, sizes).filter((paths) => SLOTS.every((slot) => paths[slot].possible));
    let first = 0;
    const rated = SLOTS.flatMap((slot) => {
      const own = Array.from({ length: sizes[slot] }, (_, at) => {
        const place = first + at;
        if ('id' in (places[place] as PlaceView)) return null;
        const support = new Uint8Array(this.vocabSize);
        for (const paths of new Set(kinds.map((paths) => paths[slot]))) paths.support(at, support);
        return new Rated(scores(place), support, drawing);
      });
      first += sizes[slot];
      return own;
    });
    const best = new Map<SlotPath, { tokens: number[]; score: number }>();
    const answers = kinds.map((paths) => {
      let start = 0;
      const parts = SLOTS.map((slot) => {
        const of = rated.slice(start, (start += sizes[slot]));
        const found = best.get(paths[slot]) ?? paths[slot].best(of);
        best.set(paths[slot], found);
        return found;
      });
      return {
        tokens: parts.flatMap(({ tokens }) => tokens),
        score: parts.reduce((sum, { score }) => sum + score, 0),
      };
    });
    const [chosen, ...others] = answers;
    if (!chosen) throw new RangeError('no answer agrees with the window');
    const { tokens } = others.reduce((a, b) => (b.score > a.score ? b : a), chosen);
    return tokens.map((token, i) => rated[i]?.choice(token) ?? null);
  }

  /** Paths of each kind of answer; kinds that have the same grammar in a slot share its paths. */
  private pathsOf(places: readonly PlaceView[], sizes: SlotSizes): Record<Slot, SlotPath>[] {
    let start = 0;
    const made = SLOTS.map((slot) => {
      const own = places.slice(start, (start += sizes[slot]));
      const known = new Map<object, SlotPath>();
      return (outcome: Outcome) => {
        const automaton = outcome[slot];
        const found = known.get(automaton) ?? new SlotPath(automaton, own, this.elastic(slot));
        known.set(automaton, found);
        return found;
      };
    });
    return this.outcomes.map((outcome) => {
      const [observation, delta, status] = made.map((path) => path(outcome)) as [SlotPath, SlotPath, SlotPath];
      return { observation, delta, status };
    });
  }
}

/** The places of a window as a constraint sees them. */
export function viewOf(window: AnswerWindow): PlaceView[] {
  const tokens = window.tokens();
  return tokens
    .slice(1)
    .map((id, i) => (window.isMasked(i + 1) ? { ban: window.ban(i + 1) } : { id }));
}
