/** A web shop: search, item pages, a cart with options, coupons, shipping, checkout. */
import { get, type JsonObject } from '../../world/json';
import { errorAnswer, listAnswer, notFound, recordAnswer, type Answer } from '../kit/answer';
import { freshId } from '../kit/ids';
import { listOf, shape } from '../kit/schema';
import { record, records, type ArgSpec, type Call, type Family, type Program } from '../kit/types';
import { num, text } from '../kit/read';
import { generate } from './generate';
import { costOf, couponOf, offOf, optionsOf, quoteOf, sumOf } from './pricing';
import { RULES } from './rules';
import { TASKS } from './tasks';

const id = (from: string): ArgSpec => ({ type: 'string', from });
const option: ArgSpec = { type: 'string', maxLength: 12 };

const PROGRAM: Program = {
  rules: RULES,
  tools: [
    {
      name: 'search',
      description: 'Items that fit',
      input: {
        category: { type: 'string', maxLength: 16, optional: true },
        max_price: { type: 'integer', max: 999, optional: true },
      },
      output: listOf('id@items name price:num'),
      of: 'items',
      readOnly: true,
      apply: search,
    },
    {
      name: 'view_item',
      description: 'Page of an item',
      input: { id: id('items') },
      output: shape('id@items name category price:num stock:num color size'),
      readOnly: true,
      apply: ({ state, args }) => {
        const item = record(state, 'items', args.id);
        return item ? recordAnswer({ id: args.id ?? '', ...item }) : notFound(args.id);
      },
    },
    {
      name: 'view_cart',
      description: 'Lines of the cart',
      input: {},
      output: listOf('id@cart qty:num cost:num'),
      of: 'cart',
      readOnly: true,
      apply: ({ state }) =>
        listAnswer(
          Object.entries(records(state, 'cart')).map(([key, line]) => ({
            id: key,
            qty: num(line.qty),
            cost: num(line.cost),
          })),
        ),
    },
    {
      name: 'add',
      description: '1 to 9 from stock to cart',
      input: { id: id('items'), qty: { type: 'integer', min: 1, max: 9 }, option: { ...option, optional: true } },
      output: shape('id@cart qty:num cost:num'),
      of: 'cart',
      readOnly: false,
      apply: add,
    },
    {
      name: 'set_qty',
      description: '0 removes the line',
      input: { id: id('cart'), qty: { type: 'integer', min: 0, max: 9 } },
      output: shape('id@cart qty:num cost:num'),
      of: 'cart',
      readOnly: false,
      apply: setQty,
    },
    {
      name: 'choose',
      description: 'Another option',
      input: { id: id('cart'), option },
      output: shape('id@cart option'),
      of: 'cart',
      readOnly: false,
      apply: (call) => {
        const key = String(call.args.id);
        if (!record(call.state, 'cart', key)) return notFound(call.args.id);
        const wrong = wrongOption(key, record(call.state, 'items', key) ?? {}, call.args.option);
        if (wrong) return wrong;
        const fields = { option: call.args.option ?? '' };
        return recordAnswer({ id: key, ...fields }, { cart: { [key]: fields } });
      },
    },
    {
      name: 'use_coupon',
      description: 'Counts when sum reaches min',
      input: { id: id('coupons') },
      output: shape('id@coupons off:num'),
      readOnly: false,
      apply: useCoupon,
    },
    {
      name: 'quote',
      description: 'Cart total; percent rounded down',
      input: {},
      output: shape('sum:num off:num fee:num total:num'),
      readOnly: true,
      apply: (call) => emptyCart(call) ?? recordAnswer({ ...quoteOf(call.state, call.rule) }),
    },
    {
      name: 'checkout',
      description: 'Orders the cart, spends its coupon',
      input: {},
      output: shape('id@orders total:num'),
      of: 'orders',
      readOnly: false,
      destructive: true,
      apply: checkout,
    },
  ],
};

function search({ state, args, rule }: Call): Answer {
  const least = rule('hide')?.min;
  const found = Object.entries(records(state, 'items')).filter(
    ([, item]) =>
      (args.category === undefined || item.category === args.category) &&
      (args.max_price === undefined || num(item.price) <= num(args.max_price)) &&
      !(num(item.stock) < Number(least)),
  );
  const field = rule('sort')?.field;
  if (field !== undefined) found.sort(([, a], [, b]) => num(a[field]) - num(b[field]));
  return listAnswer(found.map(([key, item]) => ({ id: key, name: String(item.name), price: num(item.price) })));
}

