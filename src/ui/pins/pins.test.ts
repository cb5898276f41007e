import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pinFrom, pinHolds } from '../../world/anchors';
import { exampleWorld } from '../example.fixture';
import {
  describePin,
  misfit,
  outcomesOf,
  pinKey,
  pointersInto,
  readPin,
  recordedPins,
  withPin,
  withoutPin,
} from './pins';

describe('pins written by hand', () => {
  it.each([
    ['observation', '/order/status', '"pending"', { pointer: '/order/status', value: 'pending' }],
    ['observation', 'total', '40', { pointer: '/total', value: 40 }],
    ['observation', '', '[{"id":"W17"}]', { pointer: '', value: [{ id: 'W17' }] }],
    ['delta', ' /orders/W17 ', 'null', { pointer: '/orders/W17', value: null }],
    ['status', '', 'not_found', { pointer: '', value: 'not_found' }],
    ['status', '', '"ok"', { pointer: '', value: 'ok' }],
  ] as const)('%s %j = %s', (slot, where, text, pin) => {
    expect(readPin(slot, where, text)).toEqual({ ok: true, value: { slot, ...pin } });
  });

  it.each([
    ['observation', '/a', 'pending', /quotes/],
    ['observation', '', '3', /an object, a list or a text/],
    ['delta', '', '"x"', /no object/],
    ['delta', '/orders', '[1]', /holds a list/],
    ['status', '/code', 'ok', /only be pinned whole/],
    ['status', '', 'Not Found', /no status code/],
  ] as const)('%s %j = %s is refused', (slot, where, text, why) => {
    expect(readPin(slot, where, text)).toEqual({ ok: false, error: expect.stringMatching(why) });
  });
});

describe('a list of pins', () => {
  const id = { slot: 'observation', pointer: '/id', value: 'W17' } as const;

  it('has one for each place, and says which of two overlapping ones to remove', () => {
    const twice = withPin([id], { ...id, value: 'W20' });
    expect(twice).toEqual({ ok: true, value: [{ ...id, value: 'W20' }] });
    const whole = withPin([id], { slot: 'observation', pointer: '', value: { id: 'W17' } });
    expect(whole).toEqual({ ok: false, error: expect.stringMatching(/overlap.*Remove the other one first/) });
    expect(withoutPin([id], pinKey(id))).toEqual([]);
    expect(describePin({ slot: 'delta', pointer: '/orders/W17/status', value: 'cancelled' })).toBe(
      'delta \u203a orders \u203a W17 \u203a status = "cancelled"',
    );
  });

  it('any field of any answer can be pinned, and holds in that answer', () => {
    const answers = fc.dictionary(fc.stringMatching(/^[a-z/~]{1,6}$/), fc.jsonValue({ maxDepth: 2 }), { minKeys: 1 });
    fc.assert(
      fc.property(answers, (answer) => {
        const observation = JSON.parse(JSON.stringify(answer)) as { [key: string]: string };
        const text = { observation: JSON.stringify(observation), delta: '{}', status: 'ok' };
        for (const pointer of pointersInto(observation)) {
          const pin = pinFrom('observation', observation, pointer);
          expect(pin?.path).toHaveLength(pointer.split('/').length - 1);
          expect(pin && withPin([], pin).ok && pinHolds(pin, text)).toBe(true);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('knows what a tool does not answer with', () => {
    const world = exampleWorld();
    world.tools = [
      {
        ...(world.tools[0] as (typeof world.tools)[0]),
        name: 'get_order',
        outputSchema: {
          type: 'object',
          properties: {
            id: { type: 'string' },
            lines: { type: 'array', items: { properties: { sku: {} } } },
            more: {},
          },
        },
      },
    ];
    const call = { tool: 'get_order', args: {} };
    const at = (pointer: string) => misfit([{ slot: 'observation', pointer, value: 1 }], world, call);
    for (const pointer of ['', '/id', '/lines/0/sku', '/more/of/it']) expect(at(pointer)).toBeNull();
    for (const pointer of ['/name', '/lines/first', '/lines/0/price']) expect(at(pointer)).toMatch(/nothing at/);
    expect(misfit([id], world, { raw: 'get_order' })).toBeNull();
  });
});

describe('what became of pins', () => {
  const pin = { slot: 'observation', pointer: '/id', value: 'W17' } as const;
  const selection = (placed: boolean, held: boolean, attempts: number, accepted: number) => ({
    ...{ attempts, accepted, chosen: 0, scores: [] },
    pins: [{ placed, held }],
  });

  it('is told by kind of model, with the rate where answers were rejected', () => {
    expect(outcomesOf([pin], selection(true, true, 1, 1), 'mdlm')[0]?.text).toMatch(/best path.*both sides/);
    expect(outcomesOf([pin], selection(true, true, 1, 1), 'ar')[0]?.text).toMatch(/forced/);
    expect(outcomesOf([pin], selection(false, true, 3, 1), 'ar')[0]?.text).toMatch(/1 of 3 answers/);
    const failed = outcomesOf([pin], selection(false, false, 8, 0), 'ar')[0];
    expect(failed).toEqual({ held: false, text: expect.stringMatching(/0 of 8 answers.*more attempts/) });
  });

  it('is read from records, whatever a file has there', () => {
    expect(
      recordedPins({ pins: [pin, null, 3, { slot: 'nothing', pointer: '', value: 1 }, { ...pin, pointer: 4 }] }),
    ).toEqual([pin]);
    expect(recordedPins({ pins: 'all' })).toEqual([]);
    expect(recordedPins(undefined)).toEqual([]);
  });
});
