/** The lexicon of the training family `wild`. */
import type { Rng } from '../../world/rng';
import { letters } from '../kit/ids';
import { COMMON, RESERVED, RESERVED_PREFIXES, RESERVED_SYLLABLES, words, type Lexicon } from './words';

const ONSETS = words(
  'b c d f g h j k l m n p qu r s t v w x y z br cl cr dr fl fr gr kn ph pl pr sc sh sk sl sm st sw tr tw',
);
const VOWELS = words('a e i o u a e i o u ai ea ee ie io oa oo ou ue y');
const CODAS = ['', '', '', ...words('b ck d g k l m n nd ng nt p r rd rk rm rn rt s sh sk ss st t v x z')];
/** What a label may have at most, in characters: the schemas say so. */
const LONGEST = 12;

const RESERVED_WORDS = new Set([
  ...RESERVED.nouns,
  ...RESERVED.states,
  ...Object.values(RESERVED.fields).flat(),
  ...RESERVED.labels,
  ...Object.values(RESERVED.verbs).flat(),
]);
const RESERVED_SYLLABLE = new RegExp(
  `(?:${RESERVED_SYLLABLES.onsets.join('|')})(?:${RESERVED_SYLLABLES.rimes.join('|')})`,
);

/** Words of any shape, long and short, so that a model must copy what it reads; nothing in it is reserved. */
export const WILD: Lexicon = {
  ...COMMON,
  coin: word,
  coinedShare: 0.75,
  verbs: {
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
  },
  coinedVerbs: 0.3,
  records: (difficulty) => Math.min(difficulty + 1, 3),
  prefix,
  digits: [2, 4],
};

function word(rng: Rng): string {
  const syllable = () => rng.pick(ONSETS) + rng.pick(VOWELS) + rng.pick(CODAS);
  for (;;) {
    const made = rng.chance(0.2)
      ? letters(rng, rng.int(3, 8))
      : Array.from({ length: rng.int(1, 4) }, syllable).join('');
    if (made.length >= 3 && made.length <= LONGEST && !isReserved(made)) return made;
  }
}

function prefix(rng: Rng): string {
  for (;;) {
    const text = letters(rng, rng.int(0, 3));
    const before = rng.chance(0.3) ? text.toUpperCase() : rng.chance(0.3) ? capital(text) : text;
    const made = before + rng.pick(['', '-', '_', ':', '.', '/', '#', '+', '@']);
    if (made && !RESERVED_PREFIXES.includes(made)) return made;
  }
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function isReserved(word: string): boolean {
  return RESERVED_WORDS.has(word) || RESERVED_SYLLABLE.test(word);
}
