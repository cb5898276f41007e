import { describe, expect, test } from 'vitest';
import { isDone, regret } from '../../world/checks';
import { get, isObject, stringify, type JsonObject } from '../../world/json';
import { applyDelta } from '../../world/mergePatch';
import { Rng } from '../../world/rng';
import type { Action, Rule, State } from '../../world/types';
import { stepProgram } from '../kit/step';
import type { Program, Seeded } from '../kit/types';
import { makeScenario } from '../kit/world';
import { mechanism, MODELS } from '.';
import { settle as sellDay } from './newsvendor';
import { after, earns } from './queue';
import { outcome } from './scheduleProgram';
import { STORIES } from './scheduleStories';
import { at } from './shared';
import { greedy, solve, type Moves } from './solver';
import { orderCost, settle as endWeek } from './stock';

const STORY_LIST = Object.entries(MODELS).flatMap(([model, { stories }]) =>
  stories.map((story) => [model, story] as const),
);

function rulesOf(program: Program, world: Seeded): Rule[] {
  return world.rules.map(({ id, params }) => {
    const text = program.rules.find((rule) => rule.id === id)?.text(params) ?? '';
    return { id, params, text, enabled: true };
  });
}

function run(program: Program, world: Seeded, calls: readonly Action[]): State {
  return calls.reduce<State>(
    (state, call) => applyDelta(state, stepProgram(program, state, rulesOf(program, world), call, []).delta),
    world.state,
  );
}

/** Every call that may change something: all ids, and numbers up to 12. */
function callsOf(program: Program, state: State): Action[] {
  return program.tools
    .filter((tool) => !tool.readOnly)
    .flatMap(({ name: tool, input }): Action[] => {
      const from = input.id?.from;
      const all = from === undefined ? null : get(state, from);
      if (isObject(all ?? undefined)) return Object.keys(all as JsonObject).map((id) => ({ tool, args: { id } }));
      return input.n ? Array.from({ length: 13 }, (_, n) => ({ tool, args: { n } })) : [{ tool, args: {} }];
    });
}

/** The highest ledger among the reachable states that count, by trying everything through the real step. */
function bruteForce(program: Program, world: Seeded, ledger: string, counts: (state: State) => boolean): number {
  const rules = rulesOf(program, world);
  const best = new Map<string, number>();
  let top = -Infinity;
  const open = [world.state];
  for (const state of open) {
    if (counts(state)) top = Math.max(top, at(state, 'ledger', ledger));
    for (const call of callsOf(program, state)) {
      const { delta, status } = stepProgram(program, state, rules, call, []);
      if (status !== 'ok') continue;
      const next = applyDelta(state, delta);
      const { ledger: _, ...rest } = next;
      const key = stringify(rest);
      const money = at(next, 'ledger', ledger);
      if (money <= (best.get(key) ?? -Infinity)) continue;
      best.set(key, money);
      open.push(next);
    }
  }
  return top;
}

/** The same world with draws of at most three, so that everything can be tried. */
function tiny(world: Seeded): Seeded {
  const { draws } = world.state;
  if (!isObject(draws)) return world;
  const small = Object.fromEntries(Object.entries(draws).map(([key, value]) => [key, 1 + (Number(value) % 3)]));
  return { ...world, state: { ...world.state, draws: small } };
}

describe.each(STORY_LIST)('%s as %s', (name, story) => {
  const model = MODELS[name] as (typeof MODELS)[string];
  const program = model.program(story);

  test('the plan reaches the optimum of a brute force exactly', () => {
    let compared = 0;
    for (let seed = 0; compared < 2 && seed < 40; seed++) {
      const rng = Rng.of('tiny', name, story, seed);
      const world = tiny(model.generate(rng, 1, story));
      const task = model.tasks(world, story).hidden?.(rng, world);
      const [target, end] = task?.checks ?? [];
      if (!task || !target || !('value' in target)) continue;
      const ledger = target.path.split('/').at(-1) ?? '';
      const atEnd = (state: State) => !end || isDone({ instruction: '', checks: [end] }, state);
      const done = run(program, world, task.plan);
      expect(target.value).toBe(bruteForce(program, world, ledger, atEnd));
      expect(at(done, 'ledger', ledger)).toBe(target.value);
      expect(regret({ instruction: '', checks: task.checks ?? [] }, done)).toBe(0);
      compared++;
    }
    expect(compared).toBe(2);
  });

  test('every rule bites', () => {
    const idle = new Set(program.rules.map(({ id }) => id));
    for (let seed = 0; idle.size > 0 && seed < 60; seed++) {
      const rng = Rng.of('bite', name, story, seed);
      const world = model.generate(rng, 2, story);
      const rules = rulesOf(program, world);
      let state = world.state;
      for (let i = 0; i < 8; i++) {
        const calls = callsOf(program, state);
        for (const rule of rules.filter(({ id }) => idle.has(id))) {
          const off = rules.map((other) => (other === rule ? { ...other, enabled: false } : other));
          const answer = (under: Rule[]) =>
            calls.map((call) => stringify(stepProgram(program, state, under, call, []) as never));
          if (answer(rules).join() !== answer(off).join()) idle.delete(rule.id);
        }
        state = applyDelta(state, stepProgram(program, state, rules, rng.pick(calls), []).delta);
      }
    }
    expect([...idle]).toEqual([]);
  });
});

