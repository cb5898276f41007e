import { describe, expect, it } from 'vitest';
import { resample } from '../../metrics';
import { aggregate } from './aggregate';
import { expandJobs } from './jobs';
import type { JobRecord } from './records';
import type { LabSpec } from './spec';
import { addRollout, divergedAt, medianSurvival, survivalOf, type Hazard } from './survival';
import { specWith } from './testing';

/** A record of the job at this place in the batch, told by its steps. */
function record(spec: LabSpec, index: number, exact: string, more: Partial<JobRecord> = {}): JobRecord {
  const job = [...expandJobs(spec)][index];
  if (!job) throw new Error(`there is no job ${index}`);
  const right = exact.split('1').length - 1;
  const judged = exact.replaceAll('-', '').length;
  return {
    type: 'job',
    job,
    steps: exact.length,
    done: false,
    progress: 0.5,
    real: true,
    exact,
    stateExact: exact,
    sums: { answerExact: [right, judged], leafF1: [right / 2, judged] },
    cost: { nfe: 2 * exact.length, generatedTokens: 10 * exact.length, answerTokens: 0 },
    failures: {},
    timings: { ms: 7 * exact.length, prefillMs: 0, forwardTokens: 0, prefillTokens: 0 },
    ...more,
  };
}

const hazardOf = (...rollouts: string[]): Hazard => {
  const hazard: Hazard = { atRisk: [], diverged: [] };
  for (const exact of rollouts) addRollout(hazard, exact);
  return hazard;
};

describe('survival', () => {
  it('takes the first step that is not exact; a step without truth is neither', () => {
    expect([divergedAt('1101'), divergedAt('111'), divergedAt('0'), divergedAt(''), divergedAt('1-0')]).toEqual([
      2,
      null,
      0,
      null,
      2,
    ]);
  });

  it('counts a rollout that ends early as censored (Kaplan-Meier by hand)', () => {
    // Four rollouts: diverges in step 1; ends exact after 2; diverges in step 3; exact for 4 steps.
    const points = survivalOf([hazardOf('0000', '11', '110', '1111')], []);
    expect(points.map(({ atRisk, diverged }) => [atRisk, diverged])).toEqual([
      [4, 1],
      [3, 0],
      [2, 1],
      [1, 0],
    ]);
    // 3/4, then 3/4 * 3/3, then 3/4 * 1/2.
    expect(points.map(({ share }) => share)).toEqual([0.75, 0.75, 0.375, 0.375]);
    expect(points.every(({ interval }) => interval === null)).toBe(true);
    expect(medianSurvival(points)).toBe(3);
    expect(medianSurvival(survivalOf([hazardOf('111', '10')], []))).toBe(2);
    expect(medianSurvival(survivalOf([hazardOf('111')], []))).toBeNull();
  });

  it('stops at a step without truth', () => {
    expect(hazardOf('11-0')).toEqual({ atRisk: [1, 1], diverged: [0, 0] });
  });

  it('has intervals over clusters that hold the share, and none where all agree', () => {
    const clusters = Array.from({ length: 20 }, (_, i) => hazardOf(i % 2 ? '111' : '011'));
    const [first] = survivalOf(clusters, resample(20, 1000, 1));
    expect(first?.share).toBe(0.5);
    const [low, high] = first?.interval ?? [0, 0];
    // The standard error of a half from twenty is 0.11.
    expect(low).toBeGreaterThan(0.2);
    expect(low).toBeLessThan(0.4);
    expect(high).toBeGreaterThan(0.6);
    expect(high).toBeLessThan(0.8);
    expect(survivalOf([hazardOf('1'), hazardOf('1')], resample(2, 100, 1))[0]?.interval).toEqual([1, 1]);
  });
});

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
    expect(exact?.p).toBeCloseTo(0.0625, 12);
    expect(exact?.pHolm).toBeCloseTo(4 * 0.0625, 12);
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
