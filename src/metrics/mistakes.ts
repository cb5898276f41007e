/**
 * How observations are wrong: each answer is exact or in one of three kinds, so the four shares add up to 1. They say what a
 * model cannot do: tell what happens, calculate or look numbers up, or name the right things.
 */
import { answerText } from '../world/codec/answer';
import type { Transition } from '../world/types';
import { binary, type MetricDefinition } from './definition';
import type { Score } from './score';
import type { ScoredStep } from './types';

type Mistake = 'outcome' | 'numbers' | 'text';

/** The text of an observation with every run of digits alike, a minus before it included. */
function withoutNumbers(transition: Transition): string {
  return answerText(transition).observation.replace(/-?\d+/g, '0');
}

/**
 * What is wrong with an observation; null where it is exact.
 * @returns `outcome`: another status than the twin's, or nothing readable; `numbers`: right but for digits, those of identifiers
 * included; `text`: anything else
 */
export function mistakeOf(
  { parseOk, statusMatch, observationExact }: Score,
  { truth, answer }: ScoredStep,
): Mistake | null {
  if (observationExact === 1) return null;
  if (parseOk === 0 || statusMatch === 0) return 'outcome';
  return withoutNumbers(truth) === withoutNumbers(answer.transition) ? 'numbers' : 'text';
}

const share = (mistake: Mistake): MetricDefinition => ({
  ...binary((score, step) => ({ sum: Number(mistakeOf(score, step) === mistake), n: 1 })),
  lowerIsBetter: true,
});

export const wrongOutcome = share('outcome');
export const wrongNumbers = share('numbers');
export const wrongText = share('text');
