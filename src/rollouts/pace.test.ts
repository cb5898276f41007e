import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { randomAgent } from '../agents';
import { createExpert } from '../twins';
import { driveRollout, oneAction } from './drive';
import { Rollout } from './loop';
import { Pace } from './pace';
import { FailSimulator, twinLane, WORLD } from './testing';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Drives a twin and says how many steps there are after each tick. */
function drive(pace: Pace, steps = 5) {
  const rollout = Rollout.start(WORLD, [twinLane()]);
  const control = new AbortController();
  const done = driveRollout(rollout, randomAgent(2), {
    steps,
    untilDone: false,
    signal: control.signal,
    gate: (signal) => pace.gate(signal),
  });
  done.catch(() => undefined);
  const after = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms);
    return rollout.steps.length;
  };
  return { rollout, control, done, after };
}

describe('pace', () => {
  it('waits between steps, not before the first nor after the last', async () => {
    const pace = new Pace();
    pace.delay = 100;
    const { after, done } = drive(pace, 3);
    expect(await after(0)).toBe(1);
    expect(await after(99)).toBe(1);
    expect(await after(1)).toBe(2);
    expect(await after(100)).toBe(3);
    expect(await done).toHaveLength(3);
  });

  it('pauses, lets single steps through, and goes on', async () => {
    const pace = new Pace();
    const seen: boolean[] = [];
    pace.onChange = () => seen.push(pace.paused);
    pace.delay = 100;
    const { after, done } = drive(pace, 6);
    expect(await after(0)).toBe(1);
    pace.pause();
    expect(await after(10_000)).toBe(1);
    pace.stepOnce();
    expect(await after(0)).toBe(2);
    expect(await after(10_000)).toBe(2);
    pace.stepOnce();
    pace.stepOnce();
    expect(await after(0)).toBe(4);
    expect(await after(10_000)).toBe(4);
    pace.resume();
    expect(await after(0)).toBe(5);
    expect(await after(100)).toBe(6);
    expect(await done).toHaveLength(6);
    expect(seen).toEqual([true, false]);
  });

  it.each([
    ['while it waits', 100, false],
    ['while it is paused', 0, true],
  ])('stops %s, and keeps the rows made so far', async (_, delay, paused) => {
    const pace = new Pace();
    pace.delay = delay;
    const { after, done, control, rollout } = drive(pace);
    if (paused) pace.pause();
    const before = await after(0);
    control.abort(new Error('stopped'));
    await expect(done).rejects.toThrow('stopped');
    expect(rollout.steps).toHaveLength(before);
    expect(rollout.busy).toBe(false);
  });

  it('begins anew: neither a pause nor a granted step is left over', async () => {
    const pace = new Pace();
    pace.pause();
    pace.stepOnce();
    pace.begin();
    expect(pace.paused).toBe(false);
    pace.pause();
    const { after, control } = drive(pace);
    expect(await after(1000)).toBe(0);
    control.abort();
  });
});

describe('a drive', () => {
  it('ends when the task is done in its lane, unless it is told to go on', async () => {
    const rollout = Rollout.start(WORLD, [twinLane()]);
    await driveRollout(rollout, createExpert(WORLD), { steps: 30 });
    expect(rollout.isDone()).toBe(true);
    const n = rollout.steps.length;
    expect(await driveRollout(rollout, oneAction({ raw: 'help' }), { steps: 1 })).toEqual([]);
    const [row] = await driveRollout(rollout, oneAction({ raw: 'help' }), { steps: 1, untilDone: false });
    expect(row).toMatchObject({ index: n, actor: 'human', action: { raw: 'help' } });
  });

  it('is led by the lane it is told: the agent sees that lane, and its end is that lane’s', async () => {
    const other = { id: 'other', simulator: new FailSimulator(new Error('x'), () => false) };
    const rollout = Rollout.start(WORLD, [twinLane(), other]);
    const views: unknown[] = [];
    const agent = {
      id: 'spy',
      act: (view: { state: unknown }) => {
        views.push(view.state);
        return Promise.resolve({ raw: 'help' });
      },
    };
    await driveRollout(rollout, agent, { steps: 2, lane: 'other' });
    expect(views[1]).toEqual({ ...WORLD.state, fine: 1 });
  });
});
