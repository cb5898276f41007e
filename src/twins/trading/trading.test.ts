import { expect, test } from 'vitest';
import { randomAgent } from '../../agents';
import { applyDelta } from '../../world/mergePatch';
import type { Rule, State } from '../../world/types';
import { stepProgram } from '../kit/step';
import { makeScenario } from '../kit/world';
import { records } from '../kit/types';
import { trading } from '.';
import { PROGRAM } from './program';

const STATE: State = {
  accounts: { a1: { cash: 50, KX: 4 }, a2: { cash: 30 } },
  quotes: { KX: { bid: 9, ask: 11 }, MM: { bid: 5, ask: 6 } },
  orders: {
    o1: { account: 'a1', symbol: 'MM', side: 'buy', qty: 3, limit: 6 },
    o2: { account: 'a1', symbol: 'MM', side: 'buy', qty: 3, limit: 5 },
    o3: { account: 'a1', symbol: 'KX', side: 'sell', qty: 2, limit: 10 },
  },
  nextOrder: 'o4',
  fees: 7,
};

const rule = (id: string, params: Rule['params']): Rule => ({ id, params, text: '', enabled: true });
const step = (tool: string, args: Record<string, string | number>, ...on: Rule[]) =>
  stepProgram(PROGRAM, STATE, on, { tool, args }, []);
const trade = (side: string, qty: number, ...on: Rule[]) =>
  step('trade', { account: 'a1', symbol: 'KX', side, qty }, ...on);

test('a purchase costs the ask and the fee, a sale brings the bid less the fee', () => {
  const fee = rule('fee', { fee: 2 });
  expect(trade('buy', 3, fee)).toEqual({
    observation: { kind: 'json', value: { account: 'a1', total: 35, cash: 15 } },
    delta: { accounts: { a1: { cash: 15, KX: 7 } }, fees: 9 },
    status: 'ok',
  });
  expect(trade('sell', 4, fee).delta).toEqual({ accounts: { a1: { cash: 84, KX: 0 } }, fees: 9 });
  expect(trade('buy', 3).delta).toEqual({ accounts: { a1: { cash: 17, KX: 7 } } });
  // 4 at 11 and 6 in fees take the last cent, 7 in fees are too much.
  expect(trade('buy', 4, rule('fee', { fee: 6 })).status).toBe('ok');
  expect(trade('buy', 4, rule('fee', { fee: 7 })).status).toBe('no_cash');
});

test('limits hold up to their number', () => {
  const status = (side: string, qty: number, on: Rule) => trade(side, qty, on).status;
  expect(status('sell', 4, rule('short', { min: 0 }))).toBe('ok');
  expect(status('sell', 5, rule('short', { min: 0 }))).toBe('short');
  expect(status('sell', 5, rule('short', { min: -1 }))).toBe('ok');
  expect(status('buy', 2, rule('max_position', { max: 6 }))).toBe('ok');
  expect(status('buy', 3, rule('max_position', { max: 6 }))).toBe('too_many');
  expect(status('buy', 3, rule('max_qty', { max: 2 }))).toBe('too_many');
  expect(status('buy', 3, rule('min_cash', { min: 17 }))).toBe('ok');
  expect(status('buy', 3, rule('min_cash', { min: 18 }))).toBe('low_cash');
  expect(status('buy', 1, rule('halted', { symbol: 'KX' }))).toBe('halted');
  expect(status('buy', 1, rule('halted', { symbol: 'MM' }))).toBe('ok');
  const order = { account: 'a1', symbol: 'KX', side: 'buy', qty: 1, limit: 9 };
  expect(step('place_order', order, rule('max_orders', { max: 3 })).status).toBe('full');
  expect(step('place_order', { ...order, account: 'a2' }, rule('max_orders', { max: 1 })).status).toBe('ok');
});

test('an order is filled at the quote when its limit allows it', () => {
  expect(step('fill_order', { id: 'o1' }).delta).toEqual({
    accounts: { a1: { cash: 32, MM: 3 } },
    orders: { o1: null },
  });
  expect(step('fill_order', { id: 'o2' })).toEqual({
    observation: { kind: 'text', text: 'Error: ask is 6' },
    delta: {},
    status: 'not_met',
  });
  expect(step('fill_order', { id: 'o3' }).status).toBe('not_met');
});

test('a transfer moves cash and makes none', () => {
  const move = (amount: number, ...on: Rule[]) => step('transfer', { from: 'a1', to: 'a2', amount }, ...on);
  expect(move(20).delta).toEqual({ accounts: { a1: { cash: 30 }, a2: { cash: 50 } } });
  expect(move(50).status).toBe('ok');
  expect(move(51).status).toBe('no_cash');
  expect(move(20, rule('max_transfer', { max: 19 })).status).toBe('too_high');
  expect(move(20, rule('min_cash', { min: 31 })).status).toBe('low_cash');
  expect(step('transfer', { from: 'a1', to: 'a1', amount: 1 }).status).toBe('conflict');
});

test('balances: cash, fees and the money paid for shares always sum up', async () => {
  const moneyOf = (state: State) =>
    Object.values(records(state, 'accounts')).reduce((sum, { cash }) => sum + Number(cash), Number(state.fees));
  const sharesOf = (state: State, symbol: string) =>
    Object.values(records(state, 'accounts')).reduce((sum, account) => sum + Number(account[symbol] ?? 0), 0);
  const seen = { trades: 0, transfers: 0 };
  for (let seed = 0; seed < 25; seed++) {
    const { world } = makeScenario(trading, seed, 1 + (seed % 3));
    const agent = randomAgent(seed);
    let state = world.state;
    for (let i = 0; i < 30; i++) {
      const action = await agent.act({ world, state, steps: Array.from({ length: i }) });
      const { delta, status } = stepProgram(PROGRAM, state, world.rules, action, []);
      const after = applyDelta(state, delta);
      // Only trades exchange money and shares, at the ask where shares come in and at the bid where they go.
      let paid = 0;
      for (const [symbol, { bid, ask }] of Object.entries(records(state, 'quotes'))) {
        const change = sharesOf(after, symbol) - sharesOf(state, symbol);
        paid += change * Number(change > 0 ? ask : bid);
        if (change !== 0) seen.trades++;
      }
      expect(moneyOf(after)).toBe(moneyOf(state) - paid);
      if ('tool' in action && action.tool === 'transfer' && status === 'ok') seen.transfers++;
      state = after;
    }
  }
  expect(seen.trades).toBeGreaterThan(10);
  expect(seen.transfers).toBeGreaterThan(10);
});
