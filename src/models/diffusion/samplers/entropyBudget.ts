/**
 * The EB-sampler (Ben-Hamu et al. 2025): the surest places are written together as long as the entropies of all but the
 * largest of them stay within a budget, which bounds what is lost by taking them as independent.
 */
import { bySureness, orderSpec } from './order';
import { define } from './types';

/** Length of the largest prefix with (sum of entropies - largest entropy) <= `budget`; at least 1 of a list that has any. */
export function withinBudget(entropies: readonly number[], budget: number): number {
  let sum = 0;
  let most = 0;
  let count = 0;
  for (const entropy of entropies) {
    sum += entropy;
    most = Math.max(most, entropy);
    // The sum of one entropy less itself may miss zero by rounding.
    if (count > 0 && sum - most > budget + 1e-12) break;
    count++;
  }
  return count;
}

export const entropyBudget = define({
  about: 'writes the surest places together while the uncertainty it ignores by doing so stays within a budget',
  parameters: {
    budget: { kind: 'number', min: 0, max: 100, default: 0.1, about: 'nats of entropy in one step; 0 is one place' },
    order: { ...orderSpec, default: 'entropy' },
  },
  open({ budget, order }) {
    return {
      plan({ masked }) {
        if (masked.length === 0) return null;
        const sorted = bySureness(masked, order);
        const count = withinBudget(
          sorted.map(({ entropy }) => entropy),
          budget,
        );
        return { commit: sorted.slice(0, count).map(({ place }) => place) };
      },
    };
  },
});
