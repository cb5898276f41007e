/** Samplers of the MDLM as the page sets them: a name, and those parameters that are not at their defaults. */
import { SAMPLERS, type ParameterSpec, type SamplerName } from '../../models/diffusion/samplers';
import type { SamplerChoice } from '../../world/simulator';
import { numberWithin, type Limits } from '../limits';

export const SAMPLER_NAMES = Object.keys(SAMPLERS) as SamplerName[];

/** The sampler with this name, or null. */
export function samplerNamed(name: string): SamplerName | null {
  return SAMPLER_NAMES.find((known) => known === name) ?? null;
}

/** Parameters of a sampler. The confidence of `threshold` is a setting of its own, which older links have. */
export function parametersOf(name: SamplerName): [string, ParameterSpec][] {
  return name === 'threshold' ? [] : Object.entries(SAMPLERS[name].parameters);
}

/** What a number parameter's input goes by. */
export function limitsOf({ kind, min, max }: Exclude<ParameterSpec, { kind: 'choice' }>): Limits {
  return { min, max, step: kind === 'integer' ? 1 : 0.05 };
}

/** A sampler with values for some of its parameters; what is unknown or does not fit is left at its default. */
export function samplerChoice(name: SamplerName, values: { readonly [name: string]: unknown } = {}): SamplerChoice {
  const own = parametersOf(name).flatMap(([key, spec]) => {
    const value = Object.hasOwn(values, key) ? readParameter(spec, String(values[key])) : null;
    return value === null || value === spec.default ? [] : [[key, value] as const];
  });
  return { name, ...Object.fromEntries(own) };
}

/** Every parameter of a chosen sampler with its value. */
export function parameterValues(choice: SamplerChoice): [string, string | number][] {
  const name = samplerNamed(choice.name);
  return name ? parametersOf(name).map(([key, spec]) => [key, choice[key] ?? spec.default]) : [];
}

/** The value of a parameter that a text is, or null. */
export function readParameter(spec: ParameterSpec, text: string): string | number | null {
  if (spec.kind === 'choice') return spec.values.find((value) => value === text) ?? null;
  return numberWithin(text, limitsOf(spec));
}

/** `confidence:steps=8:order=margin`, as the link has it. */
export function writeSampler({ name, ...values }: SamplerChoice): string {
  return [name, ...Object.entries(values).map(([key, value]) => `${key}=${value}`)].join(':');
}

/** A sampler of a link; null for a name, a parameter or a value there is not. */
export function readSampler(text: string): SamplerChoice | null {
  const [first = '', ...parts] = text.split(':');
  const name = samplerNamed(first);
  if (!name) return null;
  const specs = new Map(parametersOf(name));
  const values: { [key: string]: string | number } = {};
  for (const part of parts) {
    const [key = '', value = '', ...more] = part.split('=');
    const spec = specs.get(key);
    const read = spec && more.length === 0 ? readParameter(spec, value) : null;
    if (read === null || Object.hasOwn(values, key)) return null;
    values[key] = read;
  }
  return samplerChoice(name, values);
}
