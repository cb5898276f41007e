import { describe, expect, it } from 'vitest';
import { hashText } from '../../world/rng';
import { Cell } from './cell';
import { fairComparisons, modelsOf, type Fair, type FairMode } from './fair';
import { expandJobs } from './jobs';
import { draws, recordOf, specWith } from './testing';

const WORLDS = 12;
const spec = specWith({
  worlds: { families: ['support'], seeds: { from: 1, count: WORLDS } },
  simulators: [
    'twin',
    'ar',
    { id: 'ar-best4', kind: 'ar', options: { temperature: 0.7, bestOf: { n: 4, verifier: 'likely' } } },
    { id: 'ar-free', kind: 'ar', options: { temperature: 1 } },
    'mdlm',
  ],
});
/** Worlds that settings are chosen on: those with an even hash. */
const choosing = (seed: number) => hashText(`choose support/${seed}/1`) % 2 === 0;
const half = Array.from({ length: WORLDS }, (_, i) => i + 1).filter(choosing).length;

/** A cell of each lane: in each world a rollout of one step, exact where it is told; null for a world it has not done. */
function cellsOf(lanes: { [id: string]: (seed: number) => boolean | null }): (id: string) => Cell | undefined {
  const cells = new Map(Object.keys(lanes).map((id) => [id, new Cell()]));
  for (const job of expandJobs(spec)) {
    const right = lanes[job.simulator]?.(job.worldSeed) ?? null;
    if (right !== null) cells.get(job.simulator)?.add(recordOf(job, right ? '1' : '0'));
  }
  return (id) => cells.get(id);
}

function compare(
  mode: FairMode,
  lanes: { [id: string]: (seed: number) => boolean | null },
  cost: { [id: string]: number | null },
): Fair[] {
  return fairComparisons(mode, spec, cellsOf(lanes), (id) => cost[id] ?? null, draws);
}

const yes = () => true;
const no = () => false;

describe('models of a batch', () => {
  it('are lanes of one kind and folder; the twin and lanes for diversity are none', () => {
    const more = specWith({
      simulators: [
        ...['twin', 'ar', { id: 'b', kind: 'ar', models: 'old' }, 'mdlm'],
        { id: 'c', kind: 'ar', options: { temperature: 0.5 } },
        { id: 'd', kind: 'mdlm', options: { temperature: 1, sampler: { name: 'ancestral' } } },
        { id: 'e', kind: 'mdlm', options: { threshold: 0.7 } },
      ],
    });
    expect(modelsOf(more).map((lanes) => lanes.map(({ id }) => id))).toEqual([['ar', 'c'], ['b'], ['mdlm', 'e']]);
    expect(modelsOf(specWith({ simulators: ['twin'] }))).toEqual([]);
  });
});

