/**
 * Chance that everyone can see: a short cycle of draws in the state and a pointer to the next one. A tool that needs luck
 * looks up the draw under the pointer and moves it on.
 */
import { get, isObject, type JsonObject } from '../../world/json';
import type { Rng } from '../../world/rng';
import type { State } from '../../world/types';

/** State of a cycle of `n` draws, each an integer in [low, high]: `{"draws":{"d1":4,...},"draw":"d1"}`. */
export function drawState(rng: Rng, n: number, low: number, high: number): JsonObject {
  const draws = Object.fromEntries(Array.from({ length: n }, (_, i) => [`d${i + 1}`, rng.int(low, high)]));
  return { draws, draw: 'd1' };
}

/** The next draw and the patch that moves the pointer on; 0 and no patch in a state without numbers to draw from. */
export function nextDraw(state: State): { value: number; delta: JsonObject } {
  const draws = get(state, 'draws');
  const at = get(state, 'draw');
  const keys = isObject(draws) ? Object.keys(draws) : [];
  const value = isObject(draws) && typeof at === 'string' ? get(draws, at) : undefined;
  // A hand edit may have put anything here.
  if (typeof at !== 'string' || typeof value !== 'number') return { value: 0, delta: {} };
  const index = keys.indexOf(at);
  return { value, delta: { draw: keys[(index + 1) % keys.length] ?? at } };
}
