import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { expandJobs, LabRunner, LabStore, parseLabSpec, type LabSpec } from '../../rollouts/lab';
import { mute, twin } from '../../rollouts/lab/testing';
import { batchSources, rolloutsOf, spread } from './sources';

const SPEC = {
  title: 'Two',
  worlds: { families: ['grid'], seeds: { count: 3 } },
  simulators: ['twin', { id: 'mute', kind: 'ar' }],
  agents: ['expert'],
  steps: 2,
};
const specOf = (more: object = {}): LabSpec => parseLabSpec(JSON.stringify({ ...SPEC, ...more }));

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
});

async function batch(spec: LabSpec, run: boolean): Promise<string> {
  const store = await LabStore.open();
  const { id } = await store.create(spec);
  if (run) await new LabRunner(spec, { twin: twin(), mute: mute() }, store.sink(id)).run();
  store.close();
  return id;
}

async function titlesOf(runs: AsyncIterable<{ header: { id: string } }>): Promise<string[]> {
  const out: string[] = [];
  for await (const { header } of runs) out.push(header.id.slice(header.id.indexOf('/') + 1));
  return out;
}

describe('batches as sources of ratings', () => {
  it('are those with a finished rollout, and name their lanes; under a teacher the twin stands beside them', async () => {
    await batch(specOf({ title: 'Not begun' }), false);
    const free = await batch(specOf(), true);
    const forced = await batch(
      specOf({ title: 'Forced', history: 'teacher', simulators: [{ id: 'mute', kind: 'ar' }] }),
      true,
    );
    const sources = await batchSources();
    expect(sources.map(({ id, done, lanes }) => [id, done, lanes]).sort()).toEqual(
      [
        [free, 6, ['twin', 'mute']],
        [forced, 3, ['mute', 'twin']],
      ].sort(),
    );
  });

  it('give their rollouts in the order of the batch, and of a long one whole situations', async () => {
    const id = await batch(specOf(), true);
    expect(await titlesOf(rolloutsOf(id))).toEqual(
      [1, 2, 3].flatMap((seed) => ['twin', 'mute'].map((lane) => `grid/${seed}/1/expert/1/${lane}`)),
    );
    // Room for two situations of two: the first and the one in the middle.
    expect(await titlesOf(rolloutsOf(id, undefined, 4))).toEqual(
      [1, 2].flatMap((seed) => ['twin', 'mute'].map((lane) => `grid/${seed}/1/expert/1/${lane}`)),
    );
    await expect(titlesOf(rolloutsOf('run-none'))).rejects.toThrow('not in the store any more');
  });

  it('are spread over a batch without a half situation, in its order, none twice', () => {
    const spec = specOf({ worlds: { families: ['grid'], seeds: { count: 40 } } });
    const jobs = [...expandJobs(spec)];
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 100 }), (most) => {
        const chosen = spread(jobs, 2, most).map(({ index }) => index);
        expect(chosen.length).toBe(Math.min(80, most - (most % 2)));
        expect(chosen).toEqual([...new Set(chosen)].sort((a, b) => a - b));
        expect(chosen.every((index, i) => (i % 2 === 0 ? index % 2 === 0 : index === (chosen[i - 1] ?? 0) + 1))).toBe(
          true,
        );
      }),
    );
  });
});
