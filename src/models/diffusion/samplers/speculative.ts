/**
 * Writes from left to right: a draft of several tokens is made by denoising and checked in the next pass, in which the same
 * model reads it causally (`../drafting.ts`). It needs a model with a causal prefix that was trained on drafts. An answer with
 * pinned values is filled in a window by `threshold` instead, which sees what is pinned on both sides.
 */
import { defineDrafts } from './types';

export const speculative = defineDrafts({
  about:
    'writes from left to right: several tokens are drafted by denoising, and the next pass keeps those the model would write one by one; with pinned values it is threshold',
  parameters: {
    masks: { kind: 'integer', min: 1, max: 16, default: 4, about: 'tokens drafted in a pass at most' },
    least: { kind: 'number', min: 0, max: 1, default: 0.3, about: 'a draft ends before a token less sure than this' },
  },
  drafts: (values) => values,
});
