/** Whether an answer with pinned values holds together. */
import { pinHolds, type Pin } from '../world/anchors';
import { answerText } from '../world/codec/answer';
import { transitionLeaves } from './paths';
import type { Ratio } from './statistics';
import type { Transition } from '../world/types';
import type { Answer } from './types';

export interface AnchorResult {
  /** Pins that stand in the answer. For a diffusion model that is all of them by construction: no merit of its own. */
  satisfied: Ratio;
  /** Leaves of the true answer outside the pins that the answer has; leaves it has beyond those are in the denominator. */
  rest: Ratio;
  /** All pins satisfied and the rest exactly right: the number to report. */
  consistent: boolean;
}

/**
 * Anchor consistency (`metrics_formats.md` 1.3): satisfied *and* the rest consistent with it.
 * @param pins values of `truth`, an answer the twin gives
 * @returns null where a pin is not a value of the truth: an outcome that cannot be has no consistent rest
 */
export function anchorResult(pins: readonly Pin[], truth: Transition, answer: Answer): AnchorResult | null {
  const right = answerText(truth);
  if (!pins.every((pin) => pinHolds(pin, right))) return null;
  const free = (transition: Transition) =>
    [...transitionLeaves(transition, false)].filter(([path]) => !pins.some((pin) => covers(pin, path)));
  const wanted = new Map(free(truth));
  const parsed = answer.parseErrors.length === 0;
  const given = parsed ? free(answer.transition) : [];
  const extra = given.filter(([path]) => !wanted.has(path)).length;
  const satisfied = { sum: pins.filter((pin) => pinHolds(pin, answer.text)).length, n: pins.length };
  const rest = { sum: given.filter(([path, value]) => wanted.get(path) === value).length, n: wanted.size + extra };
  return { satisfied, rest, consistent: parsed && satisfied.sum === satisfied.n && rest.sum === rest.n };
}

/** Whether a leaf lies in what a pin pins. */
function covers({ slot, pointer }: Pin, leaf: string): boolean {
  const tops = slot === 'observation' ? ['/observation', '/text'] : [`/${slot}`];
  return tops.some((top) => `${leaf}/`.startsWith(`${top}${pointer}/`));
}
