/** What every family promises, checked for all of them. */
import { Ajv2020 } from 'ajv/dist/2020';
import { describe, expect, test } from 'vitest';
import { malformedAgent, noisyAgent, randomAgent } from '../agents';
import { isDone } from '../world/checks';
import { answerText, callText, currentState, fold } from '../world/codec';
import { isObject, stringify, type Json, type JsonObject } from '../world/json';
import { applyDelta, diffPatch } from '../world/mergePatch';
import { Rng } from '../world/rng';
import type { Agent, AgentView } from '../world/simulator';
import type { Action, Context, Directive, Transition, World } from '../world/types';
import { createExpert, makeWorld, noTruthReason, ruleText, twinTransition } from '.';
import { REGISTRY } from './registry';

/** Walks a world and gives each step to `look`; ends at the goal if `stop` is set. */
async function walk(
  world: World,
  agent: Agent,
  steps: number,
  look: (at: Context, action: Action, answer: Transition) => void,
  stop = false,
) {
  let context: Context = { world, history: [] };
  const view: AgentView = { world, state: world.state, steps: [] };
  for (let i = 0; i < steps && !(stop && isDone(world.task, view.state)); i++) {
    const action = await agent.act(view);
    const transition = twinTransition(context, action, []);
    look(context, action, transition);
    const turn = { directives: [], action, text: answerText(transition), delta: transition.delta };
    context = { world, history: [...context.history, turn] };
    view.state = currentState(context);
    view.steps = [...view.steps, { action, transition }];
  }
  return view.state;
}

function holdsOnlyScalars(value: Json): boolean {
  if (isObject(value)) return Object.values(value).every(holdsOnlyScalars);
  return value !== null && !Array.isArray(value) && (typeof value !== 'number' || Number.isFinite(value));
}

/** Any action at all: plausible ones, spoiled ones, and rubbish of every kind. */
function fuzzed(rng: Rng, world: World): Action {
  const tool = rng.pick([
    ...world.tools.map(({ name }) => name),
    '__proto__',
    'constructor',
    '',
    'a'.repeat(5000),
    '\ud800',
  ]);
  const deep = (n: number): Json => (n === 0 ? 1 : [deep(n - 1)]);
  const values: Json[] = [
    1e308,
    -1,
    0.5,
    NaN,
    Infinity,
    null,
    true,
    '',
    'x'.repeat(3000),
    '__proto__',
    'constructor',
    '\ud83d\udc00\udfff',
    '"}{',
    [],
    {},
    deep(60),
    ...Object.values(world.state).flatMap((part) => (isObject(part) ? Object.keys(part) : [])),
  ];
  if (rng.chance(0.15))
    return { raw: rng.pick([`${tool}{`, '{}', '\u0000', `${tool}{"__proto__":1}`, `${tool}[1]`, String(rng.next())]) };
  const args: JsonObject = {};
  const properties = world.tools.find(({ name }) => name === tool)?.inputSchema.properties;
  for (const name of isObject(properties) ? Object.keys(properties) : ['id'])
    if (rng.chance(0.9)) args[name] = rng.pick(values);
  if (rng.chance(0.1)) Object.defineProperty(args, '__proto__', { value: rng.pick(values), enumerable: true });
  return { tool, args };
}

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

  test('10,000 fuzzed actions: always an observation, and states stay plain', () => {
    const rng = Rng.of('fuzz', name);
    for (let seed = 0; seed < 100; seed++) {
      const world = worldOf(seed);
      let state = world.state;
      for (let i = 0; i < 100; i++) {
        const action = fuzzed(rng, world);
        const { observation, delta, status } = twinTransition({ world: { ...world, state }, history: [] }, action, []);
        expect(status).toMatch(/^[a-z_]+$/);
        expect(observation.kind === 'text' ? typeof observation.text : typeof observation.value).toMatch(
          /string|object/,
        );
        // An answer echoes nothing long: it stays inside the largest slot.
        if (status !== 'ok') expect(answerText({ observation, delta, status }).observation.length).toBeLessThan(90);
        state = applyDelta(state, delta);
        expect(holdsOnlyScalars(state)).toBe(true);
        if (Object.keys(delta).length > 0 && i % 10 === 9) state = world.state;
      }
    }
  });

  test('malformed agents are answered with the three codes of the kit', async () => {
    const seen = new Set<string>();
    for (let seed = 0; seed < 20; seed++)
      await walk(worldOf(seed), malformedAgent(seed), 10, (_, __, { status }) => seen.add(status));
    for (const code of ['malformed', 'unknown_tool', 'invalid_args']) expect(seen).toContain(code);
  });

  test('directives mean what the kit says', async () => {
    const kinds = new Set<string>();
    for (let seed = 0; seed < 40; seed++) {
      await walk(worldOf(seed), randomAgent(seed), 8, (context, action, plain) => {
        const under = (...directives: Directive[]) => twinTransition(context, action, directives);
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
        } else {
          kinds.add('record');
          const entries = Object.entries(plain.observation.value);
          expect(empty.observation).toEqual({ kind: 'json', value: {} });
          expect(partial.observation).toEqual({ kind: 'json', value: Object.fromEntries(entries.slice(0, 2)) });
          expect(terse.observation).toEqual({ kind: 'json', value: Object.fromEntries(entries.slice(0, 1)) });
        }
      });
    }
    expect(kinds.size).toBeGreaterThan(0);
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
        bitten.add(rule.id);
      });
    }
    expect([...bitten].sort()).toEqual(rules.map(({ id }) => id).sort());
  });

  test('a rule sentence follows its parameters, and truth with it', () => {
    const world = worldOf(3);
    const rule = world.rules[0];
    if (!rule) throw new Error('the world has no rule');
    const params = Object.fromEntries(
      Object.keys(rule.params).map((key) => [key, key === 'max' || key === 'days' ? 77 : 'other']),
    );
    const text = ruleText(world, { ...rule, params });
    expect(text).not.toBe(rule.text);
    const edited = { ...world, rules: [{ ...rule, params, text: text ?? '' }, ...world.rules.slice(1)] };
    expect(noTruthReason(edited)).toBeNull();
    expect(noTruthReason({ ...edited, rules: [{ ...rule, text: 'Be kind.' }] })).toContain('Be kind.');
  });

  test('the law: what the codec does not show changes no answer', async () => {
    for (let seed = 0; seed < 60; seed++) {
      await walk(worldOf(seed), noisyAgent(malformedAgent(seed), 0.7, seed), 8, (context, action, plain) => {
        const { world } = context;
        const hidden: World = {
          ...world,
          id: 'other',
          title: 'Other',
          twin: world.twin && { ...world.twin, seed: 999, difficulty: 3 },
          rules: [{ ...(world.rules[0] ?? { id: 'x', text: '', params: {} }), enabled: false }, ...world.rules].filter(
            (rule, i) => i > 0 || rule.text !== '',
          ),
          task: { instruction: world.task.instruction, checks: [] },
        };
        expect(twinTransition({ world: hidden, history: context.history }, action, [])).toEqual(plain);
        expect(twinTransition(context, { raw: callText(action) }, [])).toEqual(plain);
        expect(twinTransition(fold(context), action, [])).toEqual(plain);
      });
    }
  });
});
