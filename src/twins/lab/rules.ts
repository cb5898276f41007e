/** The rules of the laboratory, and how its state is read. */
import { get, isObject, type JsonObject, type JsonScalar } from '../../world/json';
import type { State } from '../../world/types';
import { record, records, type RuleDef } from '../kit/types';
import { HAND } from './words';

/** A number with its noun: `1 vessel`, `2 vessels`. */
function counted(n: JsonScalar | undefined, noun: string): string {
  return `${String(n)} ${noun}${String(n) === '1' ? '' : 's'}`;
}

export const RULES: readonly RuleDef[] = [
  {
    id: 'hot',
    code: 'too_hot',
    text: ({ max }) => `nothing above ${counted(max, 'degree')} can be taken`,
    violated: ({ max }, facts) => Number(facts.temp) > Number(max),
  },
  {
    id: 'carry',
    code: 'hands_full',
    text: ({ max }) => `you carry at most ${counted(max, 'vessel')}`,
    violated: ({ max }, facts) => Number(facts.carried) > Number(max),
  },
  {
    id: 'room',
    code: 'not_allowed',
    text: ({ doing, room }) => `no ${String(doing)} in the ${String(room)}`,
    violated: ({ doing, room }, facts) => facts.doing === doing && facts.room === room,
  },
  {
    id: 'state',
    code: 'wrong_state',
    text: ({ state }) => `what is ${String(state)} cannot be poured or mixed`,
    violated: ({ state }, facts) => facts.state === state || facts.other === state,
  },
  {
    id: 'delicate',
    code: 'unsafe',
    text: ({ substance, max }) => `no heating ${String(substance)} above ${counted(max, 'degree')}`,
    violated: ({ substance, max }, facts) => facts.of === substance && Number(facts.temp) > Number(max),
  },
  {
    id: 'full',
    code: 'too_full',
    text: ({ max }) => `a vessel holds at most ${String(max)} g`,
    violated: ({ max }, facts) => Number(facts.mass) > Number(max),
  },
  { id: 'reaction', text: ({ degrees }) => `mixing adds ${counted(degrees, 'degree')}` },
  { id: 'offset', text: ({ degrees }) => `measured temperatures are ${counted(degrees, 'degree')} too low` },
];

/** Name of the room the player is in. */
export function here(state: State): string {
  const you = get(state, 'you');
  const at = isObject(you) ? get(you, 'at') : undefined;
  return typeof at === 'string' ? at : '';
}

/** Whether a door leads from one room to another; doors work both ways. */
export function hasDoor(state: State, from: string, to: string): boolean {
  return record(state, 'rooms', from)?.door === to || record(state, 'rooms', to)?.door === from;
}

/** Whether a substance of this temperature is solid, liquid or gaseous. */
export function stateOf(state: State, { of, temp }: JsonObject): string {
  const substance = record(state, 'substances', of) ?? {};
  if (Number(temp) < Number(substance.melts)) return 'solid';
  return Number(temp) >= Number(substance.boils) ? 'gaseous' : 'liquid';
}

/** What two substances give, in either order; undefined when they do not react. */
export function productOf(state: State, one: JsonObject, other: JsonObject): string | undefined {
  const found = Object.values(records(state, 'mixes')).find(
    ({ a, b }) => (a === one.of && b === other.of) || (a === other.of && b === one.of),
  );
  return found && String(found.gives);
}

/** Vessels in hand. */
export function carried(state: State): string[] {
  return vesselsAt(state, HAND);
}

export function vesselsAt(state: State, place: string): string[] {
  return Object.entries(records(state, 'vessels')).flatMap(([id, { at }]) => (at === place ? [id] : []));
}
