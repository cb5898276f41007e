import { describe, expect, test } from 'vitest';
import type { Prediction } from '../world/simulator';
import type { Context, World } from '../world/types';
import { createExpert, FAMILIES, makeWorld, noTruthReason, ruleText, TwinSimulator, twinTransition } from '.';

const OPTIONS = { directives: [], seed: 7 } as unknown as Parameters<TwinSimulator['step']>[2];
const world = makeWorld('support', 4);
const context: Context = { world, history: [] };
const action = { tool: world.tools[0]?.name ?? '', args: { id: 'nope' } };

async function last(at: Context, signal?: AbortSignal): Promise<Prediction> {
  let prediction: Prediction | undefined;
  for await (const item of new TwinSimulator().step(at, action, OPTIONS, signal)) {
    if (item.kind === 'prediction') prediction = item;
  }
  if (!prediction) throw new Error('no prediction');
  return prediction;
}

describe('TwinSimulator', () => {
  test('ends in the true transition and its text', async () => {
    const prediction = await last(context);
    expect(prediction.transition).toEqual(twinTransition(context, action, []));
    expect(prediction.text).toEqual({ observation: 'Error: nope not found', delta: '{}', status: 'not_found' });
    expect(prediction.parseErrors).toEqual([]);
    expect(prediction.seed).toBe(7);
  });

  test('an aborted step rejects', async () => {
    await expect(last(context, AbortSignal.abort())).rejects.toThrow();
  });
});

describe('truth after edits', () => {
  const supports = (edited: World) => new TwinSimulator().supports(edited);

  test('states, switches and parameters keep it', () => {
    const rules = world.rules.map((rule) => ({ ...rule, enabled: false }));
    expect(supports({ ...world, state: { anything: 1 }, rules, task: { instruction: 'Other', checks: [] } })).toBe(
      true,
    );
    expect(noTruthReason(world)).toBeNull();
  });

  test.each<[string, World, RegExp]>([
    ['no twin', { ...world, twin: undefined } as unknown as World, /no twin/],
    ['another family', { ...world, twin: { family: 'moon', seed: 1, difficulty: 1 } }, /"moon"/],
    ['no spec', { ...world, twin: { family: 'universe', seed: 1, difficulty: 1 } }, /"universe"/],
    ['edited tools', { ...world, tools: world.tools.slice(1) }, /tools were edited/],
    ['an edited sentence', { ...world, rules: [{ id: 'x', text: 'Be kind', enabled: true, params: {} }] }, /Be kind/],
  ])('%s loses it', (_, edited, reason) => {
    expect(noTruthReason(edited)).toMatch(reason);
    expect(supports(edited)).toBe(false);
    expect(() => twinTransition({ world: edited, history: [] }, action, [])).toThrow(reason);
  });

  test('sentences of rules come from the twin', () => {
    for (const rule of world.rules) expect(ruleText(world, rule)).toBe(rule.text);
    expect(ruleText({ ...world, twin: undefined } as unknown as World, world.rules[0] as never)).toBeNull();
  });
});

describe('the registry', () => {
  test('families have names of their own, and unknown ones are named with those known', () => {
    const names = FAMILIES.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const heldOut = FAMILIES.filter((family) => family.heldOut).map(({ name }) => name);
    expect(heldOut.sort()).toEqual(['apps', 'frontier', 'household', 'lab']);
    expect(FAMILIES.length - heldOut.length).toBe(11);
    expect(() => makeWorld('moon', 1)).toThrow(/There is no family "moon"; known are support, /);
    expect(() => createExpert({ ...world, twin: undefined } as unknown as World)).toThrow(/no twin/);
  });
});
