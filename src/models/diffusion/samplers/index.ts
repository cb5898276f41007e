/** The samplers there are, one line each, and choosing one by name with checked parameters. */
import type { SamplerChoice } from '../../../world/simulator';
import { ModelError } from '../../errors';
import { ancestral } from './ancestral';
import { confidence } from './confidence';
import { entropyBudget } from './entropyBudget';
import { remask } from './remask';
import type { Drafting } from '../drafting';
import { speculative } from './speculative';
import { threshold } from './threshold';
import type {
  BlockSampler,
  DraftingDefinition,
  ParameterSpec,
  ParameterSpecs,
  SamplerDefinition,
  Values,
} from './types';

export type { BlockSampler, BlockView, ParameterSpec } from './types';

/** Those that fill a window of masks. */
export const WINDOW_SAMPLERS = { threshold, confidence, 'entropy-budget': entropyBudget, ancestral, remask } as const;
export const SAMPLERS = { ...WINDOW_SAMPLERS, speculative } as const;
export type SamplerName = keyof typeof SAMPLERS;

/** A sampler of windows with its parameters, ready to start on blocks. */
export interface WindowSampler {
  /** Every parameter with the value that is used. */
  choice: SamplerChoice;
  /** It looks at margins and entropies. */
  usesStatistics: boolean;
  open(masked: number): BlockSampler;
  drafts: null;
}

/** A sampler that writes from left to right, and how it drafts. */
export interface DraftingSampler {
  choice: SamplerChoice;
  drafts: Drafting;
}

/** Whether a name is that of a sampler that drafts; false for names there are not. */
export function isDrafting(name: string): boolean {
  return Object.hasOwn(SAMPLERS, name) && 'drafts' in SAMPLERS[name as SamplerName];
}

/**
 * A sampler by name; parameters that are not given have their defaults.
 * @throws ModelError `bad_options` that says what is possible
 */
export function openSampler(choice: SamplerChoice): WindowSampler | DraftingSampler {
  const { name } = choice;
  if (!Object.hasOwn(SAMPLERS, name)) {
    throw badSampler(`There is no diffusion sampler "${name}".`, `Use one of ${Object.keys(SAMPLERS).join(', ')}.`);
  }
  const definition: SamplerDefinition | DraftingDefinition = SAMPLERS[name as SamplerName];
  const { parameters } = definition;
  for (const key of Object.keys(choice)) {
    if (key === 'name' || Object.hasOwn(parameters, key)) continue;
    const possible = Object.entries(parameters).map(([one, spec]) => `${one} (${range(spec)})`);
    throw badSampler(`The sampler ${name} has no parameter "${key}".`, `It has ${possible.join(', ')}.`);
  }
  const values = Object.fromEntries(
    Object.entries(parameters).map(([key, spec]) => [key, valueOf(name, key, spec, choice[key])]),
  );
  const used = { name, ...values };
  if ('drafts' in definition) return { choice: used, drafts: definition.drafts(values as Values<ParameterSpecs>) };
  const usesStatistics = Object.hasOwn(parameters, 'order');
  return {
    choice: used,
    usesStatistics,
    open: (masked) => definition.open(values as Values<ParameterSpecs>, masked),
    drafts: null,
  };
}

/**
 * As `openSampler`, for those that fill windows.
 * @throws ModelError `bad_options` for one that does not, too
 */
export function openWindowSampler(choice: SamplerChoice): WindowSampler {
  const sampler = openSampler(choice);
  if (!sampler.drafts) return sampler;
  throw badSampler(
    `The sampler ${choice.name} fills no window.`,
    `Use one of ${Object.keys(WINDOW_SAMPLERS).join(', ')}.`,
  );
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
