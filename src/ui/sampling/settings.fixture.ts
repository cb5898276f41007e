/** Any settings of sampling, for property tests. */
import fc from 'fast-check';
import type { LaneSpec } from '../lanes';
import { FIELDS, FIELD_NAMES, type Sampling, type SamplingField } from './fields';
import { SAMPLER_NAMES, limitsOf, parametersOf, samplerChoice } from './sampler';

const sampler = fc
  .constantFrom(...SAMPLER_NAMES)
  .chain((name) =>
    fc
      .record(
        Object.fromEntries(
          parametersOf(name).map(([key, spec]): [string, fc.Arbitrary<unknown>] => [
            key,
            spec.kind === 'choice' ? fc.constantFrom(...spec.values) : numberIn(limitsOf(spec)),
          ]),
        ),
        { requiredKeys: [] },
      )
      .map((values) => samplerChoice(name, values)),
  );

function numberIn({ min, max, step }: { min: number; max: number; step: number }): fc.Arbitrary<number> {
  return step === 1 ? fc.integer({ min, max }) : fc.double({ min, max, noNaN: true }).map((value) => value + 0);
}

function anyOf(name: SamplingField): fc.Arbitrary<unknown> {
  const { control } = FIELDS[name];
  if (control.kind === 'number') return numberIn(control.limits);
  return control.kind === 'choice' ? fc.constantFrom(...control.values) : sampler;
}

const fields = Object.fromEntries(FIELD_NAMES.map((name) => [name, anyOf(name)])) as {
  [K in SamplingField]: fc.Arbitrary<Sampling[K]>;
};

/** All settings. */
export const samplings: fc.Arbitrary<Sampling> = fc.record(fields);

/** A lane that is not the twin, with some settings of its own. */
export const models: fc.Arbitrary<LaneSpec> = fc
  .constantFrom('mdlm' as const, 'ar' as const, 'ar-transformers' as const)
  .chain((model) => {
    const own = FIELD_NAMES.filter((name) => FIELDS[name].models.includes(model));
    const values = Object.fromEntries(own.map((name): [string, fc.Arbitrary<unknown>] => [name, fields[name]]));
    return fc
      .record(values, { requiredKeys: [] })
      .map((some): LaneSpec => ({ model, ...Object.fromEntries(inOrder(some)) }));
  });

/** In the order of the table, in which lanes are read. */
function inOrder(some: { [name: string]: unknown }): [string, unknown][] {
  return FIELD_NAMES.filter((name) => Object.hasOwn(some, name)).map((name) => [name, some[name]]);
}
