/** The tools of trading. Trades happen at once, at the quote; orders wait with a limit until they are filled. */
import { get, type JsonObject } from '../../world/json';
import type { State } from '../../world/types';
import { errorAnswer, listAnswer, notFound, recordAnswer, type Answer } from '../kit/answer';
import { freshId } from '../kit/ids';
import { listOf, shape } from '../kit/schema';
import { record, records, type ArgSpec, type Call, type Program } from '../kit/types';
import { RULES } from './rules';

const id = (from: string): ArgSpec => ({ type: 'string', from });
const side: ArgSpec = { type: 'string', enum: ['buy', 'sell'] };
/** The descriptions of the tools say these bounds. */
const qty: ArgSpec = { type: 'integer', min: 1, max: 12 };
/** Orders that are shown of an account, as the tool says. */
const SHOWN = 3;

export const PROGRAM: Program = {
  rules: RULES,
  tools: [
    {
      name: 'get_quote',
      description: 'One symbol',
      input: { symbol: id('quotes') },
      output: shape('symbol@quotes bid:int ask:int'),
      readOnly: true,
      apply: (call) =>
        withRecord(call, 'quotes', call.args.symbol, (quote, symbol) => recordAnswer({ symbol, ...quote })),
    },
    {
      name: 'get_account',
      description: 'Cash and shares',
      input: { account: id('accounts') },
      output: shape('account@accounts cash:int'),
      readOnly: true,
      apply: (call) =>
        withRecord(call, 'accounts', call.args.account, (item, account) => recordAnswer({ account, ...item })),
    },
    {
      name: 'trade',
      description: 'Buys at ask, sells at bid, 1 to 12',
      input: { account: id('accounts'), symbol: id('quotes'), side, qty },
      output: shape('account@accounts total:int cash:int'),
      of: 'accounts',
      readOnly: false,
      apply: (call) => {
        const { account, symbol, side: way, qty: n } = call.args;
        return trade(call, account, symbol, String(way), Number(n), ({ total, cash, delta }) =>
          recordAnswer({ account: account ?? '', total, cash }, delta),
        );
      },
    },
    {
      name: 'place_order',
      description: 'Waits until filled, 1 to 12',
      input: { account: id('accounts'), symbol: id('quotes'), side, qty, limit: { type: 'integer', min: 1, max: 99 } },
      output: shape('id@orders limit:int'),
      of: 'orders',
      readOnly: false,
      apply: (call) =>
        withRecord(call, 'accounts', call.args.account, (_, account) =>
          withRecord(call, 'quotes', call.args.symbol, (_quote, symbol) => {
            const { side: way = '', qty: n = 0, limit = 0 } = call.args;
            const facts = { symbol, qty: n, orders: ordersOf(call.state, account).length + 1 };
            const refused = call.forbidden(facts, 'halted', 'max_qty', 'max_orders');
            if (refused) return refused;
            const next = get(call.state, 'nextOrder');
            // A hand edit may have left anything in its place.
            const key = typeof next === 'string' ? next : '';
            const order = { account, symbol, side: way, qty: n, limit };
            return recordAnswer({ id: key, limit }, { orders: { [key]: order }, nextOrder: freshId(key) });
          }),
        ),
    },
    {
      name: 'list_orders',
      description: `First ${SHOWN}`,
      input: { account: id('accounts') },
      output: listOf('id@orders symbol@quotes side:buy|sell qty:int limit:int'),
      of: 'orders',
      readOnly: true,
      apply: (call) =>
        withRecord(call, 'accounts', call.args.account, (_, account) => {
          const own = ordersOf(call.state, account).slice(0, SHOWN);
          return listAnswer(own.map(([key, { account: _own, ...order }]) => ({ id: key, ...order })));
        }),
    },
    {
      name: 'fill_order',
      description: 'Trades if ask or bid meets limit',
      input: { id: id('orders') },
      output: shape('id total:int cash:int'),
      readOnly: false,
      apply: (call) =>
        withRecord(call, 'orders', call.args.id, (order, key) => {
          const quote = record(call.state, 'quotes', order.symbol) ?? {};
          if (order.side === 'buy' && Number(quote.ask) > Number(order.limit))
            return errorAnswer('not_met', `ask is ${String(quote.ask)}`);
          if (order.side !== 'buy' && Number(quote.bid) < Number(order.limit))
            return errorAnswer('not_met', `bid is ${String(quote.bid)}`);
          const { account, symbol, side: way, qty: n } = order;
          return trade(call, account, symbol, String(way), Number(n), ({ total, cash, delta }) =>
            recordAnswer({ id: key, total, cash }, { ...delta, orders: { [key]: null } }),
          );
        }),
    },
    {
      name: 'cancel_order',
      description: 'Removes it',
      input: { id: id('orders') },
      output: shape('id'),
      readOnly: false,
      destructive: true,
      apply: (call) =>
        withRecord(call, 'orders', call.args.id, (_, key) => recordAnswer({ id: key }, { orders: { [key]: null } })),
    },
    {
      name: 'transfer',
      description: 'Cash to another account',
      input: { from: id('accounts'), to: id('accounts'), amount: { type: 'integer', min: 1, max: 999 } },
      output: shape('account@accounts cash:int'),
      of: 'accounts',
      readOnly: false,
      apply: (call) =>
        withRecord(call, 'accounts', call.args.from, (source, from) =>
          withRecord(call, 'accounts', call.args.to, (target, to) => {
            if (from === to) return errorAnswer('conflict', 'same account');
            const amount = Number(call.args.amount);
            const cash = Number(source.cash) - amount;
            if (cash < 0) return errorAnswer('no_cash', 'not enough cash');
            const refused = call.forbidden({ amount, cash }, 'max_transfer', 'min_cash');
            const accounts = { [from]: { cash }, [to]: { cash: Number(target.cash) + amount } };
            return refused ?? recordAnswer({ account: from, cash }, { accounts });
          }),
        ),
    },
  ],
};