/** The refusal of an option that the item does not come in. */
function wrongOption(key: string, item: JsonObject, asked: JsonObject[string] | undefined): Answer | undefined {
  const options = optionsOf(item);
  if (options.length === 0 ? asked === undefined : options.includes(String(asked))) return undefined;
  const choice = options.length === 0 ? 'has no options' : `comes in ${options.join(' ')}`;
  return errorAnswer('invalid_option', `${key} ${choice}`);
}

function tooFew(stock: number): Answer {
  return errorAnswer('out_of_stock', `only ${stock} left`);
}

function add(call: Call): Answer {
  const { state, args } = call;
  const key = String(args.id);
  const item = record(state, 'items', key);
  if (!item) return notFound(args.id);
  if (record(state, 'cart', key)) return errorAnswer('exists', `${key} is in the cart`);
  const qty = num(args.qty);
  const facts = {
    qty,
    lines: Object.keys(records(state, 'cart')).length + 1,
    coupon: couponOf(state) !== '',
    [`in_${String(item.category)}`]: true,
  };
  const refused = call.forbidden(facts, 'max_lines', 'no_coupon', 'max_qty');
  const wrong = refused ?? wrongOption(key, item, args.option);
  if (wrong) return wrong;
  const stock = num(item.stock) - qty;
  if (stock < 0) return tooFew(num(item.stock));
  const cost = costOf(num(item.price), qty, call.rule);
  const line = { qty, cost, ...(args.option === undefined ? {} : { option: args.option }) };
  return recordAnswer({ id: key, qty, cost }, { items: { [key]: { stock } }, cart: { [key]: line } });
}

function setQty(call: Call): Answer {
  const { state, args } = call;
  const key = String(args.id);
  const line = record(state, 'cart', key);
  if (!line) return notFound(args.id);
  const item = record(state, 'items', key) ?? {};
  const qty = num(args.qty);
  const refused = call.forbidden({ qty }, 'max_qty');
  if (refused) return refused;
  const stock = num(item.stock) + num(line.qty) - qty;
  if (stock < 0) return tooFew(num(item.stock));
  const cost = costOf(num(item.price), qty, call.rule);
  const delta = { items: { [key]: { stock } }, cart: { [key]: qty === 0 ? null : { qty, cost } } };
  return recordAnswer({ id: key, qty, cost }, delta);
}

function emptyCart({ state }: Call): Answer | undefined {
  return Object.keys(records(state, 'cart')).length === 0 ? errorAnswer('empty_cart', 'the cart is empty') : undefined;
}

function useCoupon(call: Call): Answer {
  const { state, args } = call;
  const key = String(args.id);
  const coupon = record(state, 'coupons', key);
  if (!coupon) return notFound(args.id);
  const sum = sumOf(state);
  if (sum < num(coupon.min)) return errorAnswer('too_low', `${key} needs a sum of ${num(coupon.min)}`);
  const facts: JsonObject = { coupon: true };
  for (const line of Object.keys(records(state, 'cart')))
    facts[`in_${String(record(state, 'items', line)?.category)}`] = true;
  const refused = call.forbidden(facts, 'no_coupon');
  return refused ?? recordAnswer({ id: key, off: offOf(coupon, sum) }, { basket: { coupon: key } });
}

function checkout(call: Call): Answer {
  const { state } = call;
  const lines = Object.entries(records(state, 'cart'));
  const { sum, total } = quoteOf(state, call.rule);
  const refused = emptyCart(call) ?? call.forbidden({ sum }, 'min_order');
  if (refused) return refused;
  const key = text(get(state, 'next'));
  const coupon = couponOf(state);
  return recordAnswer(
    { id: key, total },
    {
      cart: Object.fromEntries(lines.map(([line]) => [line, null])),
      ...(coupon === '' ? {} : { coupons: { [coupon]: null }, basket: { coupon: '' } }),
      orders: { [key]: { total } },
      next: freshId(key),
    },
  );
}

export const webshop: Family = {
  name: 'webshop',
  title: 'Web shop',
  line: 'Search, item pages, a cart with options, coupons, shipping and checkout.',
  heldOut: false,
  failCodes: ['timeout', 'payment_failed', 'rate_limited', 'unavailable'],
  program: () => PROGRAM,
  generate,
  tasks: () => TASKS,
};
