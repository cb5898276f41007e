/** The answer of a simulator that copies the state, changes nothing and says nothing: what every score is held against. */
import { answerText } from '../world/codec/answer';
import { emptyObject } from '../world/json';
import { NO_COST } from '../world/simulator';
import type { Answer } from './types';

/**
 * The copy-nothing baseline: observation `{}`, delta `{}`, status `ok`, whatever was asked, at no cost. Its exact deltas are
 * the share of steps that change nothing, which is why delta accuracy is read on the changed ones.
 */
export function copyNothing(): Answer {
  const transition = {
    observation: { kind: 'json' as const, value: emptyObject() },
    delta: emptyObject(),
    status: 'ok',
  };
  return { transition, text: answerText(transition), parseErrors: [], cost: NO_COST };
}
