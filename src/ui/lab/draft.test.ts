import { describe, expect, it } from 'vitest';
import { parseLabSpec, specText } from '../../rollouts/lab';
import { DEFAULT_SAMPLING } from '../sampling/fields';
import {
  checkDraft,
  checkText,
  FIRST_DRAFT,
  laneOf,
  namesOf,
  parseSeeds,
  seedsText,
  simulatorsOf,
  sizeOf,
  withSettings,
} from './draft';

describe('seeds as text', () => {
  it.each([
    ['1-20', { from: 1, count: 20 }, '1-20'],
    [' 3 ', [3], '3'],
    ['7-7', [7], '7'],
    ['1, 5, 9', [1, 5, 9], '1, 5, 9'],
    ['1-3, 8', [1, 2, 3, 8], '1, 2, 3, 8'],
    ['2147483647', [2147483647], '2147483647'],
  ])('reads %s', (text, seeds, again) => {
    expect(parseSeeds(text)).toEqual(seeds);
    expect(seedsText(parseSeeds(text) ?? [])).toBe(again);
  });

  it.each(['', 'x', '5-1', '1,,2', '-3', '1.5', '2147483648', '1-99999999, 3'])('refuses %s', (text) => {
    expect(parseSeeds(text)).toBeNull();
  });
});

describe('a draft', () => {
  it('that is first shown can be run; its text is a spec of the command line', () => {
    const checked = checkDraft(FIRST_DRAFT);
    expect(checked).toMatchObject({ ok: true, jobs: 90 });
    expect(parseLabSpec(specText(FIRST_DRAFT))).toEqual(FIRST_DRAFT);
  });

  it('names everything that is missing', () => {
    const worlds = { ...FIRST_DRAFT.worlds, families: [], difficulties: [] };
    const checked = checkDraft({ ...FIRST_DRAFT, worlds, simulators: [] });
    const problems = checked.ok ? [] : checked.problems;
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual([
      '/worlds/families',
      '/worlds/difficulties',
      '/simulators',
    ]);
  });

  it('multiplies out to the rollouts that are run', () => {
    const checked = checkText(
      '{"worlds":{"families":["grid","lab"],"seeds":{"count":3}},"simulators":["twin","ar"],"seeds":[4,5]}',
    );
    if (!checked.ok) throw new Error(checked.problems.join());
    const { factors, jobs, steps } = sizeOf(checked.spec);
    expect(factors.reduce((product, [n]) => product * n, 1)).toBe(jobs);
    expect([jobs, steps]).toEqual([checked.jobs, 24 * 8]);
  });

  it('refuses model folders of the command line, since the page would run other models', () => {
    const own = '{"worlds":{"families":["grid"],"seeds":[1]},"simulators":[{"kind":"ar","models":"old"}]}';
    expect(checkText(own)).toEqual({ ok: false, problems: [expect.stringContaining('ar (old)')] });
    expect(checkText('nothing')).toEqual({ ok: false, problems: [expect.stringContaining('not JSON')] });
  });

  it('takes the spec out of results', () => {
    const results = { format: 'terrarium-lab', specHash: '0', spec: FIRST_DRAFT };
    expect(checkText(JSON.stringify(results))).toMatchObject({ ok: true, spec: FIRST_DRAFT });
  });
});

describe('simulators', () => {
  it('have the settings of lanes, of which the defaults are left out', () => {
    const shared = { ...DEFAULT_SAMPLING, temperature: 0.7, sampler: { name: 'threshold' } };
    const lanes = [
      { model: 'twin' as const },
      { model: 'mdlm' as const, threshold: 0.5 },
      { model: 'ar-transformers' as const },
    ];
    expect(simulatorsOf(lanes, shared)).toEqual([
      { id: 'twin', kind: 'twin', models: null, options: {} },
      { id: 'mdlm', kind: 'mdlm', models: null, options: { temperature: 0.7, threshold: 0.5 } },
      { id: 'ar-transformers', kind: 'transformers', models: null, options: { temperature: 0.7 } },
    ]);
  });

  it('keep what was chosen through the form', () => {
    const text =
      '{"worlds":{"families":["grid"],"seeds":[1]},"simulators":[{"id":"m","kind":"mdlm","options":{"temperature":0.5,"sampler":{"name":"confidence","steps":4},"bestOf":{"n":3,"verifier":"likely"}}}]}';
    const [simulator] = parseLabSpec(text).simulators;
    if (!simulator) throw new Error('no simulator');
    const again = withSettings(simulator, laneOf(simulator));
    expect(laneOf(again)).toEqual(laneOf(simulator));
    expect(again.options).toMatchObject({
      temperature: 0.5,
      bestOf: { n: 3, verifier: 'likely' },
      sampler: { name: 'confidence', steps: 4 },
    });
    const { temperature: _, ...rest } = laneOf(simulator);
    expect(withSettings(simulator, rest).options).not.toHaveProperty('temperature');
  });

  it('name and keep what a spec says beyond the form', () => {
    const text =
      '{"worlds":{"families":["grid"],"seeds":[1]},"simulators":[{"id":"m","kind":"mdlm","options":{"threshold":0.02,"sampler":{"name":"confidence","steps":4}}}]}';
    const [simulator] = parseLabSpec(text).simulators;
    if (!simulator) throw new Error('no simulator');
    expect(namesOf(simulator)).toBe('threshold 0.02, sampler confidence (steps 4)');
    const sampler = { name: 'threshold' };
    const warm = withSettings(
      { ...simulator, options: { threshold: 0.02 } },
      { model: 'mdlm', temperature: 0.5, sampler },
    );
    expect(warm.options).toEqual({ threshold: 0.02, temperature: 0.5 });
    expect(withSettings(warm, { model: 'mdlm', threshold: 0.6, sampler }).options).toEqual({ threshold: 0.6 });
  });
});
