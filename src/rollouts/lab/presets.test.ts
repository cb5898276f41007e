import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LabError } from './errors';
import { withAncestral, withBestOf } from './presets';
import { regimeOf } from './regime';
import { readLabSpec, type LabSampling, type LabSimulator, type SimulatorKind } from './spec';
import { specWith } from './testing';

const lane = (id: string, kind: SimulatorKind, options: LabSampling = {}, models: string | null = null) =>
  ({ id, kind, models, options }) satisfies LabSimulator;

describe('best-of-n lanes', () => {
  it('stand behind each model at 2, 4 and 8 answers, with a temperature where the lane has none', () => {
    const lanes = withBestOf([lane('twin', 'twin'), lane('ar', 'ar'), lane('m', 'mdlm', { temperature: 0.3 }, 'old')]);
    expect(lanes.map(({ id }) => id)).toEqual([
      'twin',
      ...['ar', 'ar-best2', 'ar-best4', 'ar-best8'],
      ...['m', 'm-best2', 'm-best4', 'm-best8'],
    ]);
    expect(lanes[2]?.options).toEqual({ temperature: 0.7, bestOf: { n: 2, verifier: 'likely' } });
    expect(lanes[8]).toEqual(
      lane('m-best8', 'mdlm', { temperature: 0.3, bestOf: { n: 8, verifier: 'likely' } }, 'old'),
    );
  });

  it('are given to no lane that has them or is for diversity, and keep what has their name', () => {
    const own = lane('a', 'ar', { bestOf: { n: 3, verifier: 'sound' } });
    const free = lane('b', 'ar', { temperature: 1 });
    expect(withBestOf([own, free])).toEqual([own, free]);
    const named = lane('c-best2', 'ar', { bestOf: { n: 2, verifier: 'sound' } });
    const ids = withBestOf([lane('c', 'ar'), named]).map(({ id }) => id);
    expect(ids).toEqual(['c', 'c-best4', 'c-best8', 'c-best2']);
  });
});

describe('a lane for diversity', () => {
  it('stands behind the first plain lane of each model and honestly samples it', () => {
    const lanes = withAncestral([
      lane('twin', 'twin'),
      lane('m', 'mdlm', { threshold: 0.8, guidance: 2, constraint: 'schema' }),
      lane('m2', 'mdlm'),
      lane('old', 'mdlm', {}, 'old'),
      lane('a', 'ar', { topP: 0.9 }),
    ]);
    expect(lanes.map(({ id }) => id)).toEqual([
      ...['twin', 'm', 'm-ancestral', 'm2', 'old', 'old-ancestral', 'a', 'a-ancestral'],
    ]);
    expect(lanes[2]?.options).toEqual({ temperature: 1, sampler: { name: 'ancestral' } });
    expect(lanes[5]?.models).toBe('old');
    expect(lanes[7]?.options).toEqual({ temperature: 1 });
  });

  it('is not added where the model has one under another name', () => {
    const own = [lane('a', 'ar'), lane('free', 'ar', { temperature: 1 })];
    expect(withAncestral(own)).toEqual(own);
  });
});

const anyLanes = fc
  .uniqueArray(fc.constantFrom<string>('a', 'b', 'c', 'a-best2', 'b-ancestral'), { maxLength: 5 })
  .chain((ids) =>
    fc.tuple(
      ...ids.map((id) =>
        fc.record({
          id: fc.constant(id),
          kind: fc.constantFrom<SimulatorKind>('ar', 'mdlm', 'transformers'),
          models: fc.constantFrom<string | null>(null, 'old'),
          options: fc.constantFrom<LabSampling>({}, { temperature: 1 }, { bestOf: { n: 2, verifier: 'likely' } }),
        }),
      ),
    ),
  );

it('both presets keep every lane in its order, give no name twice, and add nothing when applied again', () => {
  fc.assert(
    fc.property(anyLanes, fc.boolean(), (lanes, first) => {
      const both = (list: readonly LabSimulator[]) =>
        first ? withBestOf(withAncestral(list)) : withAncestral(withBestOf(list));
      const out = both(lanes);
      expect(out.filter((one) => lanes.includes(one))).toEqual(lanes);
      const ids = out.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(both(out)).toEqual(out);
      // At most one lane for diversity is added to a model, and none that is not fit for it.
      const added = out.filter((one) => !lanes.includes(one) && one.options.bestOf === undefined);
      expect(added.every((one) => regimeOf(one).for === 'diversity')).toBe(true);
      const models = added.map(({ kind, models }) => `${kind} ${models}`);
      expect(new Set(models).size).toBe(models.length);
    }),
    { numRuns: 200 },
  );
});

describe('presets of a spec', () => {
  it('are read with their defaults, and the spec with its lanes can be read again', () => {
    const spec = specWith({ simulators: ['ar'], presets: { bestOf: { n: [3], temperature: 0.4 }, ancestral: true } });
    expect(spec.simulators.map(({ id }) => id)).toEqual(['ar', 'ar-best3', 'ar-ancestral']);
    expect(spec.simulators[1]?.options).toEqual({ temperature: 0.4, bestOf: { n: 3, verifier: 'likely' } });
    expect(readLabSpec(JSON.parse(JSON.stringify(spec)))).toEqual(spec);
    expect(specWith({ simulators: ['ar'], presets: { bestOf: false, ancestral: false } }).simulators).toHaveLength(1);
  });

  it.each([
    [{ bestOf: { n: [1] } }, /presets\/bestOf\/n\/0 is 1: it has to be a whole number from 2 to 64/],
    [{ bestOf: { temperature: 0 } }, /presets\/bestOf\/temperature is 0: it has to be a number above 0/],
    [{ bestOf: 'yes' }, /presets\/bestOf is "yes": it has to be true or false/],
    [{ best: true }, /presets\/best: there is no such member here; there are bestOf, ancestral/],
    [{ bestOf: { n: [2, 2] } }, /"ar-best2" is there twice/],
  ])('refuse %j and say what fits', (presets, message) => {
    expect(() => specWith({ simulators: ['ar'], presets })).toThrow(message);
  });

  it('refuse a lane whose name comes out too long, instead of making a spec that nothing reads', () => {
    const id = 'm'.repeat(36);
    const make = (presets: { [key: string]: boolean }) => specWith({ simulators: [{ id, kind: 'ar' }], presets });
    expect(() => make({ bestOf: true })).toThrow(LabError);
    expect(() => make({ bestOf: true })).toThrow(/m-best8", whose name has more than 40 characters: shorten/);
    expect(() => make({ bestOf: false })).not.toThrow();
  });
});
