import { describe, expect, it } from 'vitest';
import { anchorResult } from './anchors';
import { shown, written } from './testing';

const truth = shown(
  [
    { id: 'W1', status: 'gone' },
    { id: 'W2', status: 'paid' },
  ],
  { delta: { orders: { W1: { status: 'gone' } } } },
);
const pin = { slot: 'observation' as const, pointer: '/0/status', value: 'gone' };
const status = { slot: 'status' as const, pointer: '', value: 'ok' };

describe('anchorResult', () => {
  it('asks for the pins and for the rest', () => {
    expect(anchorResult([pin, status], truth, written(truth))).toEqual({
      satisfied: { sum: 2, n: 2 },
      rest: { sum: 4, n: 4 },
      consistent: true,
    });
    const alone = written(truth, { delta: '{}' });
    expect(anchorResult([pin, status], truth, alone)).toEqual({
      satisfied: { sum: 2, n: 2 },
      rest: { sum: 3, n: 4 },
      consistent: false,
    });
    const missed = written(truth, { observation: '[{"id":"W1","status":"paid"},{"id":"W2","status":"paid"}]' });
    expect(anchorResult([pin], truth, missed)).toMatchObject({ satisfied: { sum: 0, n: 1 }, consistent: false });
    const longer = written(truth, { observation: '[{"id":"W1","status":"gone"},{"id":"W2","status":"paid"},1]' });
    expect(anchorResult([pin], truth, longer)?.rest).toEqual({ sum: 5, n: 6 });
    expect(anchorResult([pin], truth, written(truth, { delta: '{' }))).toMatchObject({ rest: { sum: 0, n: 5 } });
  });

  it('says nothing of an outcome that cannot be', () => {
    expect(anchorResult([{ ...pin, value: 'paid' }], truth, written(truth))).toBeNull();
  });
});
