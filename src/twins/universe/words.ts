/**
 * Words and identifier shapes of the procedural family. Two lexicons without a word in common: `COMMON` is trained on,
 * `RESERVED` never is, so that worlds made of it show what carries over.
 */
import type { Rng } from '../../world/rng';
import { coined, idPrefix } from '../kit/ids';

export interface Lexicon {
  nouns: readonly string[];
  states: readonly string[];
  fields: { state: readonly string[]; amount: readonly string[]; label: readonly string[] };
  labels: readonly string[];
  verbs: { [Op in OpName]: readonly string[] };
  onsets: readonly string[];
  rimes: readonly string[];
  /** A prefix of identifiers. */
  prefix(rng: Rng): string;
  /** Digits of numbers and identifiers, fewest and most. */
  digits: readonly [number, number];
}

export type OpName =
  'get' | 'list' | 'find' | 'count' | 'set' | 'change' | 'add' | 'take' | 'create' | 'remove' | 'top';

const words = (text: string) => text.split(' ');

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
  onsets: words('b d f g k l m n p r s t v z br dr fl gr kl pl st tr'),
  rimes: words('ab ek im on ul ar ent ist ock unt av el'),
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
  onsets: words('ch h j w y sn spr th gl cr'),
  rimes: words('oth ize ung ymp eel aft'),
  prefix: (rng) => rng.pick(['#', 'HJ.', 'e/', 'Yv.']),
  digits: [3, 3],
};

/** A word that is in no list, two syllables long. */
function coin(rng: Rng, lexicon: Lexicon): string {
  if (lexicon === COMMON && rng.chance(0.5)) return coined(rng);
  return [0, 1].map(() => rng.pick(lexicon.onsets) + rng.pick(lexicon.rimes)).join('');
}

/** `n` different words of a list, a share of them coined instead. */
export function draw(rng: Rng, lexicon: Lexicon, list: readonly string[], n: number, share = 0.35): string[] {
  const out = rng.sample(list, n).map((word) => (rng.chance(share) ? coin(rng, lexicon) : word));
  return new Set(out).size === out.length ? out : rng.sample(list, n);
}
