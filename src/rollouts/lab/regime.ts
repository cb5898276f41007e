/**
 * How a simulator draws its answers, and what may be said of it then. Quality is measured under `threshold`, or `speculative`
 * at temperature 0 (for an AR model: greedily), diversity under `ancestral`, the honest sample of a model at temperature 1, or
 * `speculative` there, which draws as an AR model does; tables state each.
 */
import { DEFAULT_STEP_OPTIONS, type SamplerChoice } from '../../world/simulator';
import type { LabSimulator } from './spec';

export interface Regime {
  /** Such as `threshold 0.9, temperature 0`, or `no sampling` for the twin. */
  text: string;
  /** What numbers under it are meant for; `other` is a setting that is tried out, which tables show as such. */
  for: 'truth' | 'quality' | 'diversity' | 'other';
}

/** The regime of a simulator of a spec; what it does not set has the default. */
export function regimeOf({ kind, options }: Pick<LabSimulator, 'kind' | 'options'>): Regime {
  if (kind === 'twin') return { text: 'no sampling', for: 'truth' };
  const { temperature, topP, threshold, minP, guidance, sampler, bestOf, blockSize, constraint } = {
    ...DEFAULT_STEP_OPTIONS,
    ...options,
  };
  const whole = topP === 1 && (minP ?? 0) === 0;
  const parts: string[] = [];
  if (kind === 'mdlm') {
    // As the model reads it: the sampler by threshold takes it from the options where it has none of its own.
    const { name, ...rest } =
      (sampler?.name ?? 'threshold') === 'threshold'
        ? { name: 'threshold', threshold, ...sampler }
        : (sampler as SamplerChoice);
    const values = Object.entries(rest).map(([key, value]) => (key === name ? String(value) : `${key} ${value}`));
    parts.push([name, ...values].join(' '));
  } else parts.push(temperature > 0 ? 'ancestral' : 'greedy');
  parts.push(`temperature ${temperature}`);
  if (topP < 1) parts.push(`top-p ${topP}`);
  if (minP) parts.push(`min-p ${minP}`);
  if (guidance) parts.push(`guidance ${guidance}`);
  if (blockSize !== undefined && sampler?.name !== 'speculative') parts.push(`blocks of ${blockSize}`);
  if (constraint) parts.push(`held to the ${constraint}`);
  if (bestOf && bestOf.n > 1) parts.push(`best of ${bestOf.n} by ${bestOf.verifier}`);
  const several = (bestOf?.n ?? 1) > 1;
  const name = kind === 'mdlm' ? (sampler?.name ?? 'threshold') : 'ar';
  // Drafts change no draw.
  const oneByOne = name === 'ar' || name === 'speculative';
  const ancestral = oneByOne || name === 'ancestral';
  if (ancestral && temperature === 1 && whole && !several && !guidance && !constraint) {
    return { text: parts.join(', '), for: 'diversity' };
  }
  // One draw token by token at a temperature is no greedy answer; several, of which the best is taken, are meant for quality.
  const accurate = oneByOne ? temperature === 0 || several : name === 'threshold';
  return { text: parts.join(', '), for: accurate ? 'quality' : 'other' };
}
