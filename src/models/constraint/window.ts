/**
 * The constraint on a window that is filled from all sides. Every place gets its token from one answer that agrees with all
 * that is written, so whichever places a sampler writes, the rest can still be filled.
 */
import { MASK, type SlotSizes } from '../../world/codec';
import { SLOTS, type Slot } from '../../world/types';
import type { AnswerWindow } from '../diffusion/window';
import type { Outcome } from './answers';
import { Rated, type PathDrawing, type PlaceChoice, type PlaceScores } from './rated';
import { SlotPath, type PlaceView } from './slotPath';

export class WindowConstraint {
  constructor(
    private readonly outcomes: readonly Outcome[],
    private readonly vocabSize: number,
  ) {}

  /** The first slot in which no kind of answer fits the places of the window; null when one fits them all. */
  problem(places: readonly PlaceView[], sizes: SlotSizes): Slot | null {
    const kinds = this.pathsOf(places, sizes);
    if (kinds.some((paths) => SLOTS.every((slot) => fits(paths[slot])))) return null;
    return SLOTS.find((slot) => !kinds.some((paths) => fits(paths[slot]))) ?? 'observation';
  }

  /**
   * What the masked places get on the best path; null for the others, and for slots that are held to nothing.
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
    const kinds = this.pathsOf(places, sizes).filter((paths) => SLOTS.every((slot) => fits(paths[slot])));
    let first = 0;
    const rated = SLOTS.flatMap((slot) => {
      const limits = [...new Set(kinds.flatMap((paths) => paths[slot] ?? []))];
      const own = Array.from({ length: sizes[slot] }, (_, at) => {
        const place = first + at;
        if (limits.length === 0 || 'id' in (places[place] as PlaceView)) return null;
        const support = new Uint8Array(this.vocabSize);
        for (const path of limits) path.support(at, support);
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
        const path = paths[slot];
        if (!path) return { tokens: of.map(() => MASK), score: 0 };
        const found = best.get(path) ?? path.best(of);
        best.set(path, found);
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
  private pathsOf(places: readonly PlaceView[], sizes: SlotSizes): Record<Slot, SlotPath | null>[] {
    let start = 0;
    const made = SLOTS.map((slot) => {
      const own = places.slice(start, (start += sizes[slot]));
      const known = new Map<object, SlotPath>();
      return (outcome: Outcome) => {
        const automaton = outcome[slot];
        if (!automaton) return null;
        const found = known.get(automaton) ?? new SlotPath(automaton, own);
        known.set(automaton, found);
        return found;
      };
    });
    return this.outcomes.map((outcome) => {
      const [observation, delta, status] = made.map((path) => path(outcome)) as [
        SlotPath | null,
        SlotPath | null,
        SlotPath | null,
      ];
      return { observation, delta, status };
    });
  }
}

/** A slot that is held to nothing fits always. */
function fits(path: SlotPath | null): boolean {
  return path?.possible ?? true;
}

/** The places of a window as a constraint sees them. */
export function viewOf(window: AnswerWindow): PlaceView[] {
  const tokens = window.tokens();
  return tokens.slice(1).map((id, i) => (window.isMasked(i + 1) ? { ban: window.ban(i + 1) } : { id }));
}
