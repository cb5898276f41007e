/** What things cost: pure arithmetic on the state and the rules, the same for the tools and for who plans tasks. */
import { get, isObject, type JsonObject } from '../../world/json';
import type { State } from '../../world/types';
import { record, records, type ShownParams } from '../kit/types';
import { num, text } from '../kit/read';

/** Parameters of a rule that stands. */
export type RuleOf = (id: string) => ShownParams | undefined;

/** What the checkout page shows. */
export interface Quote {
  sum: number;
  off: number;
  fee: number;
  total: number;
}

/** Cost of a cart line. */
export function costOf(price: number, qty: number, rule: RuleOf): number {
  const bulk = rule('bulk');
  return qty * (price - (bulk && qty >= Number(bulk.n) ? Number(bulk.off) : 0));
}

/** Options an item comes in: its colors or its sizes; none for items of one kind. */
export function optionsOf(item: JsonObject): string[] {
  return String(item.color ?? item.size ?? '')
    .split(' ')
    .filter(Boolean);
}

/** The coupon that lies in the basket, or nothing. */
export function couponOf(state: State): string {
  const basket = get(state, 'basket');
  return isObject(basket) ? text(get(basket, 'coupon')) : '';
}

/** What a coupon takes off a sum: nothing below its `min`. */
export function offOf(coupon: JsonObject | undefined, sum: number): number {
  if (!coupon || sum < num(coupon.min)) return 0;
  return coupon.percent === undefined ? num(coupon.off) : Math.floor((sum * num(coupon.percent)) / 100);
}

/** Sum of the costs in the cart. */
export function sumOf(state: State): number {
  return Object.values(records(state, 'cart')).reduce((sum, line) => sum + num(line.cost), 0);
}

/** The way from a sum to the total: the coupon comes off, shipping is added; both look at the sum before. */
export function totals(sum: number, coupon: JsonObject | undefined, rule: RuleOf): Quote {
  const off = offOf(coupon, sum);
  const shipping = rule('shipping');
  const fee = shipping && sum < Number(shipping.min) ? Number(shipping.fee) : 0;
  return { sum, off, fee, total: sum - off + fee };
}

/** The quote of the cart as it is. */
export function quoteOf(state: State, rule: RuleOf): Quote {
  return totals(sumOf(state), record(state, 'coupons', couponOf(state)), rule);
}
