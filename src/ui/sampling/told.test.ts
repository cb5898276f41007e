import { describe, expect, it } from 'vitest';
import { describeChoice, describeConstraint } from './told';

const none = { observation: 0, delta: 0, status: 0 };

describe('what an answer tells', () => {
  it('of a verifier\u2019s choice, and nothing where there was none', () => {
    const selection = { attempts: 3, accepted: 3, chosen: 1, scores: [0.5, 1, 0.25], pins: [] };
    expect(describeChoice(selection)).toBe('Answer 2 of 3, by the verifier\u2019s scores 0.50, 1.00, 0.25.');
    expect(describeChoice({ ...selection, scores: [] })).toBeNull();
    expect(describeChoice(undefined)).toBeNull();
  });

  it('of a schema: what it changed, what it left open, and that there was none', () => {
    const record = { kind: 'schema', applied: true, written: { ...none, observation: 9, status: 3 } } as const;
    const fired = { ...none, observation: 2 };
    expect(describeConstraint({ ...record, fired, open: [] })).toBe(
      'Held to the schema: 2 of 12 tokens would have been others.',
    );
    expect(describeConstraint({ ...record, fired, open: ['/properties/note'] })).toMatch(
      /Not held to: \/properties\/note/,
    );
    expect(describeConstraint({ ...record, applied: false, fired, open: [] })).toMatch(/no output schema/);
    expect(describeConstraint(undefined)).toBeNull();
  });
});
