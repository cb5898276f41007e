import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noisyAgent, randomAgent } from '../../agents';
import { createExpert, FAMILIES, makeWorld, twinTransition } from '../../twins';
import { isObject, type Json } from '../../world/json';
import { applyDelta } from '../../world/mergePatch';
import type { Action, Directive, Tool, Transition } from '../../world/types';
import { shop, shown, TOOLS } from '../testing';
import { consistency } from './consistency';
import { resample } from '../statistics';
import {
  addRollout,
  errorByStep,
  divergenceKnown,
  firstDivergence,
  medianSurvival,
  survival,
  survivalOf,
  type Hazard,
} from './divergence';
import { laneSteps } from './lane';
import { meanOutcome, outcomeOf } from './outcome';
import { agreementOverSeeds, spreadOverSeeds } from './spread';
import { TEMPORAL_CHECKS, temporalChecks } from './temporal';

const get = (id: string): Action => ({ tool: 'get', args: { id } });
const put: Action = { tool: 'put', args: {} };
const says = (action: Action, transition: Transition, directives: Directive[] = [], parsed = true) => ({
  action,
  transition,
  directives,
  parsed,
});
const check = (...answers: ReturnType<typeof says>[]) => temporalChecks(TOOLS, laneSteps(shop(), answers));
const order = (id: string, members: { [name: string]: Json }) => shown({ id, ...members });
const changes = (delta: Transition['delta']) => says(put, shown({}, { delta }));
const notFound = shown({ kind: 'text', text: 'Error: not found' }, { status: 'not_found' });

/** Keys of records that a transition removes. */
const removedBy = ({ delta }: Transition) =>
  Object.values(delta).flatMap((records) =>
    isObject(records) ? Object.keys(records).filter((id) => records[id] === null) : [],
  );
/** Calls of the reading tools that need one text, with this one. */
const readsOf = (tools: readonly Tool[], id: string): Action[] =>
  tools
    .filter(({ annotations }) => annotations?.readOnlyHint)
    .flatMap(({ name, inputSchema: { required } }) =>
      Array.isArray(required) && required.length === 1 ? [{ tool: name, args: { [String(required[0])]: id } }] : [],
    );

describe('temporal checks', () => {
  const asked = new Map<string, number>();
  it('read after write: what was written is what is shown', () => {
    const wrote = changes({ orders: { W1: { total: 5 } } });
    expect(check(wrote, says(get('W1'), order('W1', { total: 5, status: 'paid' }))).readAfterWrite).toEqual({
      sum: 1,
      n: 1,
    });
    const stale = check(wrote, says(get('W1'), order('W1', { total: 40, status: '?' })));
    expect(stale.readAfterWrite).toEqual({ sum: 0, n: 1 });
    expect(stale.violations).toEqual([{ check: 'readAfterWrite', step: 1, about: '/orders/W1/total' }]);
    const other = check(wrote, says(get('W2'), order('W2', { total: 1 })));
    expect(other.readAfterWrite).toEqual({ sum: 0, n: 0 });
    const onPurpose = check(wrote, says(get('W1'), order('W1', { total: 40 }), [{ kind: 'stale' }]));
    expect(onPurpose.readAfterWrite.n).toBe(0);
  });

  it('repeated read: the same call in the same state', () => {
    const one = says(get('W1'), order('W1', { total: 40 }));
    const two = says(get('W1'), order('W1', { total: 41 }));
    expect(check(one, one).repeatedRead).toEqual({ sum: 1, n: 1 });
    expect(check(one, two).repeatedRead).toEqual({ sum: 0, n: 1 });
    expect(check(one, changes({ orders: { W1: { total: 41 } } }), two).repeatedRead).toEqual({ sum: 0, n: 0 });
    const broken = says(get('W1'), order('W1', { total: 40 }), [], false);
    expect(check(one, broken).repeatedRead).toEqual({ sum: 0, n: 1 });
  });

  it('deleted: gone is gone, until something else has the name', () => {
    const gone = changes({ orders: { W1: null } });
    expect(check(gone, says(get('W1'), notFound)).deleted).toEqual({ sum: 1, n: 1 });
    expect(check(gone, says(get('W1'), order('W1', { total: 40 }))).deleted).toEqual({ sum: 0, n: 1 });
    expect(check(says(get('W9'), notFound)).deleted.n).toBe(0);
    const back = changes({ orders: { W1: { total: 1 } } });
    expect(check(gone, back, says(get('W1'), order('W1', { total: 1 }))).deleted.n).toBe(0);
    expect(check(gone, back).freshId).toEqual({ sum: 0, n: 1 });
    expect(check(gone, changes({ orders: { W4: { total: 1 } } })).freshId).toEqual({ sum: 1, n: 1 });
  });

  it('counters: upwards, under one name', () => {
    expect(check(changes({ next: 'W5' }), changes({ next: 'W7' })).counters).toEqual({ sum: 2, n: 2 });
    expect(check(changes({ next: 'W3' })).counters).toEqual({ sum: 0, n: 1 });
    expect(check(changes({ next: 'V5' })).counters).toEqual({ sum: 0, n: 1 });
    expect(check(changes({ next: null })).counters).toEqual({ sum: 0, n: 1 });
  });

  it.each(FAMILIES.map(({ name }) => name))('hold in the twin of %s', async (family) => {
    const sums = Object.fromEntries(TEMPORAL_CHECKS.map((name) => [name, 0]));
    for (let seed = 0; seed < 6; seed++) {
      const world = makeWorld(family, seed, 1 + (seed % 3));
      const agent = seed % 2 ? randomAgent(seed) : noisyAgent(createExpert(world), 0.5, seed);
      const answers: ReturnType<typeof says>[] = [];
      const asks: Action[] = [];
      let state = world.state;
      for (let i = 0; i < 16; i++) {
        const action = asks.shift() ?? (await agent.act({ world, state, steps: answers }));
        const transition = twinTransition({ world: { ...world, state }, history: [] }, action, []);
        answers.push(says(action, transition));
        // Agents name what is there; ask for what is gone as well.
        for (const id of removedBy(transition)) asks.push(...readsOf(world.tools, id));
        state = applyDelta(state, transition.delta);
      }
      const result = temporalChecks(world.tools, laneSteps(world, answers));
      expect(result.violations.map((one) => ({ ...one, answer: answers[one.step] }))).toEqual([]);
      for (const name of TEMPORAL_CHECKS) sums[name] = (sums[name] ?? 0) + result[name].n;
    }
    for (const [name, n] of Object.entries(sums)) asked.set(name, (asked.get(name) ?? 0) + n);
  });

  it('had occasion for all of them', () => {
    for (const name of TEMPORAL_CHECKS) expect([name, asked.get(name)]).toEqual([name, expect.toSatisfy((n) => n > 4)]);
  });
});

