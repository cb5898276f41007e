/** What people want of a shop. */
import type { JsonObject } from '../../world/json';
import type { Rng } from '../../world/rng';
import type { Action } from '../../world/types';
import { records, type Seeded, type TaskPlan, type TaskTemplate } from '../kit/types';
import { num } from '../kit/read';
import { rulesOf } from './generate';
import { costOf, offOf, optionsOf, sumOf, totals } from './pricing';

type Entry = [key: string, item: JsonObject];

const call = (tool: string, args: JsonObject = {}): Action => ({ tool, args });
const CHECKOUT = call('checkout');
const items = ({ state }: Seeded): Entry[] => Object.entries(records(state, 'items'));
const cart = ({ state }: Seeded) => records(state, 'cart');
const named = (item: JsonObject | undefined) => String(item?.name);

/** Looks come first, in somewhat more than half of the cases. */
function plan(rng: Rng, instruction: string, look: Action, ...actions: Action[]): TaskPlan {
  return { instruction, plan: rng.chance(0.6) ? [look, ...actions] : actions };
}

/** Items that are not in the cart and of which there are enough. */
function free(world: Seeded, qty = 1): Entry[] {
  return items(world).filter(([key, item]) => !Object.hasOwn(cart(world), key) && num(item.stock) >= qty);
}

/** Lines of the cart with the items they are for. */
function lines(world: Seeded): { key: string; line: JsonObject; item: JsonObject }[] {
  const all = records(world.state, 'items');
  return Object.entries(cart(world)).map(([key, line]) => ({ key, line, item: all[key] ?? {} }));
}

/** Puts an item into the cart, in any option it comes in. */
function adding(rng: Rng, [key, item]: Entry, qty: number): { args: JsonObject; action: Action } {
  const options = optionsOf(item);
  const args = { id: key, qty, ...(options.length === 0 ? {} : { option: rng.pick(options) }) };
  return { args, action: call('add', args) };
}

/** Into the cart in an option, or ordered in any: an order does not say which, so a check could not ask for it. */
const buy: TaskTemplate = (rng, world) => {
  const qty = rng.int(1, 3);
  const fitting = free(world, qty);
  if (fitting.length === 0) return null;
  const [key, item] = rng.pick(fitting);
  const { args, action } = adding(rng, [key, item], qty);
  const what = `${qty} of the ${named(item)}`;
  const look = rng.pick([call('view_item', { id: key }), call('search', { category: item.category ?? '' })]);
  if (args.option !== undefined && rng.chance(0.5))
    return plan(rng, `Put ${what} in ${String(args.option)} into the cart.`, look, action);
  if (Object.keys(cart(world)).length === 0) return plan(rng, `Order ${what}.`, look, action, CHECKOUT);
  return plan(rng, `Add ${what} and order all of the cart.`, look, action, CHECKOUT);
};

/** The cheapest of a category, or the one with the most in stock below a price: exactly one must fit. */
const find: TaskTemplate = (rng, world) => {
  const [, { category = '' }] = rng.pick(items(world));
  const cheapest = rng.chance(0.5);
  const max = rng.int(20, 70);
  const inside = items(world).filter(([, item]) => item.category === category && num(item.stock) > 0);
  const value = ([, item]: Entry) => (cheapest ? -num(item.price) : num(item.stock));
  const fitting = inside.filter(([, item]) => cheapest || num(item.price) <= max).sort((a, b) => value(b) - value(a));
  const [best, second] = fitting;
  if (!best || !second || value(best) === value(second) || Object.hasOwn(cart(world), best[0])) return null;
  const { action } = adding(rng, best, 1);
  const what = cheapest
    ? `the cheapest ${String(category)} item in stock`
    : `of the ${String(category)} items up to ${max} the one with most in stock`;
  const look = call('search', cheapest ? { category } : { category, max_price: max });
  return {
    ...plan(rng, `Put one into the cart: ${what}.`, look, action),
    checks: [{ path: `/cart/${best[0]}/qty`, op: '==', value: 1 }],
  };
};

