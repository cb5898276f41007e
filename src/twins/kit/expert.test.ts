import { describe, expect, test } from 'vitest';
import type { Action, Transition } from '../../world/types';
import { planAgent } from './expert';

const call = (tool: string): Action => ({ tool, args: {} });
const PLAN = [call('a'), call('b'), call('c')];

/** Tools the expert calls when the answers have these statuses. */
async function calls(plan: readonly Action[], statuses: string[]): Promise<string[]> {
  const agent = planAgent(plan);
  const steps: { action: Action; transition: Transition }[] = [];
  for (const status of statuses) {
    const action = await agent.act({ world: {} as never, state: {}, steps });
    steps.push({ action, transition: { observation: { kind: 'text', text: '' }, delta: {}, status } });
  }
  return steps.map(({ action }) => ('tool' in action ? action.tool : action.raw));
}

describe('planAgent', () => {
  test('follows the plan, then repeats its last call', async () => {
    expect(await calls(PLAN, ['ok', 'ok', 'ok', 'ok'])).toEqual(['a', 'b', 'c', 'c']);
  });

  test('repeats a failed call three times, goes on, and comes back to it', async () => {
    const fail = 'timeout';
    expect(await calls(PLAN, [fail, 'ok', 'ok', 'ok'])).toEqual(['a', 'a', 'b', 'c']);
    expect(await calls(PLAN, [fail, fail, fail, fail, 'ok', 'ok', 'ok'])).toEqual(['a', 'a', 'a', 'a', 'b', 'c', 'a']);
  });

  test('calls of others in between do not count', async () => {
    const transition: Transition = { observation: { kind: 'text', text: '' }, delta: {}, status: 'ok' };
    const steps = [call('x'), call('a'), call('c')].map((action) => ({ action, transition }));
    expect(await planAgent(PLAN).act({ world: {} as never, state: {}, steps })).toEqual(call('b'));
  });

  test('an empty plan is refused', () => {
    expect(() => planAgent([])).toThrow(RangeError);
  });
});
