/**
 * ReMDM (Wang et al. 2025): ancestral sampling that may take back what it wrote. In every step a written place is masked
 * again with probability sigma, and masked places are written a little sooner to make up for it.
 */
import { noiseLevels } from './ancestral';
import { define } from './types';

const STRATEGIES = ['cap', 'rescale'] as const;
export type Strategy = (typeof STRATEGIES)[number];

/** Chances in the step from noise level `t` to `s` (a share of 1 - t is written at level t). */
export function remaskChances(
  t: number,
  s: number,
  strategy: Strategy,
  eta: number,
): { remask: number; unmask: number } {
  const [before, after] = [1 - t, 1 - s];
  const most = before > 0 ? Math.min(1, (1 - after) / before) : 1;
  const remask = strategy === 'cap' ? Math.min(eta, most) : eta * most;
  return { remask, unmask: (after - (1 - remask) * before) / (1 - before) };
}

export const remask = define({
  about: 'writes places in random order and masks some of them again, so that mistakes can be mended',
  parameters: {
    steps: { kind: 'integer', min: 1, max: 1024, default: 32, about: 'steps for a block' },
    strategy: {
      kind: 'choice',
      values: STRATEGIES,
      default: 'cap',
      about: 'whether eta bounds the chance of masking again, or scales the largest one possible',
    },
    eta: { kind: 'number', min: 0, max: 1, default: 0.05, about: 'how much is masked again' },
  },
  open({ steps, strategy, eta }) {
    let step = 0;
    return {
      plan({ masked, written, uniform }) {
        if (step >= steps) return null;
        const { t, s } = noiseLevels(step, steps);
        const now = step++;
        const chance = remaskChances(t, s, strategy, eta);
        if (step === steps) return { commit: masked.map(({ place }) => place) };
        return {
          commit: masked.filter(({ place }) => uniform(place, now) < chance.unmask).map(({ place }) => place),
          remask: written.filter((place) => uniform(place, now) < chance.remask),
        };
      },
    };
  },
});
