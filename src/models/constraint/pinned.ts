/**
 * The grammar of a slot in which fields are pinned: JSON in which each of them stands at its place. Which places of the window
 * they take is not fixed beforehand, since nobody knows how long the values before them get: the slot is filled along the best
 * path of this grammar, and where that path has them is where they stand.
 */
import type { Tokenizer } from '../../world/codec';
import type { Json } from '../../world/json';
import type { PathStep, Pin } from '../../world/anchors';
import { SLOTS, type Slot } from '../../world/types';
import type { Outcome } from './answers';
import { TokenAutomaton } from './automaton';
import type { Term } from './grammar';
import { anyValue, literal, object, oneOf, written, type Member } from './terms';

/** Nesting of values beside the pinned ones; a delta is a state, its collections, records, and two more. */
const DEPTH = { observation: 3, delta: 5, status: 0 };
/** Grammars that are kept: those of the pins that are asked for again. */
const KEPT = 16;
const kept = new WeakMap<Tokenizer, Map<string, TokenAutomaton>>();

/** A value and the way that is left to it. */
interface Placed {
  path: readonly PathStep[];
  value: Json;
}

/**
 * What the slots are held to in which fields are pinned; null where there is no such slot.
 * @param paths where each pin stands
 * @param placed which pins the window is held to: all of a slot, or none of it
 */
export function pinnedAnswer(
  pins: readonly Pin[],
  paths: readonly (readonly PathStep[] | null)[],
  placed: readonly boolean[],
  tokenizer: Tokenizer,
): Outcome | null {
  const outcome: Outcome = { observation: null, delta: null, status: null };
  for (const slot of SLOTS) {
    const here = pins.flatMap(({ slot: own, pointer, value }, i): Placed[] => {
      const path = paths[i];
      return own === slot && placed[i] && path && pointer !== '' ? [{ path, value }] : [];
    });
    if (here.length > 0) outcome[slot] = automatonOf(slot, here, tokenizer);
  }
  return SLOTS.some((slot) => outcome[slot]) ? outcome : null;
}

function automatonOf(slot: Slot, placed: readonly Placed[], tokenizer: Tokenizer): TokenAutomaton {
  const all = kept.get(tokenizer) ?? new Map<string, TokenAutomaton>();
  kept.set(tokenizer, all);
  const key = JSON.stringify([slot, placed]);
  const found = all.get(key) ?? new TokenAutomaton(termOf(placed, slot, DEPTH[slot], slot), tokenizer);
  // The one that was used last stands last.
  all.delete(key);
  all.set(key, found);
  if (all.size > KEPT) all.delete(all.keys().next().value as string);
  return found;
}

/** @param key tells this value from others of the grammar */
function termOf(placed: readonly Placed[], slot: Slot, depth: number, key: string): Term {
  const [first] = placed;
  const step = first?.path[0];
  if (!first || !step) return first ? written(first.value) : anyValue(Math.max(0, depth), slot !== 'delta');
  const below = (some: readonly Placed[]) => some.map(({ path, value }) => ({ path: path.slice(1), value }));
  const other = anyValue(Math.max(0, depth - 1), slot !== 'delta');
  if ('index' in step) {
    const rest: Term = oneOf(`${key} rest`, () => [[literal(']')], [literal(','), other, rest]], 1);
    const indices = placed.map(({ path: [one] }) => (one && 'index' in one ? one.index : 0));
    const items = Array.from({ length: Math.max(...indices) + 1 }, (_, i): Term[] => {
      const own = placed.filter((_one, at) => indices[at] === i);
      const item = own.length > 0 ? termOf(below(own), slot, depth - 1, `${key}/${i}`) : other;
      return i > 0 ? [literal(','), item] : [item];
    });
    return oneOf(key, () => [[literal('['), ...items.flat(), rest]]);
  }
  const orders = placed.map(({ path: [one] }) => (one && 'key' in one ? [...one.before, one.key] : []));
  const order = orders.reduce((a, b) => (b.length > a.length ? b : a), []);
  const members = order.map((name): Member => {
    const own = placed.filter(({ path: [one] }) => one && 'key' in one && one.key === name);
    return { key: name, value: termOf(below(own), slot, depth - 1, `${key}/${name}`), required: true };
  });
  return object(key, members, { keys: 'any', value: other });
}
