import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aggregate } from './aggregate';
import { LabError } from './errors';
import { rounded } from './files';
import { expandJobs } from './jobs';
import { MemorySink } from './memory';
import type { JobRecord, Sureness } from './records';
import { readResult, writeResult } from './resultFile';
import { LabRunner } from './runner';
import { mute, specWith, twin } from './testing';

const spec = specWith({
  worlds: { families: ['support', 'grid'], seeds: [1, 2, 3] },
  seeds: [1, 2],
  presets: { bestOf: { n: [2] }, ancestral: true },
});
const jobs = [...expandJobs(spec)];

const share = fc.double({ min: 0, max: 1, noNaN: true });
const sureness: fc.Arbitrary<Sureness | null> = fc.option(
  fc.record({ mean: share, least: share, product: share, status: share }),
);

/** Any record a job could leave, told by its steps. */
const recordOf = (index: number): fc.Arbitrary<JobRecord> =>
  fc
    .record({
      exact: fc.string({ unit: fc.constantFrom('0', '1', '-'), minLength: 1, maxLength: 5 }),
      done: fc.boolean(),
      real: fc.boolean(),
      progress: share,
      leaf: fc.double({ min: 0, max: 5, noNaN: true }),
      ms: fc.double({ min: 0, max: 1e4, noNaN: true }),
      nfe: fc.nat(100),
      words: fc.array(fc.string({ maxLength: 12 }), { minLength: 5, maxLength: 5 }),
      sure: fc.array(sureness, { minLength: 5, maxLength: 5 }),
      counts: fc.tuple(fc.nat(9), fc.nat(9)),
    })
    .map(({ exact, done, real, progress, leaf, ms, nfe, words, sure, counts: [matched, more] }) => {
      const n = exact.replaceAll('-', '').length;
      return {
        ...{ type: 'job', job: jobs[index] as JobRecord['job'], steps: exact.length, exact, stateExact: exact },
        ...{ done, real, progress, failures: done ? {} : { bad_output: 1 } },
        sums: { answerExact: [exact.split('1').length - 1, n], leafF1: [Math.min(leaf, n), n], rougeL: [leaf / 5, n] },
        cost: { nfe, generatedTokens: nfe * 3, answerTokens: nfe },
        timings: { ms, prefillMs: ms / 3, forwardTokens: nfe, prefillTokens: 1 },
        detail: {
          statusMatch: exact,
          sureness: sure.slice(0, exact.length),
          bleu1: [matched, matched + more, 9 + more],
          first: { call: '0000000a', answer: done ? '0000000b' : '0000000c' },
          texts: [...exact].map((_, step) => ({ step, written: words[step] ?? '', expected: 'one two three' })),
        },
      } satisfies JobRecord;
    });

const batches = fc
  .uniqueArray(fc.nat(jobs.length - 1), { maxLength: 24 })
  .chain((indices) => fc.tuple(...indices.sort((a, b) => a - b).map(recordOf)));

async function ranFile(): Promise<string> {
  const small = specWith();
  const sink = new MemorySink();
  await new LabRunner(small, { twin: twin(), mute: mute() }, sink).run();
  return writeResult(small, sink.records);
}

