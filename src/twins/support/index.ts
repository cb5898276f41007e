/** A support desk: customers, their orders and the items in them. */
import type { JsonObject } from '../../world/json';
import type { Rng } from '../../world/rng';
import type { Action } from '../../world/types';
import { errorAnswer, listAnswer, notFound, recordAnswer, type Answer } from '../kit/answer';
import {
  record,
  records,
  type ArgSpec,
  type Call,
  type Family,
  type Program,
  type RuleDef,
  type Seeded,
  type TaskPlan,
} from '../kit/types';
import { ids, keyed, word, words } from '../kit/ids';
import { listOf, shape } from '../kit/schema';
import { CITIES, GOODS, NAMES, STATUSES } from './words';

const RULES: readonly RuleDef[] = [
  {
    id: 'cancel_status',
    code: 'not_allowed',
    text: ({ status }) => `only ${String(status)} orders can be cancelled`,
    violated: ({ status }, facts) => facts.status !== status,
  },
  {
    id: 'return_status',
    code: 'not_allowed',
    text: ({ status }) => `only items of ${String(status)} orders can be returned`,
    violated: ({ status }, facts) => facts.status !== status,
  },
  {
    id: 'return_days',
    code: 'too_late',
    text: ({ days }) => `no returns after ${String(days)} days`,
    violated: ({ days }, facts) => Number(facts.days) > Number(days),
  },
  {
    id: 'refund_limit',
    code: 'too_high',
    text: ({ max }) => `a refund is at most ${String(max)}`,
    violated: ({ max }, facts) => Number(facts.amount) > Number(max),
  },
  {
    id: 'address_status',
    code: 'not_allowed',
    text: ({ status }) => `no new city while an order is ${String(status)}`,
    violated: ({ status }, facts) => facts[`any_${String(status)}`] === true,
  },
];

const STATUS = `status:${STATUSES.join('|')}|cancelled`;
const id = (from: string): ArgSpec => ({ type: 'string', from });

const PROGRAM: Program = {
  rules: RULES,
  tools: [
    {
      name: 'get_order',
      description: 'One order',
      input: { id: id('orders') },
      output: shape(`id@orders customer@customers ${STATUS} total:int days:int refunded:int`),
      readOnly: true,
      apply: (call) => withRecord(call, 'orders', (order, key) => recordAnswer({ id: key, ...order })),
    },
    {
      name: 'get_customer',
      description: 'One customer',
      input: { id: id('customers') },
      output: shape('id@customers name city'),
      of: 'customers',
      readOnly: true,
      apply: (call) => withRecord(call, 'customers', (customer, key) => recordAnswer({ id: key, ...customer })),
    },
    {
      name: 'list_orders',
      description: 'Orders of a customer',
      input: { customer: id('customers') },
      output: listOf(`id@orders ${STATUS}`),
      of: 'orders',
      readOnly: true,
      apply: ({ state, args }) => {
        if (!record(state, 'customers', args.customer)) return notFound(args.customer);
        const own = Object.entries(records(state, 'orders')).filter(([, order]) => order.customer === args.customer);
        return listAnswer(own.map(([key, order]) => ({ id: key, status: order.status ?? '' })));
      },
    },
    {
      name: 'list_items',
      description: 'Items of an order',
      input: { order: id('orders') },
      output: listOf('id@items name'),
      of: 'items',
      readOnly: true,
      apply: ({ state, args }) => {
        if (!record(state, 'orders', args.order)) return notFound(args.order);
        const own = Object.entries(records(state, 'items')).filter(([, item]) => item.order === args.order);
        return listAnswer(own.map(([key, item]) => ({ id: key, name: item.name ?? '' })));
      },
    },
    {
      name: 'cancel_order',
      description: 'status cancelled',
      input: { id: id('orders') },
      output: shape(`id@orders ${STATUS}`),
      of: 'orders',
      readOnly: false,
      destructive: true,
      apply: (call) =>
        withRecord(call, 'orders', (order, key) => {
          if (order.status === 'cancelled') return errorAnswer('conflict', 'already cancelled');
          return call.forbidden(order, 'cancel_status') ?? changed('orders', key, { status: 'cancelled' });
        }),
    },
    {
      name: 'return_item',
      description: 'state returned',
      input: { id: id('items') },
      output: shape('id@items state:kept|returned'),
      of: 'items',
      readOnly: false,
      apply: (call) =>
        withRecord(call, 'items', (item, key) => {
          if (item.state === 'returned') return errorAnswer('conflict', 'already returned');
          const order = record(call.state, 'orders', item.order) ?? {};
          return call.forbidden(order, 'return_status', 'return_days') ?? changed('items', key, { state: 'returned' });
        }),
    },
    {
      name: 'refund_order',
      description: 'Adds to refunded, up to total',
      input: { id: id('orders'), amount: { type: 'integer', min: 1, max: 999 } },
      output: shape('id@orders refunded:int'),
      of: 'orders',
      readOnly: false,
      apply: (call) =>
        withRecord(call, 'orders', (order, key) => {
          const refunded = Number(order.refunded ?? 0) + Number(call.args.amount);
          if (refunded > Number(order.total)) return errorAnswer('too_high', 'more than the total');
          const refused = call.forbidden({ amount: call.args.amount ?? 0 }, 'refund_limit');
          return refused ?? changed('orders', key, { refunded });
        }),
    },
    {
      name: 'change_city',
      description: 'New city of a customer',
      input: { id: id('customers'), city: { type: 'string', maxLength: 12 } },
      output: shape('id@customers city'),
      of: 'customers',
      readOnly: false,
      apply: (call) =>
        withRecord(call, 'customers', (_, key) => {
          const facts: JsonObject = {};
          for (const order of Object.values(records(call.state, 'orders'))) {
            if (order.customer === key) facts[`any_${String(order.status)}`] = true;
          }
          return call.forbidden(facts, 'address_status') ?? changed('customers', key, { city: call.args.city ?? '' });
        }),
    },
  ],
};

