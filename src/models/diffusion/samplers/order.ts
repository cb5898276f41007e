/** Orders of masked places from the surest to the least sure, by one of three statistics. */
import type { Candidate } from './types';

export const ORDERS = ['confidence', 'margin', 'entropy'] as const;
export type Order = (typeof ORDERS)[number];

/** Parameter by which samplers offer the orders. */
export const orderSpec = {
  kind: 'choice',
  values: ORDERS,
  default: 'confidence',
  about: 'by what places are ordered: probability of the token, its lead over the second, or entropy',
} as const;

/** The surest first; of equals the leftmost. */
export function bySureness(masked: readonly Candidate[], order: Order): Candidate[] {
  const sureness = (one: Candidate) => (order === 'entropy' ? -one.entropy : one[order]);
  return [...masked].sort((a, b) => sureness(b) - sureness(a) || a.place - b.place);
}
