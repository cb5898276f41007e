import { describe, expect, test } from 'vitest';
import { applyDelta } from '../../world/mergePatch';
import type { JsonObject } from '../../world/json';
import type { Action, Rule, State } from '../../world/types';
import { stepProgram } from '../kit/step';
import { webshop } from '.';

const STATE: State = {
  items: {
    K17: { name: 'scarf', category: 'clothes', price: 24, stock: 5, color: 'red blue' },
    K20: { name: 'lamp', category: 'home', price: 30, stock: 1 },
    K31: { name: 'coat', category: 'clothes', price: 19, stock: 0, size: 'S M' },
  },
  cart: { K20: { qty: 2, cost: 60 } },
  coupons: { F10: { percent: 10, min: 60 }, F22: { off: 15, min: 100 } },
  basket: { coupon: '' },
  orders: { W17: { total: 80 } },
  next: 'W18',
};
const program = webshop.program(undefined);

/** Rules that stand, by their parameters. */
function rules(all: { [id: string]: Rule['params'] }): Rule[] {
  return Object.entries(all).map(([id, params]) => ({ id, params, text: '', enabled: true }));
}

/** Statuses and observations of calls, one after another, and the state after them. */
function run(standing: Rule[], ...calls: [tool: string, args?: JsonObject][]) {
  let state = STATE;
  const answers = calls.map(([tool, args = {}]) => {
    const action: Action = { tool, args };
    const { observation, delta, status } = stepProgram(program, state, standing, action, []);
    state = applyDelta(state, delta);
    return observation.kind === 'json' ? observation.value : `${status}: ${observation.text}`;
  });
  return { answers, state };
}

describe('webshop', () => {
  test('filters join, and rules hide and order what is found', () => {
    const price = (id: string, name: string, value: number) => ({ id, name, price: value });
    expect(run([], ['search', { category: 'clothes', max_price: 20 }]).answers).toEqual([[price('K31', 'coat', 19)]]);
    const sorted = rules({ sort: { field: 'price' } });
    expect(run(sorted, ['search', { category: 'clothes' }]).answers).toEqual([
      [price('K31', 'coat', 19), price('K17', 'scarf', 24)],
    ]);
    expect(run(rules({ hide: { min: 2 } }), ['search']).answers).toEqual([[price('K17', 'scarf', 24)]]);
  });

  test('stock goes into the cart and comes back, and is never below nothing', () => {
    const { answers, state } = run(
      [],
      ['add', { id: 'K17', qty: 6, option: 'red' }],
      ['add', { id: 'K17', qty: 4, option: 'red' }],
      ['set_qty', { id: 'K17', qty: 6 }],
      ['set_qty', { id: 'K17', qty: 1 }],
      ['set_qty', { id: 'K20', qty: 0 }],
    );
    expect(answers).toEqual([
      'out_of_stock: Error: only 5 left',
      { id: 'K17', qty: 4, cost: 96 },
      'out_of_stock: Error: only 1 left',
      { id: 'K17', qty: 1, cost: 24 },
      { id: 'K20', qty: 0, cost: 0 },
    ]);
    expect(state.cart).toEqual({ K17: { qty: 1, cost: 24, option: 'red' } });
    expect(state.items).toMatchObject({ K17: { stock: 4 }, K20: { stock: 3 } });
  });

  test('an item is taken in one of its options, once', () => {
    expect(
      run(
        [],
        ['add', { id: 'K17', qty: 1 }],
        ['add', { id: 'K17', qty: 1, option: 'S' }],
        ['add', { id: 'K20', qty: 1 }],
        ['choose', { id: 'K20', option: 'red' }],
      ).answers,
    ).toEqual([
      'invalid_option: Error: K17 comes in red blue',
      'invalid_option: Error: K17 comes in red blue',
      'exists: Error: K20 is in the cart',
      'invalid_option: Error: K20 has no options',
    ]);
  });

  test('total = sum - coupon + shipping; the coupon counts from its min, shipping looks at the sum', () => {
    const terms = rules({ shipping: { fee: 7, min: 65 }, bulk: { n: 3, off: 4 } });
    const { answers, state } = run(
      terms,
      ['quote'],
      ['use_coupon', { id: 'F22' }],
      ['use_coupon', { id: 'F10' }],
      ['quote'],
      ['set_qty', { id: 'K20', qty: 1 }],
      ['quote'],
      ['add', { id: 'K17', qty: 3, option: 'blue' }],
      ['checkout'],
      ['checkout'],
    );
    expect(answers).toEqual([
      { sum: 60, off: 0, fee: 7, total: 67 },
      'too_low: Error: F22 needs a sum of 100',
      { id: 'F10', off: 6 },
      { sum: 60, off: 6, fee: 7, total: 61 },
      { id: 'K20', qty: 1, cost: 30 },
      { sum: 30, off: 0, fee: 7, total: 37 },
      { id: 'K17', qty: 3, cost: 60 }, // three at 24 - 4
      { id: 'W18', total: 81 }, // 90 less 9
      'empty_cart: Error: the cart is empty',
    ]);
    expect(state).toMatchObject({ cart: {}, basket: { coupon: '' }, next: 'W19', orders: { W18: { total: 81 } } });
    expect(Object.keys(state.coupons as JsonObject)).toEqual(['F22']);
  });

  test('coupons and the named category exclude each other, whichever comes first', () => {
    const home = rules({ no_coupon: { category: 'home' } });
    const clothes = rules({ no_coupon: { category: 'clothes' } });
    expect(run(home, ['use_coupon', { id: 'F10' }]).answers[0]).toContain('not_allowed');
    const { answers } = run(clothes, ['use_coupon', { id: 'F10' }], ['add', { id: 'K17', qty: 1, option: 'red' }]);
    expect(answers[1]).toContain('not_allowed');
  });
});
