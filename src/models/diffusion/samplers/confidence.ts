/**
 * The sampler of LLaDA (Nie et al. 2025) and MaskGIT: in every step a quota of places is written, the surest first. With
 * the margin (Kim et al. 2025) or the entropy (Dream) as orders.
 */
import { bySureness, orderSpec } from './order';
import { define } from './types';

/** How many of `masked` places each of the steps writes: equal parts, what is left over in the first steps. */
export function quotas(masked: number, steps: number): number[] {
  return Array.from({ length: steps }, (_, i) => Math.floor(masked / steps) + (i < masked % steps ? 1 : 0));
}

export const confidence = define({
  about: 'writes a fixed number of places in each step, the surest first',
  parameters: {
    steps: { kind: 'integer', min: 1, max: 1024, default: 16, about: 'steps for a block' },
    order: orderSpec,
  },
  open({ steps, order }, masked) {
    const quota = quotas(masked, steps);
    let step = 0;
    return {
      plan(view) {
        if (step >= steps) return null;
        const count = quota[step++] as number;
        return {
          commit: bySureness(view.masked, order)
            .slice(0, count)
            .map(({ place }) => place),
        };
      },
    };
  },
});
