/** The samplers there are, one line each, and choosing one by name with checked parameters. */
import type { SamplerChoice } from '../../../world/simulator';
import { ModelError } from '../../errors';
import { ancestral } from './ancestral';
import { confidence } from './confidence';
import { entropyBudget } from './entropyBudget';
import { remask } from './remask';
import { threshold } from './threshold';
import type { BlockSampler, ParameterSpec, ParameterSpecs, SamplerDefinition, Values } from './types';

export type { BlockSampler, BlockView, ParameterSpec } from './types';

export const SAMPLERS = {
  threshold,
  confidence,
  'entropy-budget': entropyBudget,
  ancestral,
  remask,
} as const;
export type SamplerName = keyof typeof SAMPLERS;

/** A sampler with its parameters, ready to start on blocks. */
export interface OpenSampler {
  /** Every parameter with the value that is used. */
  choice: SamplerChoice;
  /** It looks at margins and entropies. */
  usesStatistics: boolean;
  open(masked: number): BlockSampler;
}

/**
 * A sampler by name; parameters that are not given have their defaults.
 * @throws ModelError `bad_options` that says what is possible
 */
export function openSampler(choice: SamplerChoice): OpenSampler {
  const { name } = choice;
  if (!Object.hasOwn(SAMPLERS, name)) {
    throw badSampler(`There is no diffusion sampler "${name}".`, `Use one of ${Object.keys(SAMPLERS).join(', ')}.`);
  }
  const definition: SamplerDefinition = SAMPLERS[name as SamplerName];
  const { parameters } = definition;
  for (const key of Object.keys(choice)) {
    if (key === 'name' || Object.hasOwn(parameters, key)) continue;
    const possible = Object.entries(parameters).map(([one, spec]) => `${one} (${range(spec)})`);
    throw badSampler(`The sampler ${name} has no parameter "${key}".`, `It has ${possible.join(', ')}.`);
  }
  const values = Object.fromEntries(
    Object.entries(parameters).map(([key, spec]) => [key, valueOf(name, key, spec, choice[key])]),
  );
  return {
    choice: { name, ...values },
    usesStatistics: Object.hasOwn(parameters, 'order'),
    open: (masked) => definition.open(values as Values<ParameterSpecs>, masked),
  };
}

function valueOf(sampler: string, key: string, spec: ParameterSpec, value: unknown): string | number {
  if (value === undefined) return spec.default;
  const fits =
    spec.kind === 'choice'
      ? spec.values.some((one) => one === value)
      : typeof value === 'number' &&
        value >= spec.min &&
        value <= spec.max &&
        (spec.kind === 'number' || Number.isInteger(value));
  if (fits) return value as string | number;
  throw badSampler(
    `${key} of the sampler ${sampler} is ${JSON.stringify(value) ?? String(value)}.`,
    `It has to be ${range(spec)}.`,
  );
}

function range(spec: ParameterSpec): string {
  switch (spec.kind) {
    case 'choice':
      return `one of ${spec.values.join(', ')}`;
    case 'integer':
      return `a whole number from ${spec.min} to ${spec.max}`;
    case 'number':
      return `a number from ${spec.min} to ${spec.max}`;
    default:
      return spec satisfies never;
  }
}

function badSampler(message: string, advice: string): ModelError {
  return new ModelError('bad_options', message, advice);
}
