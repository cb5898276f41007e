/**
 * Words and identifier shapes of the procedural families. `COMMON` and `WILD` are trained on; `RESERVED`, which has no word,
 * syllable pair or identifier shape of theirs, never is, so that worlds made of it show what carries over.
 */
import type { Rng } from '../../world/rng';
import { coined, idPrefix, letters } from '../kit/ids';

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
  verbs: Verbs;
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

type Verbs = { readonly [Op in OpName]: readonly string[] };

interface Syllables {
  onsets: readonly string[];
  rimes: readonly string[];
}

const words = (text: string) => text.split(' ');

const COMMON_SYLLABLES: Syllables = {
  onsets: words('b d f g k l m n p r s t v z br dr fl gr kl pl st tr'),
  rimes: words('ab ek im on ul ar ent ist ock unt av el'),
};

const RESERVED_SYLLABLES: Syllables = {
  onsets: words('ch h j w y sn spr th gl cr'),
  rimes: words('oth ize ung ymp eel aft'),
};

const RESERVED_PREFIXES = ['#', 'HJ.', 'e/', 'Yv.'];

const WILD_ONSETS = words(
  'b c d f g h j k l m n p qu r s t v w x y z br cl cr dr fl fr gr kn ph pl pr sc sh sk sl sm st sw tr tw',
);
const WILD_VOWELS = words('a e i o u a e i o u ai ea ee ie io oa oo ou ue y');
const WILD_CODAS = ['', '', '', ...words('b ck d g k l m n nd ng nt p r rd rk rm rn rt s sh sk ss st t v x z')];
/** What a label may have at most, in characters: the schemas say so. */
const LONGEST = 12;

const COMMON_VERBS: Verbs = {
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
};

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
  verbs: COMMON_VERBS,
  coinedVerbs: 0,
  records: (difficulty) => difficulty + 2,
  prefix: idPrefix,
  digits: [2, 3],
};

const WILD_VERBS: Verbs = {
  get: words('get show read view fetch inspect describe display open load'),
  list: words('list all browse dump index scan'),
  find: words('find search filter query select match'),
  count: words('count tally total size'),
  set: words('mark make put assign flag move'),
  change: words('change update switch modify edit replace'),
  add: words('add raise increase grow increment deposit'),
  take: words('take lower reduce shrink cut withdraw'),
  create: words('create new register insert spawn build'),
  remove: words('remove delete drop erase purge destroy'),
  top: words('top best highest peak leader first'),
};

const RESERVED_VERBS: Verbs = {
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
  verbs: RESERVED_VERBS,
  coinedVerbs: 0,
  records: (difficulty) => Math.min(difficulty + 1, 3),
  prefix: (rng) => rng.pick(RESERVED_PREFIXES),
  digits: [3, 3],
};

/** Words of any shape, long and short, so that a model must copy what it reads; nothing in it is reserved. */
export const WILD: Lexicon = {
  ...COMMON,
  coin: wildWord,
  coinedShare: 0.75,
  verbs: WILD_VERBS,
  coinedVerbs: 0.3,
  records: (difficulty) => Math.min(difficulty + 1, 3),
  prefix: wildPrefix,
  digits: [2, 4],
};

function pair(rng: Rng, { onsets, rimes }: Syllables): string {
  return [0, 1].map(() => rng.pick(onsets) + rng.pick(rimes)).join('');
}

function wildWord(rng: Rng): string {
  const syllable = () => rng.pick(WILD_ONSETS) + rng.pick(WILD_VOWELS) + rng.pick(WILD_CODAS);
  for (;;) {
    const word = rng.chance(0.2)
      ? letters(rng, rng.int(3, 8))
      : Array.from({ length: rng.int(1, 4) }, syllable).join('');
    if (word.length >= 3 && word.length <= LONGEST && !isReserved(word)) return word;
  }
}

function wildPrefix(rng: Rng): string {
  for (;;) {
    const text = letters(rng, rng.int(0, 3));
    const before = rng.chance(0.3) ? text.toUpperCase() : rng.chance(0.3) ? capital(text) : text;
    const prefix = before + rng.pick(['', '-', '_', ':', '.', '/', '#', '+', '@']);
    if (prefix && !RESERVED_PREFIXES.includes(prefix)) return prefix;
  }
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

const RESERVED_WORDS = new Set([
  ...RESERVED.nouns,
  ...RESERVED.states,
  ...Object.values(RESERVED.fields).flat(),
  ...RESERVED.labels,
  ...Object.values(RESERVED_VERBS).flat(),
]);
const RESERVED_SYLLABLE = new RegExp(
  `(?:${RESERVED_SYLLABLES.onsets.join('|')})(?:${RESERVED_SYLLABLES.rimes.join('|')})`,
);

function isReserved(word: string): boolean {
  return RESERVED_WORDS.has(word) || RESERVED_SYLLABLE.test(word);
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
