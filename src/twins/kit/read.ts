/** Reading values of a state that a careless hand may have edited. */
import type { Json } from '../../world/json';

/** A number of the state; 0 where there is none. */
export function num(value: Json | undefined): number {
  const number = typeof value === 'object' ? NaN : Number(value);
  return Number.isFinite(number) ? number : 0;
}

/** A text of the state; nothing where something is nested. */
export function text(value: Json | undefined): string {
  return value === undefined || typeof value === 'object' ? '' : String(value);
}
