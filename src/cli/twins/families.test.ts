/** What every family promises, checked for all of them. */
import { Ajv2020 } from 'ajv/dist/2020';
import { describe, expect, test } from 'vitest';
import { malformedAgent, noisyAgent, randomAgent } from '../agents';
import { isDone } from '../world/checks';
import { answerText, callText, currentState, encodeContext, fold, parseAnswer } from '../world/codec';
import { CODE } from '../world/directives';
import { isObject, stringify, type JsonObject } from '../world/json';
import { applyDelta, diffPatch } from '../world/mergePatch';
import { Rng } from '../world/rng';
import type { Context, Directive, World } from '../world/types';
import { createExpert, makeWorld, noTruthReason, ruleText, twinTransition } from '.';
import { stepProgram } from './kit/step';
import { REGISTRY } from './registry';
import {
  programOf,
  walk,
  holdsOnlyScalars,
  fuzzed,
  edited,
  otherParams,
  asTexts,
  bytes,
  estimate,
} from './testing.fixture';

describe.each(REGISTRY.map((family) => [family.name, family] as const))('%s', (name, family) => {
  const worldOf = (seed: number) => makeWorld(name, seed, 1 + (seed % 3));

  test('the same seed gives the same bytes, another seed another world', () => {
    expect(JSON.stringify(worldOf(7))).toBe(JSON.stringify(worldOf(7)));
    expect(JSON.stringify(worldOf(7).state)).not.toBe(JSON.stringify(worldOf(10).state));
  });

  test('goals are false at the start and the expert reaches at least 95% of 200', async () => {
    let solved = 0;
    for (let seed = 0; seed < 200; seed++) {
      const world = worldOf(seed);
      expect(isDone(world.task, world.state)).toBe(false);
      const state = await walk(world, createExpert(world), 8, () => undefined, true);
      if (isDone(world.task, state)) solved++;
    }
    expect(solved).toBeGreaterThanOrEqual(190);
  });

  test('answers satisfy the output schema; states stay plain; deltas are minimal', async () => {
    const ajv = new Ajv2020({ strict: false });
    for (let seed = 0; seed < 30; seed++) {
      const world = worldOf(seed);
      const schemas = new Map(
        world.tools.map((tool) => [tool.name, tool.outputSchema && ajv.compile(tool.outputSchema)]),
      );
      await walk(
        world,
        noisyAgent(randomAgent(seed), 0, seed),
        10,
        (context, action, { observation, status, delta }) => {
          const state = currentState(context);
          expect(stringify(diffPatch(state, applyDelta(state, delta)))).toBe(stringify(delta));
          const schema = 'tool' in action ? schemas.get(action.tool) : undefined;
          if (status !== 'ok') expect(observation.kind).toBe('text');
          else if (schema)
            expect(observation.kind === 'json' && schema(observation.value), stringify(action as never)).toBe(true);
        },
      );
    }
  });

  test('10,000 fuzzed actions: always a short observation, minimal deltas, and states stay plain', () => {
    const rng = Rng.of('fuzz', name);
    const statuses = new Set<string>();
    // Collected and compared once: ten thousand times five expectations would take most of the time of this file.
    const wrong: unknown[] = [];
    for (let seed = 0; seed < 100; seed++) {
      const world = worldOf(seed);
      const program = programOf(world);
      let state = world.state;
      for (let i = 0; i < 100; i++) {
        const action = fuzzed(rng, world);
        const transition = stepProgram(program, state, world.rules, action, []);
        const { delta, status } = transition;
        const text = answerText(transition);
        const after = applyDelta(state, delta);
        const read = parseAnswer(text);
        if (!CODE.test(status) || read.parseErrors.length > 0) wrong.push(['status or form', action, text]);
        // An error echoes nothing long: it stays inside the smaller slots, and changes nothing.
        if (status !== 'ok' && (text.observation.length >= 90 || text.delta !== '{}'))
          wrong.push(['error', action, text]);
        if (!holdsOnlyScalars(after)) wrong.push(['state', action, delta]);
        if (stringify(diffPatch(state, after)) !== stringify(delta)) wrong.push(['delta', action, delta]);
        statuses.add(status);
        state = i % 20 === 19 ? world.state : after;
      }
    }
    expect(wrong).toEqual([]);
    for (const code of ['ok', 'malformed', 'unknown_tool', 'invalid_args']) expect(statuses).toContain(code);
  });

  test('hand-edited states: any value anywhere gives an observation and leaves a plain state', async () => {
    const wrong: unknown[] = [];
    let ok = 0;
    for (let seed = 0; seed < 250; seed++) {
      const world = worldOf(seed);
      const program = programOf(world);
      const state = edited(Rng.of('edit', name, seed), world.state) as JsonObject;
      for (let i = 0; i < 6; i++) {
        const action = await randomAgent(seed * 7 + i).act({ world, state: world.state, steps: [] });
        const { delta, status } = stepProgram(program, state, world.rules, action, []);
        const after = applyDelta(state, delta);
        if (!holdsOnlyScalars(after) || !CODE.test(status)) wrong.push([state, action, delta, status]);
        if (status === 'ok') ok++;
      }
    }
    expect(wrong).toEqual([]);
    expect(ok).toBeGreaterThan(100);
  });

  test('answers of plausible calls are short', async () => {
    let most = 0;
    for (let seed = 0; seed < 30; seed++) {
      await walk(worldOf(seed), noisyAgent(createExpert(worldOf(seed)), 0.6, seed), 8, (_, __, transition) => {
        const { observation, delta, status } = answerText(transition);
        most = Math.max(
          most,
          [observation, delta, status].reduce((sum, slot) => sum + 1 + estimate(slot), 1),
        );
      });
    }
    expect(most).toBeGreaterThan(10);
    expect(most).toBeLessThanOrEqual(96);
  });

  test('malformed agents are answered with the three codes of the kit', async () => {
    const seen = new Set<string>();
    for (let seed = 0; seed < 20; seed++)
      await walk(worldOf(seed), malformedAgent(seed), 10, (_, __, { status }) => seen.add(status));
    for (const code of ['malformed', 'unknown_tool', 'invalid_args']) expect(seen).toContain(code);
  });

  test('directives mean what the kit says', async () => {
    const kinds = new Set<string>();
    for (let seed = 0; seed < 25; seed++) {
      await walk(worldOf(seed), randomAgent(seed), 8, (context, action, plain) => {
        const { rules } = context.world;
        const state = currentState(context);
        const under = (...directives: Directive[]) =>
          stepProgram(programOf(context.world), state, rules, action, directives);
        const failed = under({ kind: 'empty' }, { kind: 'fail', code: 'timeout' });
        expect(failed).toEqual({ observation: { kind: 'text', text: 'Error: timeout' }, delta: {}, status: 'timeout' });
        const [empty, partial, terse] = [
          under({ kind: 'empty' }),
          under({ kind: 'partial', n: 2 }),
          under({ kind: 'terse' }),
        ];
        for (const other of [empty, partial, terse]) {
          expect(other.delta).toEqual(plain.delta);
          expect(other.status).toBe(plain.status);
          if (plain.status !== 'ok') expect(other).toEqual(plain);
        }
        if (plain.status !== 'ok') return;
        if (plain.observation.kind === 'text') {
          const lines = plain.observation.text === '' ? [] : plain.observation.text.split('\n');
          kinds.add('text');
          expect(empty.observation).toEqual({ kind: 'text', text: '' });
          expect(partial.observation).toEqual({ kind: 'text', text: lines.slice(0, 2).join('\n') });
          expect(terse.observation).toEqual({ kind: 'text', text: lines.slice(0, 1).join('\n') });
        } else if (Array.isArray(plain.observation.value)) {
          kinds.add('list');
          expect(empty.observation).toEqual({ kind: 'json', value: [] });
          expect(partial.observation).toEqual({ kind: 'json', value: plain.observation.value.slice(0, 2) });
          const short = plain.observation.value.map((item) =>
            isObject(item) ? Object.fromEntries(Object.entries(item).slice(0, 1)) : item,
          );
          expect(terse.observation).toEqual({ kind: 'json', value: short });
        } else {
          kinds.add('record');
          const entries = Object.entries(plain.observation.value);
          expect(empty.observation).toEqual({ kind: 'json', value: {} });
          expect(partial.observation).toEqual({ kind: 'json', value: Object.fromEntries(entries.slice(0, 2)) });
          expect(terse.observation).toEqual({ kind: 'json', value: Object.fromEntries(entries.slice(0, 1)) });
        }
      });
    }
    expect([...kinds].sort()).toEqual(name === 'terminal' ? ['text'] : ['list', 'record']);
  });

  test('each rule bites somewhere, answers with its own sentence, and does not when switched off', async () => {
    const rules = family.program(worldOf(1).twin?.spec).rules;
    const bitten = new Set<string>();
    for (let seed = 0; seed < 400 && bitten.size < rules.length; seed++) {
      const world = worldOf(seed);
      await walk(world, noisyAgent(createExpert(world), 0.8, seed), 10, (context, action, plain) => {
        const rule = world.rules.find(
          ({ text }) => plain.observation.kind === 'text' && plain.observation.text === `Error: ${text}`,
        );
        if (!rule) return;
        const off = world.rules.map((other) => (other.id === rule.id ? { ...other, enabled: false } : other));
        const without = twinTransition({ ...context, world: { ...world, rules: off } }, action, []);
        expect(without).not.toEqual(plain);
        // Other parameters: either the rule no longer bites, or it refuses with its new sentence.
        const params = otherParams(rule.params);
        const text = ruleText(world, { ...rule, params }) ?? '';
        const others = world.rules.map((other) => (other.id === rule.id ? { ...other, params, text } : other));
        const changed = twinTransition({ ...context, world: { ...world, rules: others } }, action, []);
        expect(changed).not.toEqual(plain);
        if (changed.status === plain.status)
          expect(changed.observation).toEqual({ kind: 'text', text: `Error: ${text}` });
        else expect(changed).toEqual(without);
        bitten.add(rule.id);
      });
    }
    expect([...bitten].sort()).toEqual(rules.map(({ id }) => id).sort());
  });

  test('a rule sentence follows its parameters, and truth with it', () => {
    const world = worldOf(3);
    const rule = world.rules[0];
    if (!rule) throw new Error('the world has no rule');
    const params = otherParams(rule.params);
    const text = ruleText(world, { ...rule, params });
    expect(text).not.toBe(rule.text);
    const other = { ...world, rules: [{ ...rule, params, text: text ?? '' }, ...world.rules.slice(1)] };
    expect(noTruthReason(other)).toBeNull();
    expect(noTruthReason({ ...other, rules: [{ ...rule, text: 'Be kind.' }] })).toContain('Be kind.');
  });

  test('the law: what the codec does not show changes no answer', async () => {
    for (let seed = 0; seed < 24; seed++) {
      await walk(worldOf(seed), noisyAgent(malformedAgent(seed), 0.7, seed), 8, (context, action, plain) => {
        const { world } = context;
        const hidden: World = {
          ...world,
          id: 'other',
          title: 'Other',
          twin: world.twin && { ...world.twin, seed: 999, difficulty: 3 },
          rules: [
            ...world.rules.map((rule) => ({ ...rule, enabled: false })),
            ...world.rules.map((rule) => ({ ...rule, params: asTexts(rule.params) })),
          ],
          task: { instruction: world.task.instruction, checks: [] },
        };
        const other: Context = { world: hidden, history: context.history };
        expect(encodeContext(other, action, [], bytes)).toEqual(encodeContext(context, action, [], bytes));
        expect(twinTransition(other, action, [])).toEqual(plain);
        expect(twinTransition(context, { raw: callText(action) }, [])).toEqual(plain);
        expect(twinTransition(fold(context), action, [])).toEqual(plain);
      });
    }
  });
});
