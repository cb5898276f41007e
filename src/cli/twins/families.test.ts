/** What every family promises, at sizes that fit a test run; `npm run twins -- --check` checks the same at full size. */
import { describe, expect, test } from 'vitest';
import { makeWorld, noTruthReason, ruleText } from '../../twins';
import { REGISTRY } from '../../twins/registry';
import { estimateTokens, worldTokens } from '../../world/codec';
import { MIX } from '../../rollouts/mix';
import {
  checkEdits,
  checkExpert,
  checkFuzz,
  checkLaw,
  checkRules,
  checkRuns,
  checkSchemas,
  checkSteering,
  measure,
  worldOf,
} from './checks';
import { otherParams } from './explore';

test('every family is either trained on, with a share of the corpus, or held out', () => {
  const trained = REGISTRY.filter(({ heldOut }) => !heldOut).map(({ name }) => name);
  expect(Object.keys(MIX).sort()).toEqual(trained.sort());
  expect(Object.values(MIX).every((share) => share > 0)).toBe(true);
});

describe.each(REGISTRY.map((family) => [family.name, family] as const))('%s', (name, family) => {
  test('the same seed gives the same bytes, another seed another world', () => {
    expect(JSON.stringify(worldOf(family, 7))).toBe(JSON.stringify(worldOf(family, 7)));
    expect(JSON.stringify(worldOf(family, 7).state)).not.toBe(JSON.stringify(worldOf(family, 10).state));
  });

  test.each([1, 2, 3])(
    'tasks of difficulty %i: false at the start, solved by the expert, of four kinds',
    async (difficulty) => {
      const { solved, of, templates, wrong } = await checkExpert(family, 25, difficulty);
      expect(solved, wrong.join('\n')).toBeGreaterThanOrEqual(0.95 * of);
      expect(templates.length).toBeGreaterThanOrEqual(4);
    },
  );

  test('answers satisfy the output schema; deltas are minimal', async () => {
    const { checked, wrong } = await checkSchemas(family, 40);
    expect(wrong).toEqual([]);
    expect(checked).toBeGreaterThan(50);
  });

  test('fuzzed actions: always a short observation, minimal deltas, plain states', () => {
    const { statuses, wrong } = checkFuzz(family, 1000);
    expect(wrong).toEqual([]);
    expect(statuses).toEqual(expect.arrayContaining(['ok', 'malformed', 'unknown_tool', 'invalid_args']));
  });

  test('hand-edited states: any value anywhere gives an observation and leaves a plain state', async () => {
    const { ok, wrong } = await checkEdits(family, 60);
    expect(wrong).toEqual([]);
    expect(ok).toBeGreaterThan(20);
  });

  test('directives mean what the kit says', async () => {
    expect((await checkSteering(family, 12)).wrong).toEqual([]);
  });

  test('each rule bites somewhere and shows its parameters', async () => {
    expect((await checkRules(family, 800)).wrong).toEqual([]);
  }, 120_000);

  test('a rule sentence follows its parameters, and truth with it', () => {
    const world = worldOf(family, 3);
    const rule = world.rules[0];
    if (!rule) throw new Error('the world has no rule');
    const params = otherParams(rule.params);
    const text = ruleText(world, { ...rule, params }) ?? '';
    expect(text).not.toBe(rule.text);
    const other = { ...world, rules: [{ ...rule, params, text }, ...world.rules.slice(1)] };
    expect(noTruthReason(other)).toBeNull();
    expect(noTruthReason({ ...other, rules: [{ ...rule, text: 'Be kind.' }] })).toContain('Be kind.');
  });

  test('the law: what the codec does not show changes no answer', async () => {
    const { compared, wrong } = await checkLaw(family, 12);
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(200);
  });

  test('long runs stay plain', async () => {
    expect((await checkRuns(family, 200)).wrong).toEqual([]);
  });

  test('block 0 and answers keep to the bounds, by the estimate', async () => {
    const { maxPromptTokens, maxResponseTokens } = await measure(family, 40, estimateTokens, worldTokens);
    expect(maxPromptTokens).toBeLessThanOrEqual(640);
    expect(maxResponseTokens).toBeLessThanOrEqual(160);
    expect(makeWorld(name, 5, 2).tools.length).toBeGreaterThanOrEqual(3);
  });
});