describe('divergence', () => {
  it('survival leaves runs that end without error out of later denominators', () => {
    const runs = [[true, true, false], [true, false], [true], [false, true, true]];
    expect(runs.map(firstDivergence)).toEqual([2, 1, null, 0]);
    expect(survival(runs)).toEqual([
      { step: 1, atRisk: 4, diverged: 1, share: 0.75, interval: null },
      { step: 2, atRisk: 2, diverged: 1, share: 0.375, interval: null },
      { step: 3, atRisk: 1, diverged: 1, share: 0, interval: null },
    ]);
    expect(medianSurvival(survival(runs))).toBe(2);
    expect(medianSurvival(survival([[true]]))).toBeNull();
    // Of 24 rollouts one more diverges in each step: half are left after 12, although the product comes out above one half.
    const stairs = survival(Array.from({ length: 24 }, (_, i) => Array.from({ length: 24 }, (_, step) => step < i)));
    expect(stairs[11]?.share).toBeGreaterThan(0.5);
    expect(medianSurvival(stairs)).toBe(12);
    expect(errorByStep(runs)).toEqual([
      { sum: 1, n: 4 },
      { sum: 1, n: 3 },
      { sum: 1, n: 2 },
    ]);
    expect([survival([]), errorByStep([])]).toEqual([[], []]);
  });

  const marks = (text: string) => [...text].map((mark) => (mark === '-' ? null : mark === '1'));
  const hazardOf = (...rollouts: string[]): Hazard => {
    const hazard: Hazard = { atRisk: [], diverged: [] };
    for (const text of rollouts) addRollout(hazard, marks(text));
    return hazard;
  };

  it('counts a rollout that ends early as censored (Kaplan-Meier by hand)', () => {
    // Four rollouts: diverges in step 1; ends exact after 2; diverges in step 3; exact for 4 steps.
    const points = survivalOf([hazardOf('0000', '11', '110', '1111')], []);
    expect(points.map(({ atRisk, diverged }) => [atRisk, diverged])).toEqual([
      [4, 1],
      [3, 0],
      [2, 1],
      [1, 0],
    ]);
    // 3/4, then 3/4 * 3/3, then 3/4 * 1/2.
    expect(points.map(({ share }) => share)).toEqual([0.75, 0.75, 0.375, 0.375]);
    expect(points.every(({ interval }) => interval === null)).toBe(true);
    expect(medianSurvival(points)).toBe(3);
  });

  it('stops at a step without truth, which is no divergence', () => {
    expect(hazardOf('11-0')).toEqual({ atRisk: [1, 1], diverged: [0, 0] });
    expect(['1101', '111', '0', '', '1-0'].map((text) => firstDivergence(marks(text)))).toEqual([
      2,
      null,
      0,
      null,
      null,
    ]);
    // What is behind the gap is not known, so the rollout is in no denominator either; one that diverged before it is.
    expect(['1101', '111', '0-', '', '1-0', '1-'].map((text) => divergenceKnown(marks(text)))).toEqual([
      ...[true, true, true, true],
      ...[false, false],
    ]);
  });

  it('has intervals over clusters that hold the share, and none where all agree', () => {
    const clusters = Array.from({ length: 20 }, (_, i) => hazardOf(i % 2 ? '111' : '011'));
    const [first] = survivalOf(clusters, resample(20, 1000, 1));
    expect(first?.share).toBe(0.5);
    const [low, high] = first?.interval ?? [0, 0];
    // The standard error of a half from twenty is 0.11.
    expect(low).toBeGreaterThan(0.2);
    expect(low).toBeLessThan(0.4);
    expect(high).toBeGreaterThan(0.6);
    expect(high).toBeLessThan(0.8);
    expect(survivalOf([hazardOf('1'), hazardOf('1')], resample(2, 100, 1))[0]).toMatchObject({
      share: 1,
      interval: null,
    });
  });

  it('a curve never rises, and is the plain share where all runs are equally long', () => {
    const runs = fc.array(fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(runs, (all) => {
        const curve = survival(all);
        curve.forEach(({ step, share }, i) => {
          expect(share).toBeLessThanOrEqual(curve[i - 1]?.share ?? 1);
          const plain = all.filter((run) => run.slice(0, step).every(Boolean)).length / all.length;
          expect(share).toBeCloseTo(plain, 12);
        });
      }),
    );
  });
});

