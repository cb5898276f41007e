import { describe, expect, it } from 'vitest';
import { aggregate } from './aggregate';
import { expandJobs } from './jobs';
import type { JobRecord } from './records';
import type { LabSpec } from './spec';
import { recordOf, specWith } from './testing';

/** A record of the job at this place in the batch, told by its steps. */
function record(spec: LabSpec, index: number, exact: string, more: Partial<JobRecord> = {}): JobRecord {
  const job = [...expandJobs(spec)][index];
  if (!job) throw new Error(`there is no job ${index}`);
  return recordOf(job, exact, more);
}

describe('the tables', () => {
  const spec = specWith({ worlds: { families: ['support', 'grid'], seeds: [1, 2] }, agents: ['expert', 'random'] });
  // Jobs: world seed, family, agent, simulator, the last one fastest: 16 in all.
  const records = [
    record(spec, 1, '10', { done: true }),
    record(spec, 3, '11'),
    record(spec, 5, '0-'),
    record(spec, 9, '1', { failures: { bad_output: 1 } }),
  ];

  it('have sums and denominators by simulator and family, computed by hand', async () => {
    const { results, timings } = await aggregate(spec, records);
    expect(results.jobs).toEqual({ total: 16, done: 4 });
    const { all, families, agents } = results.simulators['mute'] ?? {};
    expect(all).toMatchObject({ n: 4, worlds: 3, steps: 7, noTruth: 1, failures: { bad_output: 1 } });
    expect(all?.metrics['answerExact']).toMatchObject({ sum: 4, n: 6, mean: 4 / 6 });
    expect(all?.success).toMatchObject({ sum: 1, n: 4, mean: 0.25 });
    expect(all?.real).toMatchObject({ sum: 4, n: 4, mean: 1 });
    expect(all?.diverged).toMatchObject({ sum: 2, n: 4 });
    expect(all?.exactByStep.map(({ step, sum, n }) => [step, sum, n])).toEqual([
      [1, 3, 4],
      [2, 1, 2],
    ]);
    expect(all?.cost).toEqual({ nfe: 2, generatedTokens: 10, answerTokens: 0 });
    expect(families?.['support']).toMatchObject({ n: 3, worlds: 2, steps: 5 });
    expect(families?.['grid']?.metrics['answerExact']).toMatchObject({ sum: 0, n: 1 });
    expect(agents?.['random']).toMatchObject({ n: 1, steps: 2 });
    expect(timings.simulators['mute']?.all).toMatchObject({ steps: 7, ms: 7 });
  });

  it('have empty cells for a simulator that has done nothing yet', async () => {
    const { results } = await aggregate(spec, records);
    const { all, families } = results.simulators['twin'] ?? {};
    expect(all).toMatchObject({ n: 0, success: { n: 0, mean: null, interval: null }, survival: [] });
    expect(families).toEqual({});
  });

  it('leave success out where lanes are teacher-forced', async () => {
    const forced = records.map((one) => ({ ...one, done: null, real: null, progress: null }));
    const { results } = await aggregate(spec, forced);
    expect(results.simulators['mute']?.all.success).toEqual({ sum: 0, n: 0, mean: null, interval: null, method: null });
  });

  it('resample whole worlds: rollouts of one world count together, and two seeds of it are no more evidence', async () => {
    const many = specWith({
      worlds: { families: ['support'], seeds: { from: 1, count: 12 } },
      seeds: { from: 1, count: 9 },
    });
    const jobs = [...expandJobs(many)].filter(({ simulator }) => simulator === 'mute');
    const right = (seed: number) => (seed % 3 === 0 ? '1' : '0');
    const all = jobs.map((job) => record(many, job.index, right(job.worldSeed)));
    const width = async (chosen: JobRecord[]) => {
      const { results } = await aggregate(many, chosen);
      const [low, high] = results.simulators['mute']?.all.metrics['answerExact']?.interval ?? [0, 0];
      return high - low;
    };
    expect(await width(all)).toBe(await width(all.filter(({ job }) => job.seed === 1)));
    expect(await width(all)).toBeGreaterThan(0.3);
  });

  it('read a stream one at a time and hold no record of it', async () => {
    let held = 0;
    let most = 0;
    async function* stream() {
      for (const one of records) {
        most = Math.max(most, ++held);
        yield one;
        held--;
      }
      await Promise.resolve();
    }
    const { results } = await aggregate(spec, stream());
    expect(most).toBe(1);
    expect(results).toEqual((await aggregate(spec, records)).results);
  });

  it('have an interval of BLEU-1 over worlds with texts, of which there have to be two', async () => {
    const bleu = async (second: [number, number, number]) => {
      const texts = (bleu1: [number, number, number]) => ({
        detail: { statusMatch: '1', sureness: [null], bleu1, first: null, texts: [] },
      });
      const two = [record(spec, 1, '1', texts([3, 4, 4])), record(spec, 9, '1', texts(second))];
      return (await aggregate(spec, two)).results.simulators['mute']?.all.bleu1;
    };
    // One world has no text: whatever is drawn, the other alone says 75.
    expect(await bleu([0, 0, 0])).toMatchObject({ score: 75, interval: null, matched: 3 });
    const { score, interval } = (await bleu([1, 4, 4])) ?? {};
    expect(score).toBe(50);
    expect(interval).toEqual([25, 75]);
  });

  it('compare simulators world by world, on the worlds that both have done', async () => {
    const many = specWith({ worlds: { families: ['support'], seeds: { from: 1, count: 8 } } });
    const jobs = [...expandJobs(many)];
    // The twin is right everywhere, the other in worlds 1 and 2; in world 8 the other has not been yet.
    const all = jobs.slice(0, -1).map((job) => {
      const right = job.simulator === 'twin' || job.worldSeed <= 2;
      return record(many, job.index, right ? '11' : '10', { done: right, real: job.worldSeed <= 6 });
    });
    const { results } = await aggregate(many, all);
    const exact = results.comparisons.find(({ metric }) => metric === 'answerExact');
    expect(exact).toMatchObject({ first: 'twin', second: 'mute', worlds: 7, firstBetter: 5, secondBetter: 0 });
    // 14 of 14 against 9 of 14; five worlds all one way: 2 / 2^5.
    expect(exact?.difference).toBeCloseTo(5 / 14, 12);
    expect(exact?.signP).toBeCloseTo(0.0625, 12);
    // Five equal differences: the permutation test estimates the same chance from 10,000 flips, give or take 0.005.
    expect(Math.abs((exact?.p ?? 1) - 0.0625)).toBeLessThan(0.01);
    expect(exact?.pHolm).toBeCloseTo(4 * (exact?.p ?? 1), 12);
    const [low, high] = exact?.interval ?? [0, 0];
    expect(low).toBeGreaterThan(0);
    expect(high).toBeLessThanOrEqual(0.5);
    expect(results.comparisons.map(({ metric }) => metric)).toEqual(['answerExact', 'leafF1', 'success', 'real']);
    // Of seven worlds the twin does six, and so do the actions found in the other.
    expect(results.consistency).toMatchObject({ mute: { sum: 6, n: 6, ratio: 1, worlds: 7 } });
    const { confirmed, agreement } = results.simulators['mute']?.all ?? {};
    expect(confirmed).toMatchObject({ sum: 2, n: 2 });
    // It says no in worlds 3 to 7, and in 7 the twin says so too.
    expect(agreement).toMatchObject({ sum: 3, n: 7 });
  });
});
