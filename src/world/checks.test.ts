import { describe, expect, test } from 'vitest';
import { efficiency, hasRegret, regret } from './checks';
import type { Check } from './types';

const state = { ledger: { profit: 40, cost: 12, note: 'x' }, day: 3 };
const of = (...checks: Check[]) => regret({ instruction: '', checks }, state);

describe('regret', () => {
  test.each<[string, Check, number]>([
    ['below a lower bound', { path: '/ledger/profit', op: '>=', value: 47 }, 7],
    ['at a lower bound', { path: '/ledger/profit', op: '>=', value: 40 }, 0],
    ['above a lower bound', { path: '/ledger/profit', op: '>=', value: 30 }, 0],
    ['above an upper bound', { path: '/ledger/cost', op: '<=', value: 10 }, 2],
    ['below an upper bound', { path: '/ledger/cost', op: '<=', value: 20 }, 0],
    ['short of a strict bound', { path: '/ledger/profit', op: '>', value: 45 }, 5],
    ['at a strict bound', { path: '/ledger/cost', op: '<', value: 12 }, 0],
    ['an equality', { path: '/day', op: '==', value: 5 }, 0],
    ['a bound that is a text', { path: '/day', op: '>=', value: '9' }, 0],
    ['a text in the state', { path: '/ledger/note', op: '>=', value: 1 }, Infinity],
    ['nothing in the state', { path: '/ledger/none', op: '<=', value: 1 }, Infinity],
  ])('%s', (_, check, expected) => {
    expect(of(check)).toBe(expected);
  });

  test('shortfalls add up, and surplus makes up for nothing', () => {
    const checks: Check[] = [
      { path: '/ledger/profit', op: '>=', value: 47 },
      { path: '/ledger/cost', op: '<=', value: 9 },
      { path: '/day', op: '>=', value: 1 },
      { path: '/day', op: '==', value: 4 },
    ];
    expect(of(...checks)).toBe(10);
    expect(of()).toBe(0);
  });
});

test('only tasks that ask for an amount have a regret', () => {
  const asks = (...checks: Check[]) => hasRegret({ instruction: '', checks });
  expect(asks({ path: '/day', op: '==', value: 3 }, { path: '/x', op: 'exists' })).toBe(false);
  expect(asks({ path: '/day', op: '==', value: 3 }, { path: '/ledger/profit', op: '>=', value: 3 })).toBe(true);
  expect(asks({ path: '/ledger/note', op: '>=', value: 'x' })).toBe(false);
});

test('efficiency is the share of calls that were needed', () => {
  expect(efficiency(2, 4)).toBe(0.5);
  expect(efficiency(3, 3)).toBe(1);
  expect(efficiency(3, 2)).toBe(1);
});