type Value = JsonObject[string] | undefined;

function withRecord(call: Call, collection: string, key: Value, then: (item: JsonObject, key: string) => Answer) {
  const item = record(call.state, collection, key);
  return item ? then(item, String(key)) : notFound(key);
}

/** Waiting orders of an account under their ids. */
export function ordersOf(state: State, account: string): [string, JsonObject][] {
  return Object.entries(records(state, 'orders')).filter(([, order]) => order.account === account);
}

interface Traded {
  /** What a purchase costs or a sale brings, the fee included. */
  total: number;
  cash: number;
  delta: JsonObject;
}

/** A trade at the quote: shares against cash, and the fee to the desk. */
function trade(call: Call, accountId: Value, symbolId: Value, way: string, n: number, then: (done: Traded) => Answer) {
  return withRecord(call, 'accounts', accountId, (account, key) =>
    withRecord(call, 'quotes', symbolId, (quote, symbol) => {
      const sign = way === 'buy' ? 1 : -1;
      const fee = Number(call.rule('fee')?.fee ?? 0);
      const total = n * Number(way === 'buy' ? quote.ask : quote.bid) + sign * fee;
      const cash = Number(account.cash) - sign * total;
      const position = Number(account[symbol] ?? 0) + sign * n;
      const facts = { symbol, qty: n, position, cash };
      const refused = call.forbidden(facts, 'halted', 'max_qty', 'short', 'max_position');
      if (refused) return refused;
      if (cash < 0) return errorAnswer('no_cash', 'not enough cash');
      const before = get(call.state, 'fees');
      // A hand edit may have left anything in its place.
      const fees = (typeof before === 'number' ? before : 0) + fee;
      const delta = { accounts: { [key]: { cash, [symbol]: position } }, fees };
      return call.forbidden(facts, 'min_cash') ?? then({ total, cash, delta });
    }),
  );
}