function withRecord(call: Call, collection: string, then: (item: JsonObject, key: string) => Answer): Answer {
  const item = record(call.state, collection, call.args.id);
  return item ? then(item, String(call.args.id)) : notFound(call.args.id);
}

function changed(collection: string, key: string, fields: JsonObject): Answer {
  return recordAnswer({ id: key, ...fields }, { [collection]: { [key]: fields } });
}

function generate(rng: Rng, difficulty: number): Seeded {
  const names = words(rng, NAMES, 2, 0.4);
  const customerIds = ids(rng, difficulty > 1 ? 2 : 1);
  const customers = keyed(customerIds, (_, i) => ({ name: names[i] ?? '', city: word(rng, CITIES, 0.3) }));
  const orderIds = ids(rng, difficulty > 2 ? 3 : 2);
  const orders = keyed(orderIds, () => ({
    customer: rng.pick(customerIds),
    status: rng.pick(STATUSES),
    total: rng.int(20, 150),
    days: rng.int(1, 40),
    refunded: 0,
  }));
  const goods = words(rng, GOODS, 3, 0.4);
  const items = keyed(ids(rng, rng.int(2, difficulty > 1 ? 3 : 2)), (_, i) => ({
    order: orderIds[i % orderIds.length] ?? '',
    name: goods[i] ?? '',
    state: 'kept',
  }));
  const rules = [
    { id: 'cancel_status', params: { status: rng.pick(['pending', 'paid']) } },
    { id: 'return_status', params: { status: rng.pick(['delivered', 'shipped']) } },
    { id: 'return_days', params: { days: rng.int(5, 30) } },
    { id: 'refund_limit', params: { max: rng.int(2, 9) * 10 } },
    { id: 'address_status', params: { status: rng.pick(['shipped', 'paid']) } },
  ];
  return {
    title: 'Support desk',
    state: { customers, orders, items },
    rules: rng.sample(rules, 2 + (difficulty > 1 ? 1 : 0)),
  };
}

/** One goal as words and the call that reaches it. */
type Goal = (rng: Rng, world: Seeded) => { text: string; look: Action; action: Action };

const GOALS: { readonly [name: string]: Goal } = {
  cancel: (rng, { state }) => {
    const key = rng.pick(Object.keys(records(state, 'orders')));
    return { text: `Cancel ${key}`, look: get('get_order', key), action: get('cancel_order', key) };
  },
  return: (rng, { state }) => {
    const [key, item] = rng.pick(Object.entries(records(state, 'items')));
    const look = { tool: 'list_items', args: { order: item.order ?? '' } };
    return { text: `Return the ${String(item.name)} of ${String(item.order)}`, look, action: get('return_item', key) };
  },
  refund: (rng, { state }) => {
    const key = rng.pick(Object.keys(records(state, 'orders')));
    const amount = rng.int(2, 40);
    const action = { tool: 'refund_order', args: { id: key, amount } };
    return { text: `Refund ${amount} on ${key}`, look: get('get_order', key), action };
  },
  move: (rng, { state }) => {
    const [key, customer] = rng.pick(Object.entries(records(state, 'customers')));
    const city = word(
      rng,
      CITIES.filter((name) => name !== customer.city),
      0.3,
    );
    const action = { tool: 'change_city', args: { id: key, city } };
    return { text: `${String(customer.name)} moves to ${city}`, look: get('get_customer', key), action };
  },
};

function get(tool: string, key: string): Action {
  return { tool, args: { id: key } };
}

export const support: Family = {
  name: 'support',
  title: 'Support desk',
  line: 'Customers, orders and items: look up, cancel, return, refund, move.',
  heldOut: false,
  failCodes: ['rate_limited', 'timeout', 'unavailable', 'forbidden'],
  program: () => PROGRAM,
  generate,
  tasks: () => ({
    ...Object.fromEntries(Object.keys(GOALS).map((name) => [name, (rng, world) => taskOf(rng, world, [name])])),
    two: (rng, world) => taskOf(rng, world, rng.sample(Object.keys(GOALS), 2)),
  }),
};

function taskOf(rng: Rng, world: Seeded, names: readonly string[]): TaskPlan {
  const goals = names.flatMap((name) => GOALS[name]?.(rng, world) ?? []);
  const plan = goals.flatMap(({ look, action }) => (rng.chance(0.6) ? [look, action] : [action]));
  return { instruction: `${goals.map(({ text }) => text).join('. ')}.`, plan };
}
