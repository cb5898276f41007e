import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomAgent } from '../agents';
import { makeWorld, TwinSimulator } from '../twins';
import { FAULT_PRESETS } from '../twins/faults';
import { driveRollout } from './drive';
import { formatFaultPlan, parseFaultPlan, scheduleOf, withFaults } from './faults';
import { Rollout } from './loop';

describe('a fault plan', () => {
  it('reads back as it was written', () => {
    const plan = fc.record({
      preset: fc.constantFrom(...FAULT_PRESETS),
      count: fc.integer({ min: 0, max: 999 }),
      duration: fc.integer({ min: 1, max: 999 }),
    });
    fc.assert(
      fc.property(plan, (value) => {
        expect(parseFaultPlan(formatFaultPlan(value))).toEqual({ ok: true, value });
      }),
    );
  });

  it.each([
    '',
    'mixed',
    'mixed:1',
    'mixed:1:0',
    'mixed:-1:1',
    'mixed:1:1:1',
    'mixed:1.5:1',
    'Mixed:1:1',
    'mixed:1000:1',
  ])('"%s" is refused, and what was expected is named', (text) => {
    const parsed = parseFaultPlan(text);
    expect(parsed).toMatchObject({ ok: false, error: expect.stringContaining('PRESET:COUNT:DURATION') });
  });

  it('that does not fit says so; without codes there is one that always works', () => {
    expect(scheduleOf({ preset: 'explicit', count: 5, duration: 2 }, ['late'], 10, 1)).toMatchObject({
      ok: false,
      error: expect.stringContaining('do not fit into 10 steps'),
    });
    const plain = scheduleOf({ preset: 'explicit', count: 1, duration: 1 }, [], 4, 1);
    expect(plain.ok && plain.value.flat()).toEqual([{ kind: 'fail', code: 'unavailable' }]);
  });

  it('joins what was chosen in the order in which directives apply; a chosen one of its kind stays', () => {
    expect(withFaults([{ kind: 'terse' }], [{ kind: 'stale' }])).toEqual([{ kind: 'stale' }, { kind: 'terse' }]);
    expect(withFaults([{ kind: 'partial', n: 3 }], [{ kind: 'partial', n: 1 }])).toEqual([{ kind: 'partial', n: 3 }]);
    expect(withFaults([{ kind: 'empty' }])).toEqual([{ kind: 'empty' }]);
  });
});

describe('a driven run', () => {
  it('has at each row the directives of that row, also when it goes on in the middle', async () => {
    const rollout = Rollout.start(makeWorld('support', 1), [{ id: 'twin', simulator: new TwinSimulator() }]);
    const schedule = scheduleOf({ preset: 'mixed', count: 2, duration: 2 }, ['late'], 8, 3);
    if (!schedule.ok) throw new Error(schedule.error);
    const directivesAt = (index: number) => schedule.value[index] ?? [];
    for (const seed of [1, 2]) await driveRollout(rollout, randomAgent(seed), { steps: 4, directivesAt });
    expect(rollout.branch.map(({ directives }) => directives)).toEqual(schedule.value.slice(0, rollout.branch.length));
    expect(rollout.branch.flatMap(({ directives }) => directives).length).toBeGreaterThan(0);
  });
});
