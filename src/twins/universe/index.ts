/** Procedural worlds: every name, schema, enumeration, rule and answer shape is sampled from the seed. */
import type { Family } from '../kit/types';
import { universeProgram } from './program';
import { COMMON_TEMPLATES, readSpec, RESERVED_TEMPLATES, sampleWorld, WILD_TEMPLATES } from './spec';
import { universeTasks } from './tasks';
import { WILD } from './wild';
import { COMMON, RESERVED } from './words';

const shared = {
  failCodes: ['rate_limited', 'timeout', 'unavailable', 'forbidden'],
  program: (spec) => universeProgram(readSpec(spec)),
  tasks: universeTasks,
} satisfies Partial<Family>;

export const universe: Family = {
  ...shared,
  name: 'universe',
  title: 'Universe',
  line: 'Procedural records: names, tools, rules and answers are new in every world.',
  heldOut: false,
  generate: (rng, difficulty) => sampleWorld(rng, difficulty, COMMON, COMMON_TEMPLATES, 'common'),
};

/** The same kind of world under names of any shape, which a model cannot know by heart: for training only. */
export const wild: Family = {
  ...shared,
  name: 'wild',
  title: 'Wild',
  line: 'Procedural records under made-up names of any shape, for training: what is read must be copied.',
  heldOut: false,
  generate: (rng, difficulty) => sampleWorld(rng, difficulty, WILD, WILD_TEMPLATES, 'wild'),
};

/** The same kind of world from words, identifiers, sentences and templates that are never trained on. */
export const frontier: Family = {
  ...shared,
  name: 'frontier',
  title: 'Frontier',
  line: 'Procedural records from words, identifiers and templates the models have never seen.',
  heldOut: true,
  generate: (rng, difficulty) => sampleWorld(rng, difficulty, RESERVED, RESERVED_TEMPLATES, 'reserved'),
};
