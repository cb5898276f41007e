/** What people ask a trading desk for. */
import type { JsonObject } from '../../world/json';
import type { Rng } from '../../world/rng';
import type { Action, State } from '../../world/types';
import { records, type Seeded, type TaskPlan, type TaskTemplate } from '../kit/types';
import { ordersOf } from './program';

const quote = (symbol: string): Action => ({ tool: 'get_quote', args: { symbol } });
const look = (account: string): Action => ({ tool: 'get_account', args: { account } });
const trade = (account: string, symbol: string, side: string, qty: number): Action => ({
  tool: 'trade',
  args: { account, symbol, side, qty },
});

/** A look that a thoughtful agent takes in half of the cases. */
const maybe = (rng: Rng, ...looks: Action[]): Action[] => (rng.chance(0.5) ? looks : []);

const anAccount = (rng: Rng, state: State) => rng.pick(Object.entries(records(state, 'accounts')));
const aQuote = (rng: Rng, state: State) => rng.pick(Object.entries(records(state, 'quotes')));

/** A number that a rule of the world gives, or what holds without the rule. */
function param({ rules }: Seeded, id: string, name: string, without = 0): number {
  return Number(rules.find((rule) => rule.id === id)?.params[name] ?? without);
}

/** Shares of an account by symbol, those it has. */
function held({ cash: _, ...shares }: JsonObject): [string, number][] {
  return Object.entries(shares).flatMap(([symbol, n]) => (Number(n) > 0 ? [[symbol, Number(n)]] : []));
}

const buy: TaskTemplate = (rng, { state }) => {
  const [account] = anAccount(rng, state);
  const [symbol] = aQuote(rng, state);
  const qty = rng.int(1, 6);
  return {
    instruction: `Buy ${qty} ${symbol} for ${account}.`,
    plan: [...maybe(rng, quote(symbol), look(account)), trade(account, symbol, 'buy', qty)],
  };
};

const sell: TaskTemplate = (rng, { state }) => {
  const [account, item] = anAccount(rng, state);
  const shares = held(item);
  if (shares.length === 0) return null;
  const [symbol, most] = rng.pick(shares);
  if (rng.chance(0.5))
    return {
      instruction: `Sell all ${symbol} of ${account}.`,
      plan: [look(account), trade(account, symbol, 'sell', most)],
    };
  const qty = rng.int(1, most);
  return {
    instruction: `Sell ${qty} ${symbol} of ${account}.`,
    plan: [...maybe(rng, look(account)), trade(account, symbol, 'sell', qty)],
  };
};

/** Swap one position for as many shares of another symbol. */
const swap: TaskTemplate = (rng, { state }) => {
  const [account, item] = anAccount(rng, state);
  const shares = held(item);
  if (shares.length === 0) return null;
  const [from, qty] = rng.pick(shares);
  const [to] = aQuote(rng, state);
  if (from === to) return null;
  return {
    instruction: `In ${account}, sell all ${from}, then buy as many shares of ${to}.`,
    plan: [look(account), trade(account, from, 'sell', qty), trade(account, to, 'buy', qty)],
  };
};

/** The cheaper of two symbols, by their asks. */
const cheaper: TaskTemplate = (rng, { state }) => {
  const [account] = anAccount(rng, state);
  const [first, second] = rng.sample(Object.entries(records(state, 'quotes')), 2);
  if (!first || !second || first[1].ask === second[1].ask) return null;
  const qty = rng.int(1, 5);
  const best = Number(first[1].ask) < Number(second[1].ask) ? first[0] : second[0];
  return {
    instruction: `Buy ${qty} of the cheaper of ${first[0]} and ${second[0]} for ${account}.`,
    plan: [quote(first[0]), quote(second[0]), trade(account, best, 'buy', qty)],
  };
};

/** As many shares as an amount pays for, the fee included. */
const spend: TaskTemplate = (rng, world) => {
  const [account] = anAccount(rng, world.state);
  const [symbol, { ask }] = aQuote(rng, world.state);
  const amount = rng.int(3, 12) * 10;
  const qty = Math.floor((amount - param(world, 'fee', 'fee')) / Number(ask));
  if (qty < 1) return null;
  return {
    instruction: `Buy as many ${symbol} for ${account} as ${amount} pays for, fees included.`,
    plan: [quote(symbol), trade(account, symbol, 'buy', qty)],
  };
};

const transfer: TaskTemplate = (rng, { state }) => {
  const [[from] = [''], [to] = ['']] = rng.sample(Object.entries(records(state, 'accounts')), 2);
  const amount = rng.int(5, 60);
  return {
    instruction: `Transfer ${amount} from ${from} to ${to}.`,
    plan: [...maybe(rng, look(from)), { tool: 'transfer', args: { from, to, amount } }],
  };
};

