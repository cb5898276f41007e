/** Several answers to one action: how they are told apart in their draws, when one is good enough, and which is taken. */
import { parseAnswer } from '../world/codec';
import { pinHolds, type Pin } from '../world/anchors';
import type { ConstraintRecord, DraftToken, Selection, StepOptions } from '../world/simulator';
import type { Action, Context, SlotTexts } from '../world/types';
import { ModelError } from './errors';
import type { Verifier } from './verifiers';

export const DEFAULT_ATTEMPTS = 8;
const MOST = 1024;

/** A finished attempt. */
export interface Attempt {
  text: SlotTexts;
  tokens: DraftToken[];
  /** What a constraint did to it. */
  constraint?: ConstraintRecord | undefined;
}

/** Key of a draw: by seed, lane, step and position, and by how often the place was masked again and the attempt. */
export function drawKey(options: StepOptions, attempt: number, position: number, visits = 0): number[] {
  const more = attempt > 0 ? [visits, attempt] : visits > 0 ? [visits] : [];
  return [options.seed, options.lane, options.step, position, ...more];
}

export class Candidates {
  /** Attempts that will be made at most. */
  readonly limit: number;
  private readonly verifier: Verifier | null;
  private readonly scores: number[] = [];
  private accepted = 0;
  private best: { attempt: Attempt; rank: number; index: number } | null = null;

  /**
   * @param placed which of the options' pins are fixed before generation
   * @throws ModelError `bad_options`
   */
  constructor(
    private readonly context: Context,
    private readonly action: Action,
    private readonly options: StepOptions,
    private readonly placed: readonly boolean[],
    verifiers: { readonly [name: string]: Verifier },
  ) {
    const { bestOf, temperature, attempts = DEFAULT_ATTEMPTS } = options;
    const whole = (n: number, name: string) => {
      if (Number.isInteger(n) && n >= 1 && n <= MOST) return n;
      throw new ModelError('bad_options', `${name} is ${n}.`, `Give a whole number from 1 to ${MOST}.`);
    };
    this.verifier = null;
    if (bestOf) {
      const found = Object.hasOwn(verifiers, bestOf.verifier) ? verifiers[bestOf.verifier] : undefined;
      if (!found) {
        const known = Object.keys(verifiers).join(', ');
        throw new ModelError('bad_options', `There is no verifier "${bestOf.verifier}".`, `Use one of ${known}.`);
      }
      if (bestOf.n > 1 && temperature <= 0) {
        const message = 'At temperature 0 all answers are the same, so there is no best of several.';
        throw new ModelError('bad_options', message, 'Raise the temperature, or ask for one answer.');
      }
      this.verifier = found;
    }
    const tries = whole(attempts, 'The number of attempts');
    this.limit = bestOf ? whole(bestOf.n, 'n of best-of-n') : placed.every(Boolean) ? 1 : tries;
  }

  get made(): number {
    return this.scores.length;
  }

  /** Rejection at temperature 0 begins with the greedy answer and goes on with samples of the model. */
  get temperature(): number {
    const { temperature } = this.options;
    return temperature <= 0 && this.made > 0 ? 1 : temperature;
  }

  /** Takes a finished attempt; says whether another is needed. */
  offer(attempt: Attempt): boolean {
    const held = this.held(attempt.text);
    const share = held.length > 0 ? held.filter(Boolean).length / held.length : 1;
    const score = this.verifier ? this.judge(attempt, this.verifier) : 1;
    // Any answer that has every pin is better than all that lack one.
    const rank = share < 1 ? share - 1 : score;
    if (share === 1) this.accepted++;
    if (!this.best || rank > this.best.rank) this.best = { attempt, rank, index: this.made };
    this.scores.push(score);
    return rank < 1 && this.made < this.limit;
  }

  /** The best attempt, the first among equals. */
  get chosen(): Attempt {
    if (!this.best) throw new RangeError('there was no attempt');
    return this.best.attempt;
  }

  /** What is told of the choice; null where there was none. */
  get selection(): Selection | null {
    const { pins = [], bestOf } = this.options;
    if (pins.length === 0 && !bestOf) return null;
    const held = this.held(this.chosen.text);
    return {
      attempts: this.made,
      accepted: this.accepted,
      chosen: this.best?.index ?? 0,
      scores: this.verifier ? [...this.scores] : [],
      pins: this.placed.map((placed, i) => ({ placed, held: held[i] as boolean })),
    };
  }

  private held(text: SlotTexts): boolean[] {
    return (this.options.pins ?? []).map((pin: Pin) => pinHolds(pin, text));
  }

  private judge({ text, tokens }: Attempt, verifier: Verifier): number {
    const { context, action } = this;
    const confidences = tokens.filter(({ pass }) => pass > 0).map(({ confidence }) => confidence);
    return verifier({ context, action, directives: this.options.directives, text, ...parseAnswer(text), confidences });
  }
}
