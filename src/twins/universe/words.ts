/**
 * Words and identifier shapes of the procedural families. `COMMON` and `WILD` (./wild.ts) are trained on; `RESERVED`, which has no word,
 * syllable pair or identifier shape of theirs, never is, so that worlds made of it show what carries over.
 */
import type { Rng } from '../../world/rng';
import { coined, idPrefix } from '../kit/ids';

export interface Lexicon {
  nouns: readonly string[];
  states: readonly string[];
  fields: { state: readonly string[]; amount: readonly string[]; label: readonly string[] };
  labels: readonly string[];
  /** A word that is in no list. */
  coin(rng: Rng): string;
  /** Share of coined words that a world has at least. */
  coinedShare: number;
  /** What tools of a kind are called, without noun and value, and the share of coined names instead. */
  verbs: { readonly [Op in OpName]: readonly string[] };
  coinedVerbs: number;
  /** Number of records at a difficulty from 1 on; fewer where a tokenizer makes many tokens of the words. */
  records(difficulty: number): number;
  /** A prefix of identifiers. */
  prefix(rng: Rng): string;
  /** Digits of numbers and identifiers, fewest and most. */
  digits: readonly [number, number];
}

export type OpName =
  'get' | 'list' | 'find' | 'count' | 'set' | 'change' | 'add' | 'take' | 'create' | 'remove' | 'top';

interface Syllables {
  onsets: readonly string[];
  rimes: readonly string[];
}

export const words = (text: string) => text.split(' ');

const COMMON_SYLLABLES: Syllables = {
  onsets: words('b d f g k l m n p r s t v z br dr fl gr kl pl st tr'),
  rimes: words('ab ek im on ul ar ent ist ock unt av el'),
};

export const RESERVED_SYLLABLES: Syllables = {
  onsets: words('ch h j w y sn spr th gl cr'),
  rimes: words('oth ize ung ymp eel aft'),
};

export const RESERVED_PREFIXES = ['#', 'HJ.', 'e/', 'Yv.'];

export const COMMON: Lexicon = {
  nouns: words(
    'lamp crate ticket parcel badge locker pump valve order sample drone book tile cable seat barrel ' +
      'tool panel route cart tank card robot sensor plant vault key basket filter motor shelf coin token gate ship',
  ),
  states: words(
    'open closed new ready busy idle active paused lost found sold free taken sent draft final hot cold ' +
      'clean dirty low high red green blue gold raw done late early full empty local remote',
  ),
  fields: {
    state: words('status mode phase kind grade state level color type class stage flag'),
    amount: words('qty count points weight price size score hours credit stock load rate'),
    label: words('owner label place tag name zone team note site topic'),
  },
  labels: words(
    'ana ben cleo dan eva finn gus hana ivo june kai lena mira nils olga paul rosa sam tess uma ' +
      'north south east west attic cellar garden harbor lab office studio yard',
  ),
  coin: (rng) => (rng.chance(0.5) ? coined(rng) : pair(rng, COMMON_SYLLABLES)),
  coinedShare: 0,
  verbs: {
    get: words('get show read view'),
    list: words('list all browse'),
    find: words('find search filter'),
    count: words('count tally'),
    set: words('mark make put'),
    change: words('change update switch'),
    add: words('add raise increase'),
    take: words('take lower reduce'),
    create: words('create new register'),
    remove: words('remove delete drop'),
    top: words('top best highest'),
  },
  coinedVerbs: 0,
  records: (difficulty) => difficulty + 2,
  prefix: idPrefix,
  digits: [2, 3],
};

export const RESERVED: Lexicon = {
  nouns: words('sextant gondola ferry violin beacon sluice glider cabin turbine anchor compass pylon'),
  states: words('sealed broken rented booked frozen molten silent gilded sharp blunt public secret ripe feral'),
  fields: {
    state: words('tenure tier caste access'),
    amount: words('ullage volume surplus allotment'),
    label: words('keeper region vendor theme'),
  },
  labels: words('xanthe quill omar torvald yara fjord mesa canyon tundra atoll'),
  coin: (rng) => pair(rng, RESERVED_SYLLABLES),
  coinedShare: 0,
  verbs: {
    get: words('retrieve probe'),
    list: words('enumerate overview'),
    find: words('lookup seek'),
    count: words('census'),
    set: words('turn'),
    change: words('alter'),
    add: words('boost'),
    take: words('drain'),
    create: words('enroll'),
    remove: words('discard'),
    top: words('foremost'),
  },
  coinedVerbs: 0,
  records: (difficulty) => Math.min(difficulty + 1, 3),
  prefix: (rng) => rng.pick(RESERVED_PREFIXES),
  digits: [3, 3],
};

function pair(rng: Rng, { onsets, rimes }: Syllables): string {
  return [0, 1].map(() => rng.pick(onsets) + rng.pick(rimes)).join('');
}

/** What a tool of this kind is called, without noun and value. */
export function verb(rng: Rng, lexicon: Lexicon, op: OpName): string {
  const coined = lexicon.coinedVerbs > 0 && rng.chance(lexicon.coinedVerbs);
  return coined ? lexicon.coin(rng) : rng.pick(lexicon.verbs[op]);
}

/** `n` different words of a list, a share of them coined instead. */
export function draw(rng: Rng, lexicon: Lexicon, list: readonly string[], n: number, share = 0.35): string[] {
  const coined = Math.max(share, lexicon.coinedShare);
  const out = rng.sample(list, n).map((word) => (rng.chance(coined) ? lexicon.coin(rng) : word));
  return new Set(out).size === out.length ? out : rng.sample(list, n);
}
