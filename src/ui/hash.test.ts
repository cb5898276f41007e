import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FAULT_PRESETS } from '../twins/faults';
import { DEFAULT_SETTINGS, formatHash, parseHash, type Settings } from './hash';
import { MAX_LANES, type LaneSpec } from './lanes';
import { LIMITS, MAX_SEED } from './limits';
import { models, samplings } from './sampling/settings.fixture';
import { VIEWS } from './views';

const seeds = fc.integer({ min: 0, max: MAX_SEED });
const key = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }).filter((text) => text !== '__proto__');
const scalar = fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer(), fc.boolean());
const edits = fc.record({
  state: fc.dictionary(key, fc.oneof(scalar, fc.dictionary(key, fc.oneof(scalar, fc.constant(null))))),
  rules: fc.dictionary(
    key,
    fc.record({ enabled: fc.boolean(), params: fc.dictionary(key, scalar) }, { requiredKeys: [] }),
  ),
});
const lanes = fc.array(models, { maxLength: MAX_LANES - 1 }).map((some): LaneSpec[] => [{ model: 'twin' }, ...some]);
const page = fc.record({
  view: fc.constantFrom(...VIEWS.map(({ id }) => id)),
  family: fc.constantFrom('support', 'universe', 'terminal', 'a-b_9'),
  worldSeed: seeds,
  difficulty: fc.integer(LIMITS.difficulty),
  edits,
  seed: seeds,
  lanes,
  against: fc.constantFrom('twin', 'mdlm', 'ar-3'),
  faults: fc.record({
    preset: fc.constantFrom(...FAULT_PRESETS),
    count: fc.integer({ min: 0, max: 999 }),
    duration: fc.integer({ min: 1, max: 999 }),
  }),
  faultSteps: fc.integer(LIMITS.faultSteps),
});
const settings = fc.tuple(page, samplings).map((parts): Settings => Object.assign({}, ...parts));

describe('the hash of the URL', () => {
  test('any settings survive writing and reading, also through a URL', () => {
    fc.assert(
      fc.property(settings, (wanted) => {
        const url = new URL('http://localhost:4173/?models=/micro/');
        url.hash = formatHash(wanted);
        const read = parseHash(new URL(url.href).hash);
        expect(read.problems).toEqual([]);
        expect(read.settings).toEqual(wanted);
      }),
    );
  });

  test('no text makes it throw, and everything it gives can be written again', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webQueryParameters()), (text) => {
        const { settings: read } = parseHash(text);
        expect(parseHash(formatHash(read))).toEqual({ settings: read, problems: [] });
      }),
    );
  });

  test('the default world has a short link; what is not the default is written', () => {
    expect(formatHash(DEFAULT_SETTINGS)).toBe('world=support&world-seed=1');
    expect(formatHash({ ...DEFAULT_SETTINGS, temperature: 0.7, lanes: [{ model: 'twin' }, { model: 'mdlm' }] })).toBe(
      'world=support&world-seed=1&temperature=0.7&lanes=twin,mdlm',
    );
    const two: LaneSpec[] = [{ model: 'twin' }, { model: 'mdlm' }, { model: 'mdlm', threshold: 0.5, provider: 'wasm' }];
    expect(formatHash({ ...DEFAULT_SETTINGS, lanes: two, against: 'mdlm' })).toBe(
      'world=support&world-seed=1&lanes=twin,mdlm,mdlm;threshold=0.5;provider=wasm&against=mdlm',
    );
    const sampler = { name: 'confidence', steps: 8, order: 'margin' };
    expect(
      formatHash({ ...DEFAULT_SETTINGS, lanes: [{ model: 'twin' }, { model: 'mdlm', sampler }], blockSize: 16 }),
    ).toBe('world=support&world-seed=1&block=16&lanes=twin,mdlm;sampler=confidence:steps=8:order=margin');
    // As links were before samplers had parameters in them.
    expect(parseHash('lanes=twin,mdlm;sampler=ancestral').settings.lanes[1]).toEqual({
      model: 'mdlm',
      sampler: { name: 'ancestral' },
    });
    expect(parseHash('lanes=ar,twin').settings.lanes).toEqual([{ model: 'twin' }, { model: 'ar' }]);
    expect(formatHash({ ...DEFAULT_SETTINGS, faults: { preset: 'implicit', count: 2, duration: 1 } })).toBe(
      'world=support&world-seed=1&faults=implicit:2:1',
    );
  });

  test.each([
    ['world-seed=-1', 'worldSeed', 'world-seed'],
    ['difficulty=4', 'difficulty', 'difficulty'],
    ['temperature=warm', 'temperature', 'temperature'],
    ['top-p=0', 'topP', 'top-p'],
    ['provider=cuda', 'provider', 'provider'],
    ['lanes=mdlm', 'lanes', 'lanes'],
    ['lanes=twin,twin', 'lanes', 'lanes'],
    ['lanes=twin,ar,ar,ar,ar,ar,ar', 'lanes', 'lanes'],
    ['lanes=twin,ar;threshold=0.5', 'lanes', 'lanes'],
    ['lanes=twin,mdlm;threshold=7', 'lanes', 'lanes'],
    ['lanes=twin,mdlm;sampler=best', 'lanes', 'lanes'],
    ['lanes=twin,mdlm;sampler=confidence:order=size', 'lanes', 'lanes'],
    ['lanes=twin,ar;sampler=ancestral', 'lanes', 'lanes'],
    ['lanes=twin,ar-transformers;guidance=2', 'lanes', 'lanes'],
    ['sampler=remask:eta=2', 'sampler', 'sampler'],
    ['sampler=remask:eta=0.1:eta=0.2', 'sampler', 'sampler'],
    ['sampler=threshold:threshold=0.5', 'sampler', 'sampler'],
    ['min-p=2', 'minP', 'min-p'],
    ['block=1.5', 'blockSize', 'block'],
    ['crop=yes', 'crop', 'crop'],
    ['best-of=0', 'bestOf', 'best-of'],
    ['verifier=nobody', 'verifier', 'verifier'],
    ['lanes=twin;temperature=1,mdlm', 'lanes', 'lanes'],
    ['against=nobody', 'against', 'against'],
    ['faults=mixed:1', 'faults', 'faults'],
    ['faults=lies:1:1', 'faults', 'faults'],
    ['fault-steps=1', 'faultSteps', 'fault-steps'],
    ['edits={"state":[]}', 'edits', 'edits'],
    ['edits={"state":{"a":[1]}}', 'edits', 'edits'],
  ] as const)('%s is named and replaced by the default', (hash, name, named) => {
    const { settings: read, problems } = parseHash(`#${hash}`);
    expect(read[name]).toEqual(DEFAULT_SETTINGS[name]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`"${named}"`);
  });
});
