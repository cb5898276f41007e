/** The sentences of the household and what they are made from. Names are copied from the state letter by letter. */
import { get, isObject, type Json } from '../../world/json';
import type { State } from '../../world/types';
import { record, records, type Call } from '../kit/types';

/** Where an object is that the agent holds. */
export const HAND = 'hand';

/** Where the agent is; no text where a hand edit took that away. */
export function hereOf(state: State): string {
  const agent = get(state, 'agent');
  return show(isObject(agent) ? get(agent, 'at') : undefined);
}

/** Objects at a place (or in the hand), in the order of their records. */
export function objectsAt(state: State, place: string): string[] {
  return Object.entries(records(state, 'objects')).flatMap(([id, object]) => (object.at === place ? [id] : []));
}

/** Why nothing can be seen at a place, if that is so. */
export function hiddenBy({ state, rule }: Call, place: string, door = record(state, 'receptacles', place)?.door) {
  if (door === 'closed') return 'It is closed.';
  const dark = rule('dark');
  if (dark?.place !== place || record(state, 'receptacles', dark.lamp)?.light === 'on') return undefined;
  return 'It is too dark to see.';
}

/** Whether an object can be seen and reached: in the hand, or where the agent is and nothing hides it. */
export function inReach(call: Call, id: Json | undefined): boolean {
  const at = record(call.state, 'objects', id)?.at;
  const here = hereOf(call.state);
  return at === HAND || (at === here && hiddenBy(call, here) === undefined);
}

/** A scalar as text; nothing for what is not there. */
export function show(value: Json | undefined): string {
  return value === undefined || typeof value === 'object' ? '' : String(value);
}

/** `an apple_2, a mug_1 and a fork_7`, or `nothing`. */
export function listing(ids: readonly string[]): string {
  const named = ids.map((id) => `${/^[aeiou]/.test(id) ? 'an' : 'a'} ${id}`);
  const last = named.pop();
  if (last === undefined) return 'nothing';
  return named.length === 0 ? last : `${named.join(', ')} and ${last}`;
}

/** Things are in what has a door and on what has none. */
export function preposition(state: State, place: string): 'in' | 'on' {
  return record(state, 'receptacles', place)?.door === undefined ? 'on' : 'in';
}

/** What a receptacle shows of its inside; `door` is how its door stands after the call. */
export function contents(call: Call, place: string, door?: string): string {
  const hidden = hiddenBy(call, place, door);
  if (hidden !== undefined) return hidden;
  const where = preposition(call.state, place) === 'in' ? 'In' : 'On';
  return `${where} it you see ${listing(objectsAt(call.state, place))}.`;
}

/** What the agent has in its hands. */
export function heldLine(state: State): string {
  return `You hold ${listing(objectsAt(state, HAND))}.`;
}

/** The room of a receptacle as a line, if it has one. */
export function roomLine(state: State, place: string): string[] {
  const room = show(record(state, 'receptacles', place)?.room);
  return room === '' ? [] : [`It is in the ${room}.`];
}
