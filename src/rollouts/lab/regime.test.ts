import { describe, expect, it } from 'vitest';
import { regimeOf, type Regime } from './regime';
import type { LabSampling, SimulatorKind } from './spec';

const cases: [kind: SimulatorKind, options: LabSampling, text: string, meant: Regime['for']][] = [
  ['twin', { temperature: 1 }, 'no sampling', 'truth'],
  ['ar', {}, 'greedy, temperature 0', 'quality'],
  // The threshold and the sampler are nothing to an AR model.
  ['ar', { threshold: 0.5 }, 'greedy, temperature 0', 'quality'],
  ['transformers', {}, 'greedy, temperature 0', 'quality'],
  ['ar', { temperature: 1 }, 'ancestral, temperature 1', 'diversity'],
  ['ar', { temperature: 0.7 }, 'ancestral, temperature 0.7', 'other'],
  ['ar', { temperature: 1, topP: 0.9 }, 'ancestral, temperature 1, top-p 0.9', 'other'],
  ['ar', { temperature: 1, minP: 0.05 }, 'ancestral, temperature 1, min-p 0.05', 'other'],
  ['ar', { temperature: 1, minP: 0, topP: 1 }, 'ancestral, temperature 1', 'diversity'],
  [
    'ar',
    { temperature: 0.7, bestOf: { n: 4, verifier: 'likely' } },
    'ancestral, temperature 0.7, best of 4 by likely',
    'quality',
  ],
  // The best of one is that one.
  ['ar', { temperature: 1, bestOf: { n: 1, verifier: 'sound' } }, 'ancestral, temperature 1', 'diversity'],
  ['ar', { temperature: 1, guidance: 2 }, 'ancestral, temperature 1, guidance 2', 'other'],
  ['ar', { temperature: 1, constraint: 'schema' }, 'ancestral, temperature 1, held to the schema', 'other'],
  ['mdlm', {}, 'threshold 0.9, temperature 0', 'quality'],
  ['mdlm', { threshold: 0.7, blockSize: 16 }, 'threshold 0.7, temperature 0, blocks of 16', 'quality'],
  // As the model reads it: its own value first, then the option's.
  ['mdlm', { threshold: 0.7, sampler: { name: 'threshold' } }, 'threshold 0.7, temperature 0', 'quality'],
  [
    'mdlm',
    { threshold: 0.7, sampler: { name: 'threshold', threshold: 0.6 } },
    'threshold 0.6, temperature 0',
    'quality',
  ],
  ['mdlm', { sampler: { name: 'confidence', steps: 8 } }, 'confidence steps 8, temperature 0', 'other'],
  ['mdlm', { temperature: 1, sampler: { name: 'ancestral' } }, 'ancestral, temperature 1', 'diversity'],
  ['mdlm', { temperature: 0, sampler: { name: 'ancestral' } }, 'ancestral, temperature 0', 'other'],
  ['mdlm', { sampler: { name: 'speculative', masks: 8 } }, 'speculative masks 8, temperature 0', 'quality'],
  ['mdlm', { temperature: 1, sampler: { name: 'speculative' } }, 'speculative, temperature 1', 'diversity'],
  ['mdlm', { temperature: 0.7, sampler: { name: 'speculative' } }, 'speculative, temperature 0.7', 'other'],
  // Threshold at temperature 1 is no honest sample of the model.
  ['mdlm', { temperature: 1 }, 'threshold 0.9, temperature 1', 'quality'],
];

describe('the regime of a lane', () => {
  it.each(cases)('%s with %j: %s', (kind, options, text, meant) => {
    expect(regimeOf({ kind, options })).toEqual({ text, for: meant });
  });
});
