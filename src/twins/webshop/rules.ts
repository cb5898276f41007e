/** Terms of the shop: what it forbids, what it charges and how it searches. */
import type { RuleDef } from '../kit/types';

export const RULES: readonly RuleDef[] = [
  {
    id: 'shipping',
    text: ({ fee, min }) => `shipping is ${String(fee)} when sum is below ${String(min)}`,
  },
  {
    id: 'bulk',
    text: ({ n, off }) => `from ${String(n)} of an item each costs ${String(off)} less`,
  },
  {
    id: 'min_order',
    code: 'too_low',
    text: ({ min }) => `no checkout when sum is below ${String(min)}`,
    violated: ({ min }, facts) => Number(facts.sum) < Number(min),
  },
  {
    id: 'max_qty',
    code: 'too_many',
    text: ({ max }) => `at most ${String(max)} of an item`,
    violated: ({ max }, facts) => Number(facts.qty) > Number(max),
  },
  {
    id: 'max_lines',
    code: 'cart_full',
    text: ({ max }) => `at most ${String(max)} lines in the cart`,
    violated: ({ max }, facts) => Number(facts.lines) > Number(max),
  },
  {
    id: 'no_coupon',
    code: 'not_allowed',
    text: ({ category }) => `no coupon with ${String(category)} items`,
    violated: ({ category }, facts) => facts.coupon === true && facts[`in_${String(category)}`] === true,
  },
  {
    id: 'hide',
    text: ({ min }) => `search hides items with stock below ${String(min)}`,
  },
  {
    id: 'sort',
    text: ({ field }) => `search puts the lowest ${String(field)} first`,
  },
];
