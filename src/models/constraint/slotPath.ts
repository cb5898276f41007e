/**
 * One slot of a window and a grammar: which states each place can be reached in and left from, and the best path. Dynamic
 * programming over places and states, as DINGO does it (Suresh et al. 2025).
 */
import { PAD_0, PAD_CYCLE, isPad } from '../../world/codec';
import type { Ban } from '../diffusion/window';
import type { TokenAutomaton } from './automaton';
import type { Rated } from './rated';

/** A place of a window: its token, or what may not stand there while it is masked. */
export type PlaceView = { id: number } | { ban: Ban | null };

const PADS = Int32Array.from({ length: PAD_CYCLE }, (_, i) => PAD_0 + i);
/** Number of the set of pads; sets of the automaton count from 0. */
const PAD_SET = -1;

export class SlotPath {
  /** For each place, and behind the last, the states through which the whole slot can be filled. */
  private readonly alive: Uint8Array[];
  private readonly reached: number[][];

  constructor(
    private readonly automaton: TokenAutomaton,
    private readonly places: readonly PlaceView[],
  ) {
    this.reached = this.reach();
    this.alive = this.keep();
  }

  /** Whether anything that the grammar has fits the places. */
  get possible(): boolean {
    return this.alive[0]?.[this.automaton.start] === 1;
  }

  /** Marks the tokens with which a masked place can be filled so that the rest can be as well. */
  support(at: number, mask: Uint8Array): void {
    const place = this.places[at] as PlaceView;
    if ('id' in place) return;
    const { ban } = place;
    const seen = new Set<number>();
    for (const state of this.reached[at] as number[]) {
      if (!this.alive[at]?.[state]) continue;
      this.ways(place, state, (to, set) => {
        if (seen.has(set) || !this.alive[at + 1]?.[to]) return;
        seen.add(set);
        for (const id of this.tokens(set)) if (!ban?.(id)) mask[id] = 1;
      });
    }
  }

  /**
   * The best path.
   * @param rated scores of each masked place; null for the others
   * @returns a token for each place, and the sum of the scores
   */
  best(rated: readonly (Rated | null)[]): { tokens: number[]; score: number } {
    const { size, start, setCount } = this.automaton;
    const from: Int32Array[] = [];
    const token: Int32Array[] = [];
    let scores = new Float64Array(size).fill(-Infinity);
    scores[start] = 0;
    for (const [at, place] of this.places.entries()) {
      const next = new Float64Array(size).fill(-Infinity);
      const [came, took] = [new Int32Array(size), new Int32Array(size)];
      const bestOf = bestOfSets(rated[at]?.score ?? null, setCount, (set) => this.tokens(set));
      for (const state of this.reached[at] as number[]) {
        const before = scores[state] as number;
        if (before === -Infinity || !this.alive[at]?.[state]) continue;
        this.ways(place, state, (to, set) => {
          if (!this.alive[at + 1]?.[to]) return;
          const one = 'id' in place ? place.id : bestOf(set);
          const total = before + (rated[at]?.score[one] ?? 0);
          if (total <= (next[to] as number)) return;
          next[to] = total;
          came[to] = state;
          took[to] = one;
        });
      }
      scores = next;
      from.push(came);
      token.push(took);
    }
    let at = scores.reduce((best, score, state) => (score > (scores[best] as number) ? state : best), 0);
    const score = scores[at] as number;
    const tokens: number[] = [];
    for (let i = this.places.length - 1; i >= 0; i--) {
      tokens.push(token[i]?.[at] as number);
      at = from[i]?.[at] as number;
    }
    return { tokens: tokens.reverse(), score };
  }

  private reach(): number[][] {
    const layers = [this.automaton.start < 0 ? [] : [this.automaton.start]];
    for (const place of this.places) {
      const next: number[] = [];
      const seen: boolean[] = [];
      const add = (to: number) => {
        if (!seen[to]) next.push(to);
        seen[to] = true;
      };
      for (const state of layers.at(-1) as number[]) this.ways(place, state, add);
      layers.push(next);
    }
    return layers;
  }

  private keep(): Uint8Array[] {
    const { size } = this.automaton;
    let after = new Uint8Array(size);
    for (const state of this.reached.at(-1) as number[]) if (this.automaton.isOver(state)) after[state] = 1;
    const layers = [after];
    for (let at = this.places.length - 1; at >= 0; at--) {
      const [here, behind] = [new Uint8Array(size), after];
      for (const state of this.reached[at] as number[]) {
        this.ways(this.places[at] as PlaceView, state, (to) => {
          if (behind[to]) here[state] = 1;
        });
      }
      layers.push((after = here));
    }
    return layers.reverse();
  }

  private tokens(set: number): Int32Array {
    return set === PAD_SET ? PADS : this.automaton.tokens(set);
  }

  /** The ways from a state over a place. Behind the end there are pads. */
  private ways(place: PlaceView, state: number, way: (to: number, set: number) => void): void {
    const over = this.automaton.isOver(state);
    if ('id' in place) {
      const to = isPad(place.id) ? (over ? state : -1) : over ? -1 : this.automaton.step(state, place.id);
      if (to >= 0) way(to, PAD_SET);
      return;
    }
    const { ban } = place;
    if (over) {
      if (!ban || PADS.some((id) => !ban(id))) way(state, PAD_SET);
      return;
    }
    const { to, sets } = this.automaton.from(state);
    for (let i = 0; i < to.length; i++) {
      const set = sets[i] as number;
      if (!ban || this.automaton.tokens(set).some((id) => !ban(id))) way(to[i] as number, set);
    }
  }
}

/** The best token of each set at a place, looked for once. */
function bestOfSets(
  score: Float64Array | null,
  count: number,
  tokens: (set: number) => Int32Array,
): (set: number) => number {
  if (!score) return () => 0;
  const known = new Int32Array(count + 1).fill(-1);
  return (set) => {
    const found = known[set + 1] as number;
    if (found >= 0) return found;
    let best = -1;
    for (const id of tokens(set)) {
      if (best < 0 || (score[id] as number) > (score[best] as number)) best = id;
    }
    known[set + 1] = best;
    return best;
  };
}
