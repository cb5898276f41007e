/** From settings to the options of a step and back, and what lanes differ in. */
import { openSampler } from '../../models/diffusion/samplers';
import type { StepOptions } from '../../world/simulator';
import type { LaneId, LaneSpec } from '../lanes';
import {
  DEFAULT_SAMPLING,
  FIELDS,
  FIELD_NAMES,
  fieldApplies,
  writeField,
  type Sampling,
  type SamplingField,
} from './fields';
import { parameterValues, samplerChoice, samplerNamed } from './sampler';

/** A lane's settings, its own before those that all share. */
export function samplingOf(lane: LaneSpec, shared: Sampling): Sampling {
  const value = (name: SamplingField) => [name, lane[name] ?? shared[name]];
  return Object.fromEntries(FIELD_NAMES.map(value)) as unknown as Sampling;
}

/**
 * Options of a lane's steps. What means nothing to it, and what is off, is absent, so that a record names what was used;
 * the sampler comes with all of its parameters.
 */
export function optionsOf(lane: LaneSpec, shared: Sampling): Partial<StepOptions> {
  if (lane.model === 'twin') return {};
  const all = samplingOf(lane, shared);
  const used = (name: SamplingField) => fieldApplies(name, lane.model, all);
  const { temperature, topP, minP, threshold, sampler, blockSize, guidance, attempts } = all;
  return {
    ...{ temperature, topP },
    // These two count at temperature 0 as well, where pins make a model try again.
    ...(minP > 0 ? { minP } : {}),
    ...(used('threshold') ? { threshold } : {}),
    ...(used('sampler') && sampler.name !== 'threshold' ? { sampler: openSampler(sampler).choice } : {}),
    ...(used('blockSize') && blockSize > 0 ? { blockSize } : {}),
    ...(used('crop') && all.crop === 'on' ? { crop: true } : {}),
    ...(used('guidance') && guidance > 0 ? { guidance } : {}),
    ...(used('bestOf') && all.bestOf > 1 ? { bestOf: { n: all.bestOf, verifier: all.verifier } } : {}),
    ...(attempts === FIELDS.attempts.default ? {} : { attempts }),
    ...(used('constraint') && all.constraint === 'schema' ? { constraint: 'schema' as const } : {}),
  };
}

/** Settings that recorded options come from; what the page cannot be set to has its default. */
export function settingsOf(recorded: Partial<StepOptions>): Partial<Sampling> {
  const { sampler, blockSize, crop, bestOf, ...plain } = recorded;
  const name = samplerNamed(sampler?.name ?? 'threshold');
  const wanted: Partial<Sampling> = {
    ...(name ? { sampler: samplerChoice(name, sampler) } : {}),
    ...(Number.isFinite(blockSize) ? { blockSize: blockSize as number } : {}),
    crop: crop ? 'on' : 'off',
    constraint: plain.constraint ?? 'off',
    ...(bestOf ? { bestOf: bestOf.n, verifier: bestOf.verifier } : {}),
  };
  const numbers = ['temperature', 'topP', 'minP', 'threshold', 'guidance', 'attempts'] as const;
  for (const name of numbers) if (plain[name] !== undefined) wanted[name] = plain[name];
  // As a link would be read: what is out of bounds is none.
  const read = <K extends SamplingField>(key: K) => {
    const value = wanted[key];
    const taken = value === undefined ? null : FIELDS[key].read(writeField(key, value as Sampling[K]));
    return [key, taken ?? DEFAULT_SAMPLING[key]];
  };
  return Object.fromEntries(FIELD_NAMES.filter((key) => key !== 'provider').map(read)) as Partial<Sampling>;
}

/** The settings that mean something to a model and differ from those that all share. */
export function ownSettings(model: LaneId, settings: Partial<Sampling>, shared: Sampling): Partial<Sampling> {
  const differs = <K extends SamplingField>(name: K) => {
    const value = settings[name];
    if (value === undefined || !FIELDS[name].models.includes(model)) return false;
    // It is recorded with every step, whatever sampler has the places written.
    if (name === 'threshold' && !fieldApplies(name, model, { ...shared, ...settings })) return false;
    return writeField(name, value as Sampling[K]) !== writeField(name, shared[name]);
  };
  return Object.fromEntries(FIELD_NAMES.filter(differs).map((name) => [name, settings[name]]));
}

/** What a lane samples by, as label and value; the sampler's parameters stand beside its name. */
function namesOf(lane: LaneSpec, shared: Sampling): [string, string][] {
  const all = samplingOf(lane, shared);
  return FIELD_NAMES.filter((name) => fieldApplies(name, lane.model, all)).flatMap((name): [string, string][] => {
    if (name !== 'sampler') return [[FIELDS[name].label, writeField(name, all[name])]];
    const parameters = parameterValues(all.sampler).map(([key, value]): [string, string] => [key, String(value)]);
    return [[FIELDS.sampler.label, all.sampler.name], ...parameters];
  });
}

/** For each lane the settings in which the lanes that have them differ, as its header names them: `threshold 0.5`. */
export function laneDifferences(lanes: readonly LaneSpec[], shared: Sampling): string[][] {
  const named = lanes.map((lane) => namesOf(lane, shared));
  const differs = (label: string) => {
    const values = named.flatMap((names) => names.filter(([one]) => one === label).map(([, value]) => value));
    return new Set(values).size > 1;
  };
  return named.map((names) => names.filter(([label]) => differs(label)).map(([label, value]) => `${label} ${value}`));
}