describe('a result file', () => {
  it('gives, written, read and computed again, the very same numbers', async () => {
    await fc.assert(
      fc.asyncProperty(batches, async (records) => {
        const opened = readResult(await writeResult(spec, records));
        expect(opened.differences).toEqual([]);
        expect(opened.warnings).toEqual([]);
        // And they are those of the lab, not only those of the file.
        const { results, timings } = await aggregate(spec, records);
        const plain = (value: unknown) => JSON.parse(JSON.stringify(rounded(value))) as unknown;
        expect(plain(opened.recomputed.results)).toEqual(plain(results));
        expect(plain(opened.recomputed.timings)).toEqual(plain(timings));
      }),
      { numRuns: 12 },
    );
  });

  it('of a batch that ran is reproduced, texts and confidences included', async () => {
    const opened = readResult(await ranFile());
    expect(opened.differences).toEqual([]);
    expect(opened.recomputed.results.jobs).toEqual({ total: 4, done: 4 });
    expect(opened.recomputed.results.texts.simulators['mute']?.kept).toBeGreaterThan(0);
  });

  it('says where its table is not what its rows give', async () => {
    const file = JSON.parse(await ranFile()) as {
      results: { simulators: { mute: { all: { success: { mean: number } } } } };
    };
    file.results.simulators.mute.all.success.mean = 0.75;
    expect(readResult(JSON.stringify(file)).differences).toEqual([
      { path: '/results/simulators/mute/all/success/mean', stated: '0.75', recomputed: '0' },
    ]);
  });

  it('with a row that was changed gives other numbers', async () => {
    const file = JSON.parse(await ranFile()) as { rows: { done: boolean; cost: { nfe: number } }[] };
    const row = file.rows.at(-1);
    if (row) row.cost.nfe += 1;
    const paths = readResult(JSON.stringify(file)).differences.map(({ path }) => path);
    expect(paths).toContain('/results/simulators/mute/all/cost/nfe');
  });

  it.each<[string, (file: { [key: string]: unknown; rows: { [key: string]: unknown }[] }) => unknown, RegExp]>([
    ['another format', () => ({ format: 'wmtrace' }), /its format is "wmtrace"/],
    ['a results.json', () => ({ format: 'terrarium-lab' }), /It is a results.json/],
    ['another version', (file) => ({ ...file, version: [2, 0] }), /version 2.0 of the format/],
    ['a member too many', (file) => ({ ...file, extra: 1 }), /\/extra is nothing that is known/],
    [
      'another spec',
      (file) => ({ ...file, spec: { ...(file['spec'] as object), steps: 6 } }),
      /whose hash stands beside/,
    ],
    ['a row of another job', (file) => ({ ...file, rows: [{ ...file.rows[0], id: 'x' }] }), /\/rows\/0\/id is "x"/],
    ['rows out of order', (file) => ({ ...file, rows: file.rows.toReversed() }), /\/rows\/1\/job is 2.*behind 3/],
    ['a row twice', (file) => ({ ...file, rows: [file.rows[0], file.rows[0]] }), /\/rows\/1\/job is 0/],
    ['a row of no job', (file) => ({ ...file, rows: [{ ...file.rows[0], job: 99 }] }), /a place that the batch has/],
    [
      'marks of other length',
      (file) => ({ ...file, rows: [{ ...file.rows[0], exact: '1' }] }),
      /\/rows\/0\/exact is "1"/,
    ],
    ['no sums', (file) => ({ ...file, rows: [{ ...file.rows[0], sums: null }] }), /\/rows\/0\/sums is null/],
    ['a row in no order', (file) => ({ ...file, rows: [7] }), /\/rows\/0 is 7, and has to be an object/],
  ])('with %s is refused, and says why', async (_, change, message) => {
    const text = JSON.stringify(change(JSON.parse(await ranFile()) as never));
    expect(() => readResult(text)).toThrow(message);
    expect(() => readResult(text)).toThrow(LabError);
  });

  it('that is not JSON is refused', () => {
    expect(() => readResult('{"format":')).toThrow(/not JSON/);
  });

  it('of a newer minor version is read, with a warning', async () => {
    const file = JSON.parse(await ranFile()) as object;
    const { warnings, differences } = readResult(JSON.stringify({ ...file, version: [1, 7], later: true }));
    expect(warnings).toEqual([expect.stringContaining('1.7')]);
    expect(differences).toEqual([]);
  });

  it('needs records in the order of the batch', async () => {
    const sink = new MemorySink();
    await new LabRunner(specWith(), { twin: twin(), mute: mute() }, sink).run();
    await expect(writeResult(specWith(), sink.records.toReversed())).rejects.toThrow('in the batch');
  });
});
