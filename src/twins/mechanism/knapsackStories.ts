/** Cover stories of the knapsack. */
import { CARGO, CARGO_KINDS, RELIC_KINDS, RELICS, THING_KINDS, THINGS } from './words';

export interface Story {
  title: string;
  tools: { report: string; list: string; look: string; pack: string; unpack: string };
  /** Collection, and what its records are called. */
  items: string;
  things: string;
  /** Where they go. */
  place: string;
  weight: string;
  worth: string;
  packed: string;
  ledger: string;
  most: string;
  atLeast(target: number): string;
  names: readonly string[];
  kinds: readonly string[];
}

export const STORIES: { readonly [name: string]: Story } = {
  backpack: {
    title: 'Backpack',
    tools: { report: 'bag_report', list: 'list_left', look: 'inspect', pack: 'pack', unpack: 'unpack' },
    items: 'things',
    things: 'things',
    place: 'bag',
    weight: 'weight',
    worth: 'use',
    packed: 'packed',
    ledger: 'total_use',
    most: 'Pack the bag for the most use',
    atLeast: (target) => `Pack the bag for a total use of ${target} or more`,
    names: THINGS,
    kinds: THING_KINDS,
  },
  truck: {
    title: 'Freight truck',
    tools: { report: 'truck_sheet', list: 'on_the_dock', look: 'show_crate', pack: 'load_crate', unpack: 'drop_crate' },
    items: 'crates',
    things: 'crates',
    place: 'truck',
    weight: 'tons',
    worth: 'freight',
    packed: 'loaded',
    ledger: 'income',
    most: 'Load the truck for the highest income',
    atLeast: (target) => `Load the truck for an income of ${target} or more`,
    names: CARGO,
    kinds: CARGO_KINDS,
  },
  museum: {
    title: 'Museum case',
    tools: { report: 'case_summary', list: 'in_storage', look: 'card', pack: 'put_on_show', unpack: 'take_off_show' },
    items: 'relics',
    things: 'relics',
    place: 'case',
    weight: 'width',
    worth: 'appeal',
    packed: 'shown',
    ledger: 'visitors',
    most: 'Fill the case so that it draws the most visitors',
    atLeast: (target) => `Fill the case so that it draws ${target} visitors or more`,
    names: RELICS,
    kinds: RELIC_KINDS,
  },
};
