/** Identifiers and coined words. Models must copy what they have never seen, so every world has its own. */
import type { JsonObject } from '../../world/json';
import type { Rng } from '../../world/rng';

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const CONSONANTS = 'bcdfghjklmnprstvwz';
const VOWELS = 'aeiou';
const SEPARATORS = ['', '', '', '-', '_'];

/** `n` letters of an alphabet. */
export function letters(rng: Rng, n: number, alphabet = LOWER): string {
  return Array.from({ length: n }, () => alphabet[rng.int(0, alphabet.length - 1)]).join('');
}

/** A prefix of identifiers: one to three letters, upper or lower case, now and then with a separator behind. */
export function idPrefix(rng: Rng): string {
  const text = letters(rng, rng.int(1, 3));
  return (rng.chance(0.5) ? text.toUpperCase() : text) + rng.pick(SEPARATORS);
}

/**
 * `n` different identifiers under one prefix, in no order.
 * @param digits of the number behind the prefix; `10 ** digits` must be well above n
 */
export function ids(rng: Rng, n: number, prefix = idPrefix(rng), digits = rng.int(2, 3)): string[] {
  const out = new Set<string>();
  while (out.size < n) out.add(`${prefix}${rng.int(10 ** (digits - 1), 10 ** digits - 2)}`);
  return [...out];
}

/** A word that is in no dictionary: two or three syllables. */
export function coined(rng: Rng): string {
  const syllable = () => letters(rng, 1, CONSONANTS) + letters(rng, 1, VOWELS);
  return (
    Array.from({ length: rng.int(2, 3) }, syllable).join('') + (rng.chance(0.4) ? letters(rng, 1, CONSONANTS) : '')
  );
}

/** `n` different words of a list; a share of them is replaced by coined ones, so that no list can be learned by heart. */
export function words(rng: Rng, list: readonly string[], n: number, share = 0.25): string[] {
  const out = new Set<string>();
  for (const word of rng.sample(list, n)) out.add(rng.chance(share) ? coined(rng) : word);
  while (out.size < n) out.add(coined(rng));
  return [...out];
}

/** One word of a list, or a coined one. */
export function word(rng: Rng, list: readonly string[], share = 0.25): string {
  return rng.chance(share) ? coined(rng) : rng.pick(list);
}

/** The identifier after one that ends in a number: `W17` gives `W18`. The counter of fresh ids is such an id in the state. */
export function freshId(id: string): string {
  return id.replace(/\d+$/, (digits) => String(Number(digits) + 1));
}

/** The identifier after the highest of these. */
export function nextId(all: readonly string[]): string {
  const number = (id: string) => Number(/\d+$/.exec(id)?.[0] ?? 0);
  return freshId(all.reduce((best, id) => (number(id) > number(best) ? id : best), all[0] ?? 'x0'));
}

/** Records under their ids, in this order. */
export function keyed(keys: readonly string[], make: (key: string, index: number) => JsonObject): JsonObject {
  return Object.fromEntries(keys.map((key, i) => [key, make(key, i)]));
}