test('tasks begin with regret, and experts leave none', () => {
  let without = 0;
  for (let seed = 0; seed < 60; seed++) {
    const { world, plan } = makeScenario(mechanism, seed, 2);
    const program = mechanism.program(world.twin?.spec);
    const done = plan.reduce<State>(
      (state, call) => applyDelta(state, stepProgram(program, state, world.rules, call, []).delta),
      world.state,
    );
    expect(regret(world.task, done)).toBe(0);
    if (regret(world.task, world.state) === 0) without++;
  }
  // Where losses are certain the best end may be below the start; most tasks are not of that kind.
  expect(without).toBeLessThan(9);
});

test('a spec that names no model or story is refused', () => {
  for (const spec of [
    undefined,
    {},
    { model: 'stock' },
    { model: 'toString', story: 'x' },
    { model: 'stock', story: 'bakery' },
  ])
    expect(() => mechanism.program(spec as JsonObject)).toThrow();
});

describe('arithmetic by hand', () => {
  test('a day of the newsvendor', () => {
    const figures = { gain: 4, loss: 2, penalty: 3 };
    expect(sellDay(figures, 9, 7)).toEqual({ sold: 7, left: 2, result: 24 });
    expect(sellDay(figures, 5, 7)).toEqual({ sold: 5, left: 0, result: 14 });
  });

  test('an order and a week of the stock', () => {
    expect(orderCost({ cost: 3, fee: 5 }, 6)).toBe(23);
    expect(endWeek({ price: 5, holding: 1, penalty: 2 }, 8, 5)).toEqual({ used: 5, left: 3, result: 22 });
    expect(endWeek({ price: 5, holding: 1, penalty: 2 }, 3, 5)).toEqual({ used: 3, left: 0, result: 11 });
  });

  test('a customer of the queue', () => {
    const figures = { pay: 12, pace: 4, waiting: 2, penalty: 0, bonus: 5, from: 6 };
    expect(earns(figures, 3, 5)).toBe(6);
    expect(earns(figures, 3, 6)).toBe(11);
    expect(after(figures, 9)).toBe(5);
    expect(after(figures, 2)).toBe(0);
  });

  const rules = (all: { [id: string]: { [name: string]: string } }) => ({
    rule: (id: string) => all[id],
    allows: () => true,
  });

  test('a job by its end, with a setup, a pause and a bonus', () => {
    const printer = STORIES.printer as NonNullable<(typeof STORIES)[string]>;
    const job = { ink: 'red', hours: 4, pay: 40, drop: 3, done: 0 };
    const job8 = { clock: 4, setting: 'red' };
    expect(outcome(printer, job, job8, rules({}))).toEqual({ end: 8, earns: 16 });
    expect(outcome(printer, job, { ...job8, setting: 'blue' }, rules({ setup: { time: '2' } }))).toEqual({
      end: 10,
      earns: 10,
    });
    const pause = { from: '7', to: '9' };
    expect(outcome(printer, job, job8, rules({ pause }))).toEqual({ end: 13, earns: 1 });
    expect(outcome(printer, job, { ...job8, clock: 3 }, rules({ pause }))).toEqual({ end: 7, earns: 19 });
    expect(outcome(printer, job, { ...job8, clock: 9 }, rules({ pause }))).toEqual({ end: 13, earns: 1 });
    expect(outcome(printer, job, job8, rules({ bonus: { add: '6', by: '8' } }))).toEqual({ end: 8, earns: 22 });
  });

  test('a job by its lateness', () => {
    const oven = STORIES.oven as NonNullable<(typeof STORIES)[string]>;
    const tray = { dough: 'rye', bakes: 5, due: 9, price: 30, fine: 4 };
    expect(outcome(oven, tray, { clock: 3, setting: 'rye' }, rules({}))).toEqual({ end: 8, earns: 30 });
    expect(outcome(oven, tray, { clock: 6, setting: 'rye' }, rules({}))).toEqual({ end: 11, earns: 22 });
  });
});

describe('solver', () => {
  /** Take 1 now, or wait (0) and take 5; from 9 there is no way on. */
  const moves: Moves<number> = (n) => {
    if (n === 2) return 'end';
    if (n === 9) return [];
    const step = (next: number, gain: number) => ({ calls: [{ tool: `go${next}`, args: {} }], gain, next });
    return n === 0 ? [step(9, 8), step(2, 1), step(1, 0)] : [step(2, 5)];
  };

  test('looks ahead and goes round dead ends; the short-sighted one does neither', () => {
    expect(solve(0, moves)).toEqual({
      gain: 5,
      calls: [
        { tool: 'go1', args: {} },
        { tool: 'go2', args: {} },
      ],
    });
    expect(greedy(0, moves)).toBe(-Infinity);
    expect(greedy(1, moves)).toBe(5);
    expect(solve(9, moves)).toBeNull();
  });
});