const amount: TaskTemplate = (rng, world) => {
  const fitting = lines(world).filter(({ line, item }) => num(line.qty) + num(item.stock) > 1);
  if (fitting.length === 0) return null;
  const { key, line, item } = rng.pick(fitting);
  const qty = rng.int(1, Math.min(num(line.qty) + num(item.stock), 5));
  return plan(rng, `Make it ${qty} of the ${named(item)}.`, call('view_cart'), call('set_qty', { id: key, qty }));
};

const option: TaskTemplate = (rng, world) => {
  const fitting = lines(world).filter(({ item }) => optionsOf(item).length > 1);
  if (fitting.length === 0) return null;
  const { key, line, item } = rng.pick(fitting);
  const other = rng.pick(optionsOf(item).filter((one) => one !== line.option));
  const look = call('view_item', { id: key });
  return plan(
    rng,
    `Change the ${named(item)} in the cart to ${other}.`,
    look,
    call('choose', { id: key, option: other }),
  );
};

const drop: TaskTemplate = (rng, world) => {
  const all = lines(world);
  if (all.length < 2) return null;
  const { key, item } = rng.pick(all);
  const text = `Take the ${named(item)} out of the cart and order the rest.`;
  return plan(rng, text, call('view_cart'), call('set_qty', { id: key, qty: 0 }), CHECKOUT);
};

/** The coupon that takes off most, if one does. */
const coupon: TaskTemplate = (rng, world) => {
  const sum = sumOf(world.state);
  const all = Object.entries(records(world.state, 'coupons')).map(([key, one]) => ({ key, off: offOf(one, sum) }));
  const [best, second] = all.sort((a, b) => b.off - a.off);
  if (!best || best.off === 0 || best.off === second?.off) return null;
  const use = call('use_coupon', { id: best.key });
  if (rng.chance(0.4)) return plan(rng, 'Use the coupon that saves most on the cart.', call('quote'), use);
  return plan(rng, 'Order the cart with the coupon that saves most.', call('view_cart'), use, CHECKOUT);
};

/** As few more of an item as make shipping free. */
const shipping: TaskTemplate = (rng, world) => {
  const rule = rulesOf(world.rules);
  const terms = rule('shipping');
  const sum = sumOf(world.state);
  if (!terms || sum >= Number(terms.min) || lines(world).length === 0) return null;
  const { key, line, item } = rng.pick(lines(world));
  const most = Math.min(num(line.qty) + num(item.stock), 9);
  const enough = (qty: number) => sum - num(line.cost) + costOf(num(item.price), qty, rule) >= Number(terms.min);
  let qty = num(line.qty);
  while (qty <= most && !enough(qty)) qty++;
  if (qty > most) return null;
  const text = `Raise the ${named(item)} just enough for free shipping, then order.`;
  return plan(rng, text, call('quote'), call('set_qty', { id: key, qty }), CHECKOUT);
};

/** As many of one item as a budget allows, shipping included. */
const budget: TaskTemplate = (rng, world) => {
  const fitting = free(world, 2);
  if (Object.keys(cart(world)).length > 0 || fitting.length === 0) return null;
  const rule = rulesOf(world.rules);
  const entry = rng.pick(fitting);
  const [key, item] = entry;
  const total = (qty: number) => totals(costOf(num(item.price), qty, rule), undefined, rule).total;
  const most = Math.min(num(item.stock), 9, Number(rule('max_qty')?.max ?? 9));
  const money = total(rng.int(1, Math.min(most, 4))) + rng.int(0, num(item.price) - 1);
  let qty = most;
  while (qty > 0 && total(qty) > money) qty--;
  if (qty === 0) return null;
  const { action } = adding(rng, entry, qty);
  const goal = `order as many of the ${named(item)} as ${money} pays for, shipping included`;
  return plan(rng, `Without a coupon, ${goal}.`, call('view_item', { id: key }), action, call('quote'), CHECKOUT);
};

export const TASKS: { readonly [name: string]: TaskTemplate } = {
  buy,
  find,
  amount,
  option,
  drop,
  coupon,
  shipping,
  budget,
};
