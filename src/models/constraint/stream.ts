/** The constraint on an answer that is written left to right: which tokens keep it the start of a valid one. */
import { END } from '../../world/codec';
import { SLOTS } from '../../world/types';
import { ModelError } from '../errors';
import type { FullOutcome } from './answers';
import type { TokenAutomaton } from './automaton';

/** A kind of answer that what is written may still become, and where it stands in its slot. */
interface Way {
  outcome: FullOutcome;
  state: number;
}

export class StreamConstraint {
  private ways: Way[];
  private slot = 0;

  /**
   * @param forced tokens that the answer starts with
   * @param left tokens the answer may have at most
   * @throws ModelError `bad_options` when no answer starts so
   */
  constructor(
    outcomes: readonly FullOutcome[],
    private readonly vocabSize: number,
    forced: readonly number[],
    private left: number,
  ) {
    this.ways = outcomes.map((outcome) => ({ outcome, state: outcome.observation.start }));
    for (const id of forced) this.push(id);
  }

  /**
   * Which tokens may come next: those behind which the answer can still be finished in what is left of its length.
   * @param also what else has to hold
   * @throws ModelError `bad_options` when none may, because something else is asked for as well
   */
  allowed(also: (token: number) => boolean): Uint8Array {
    const name = SLOTS[this.slot];
    const all = this.mask(also, () => true);
    if (!name || !all) throw noAnswer();
    const inTime = this.mask(also, (automaton, outcome, to) => {
      const later = SLOTS.slice(this.slot + 1).map((slot) => outcome[slot]);
      return automaton.least(to) + later.reduce((sum, one) => sum + one.least(one.start), 0) < this.left;
    });
    return inTime ?? all;
  }

  /** @throws ModelError `bad_options` for a token that cannot come */
  push(token: number): void {
    const slot = SLOTS[this.slot];
    if (!slot) throw noAnswer();
    const over = token === END;
    const next = over ? SLOTS[++this.slot] : undefined;
    this.ways = this.ways.flatMap(({ outcome, state }) => {
      const to = outcome[slot].step(state, token);
      return to < 0 ? [] : [{ outcome, state: next ? outcome[next].start : to }];
    });
    this.left--;
    if (this.ways.length === 0) throw noAnswer();
  }

  private mask(
    also: (token: number) => boolean,
    takes: (automaton: TokenAutomaton, outcome: FullOutcome, to: number) => boolean,
  ): Uint8Array | null {
    const slot = SLOTS[this.slot];
    if (!slot) return null;
    const mask = new Uint8Array(this.vocabSize);
    let any = false;
    for (const { outcome, state } of this.ways) {
      const automaton = outcome[slot];
      const { to, sets } = automaton.from(state);
      to.forEach((one, i) => {
        if (!takes(automaton, outcome, one)) return;
        for (const id of automaton.tokens(sets[i] as number)) {
          if (!also(id)) continue;
          mask[id] = 1;
          any = true;
        }
      });
    }
    return any ? mask : null;
  }
}

/** What is fixed of the answer and the schema exclude each other. */
export function noAnswer(): ModelError {
  const message = 'No answer under the output schema of the tool has what is pinned or forced.';
  return new ModelError('bad_options', message, 'Change the pins or the prefix, or switch the schema constraint off.');
}
