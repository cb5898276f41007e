import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from './hash';
import { laneIdsOf, laneKind, lanesOfRun, type LaneSpec } from './lanes';
import { laneDifferences, optionsOf, ownSettings } from './sampling/options';
import { models, samplings } from './sampling/settings.fixture';

const shared = DEFAULT_SETTINGS;

/** A lane without settings that its model does not have. */
const readBack = (lane: LaneSpec): LaneSpec => ({
  model: lane.model,
  ...ownSettings(lane.model, lane, DEFAULT_SETTINGS),
});

describe('lanes', () => {
  it('are called as their model, with a number from the second on, and back', () => {
    const lanes: LaneSpec[] = [{ model: 'twin' }, { model: 'ar' }, { model: 'ar-transformers' }, { model: 'ar' }];
    expect(laneIdsOf(lanes)).toEqual(['twin', 'ar', 'ar-transformers', 'ar-2']);
    expect(laneIdsOf(lanes).map(laneKind)).toEqual([
      { model: 'twin', n: 1 },
      { model: 'ar', n: 1 },
      { model: 'ar-transformers', n: 1 },
      { model: 'ar', n: 2 },
    ]);
    expect(laneKind('somebody')).toBeNull();
    expect(laneKind('ar-9')).toBeNull();
  });

  it('name nothing by default, and then only the settings that differ, the shared value included', () => {
    expect(laneDifferences(DEFAULT_SETTINGS.lanes, shared)).toEqual([[], [], []]);
    const lanes: LaneSpec[] = [
      { model: 'twin' },
      { model: 'mdlm', temperature: 0.7 },
      { model: 'mdlm', temperature: 0.7, threshold: 0.5 },
      { model: 'ar', temperature: 0.7, provider: 'wasm' },
    ];
    const byThreshold = { ...shared, sampler: { name: 'threshold' } };
    expect(laneDifferences(lanes, byThreshold)).toEqual([
      [],
      ['threshold 0.9', 'runs on auto'],
      ['threshold 0.5', 'runs on auto'],
      ['runs on wasm'],
    ]);
    // What one lane alone has does not differ from anything, and what is set to the shared value is none of its own.
    expect(
      laneDifferences([{ model: 'twin' }, { model: 'mdlm', threshold: 0.3 }, { model: 'ar', topP: 1 }], shared),
    ).toEqual([[], [], []]);
  });

  it('do not name a threshold that a sampler does not use', () => {
    const lanes: LaneSpec[] = [
      { model: 'twin' },
      { model: 'mdlm', sampler: { name: 'threshold' } },
      { model: 'mdlm', sampler: { name: 'ancestral' }, threshold: 0.3 },
    ];
    expect(laneDifferences(lanes, shared)).toEqual([[], ['sampler threshold'], ['sampler ancestral']]);
    const plain = { temperature: 0, topP: 1 };
    expect(lanes.map((lane) => optionsOf(lane, shared))).toEqual([
      {},
      { ...plain, threshold: 0.9 },
      { ...plain, sampler: { name: 'ancestral', steps: 32 } },
    ]);
  });
});

describe('lanes of a recorded run', () => {
  const header = (...ids: string[]) => ({ lanes: ids.map((id) => ({ id, simulator: id, key: 0 })) });
  const results = (samplers: object) =>
    ({ results: Object.fromEntries(Object.entries(samplers).map(([id, sampler]) => [id, { sampler }])) }) as never;

  it('are those of the run, as the page has them set', () => {
    const now = { ...shared, lanes: [{ model: 'twin' }, { model: 'mdlm', threshold: 0.4 }] as LaneSpec[] };
    expect(lanesOfRun(header('twin', 'ar', 'mdlm', 'nobody'), undefined, now)).toEqual([
      { model: 'twin' },
      { model: 'ar' },
      { model: 'mdlm', threshold: 0.4 },
    ]);
    expect(lanesOfRun(header('other'), undefined, now)).toEqual([{ model: 'twin' }]);
  });

  it('keep apart what was apart where a model has several', () => {
    const last = results({
      mdlm: { temperature: 0, topP: 1, threshold: 0.9, lane: 1, step: 0 },
      'mdlm-2': { temperature: 0.5, topP: 1, threshold: 0.9, sampler: { name: 'ancestral' }, lane: 9, step: 0 },
    });
    // A record without a sampler was written by the one there was at first.
    expect(lanesOfRun(header('twin', 'mdlm', 'mdlm-2'), last, shared)).toEqual([
      { model: 'twin' },
      { model: 'mdlm', sampler: { name: 'threshold' } },
      { model: 'mdlm', temperature: 0.5, sampler: { name: 'ancestral' } },
    ]);
  });

  it('sample as they did, whatever was set and whatever the page is set to now', () => {
    fc.assert(
      fc.property(models, models, samplings, samplings, (first, second, before, after) => {
        const lanes: LaneSpec[] = [{ model: 'twin' }, first, { ...second, model: first.model }];
        // Runs say nothing of what runs them: that stays with the page.
        const recorded = lanes.map((lane) => optionsOf(readBack(lane), before));
        const ids = laneIdsOf(lanes);
        const last = results(Object.fromEntries(ids.map((id, i) => [id, recorded[i]])));
        const opened = lanesOfRun(header(...ids), last, { ...after, lanes: DEFAULT_SETTINGS.lanes });
        expect(laneIdsOf(opened)).toEqual(ids);
        expect(opened.map((lane) => optionsOf(lane, after))).toEqual(recorded);
      }),
    );
  });

  it('have the names they had: a lane whose number would change is left out', () => {
    const lanes = lanesOfRun(header('twin', 'mdlm-2', 'ar'), undefined, shared);
    expect(laneIdsOf(lanes)).toEqual(['twin', 'ar']);
  });
});
