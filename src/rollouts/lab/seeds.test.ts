import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expandJobs } from './jobs';
import type { JobRecord } from './records';
import { Seeds, type SeedTable } from './seeds';
import { draws, recordOf, specWith } from './testing';

const ORDER = [1, 2, 3, 4];
const spec = specWith({ worlds: { families: ['support'], seeds: [1, 2] }, simulators: ['ar'], seeds: ORDER });
const jobs = [...expandJobs(spec)];

/** A try at the task of a world under a seed. */
function attempt(world: number, seed: number, exact: string, more: Partial<JobRecord> = {}): JobRecord {
  const job = jobs.find((one) => one.worldSeed === world && one.seed === seed);
  if (!job) throw new Error(`no job ${world} ${seed}`);
  return recordOf(job, exact, more);
}

function tableOf(records: readonly JobRecord[]): SeedTable {
  const seeds = new Seeds();
  for (const record of records) seeds.add(record);
  return seeds.table(ORDER, draws);
}

const rate = (table: SeedTable, of: 'success' | 'real', k: number) => {
  const found = table.passes.find((one) => one.of === of && one.k === k);
  if (!found) throw new Error(`no rate of ${of} at ${k}`);
  const { any, every } = found;
  return { any: [any.sum, any.n, any.mean], every: [every.sum, every.n, every.mean] };
};

describe('success of several tries', () => {
  // World 1: four tries, two succeed. World 2: two tries, both succeed; the batch stopped there.
  const table = tableOf([
    attempt(1, 1, '1', { done: true, real: false }),
    attempt(1, 2, '1', { done: true, real: false }),
    attempt(1, 3, '1', { done: false, real: false }),
    attempt(1, 4, '1', { done: false, real: false }),
    attempt(2, 1, '1', { done: true, real: true }),
    attempt(2, 2, '1', { done: true, real: true }),
  ]);

  it('is pass@k and pass^k, means over the tasks with so many tries, computed by hand', () => {
    expect(table).toMatchObject({ tasks: 2, seeds: 4 });
    expect(table.passes.map(({ of, k }) => `${of} ${k}`)).toEqual([
      ...['success 1', 'success 2', 'success 4', 'real 1', 'real 2', 'real 4'],
    ]);
    // One try: 2/4 and 2/2.
    expect(rate(table, 'success', 1)).toEqual({ any: [1.5, 2, 0.75], every: [1.5, 2, 0.75] });
    // Two of four: 1 - C(2,2)/C(4,2) = 5/6 that one succeeds, C(2,2)/C(4,2) = 1/6 that both do; of two: 1 and 1.
    const two = rate(table, 'success', 2);
    expect(two.any[0]).toBeCloseTo(5 / 6 + 1, 12);
    expect(two.every[0]).toBeCloseTo(1 / 6 + 1, 12);
    expect(two.any[1]).toBe(2);
    // Four: only world 1 has so many.
    expect(rate(table, 'success', 4)).toEqual({ any: [1, 1, 1], every: [0, 1, 0] });
    expect(rate(table, 'real', 4)).toEqual({ any: [0, 1, 0], every: [0, 1, 0] });
  });

  it('rises with k for pass@k, falls for pass^k, and is one number at k = 1', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }), (done) => {
        const here = tableOf(done.map((one, i) => attempt(1, i + 1, '1', { done: one })));
        const [one, two, four] = [1, 2, 4].map((k) => rate(here, 'success', k));
        expect(one?.any).toEqual(one?.every);
        expect(Number(two?.any[0])).toBeGreaterThanOrEqual(Number(one?.any[0]) - 1e-12);
        expect(Number(four?.any[0])).toBeGreaterThanOrEqual(Number(two?.any[0]) - 1e-12);
        expect(Number(two?.every[0])).toBeLessThanOrEqual(Number(one?.every[0]) + 1e-12);
        expect(Number(four?.every[0])).toBe(Number(done.every(Boolean)));
      }),
      { numRuns: 16 },
    );
  });

  it('is of nothing under teacher forcing, and of tries that are no power of two up to their number', () => {
    const forced = tableOf([1, 2, 3].map((seed) => attempt(1, seed, '1', { done: null, real: null })));
    expect(forced.passes.map(({ k, any }) => [k, any.n])).toEqual([1, 2, 3, 1, 2, 3].map((k) => [k, 0]));
    expect(forced.spread.success).toMatchObject({ n: 0, mean: null });
    expect(tableOf([])).toMatchObject({ tasks: 0, seeds: 0, passes: [], agreement: { agreement: null, n: 0 } });
  });
});

describe('spread over seeds', () => {
  const records = [
    attempt(1, 1, '11'),
    attempt(1, 2, '00'),
    attempt(1, 3, '10'),
    attempt(1, 4, '01'),
    attempt(2, 1, '1'),
    attempt(2, 2, '1'),
    attempt(2, 3, '1'),
    attempt(2, 4, '0'),
  ];

  it('is the mean over tasks of the deviation, computed by hand', () => {
    const { answerExact } = tableOf(records).spread;
    // World 1: shares 1, 0, 1/2, 1/2 about 1/2, so sqrt((1/4 + 1/4) / 3); world 2: 1, 1, 1, 0 about 3/4, so 1/2.
    expect(answerExact.within).toBeCloseTo((Math.sqrt(1 / 6) + 0.5) / 2, 12);
    expect(answerExact).toMatchObject({ n: 2, seeds: 4, mean: 0.625, range: 1, agreeing: 0 });
    // Single seeds: (1+1)/2, (0+1)/2, (1/2+1)/2, (1/2+0)/2.
    expect(answerExact).toMatchObject({ lowest: 0.25, highest: 1 });
  });

  it('does not depend on the order in which rollouts come', () => {
    const { answerExact } = tableOf(records).spread;
    fc.assert(
      fc.property(fc.shuffledSubarray(records, { minLength: records.length }), (shuffled) => {
        const other = tableOf(shuffled).spread.answerExact;
        expect(other.within).toBeCloseTo(answerExact.within ?? NaN, 12);
        expect(other).toMatchObject({ lowest: 0.25, highest: 1 });
      }),
      { numRuns: 20 },
    );
  });

  it('leaves out tasks of one seed, and those with a try in which the twin had no answer', () => {
    const few = tableOf([attempt(1, 1, '1'), attempt(2, 1, '1'), attempt(2, 2, '--')]);
    expect(few.spread.answerExact).toMatchObject({ n: 0, mean: null, within: null });
  });
});

describe('agreement', () => {
  const first = (call: string, answer: string): Partial<JobRecord> => ({
    detail: { statusMatch: '1', sureness: [null], bleu1: [0, 0, 0], first: { call, answer }, texts: [] },
  });

  it('is the chance that two seeds answer the same first call alike, over calls that two were asked', () => {
    const table = tableOf([
      // World 1, call a: x, x, y: 2 of 6 ordered pairs. Call b was asked once.
      attempt(1, 1, '1', first('a', 'x')),
      attempt(1, 2, '1', first('a', 'x')),
      attempt(1, 3, '1', first('a', 'y')),
      attempt(1, 4, '1', first('b', 'x')),
      // World 2: the call of the same name is another task's. Both alike.
      attempt(2, 1, '1', first('a', 'z')),
      attempt(2, 2, '1', first('a', 'z')),
      // Without a first call: a rollout without steps, or a record of before it was kept.
      attempt(2, 3, '1'),
    ]);
    expect(table.agreement.n).toBe(2);
    expect(table.agreement.agreement).toBeCloseTo((1 / 3 + 1) / 2, 12);
  });
});
