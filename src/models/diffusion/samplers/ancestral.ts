/**
 * Ancestral sampling of masked diffusion (Sahoo et al. 2024, MDLM): the honest sample of the model at temperature 1. The
 * level of noise falls linearly from 1 to 0; a masked place is written with probability (t - s) / t in the step from t to
 * s, whatever the model thinks of it. Steps in which nothing is written cost no pass (their `ddpm_cache`).
 */
import { define } from './types';

/** Chance that a masked place is written in the step from noise level `t` down to `s`. */
export function unmaskChance(t: number, s: number): number {
  return (t - s) / t;
}

/** Levels of noise before and after the step `step` (from 0) of `steps`. */
export function noiseLevels(step: number, steps: number): { t: number; s: number } {
  return { t: 1 - step / steps, s: 1 - (step + 1) / steps };
}

export const ancestral = define({
  about: 'writes places in random order; an unbiased sample of the model at temperature 1',
  parameters: {
    steps: { kind: 'integer', min: 1, max: 1024, default: 32, about: 'steps for a block' },
  },
  open({ steps }) {
    let step = 0;
    return {
      plan({ masked, uniform }) {
        if (step >= steps) return null;
        const { t, s } = noiseLevels(step, steps);
        const now = step++;
        // The last step must leave nothing, and rounding could.
        const chance = step === steps ? 1 : unmaskChance(t, s);
        return { commit: masked.filter(({ place }) => uniform(place, now) < chance).map(({ place }) => place) };
      },
    };
  },
});
