/**
 * The sampler of Fast-dLLM (Wu et al. 2025): all places with at least this confidence are written, and always the surest
 * one. models/training/sampler.py does the same in torch.
 */
import { bySureness } from './order';
import { define } from './types';

export const threshold = define({
  about: 'writes every place that is sure enough, and always the surest one',
  parameters: {
    threshold: { kind: 'number', min: 0, max: 1, default: 0.9, about: 'confidence at which a place is written' },
  },
  open({ threshold: least }) {
    return {
      plan({ masked }) {
        const top = bySureness(masked, 'confidence')[0];
        if (!top) return null;
        return { commit: masked.filter((one) => one === top || one.confidence >= least).map(({ place }) => place) };
      },
    };
  },
});