describe('each at its best', () => {
  it('chooses the setting on one half of the worlds and judges it on the other', () => {
    expect(half).toBeGreaterThan(0);
    expect(half).toBeLessThan(WORLDS);
    // Best of four is right only where settings are chosen: it is taken for its promise, and pays for it on the other half.
    const [fair, ...more] = compare(
      'best',
      { ar: (seed) => !choosing(seed), 'ar-best4': choosing, mdlm: yes },
      { ar: 10, 'ar-best4': 40, mdlm: 5 },
    );
    expect(more).toEqual([]);
    expect(fair).toMatchObject({ first: 'ar-best4', second: 'mdlm', difference: -1, worlds: WORLDS - half });
    expect(fair).toMatchObject({ firstBetter: 0, secondBetter: WORLDS - half, chosenOn: half });
    expect(fair?.among).toEqual([['ar', 'ar-best4'], ['mdlm']]);
    expect(fair?.cost).toEqual({ of: 'nfe', first: 40, second: 5, ratio: 8 });
    expect(fair?.before).toBe(2);
  });

  it('takes the cheapest of equals, and the first where costs are equal too', () => {
    const lanes = { ar: yes, 'ar-best4': yes, mdlm: no };
    expect(compare('best', lanes, { ar: 10, 'ar-best4': 4, mdlm: 5 })[0]?.first).toBe('ar-best4');
    expect(compare('best', lanes, { ar: 4, 'ar-best4': 4, mdlm: 5 })[0]?.first).toBe('ar');
    // A lane whose cost is not known is the dearest.
    expect(compare('best', lanes, { ar: null, 'ar-best4': 4, mdlm: 5 })[0]?.first).toBe('ar-best4');
  });

  it('compares on all worlds where there is one setting of each', () => {
    const [fair] = compare('best', { ar: (seed) => seed <= 3, mdlm: no }, { ar: 10, mdlm: 5 });
    expect(fair).toMatchObject({ worlds: WORLDS, chosenOn: 0, firstBetter: 3, secondBetter: 0 });
    expect(fair?.difference).toBeCloseTo(3 / 12, 12);
  });

  it('chooses on worlds that all lanes have done: one that is ahead when the batch stops gains nothing by it', () => {
    const ahead = Array.from({ length: WORLDS }, (_, i) => i + 1).findLast(choosing) ?? 0;
    // Equal but for a world that only best of four has done, and got right.
    const lanes = {
      ar: (seed: number) => (seed === ahead ? null : seed % 2 === 0),
      'ar-best4': (seed: number) => seed === ahead || seed % 2 === 0,
      mdlm: (seed: number) => (seed === ahead ? null : false),
    };
    expect(compare('best', lanes, { ar: 10, 'ar-best4': 40, mdlm: 5 })[0]).toMatchObject({
      first: 'ar',
      chosenOn: half - 1,
    });
  });

  it('says nothing where no world is there to choose on', () => {
    const judged = (seed: number) => (choosing(seed) ? null : true);
    const cost = { ar: 10, 'ar-best4': 40, mdlm: 5 };
    expect(compare('best', { ar: judged, 'ar-best4': judged, mdlm: judged }, cost)).toEqual([]);
    expect(compare('best', { ar: judged, mdlm: judged }, cost)).toHaveLength(1);
  });
});

describe('equal cost', () => {
  const lanes = { ar: yes, 'ar-best4': no, mdlm: (seed: number) => seed <= 6 };

  it('holds the dearer model as it comes against the nearest lane of the other, by ratio', () => {
    // 8 is nearer to 10 than 12.6 is by difference (2 and 2.6), and farther by ratio would be 12.5: ln 1.25 both ways.
    const [near] = compare('nfe', lanes, { ar: 3, 'ar-best4': 8, mdlm: 10 });
    expect(near).toMatchObject({ first: 'ar-best4', second: 'mdlm', difference: -0.5, worlds: WORLDS, chosenOn: 0 });
    expect(near?.cost).toEqual({ of: 'nfe', first: 8, second: 10, ratio: 0.8 });
    expect(near?.before).toBeCloseTo(0.3, 12);
    // By difference 8 is nearer to 10 than 12.4; by ratio 12.4 is (1.24 against 1.25).
    const [ratio] = compare('nfe', lanes, { ar: 8, 'ar-best4': 12.4, mdlm: 10 });
    expect(ratio?.first).toBe('ar-best4');
  });

  it('takes the cheaper lanes on either side', () => {
    const [fair] = compare('ms', lanes, { ar: 20, 'ar-best4': 80, mdlm: 5 });
    expect(fair).toMatchObject({ first: 'ar', second: 'mdlm', difference: 0.5, cost: { of: 'ms', ratio: 4 } });
  });

  it('is none where a cost is not known or nothing', () => {
    expect(compare('nfe', lanes, { ar: null, 'ar-best4': 8, mdlm: 10 })).toEqual([]);
    expect(compare('nfe', lanes, { ar: 3, 'ar-best4': 8, mdlm: 0 })).toEqual([]);
    expect(compare('nfe', { ar: yes }, { ar: 3 })).toEqual([]);
  });
});
