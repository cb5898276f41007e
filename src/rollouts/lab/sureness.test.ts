import { describe, expect, it } from 'vitest';
import { expandJobs } from './jobs';
import type { JobRecord, Sureness } from './records';
import { BINS, Surenesses } from './sureness';
import { draws, recordOf, specWith } from './testing';

const jobs = [...expandJobs(specWith({ simulators: ['ar'], seeds: [1, 2] }))];

/** A rollout in a world whose steps are so sure, all four ways alike unless told. */
function rollout(
  world: number,
  exact: string,
  statusMatch: string,
  sure: (number | Partial<Sureness> | null)[],
): JobRecord {
  const job = jobs.find(({ worldSeed }) => worldSeed === world);
  if (!job) throw new Error(`no world ${world}`);
  const sureness = sure.map((one): Sureness | null => {
    if (one === null) return null;
    const all = typeof one === 'number' ? one : 0.5;
    const same = { mean: all, least: all, product: all, status: all };
    return typeof one === 'number' ? same : { ...same, ...one };
  });
  return recordOf(job, exact, { detail: { statusMatch, sureness, bleu1: [0, 0, 0], first: null, texts: [] } });
}

function tableOf(...records: JobRecord[]) {
  const all = new Surenesses();
  for (const record of records) all.add(record);
  return all.table(draws);
}

describe('calibration of a batch', () => {
  it('is computed by hand from two answers', () => {
    const { mean, status } = tableOf(rollout(1, '10', '11', [0.9, 0.6]));
    // 0.9 and right, 0.6 and wrong: (0.1 + 0.6) / 2; squares 0.01 and 0.36.
    expect(mean.ece).toBeCloseTo(0.35, 12);
    expect(mean.brier).toBeCloseTo(0.185, 12);
    expect(mean.n).toBe(2);
    // Bins are closed on the right.
    expect(mean.bins.map(({ n }) => n)).toEqual([0, 0, 0, 0, 0, 1, 0, 0, 1, 0]);
    expect(mean.bins).toHaveLength(BINS);
    // The status was right both times.
    expect(status.ece).toBeCloseTo((0.1 + 0.4) / 2, 12);
    expect(status.brier).toBeCloseTo((0.01 + 0.16) / 2, 12);
  });

  it('counts no step without truth, without tokens, or of a record of before confidences were kept', () => {
    const bare = recordOf(rollout(1, '1', '1', [1]).job, '1');
    const table = tableOf(rollout(1, '1-0', '1-1', [1, 0.9, null]), bare);
    expect(table.mean).toMatchObject({ n: 1, ece: 0, brier: 0 });
    const partly = tableOf(rollout(1, '1', '1', [{ status: null, mean: 0.8 }]));
    expect(partly.status).toMatchObject({ n: 0, ece: null, brier: null, interval: null });
    expect(partly.mean.n).toBe(1);
    expect(tableOf().product).toMatchObject({ n: 0, ece: null, interval: null });
  });

  it('takes 0 and 1 as confidences', () => {
    const { least } = tableOf(rollout(1, '01', '01', [0, 1]));
    expect(least).toMatchObject({ ece: 0, brier: 0, n: 2 });
    expect([least.bins[0]?.n, least.bins[BINS - 1]?.n]).toEqual([1, 1]);
  });

  it('has an interval over worlds: of two, between what either would say alone', () => {
    const one = rollout(1, '1', '1', [0.9]);
    const two = rollout(2, '0', '0', [0.7]);
    expect(tableOf(one).mean.interval).toBeNull();
    // Alone 0.1 and 0.7; each of both is drawn twice in a quarter of the resamples, so both are in the 95%.
    const [low, high] = tableOf(one, two).mean.interval ?? [NaN, NaN];
    expect(low).toBeCloseTo(0.1, 12);
    expect(high).toBeCloseTo(0.7, 12);
    // Rollouts of one world are one cluster.
    expect(tableOf(one, one, one).mean).toMatchObject({ interval: null, n: 3 });
    // A world without truth beside it adds no spread.
    expect(tableOf(one, rollout(2, '-', '-', [0.7])).mean).toMatchObject({ interval: null, n: 1 });
  });
});
