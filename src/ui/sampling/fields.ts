/**
 * Every setting of sampling in one table: what it is called, what it does, where it means something, and how the link
 * spells it. The popovers, the link, the lanes' headers and the options of a step are all read off it.
 */
import { VERIFIERS } from '../../models/verifiers';
import type { SamplerChoice } from '../../world/simulator';
import type { LaneId } from '../lanes';
import { LIMITS, PROVIDERS, numberWithin, wantedNumber, type Limits, type NumberSetting } from '../limits';
import type { ProviderChoice } from '../limits';
import { SAMPLER_NAMES, readSampler, samplerChoice, writeSampler } from './sampler';

/** Settings of sampling: shared by all lanes, or a lane's own. */
export interface Sampling {
  temperature: number;
  topP: number;
  minP: number;
  sampler: SamplerChoice;
  threshold: number;
  /** Places of a block; 0 for the whole window. */
  blockSize: number;
  crop: 'off' | 'on';
  guidance: number;
  /** Answers that are compared; 1 for none. */
  bestOf: number;
  verifier: string;
  attempts: number;
  constraint: 'off' | 'schema';
  provider: ProviderChoice;
}

export type Control =
  | { kind: 'number'; limits: Limits }
  | { kind: 'choice'; values: readonly string[]; titles?: { readonly [value: string]: string } }
  | { kind: 'sampler' };

export interface Field<T> {
  /** Name in the link. */
  key: string;
  label: string;
  /** What it does, in a sentence or two. */
  about: string;
  /** Lanes it means something to. */
  models: readonly LaneId[];
  /** Whether it means something beside the other settings of a lane. */
  applies: (all: Sampling) => boolean;
  /** Whether it means something only while there are pins. */
  pinned?: boolean;
  control: Control;
  default: T;
  write: (value: T) => string;
  /** The value, or null when the text is none. */
  read: (text: string) => T | null;
  /** What the text should have been, for messages. */
  wanted: string;
}

const MODELS: readonly LaneId[] = ['mdlm', 'ar', 'ar-transformers'];
const MDLM: readonly LaneId[] = ['mdlm'];
const always = () => true;
const drawn = ({ temperature }: Sampling) => temperature > 0;
/** Settings of samplers that fill a window. */
const inWindow = ({ sampler }: Sampling) => sampler.name !== 'speculative';

type About = Pick<Field<unknown>, 'key' | 'label' | 'about'> & Partial<Field<unknown>>;

function number(name: NumberSetting, value: number, about: About): Field<number> {
  const limits: Limits = LIMITS[name];
  return {
    ...{ models: MODELS, applies: always },
    ...about,
    ...{ control: { kind: 'number', limits }, default: value, write: String, wanted: wantedNumber(limits) },
    read: (text) => numberWithin(text, limits),
  };
}

function choice<T extends string>(
  values: readonly T[],
  value: T,
  about: About,
  titles?: { readonly [K in T]: string },
): Field<T> {
  return {
    ...{ models: MODELS, applies: always },
    ...about,
    ...{ control: { kind: 'choice', values, ...(titles ? { titles } : {}) }, default: value, write: String },
    read: (text) => values.find((one) => one === text) ?? null,
    wanted: values.join(', '),
  };
}

export const FIELDS: { readonly [K in keyof Sampling]: Field<Sampling[K]> } = {
  temperature: number('temperature', 0, {
    ...{ key: 'temperature', label: 'temperature' },
    about: 'How freely tokens are drawn. 0 always takes the most probable one.',
  }),
  topP: number('topP', 1, {
    ...{ key: 'top-p', label: 'top-p', applies: drawn },
    about: 'Draws only from the most probable tokens that have this much probability together. 1 keeps all.',
  }),
  minP: number('minP', 0, {
    ...{ key: 'min-p', label: 'min-p', applies: drawn },
    about: 'Leaves out tokens with less than this share of the most probable one’s probability. 0 keeps all.',
  }),
  sampler: {
    ...{ key: 'sampler', label: 'sampler', models: MDLM, applies: always },
    about: 'In which order the places of an answer are written.',
    ...{ control: { kind: 'sampler' }, default: samplerChoice('speculative'), write: writeSampler, read: readSampler },
    wanted: `one of ${SAMPLER_NAMES.join(', ')} with its parameters (confidence:steps=8)`,
  },
  threshold: number('threshold', 0.9, {
    ...{ key: 'threshold', label: 'threshold', models: MDLM, applies: ({ sampler }) => sampler.name === 'threshold' },
    about: 'Places at least this sure are written in a pass. Lower needs fewer passes and errs more.',
  }),
  blockSize: number('blockSize', 0, {
    ...{ key: 'block', label: 'block size', models: MDLM, applies: inWindow },
    about: 'Fills blocks of so many places one after another. 0 fills the whole window at once.',
  }),
  crop: choice(['off', 'on'], 'off', {
    ...{ key: 'crop', label: 'crop', models: MDLM, applies: inWindow },
    about: 'Leaves the padding behind a written end out of later passes, which makes them shorter.',
  }),
  guidance: number('guidance', 0, {
    ...{ key: 'guidance', label: 'guidance', models: ['mdlm', 'ar'] },
    about: 'How far this turn’s directives are made stronger. 0 is not at all; above it every pass is run twice.',
  }),
  bestOf: number('bestOf', 1, {
    ...{ key: 'best-of', label: 'best of', applies: drawn },
    about: 'Writes up to so many answers and keeps the one the verifier likes best. Every one is paid for.',
  }),
  verifier: choice(Object.keys(VERIFIERS), 'sound', {
    ...{ key: 'verifier', label: 'verifier', applies: (all) => drawn(all) && all.bestOf > 1 },
    about:
      'Judges without the truth. Sound: reads whole, an error changes nothing; likely: probable tokens; parses: reads.',
  }),
  attempts: number('attempts', 8, {
    ...{ key: 'attempts', label: 'attempts', pinned: true },
    about:
      'Answers tried at most where a pin cannot be fixed beforehand. At temperature 0 all but the first are drawn at 1.',
  }),
  constraint: choice(
    ['off', 'schema'],
    'off',
    {
      ...{ key: 'constraint', label: 'constraint' },
      about: 'Schema holds the observation to the tool’s output schema, where it has one. What it changed is told.',
    },
    { off: 'off', schema: 'schema' },
  ),
  provider: choice(
    PROVIDERS,
    'auto',
    { key: 'provider', label: 'runs on', about: 'Auto takes WebGPU where the browser has it, and WASM elsewhere.' },
    { auto: 'Auto', webgpu: 'WebGPU', wasm: 'WASM' },
  ),
};
export type SamplingField = keyof Sampling;
export const FIELD_NAMES = Object.keys(FIELDS) as SamplingField[];

export const DEFAULT_SAMPLING = Object.fromEntries(
  FIELD_NAMES.map((name) => [name, FIELDS[name].default]),
) as unknown as Sampling;

/** The text of a setting, as in the link. */
export function writeField<K extends SamplingField>(name: K, value: Sampling[K]): string {
  return FIELDS[name].write(value);
}

/** Whether a setting means something to a lane with these settings. */
export function fieldApplies(name: SamplingField, model: LaneId, all: Sampling): boolean {
  return FIELDS[name].models.includes(model) && FIELDS[name].applies(all);
}