describe('consistency', () => {
  const trial = (episode: string, real: boolean, model: boolean, replayed: boolean) => ({
    episode,
    real,
    model,
    replayed,
  });
  it('is what the model taught over what the twin teaches, and may exceed 1', () => {
    const all = [
      trial('a', true, true, true),
      trial('b', true, true, false),
      trial('c', false, true, true),
      trial('d', false, false, true),
    ];
    const result = consistency(all);
    expect(result.real).toMatchObject({ sum: 2, n: 4 });
    expect(result.model).toMatchObject({ sum: 3, n: 4, share: 0.75 });
    expect(result.modelToReal).toMatchObject({ sum: 3, n: 4 });
    expect(result.ratio).toMatchObject({ sum: 3, n: 2, share: 1.5 });
    expect(result.confirmed).toMatchObject({ sum: 2, n: 3 });
    expect(result.agreement).toMatchObject({ sum: 2, n: 4 });
    expect(result.real.interval?.[0]).toBeLessThanOrEqual(0.5);
  });

  it('has no ratio where nothing succeeds in the twin', () => {
    expect(consistency([trial('a', false, true, true)]).ratio).toMatchObject({ share: null, interval: null });
    expect(consistency([]).model).toEqual({ sum: 0, n: 0, share: null, interval: null });
  });
});

describe('spread over seeds', () => {
  it('tells a steady score from a swinging one with the same mean', () => {
    expect(
      spreadOverSeeds([
        [1, 1, 1],
        [0, 0, 0],
      ]),
    ).toMatchObject({ n: 2, seeds: 3, mean: 0.5, within: 0, agreeing: 2 });
    const swinging = spreadOverSeeds([
      [0, 1],
      [0, 1],
    ]);
    expect(swinging).toMatchObject({ mean: 0.5, range: 1, agreeing: 0, lowest: 0, highest: 1 });
    expect(swinging.within).toBeCloseTo(Math.SQRT1_2, 12);
    expect(spreadOverSeeds([[1]])).toMatchObject({ n: 0, mean: null });
    expect(agreementOverSeeds([['a', 'a', 'b'], ['a', 'a'], ['x']])).toEqual({ agreement: (1 / 3 + 1) / 2, n: 2 });
    expect(agreementOverSeeds([])).toEqual({ agreement: null, n: 0 });
  });
});

describe('outcome', () => {
  const world = shop();
  const task = {
    instruction: '',
    checks: [{ path: '/orders/W1/total', op: '<=' as const, value: 30 }],
    par: 1,
  };
  const run = (...totals: number[]) =>
    outcomeOf(
      task,
      laneSteps(
        world,
        totals.map((total) => changes({ orders: { W1: { total } } })),
      ),
      world.state,
    );

  it('counts changing calls against par, and what is missing', () => {
    expect(run()).toMatchObject({ done: false, calls: 0, regret: 10, efficiency: 0 });
    expect(run(30)).toMatchObject({ done: true, changes: 1, regret: 0, efficiency: 1, progress: 1 });
    expect(run(35, 31, 28)).toMatchObject({ done: true, efficiency: 1 / 3 });
    const looks = laneSteps(world, [says(get('W1'), order('W1', {})), says(get('W9'), notFound)]);
    expect(outcomeOf({ instruction: '', checks: [] }, looks, world.state)).toEqual({
      done: false,
      progress: 0,
      calls: 2,
      changes: 0,
      errors: 1,
      regret: null,
      efficiency: null,
    });
    expect(meanOutcome([run(30), run()])).toEqual({
      n: 2,
      done: 1,
      regret: { mean: 5, n: 2 },
      efficiency: { mean: 0.5, n: 2 },
    });
  });
});
