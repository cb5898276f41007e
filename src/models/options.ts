/** Checks of the options that both kinds of models share. */
import type { StepOptions } from '../world/simulator';
import { ModelError } from './errors';

/** Largest scale of guidance; beyond it only one token is ever left. */
const MOST_GUIDANCE = 100;

/** Sampling of tokens as both kinds of models understand it. */
export interface Drawing {
  topP: number;
  minP: number;
  /** Scale of guidance; 0 for none. */
  guidance: number;
}

/**
 * The options with their defaults.
 * @throws ModelError `bad_options` with the range of the one that is out of it
 */
export function drawingOf(options: StepOptions): Drawing {
  const { temperature, topP, minP = 0, guidance = 0 } = options;
  within('The temperature', temperature, 0, 100);
  within('top-p', topP, Number.MIN_VALUE, 1);
  within('min-p', minP, 0, 1);
  within('The scale of guidance', guidance, 0, MOST_GUIDANCE);
  return { topP, minP, guidance };
}

function within(name: string, value: number, min: number, max: number): void {
  if (value >= min && value <= max) return;
  const range = min === Number.MIN_VALUE ? `above 0 and at most ${max}` : `from ${min} to ${max}`;
  throw new ModelError('bad_options', `${name} is ${value}.`, `Give a number ${range}.`);
}