/** Bring an account to a round sum. */
const top_up: TaskTemplate = (rng, { state }) => {
  const [from, to] = rng.sample(Object.entries(records(state, 'accounts')), 2);
  if (!from || !to) return null;
  const goal = (Math.floor(Number(to[1].cash) / 10) + rng.int(1, 5)) * 10;
  const args = { from: from[0], to: to[0], amount: goal - Number(to[1].cash) };
  return {
    instruction: `Bring ${to[0]} to ${goal} in cash from ${from[0]}.`,
    plan: [look(to[0]), { tool: 'transfer', args }],
  };
};

/** Buy what an account cannot pay for, with what is missing from another one. */
const fund: TaskTemplate = (rng, world) => {
  const [to, from] = rng.sample(Object.entries(records(world.state, 'accounts')), 2);
  if (!from || !to) return null;
  const [symbol, { ask }] = aQuote(rng, world.state);
  const least = param(world, 'min_cash', 'min');
  for (const qty of [2, 3, 4, 5, 6, 7, 8]) {
    const missing = qty * Number(ask) + param(world, 'fee', 'fee') + least - Number(to[1].cash);
    if (missing <= 0) continue;
    return {
      instruction: `Buy ${qty} ${symbol} for ${to[0]}. Transfer just what is missing from ${from[0]} first.`,
      plan: [
        quote(symbol),
        look(to[0]),
        { tool: 'transfer', args: { from: from[0], to: to[0], amount: missing } },
        trade(to[0], symbol, 'buy', qty),
      ],
    };
  }
  return null;
};

const order: TaskTemplate = (rng, { state }) => {
  const [account] = anAccount(rng, state);
  const [symbol, { bid, ask }] = aQuote(rng, state);
  const side = rng.pick(['buy', 'sell']);
  const limit = Math.max(1, side === 'buy' ? Number(bid) - rng.int(0, 3) : Number(ask) + rng.int(0, 3));
  const qty = rng.int(1, 6);
  return {
    instruction: `Place an order to ${side} ${qty} ${symbol} at ${limit} for ${account}.`,
    plan: [...maybe(rng, quote(symbol)), { tool: 'place_order', args: { account, symbol, side, qty, limit } }],
  };
};

const cancel: TaskTemplate = (rng, { state }) => {
  const waiting = Object.entries(records(state, 'orders'));
  // It never fails, so that it would be picked more often than the others.
  if (waiting.length === 0 || rng.chance(0.4)) return null;
  const [key, { account, symbol, side }] = rng.pick(waiting);
  const alike = waiting.filter(([, item]) => item.account === account && item.symbol === symbol && item.side === side);
  if (alike.length > 1) return null;
  return {
    instruction: `Cancel the order of ${String(account)} to ${String(side)} ${String(symbol)}.`,
    plan: [
      ...maybe(rng, { tool: 'list_orders', args: { account: account ?? '' } }),
      { tool: 'cancel_order', args: { id: key } },
    ],
  };
};

/** Fill what the quotes allow, and nothing else. */
const fill: TaskTemplate = (rng, { state }) => {
  const [account] = anAccount(rng, state);
  const waiting = ordersOf(state, account);
  const quotes = records(state, 'quotes');
  const isMet = ({ symbol, side, limit }: JsonObject) => {
    const { bid, ask } = quotes[String(symbol)] ?? {};
    return side === 'buy' ? Number(ask) <= Number(limit) : Number(bid) >= Number(limit);
  };
  const met = waiting.filter(([, item]) => isMet(item));
  if (met.length === 0) return null;
  const symbols = new Set(waiting.map(([, { symbol }]) => String(symbol)));
  return {
    instruction: `Fill the orders of ${account} that the quotes allow.`,
    plan: [
      { tool: 'list_orders', args: { account } },
      ...[...symbols].map(quote),
      ...met.map(([id]): Action => ({ tool: 'fill_order', args: { id } })),
    ],
  };
};

const SINGLE: { readonly [name: string]: TaskTemplate } = {
  buy,
  sell,
  swap,
  cheaper,
  spend,
  transfer,
  top_up,
  fund,
  order,
  cancel,
  fill,
};

/** The templates, and two short ones in a row. */
export const TASKS: { readonly [name: string]: TaskTemplate } = {
  ...SINGLE,
  two: (rng, world) => {
    const made = rng.shuffle([buy, sell, transfer, order, cancel]).map((make) => make(rng, world));
    const [first, second] = made.filter((task): task is TaskPlan => task !== null);
    if (!first || !second) return null;
    return { instruction: `${first.instruction} ${second.instruction}`, plan: [...first.plan, ...second.plan] };
  },
};
