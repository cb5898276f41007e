import { describe, expect, it } from 'vitest';
import { MAUVE_LEAST } from '../../metrics';
import { expandJobs } from './jobs';
import type { JobRecord, KeptText } from './records';
import { recordOf, specWith } from './testing';
import { Texts } from './texts';

const jobs = [...expandJobs(specWith({ simulators: ['ar'], seeds: { from: 1, count: 3 } }))];

function rollout(world: number, seed: number, call: string | null, texts: KeptText[]): JobRecord {
  const job = jobs.find((one) => one.worldSeed === world && one.seed === seed);
  if (!job) throw new Error(`no job ${world} ${seed}`);
  const first = call === null ? null : { call, answer: 'hash' };
  return recordOf(job, '1', { detail: { statusMatch: '1', sureness: [null], bleu1: [0, 0, 0], first, texts } });
}

const kept = (step: number, written: string, expected = 'same words'): KeptText => ({ step, written, expected });

function tableOf(...records: JobRecord[]) {
  const texts = new Texts();
  for (const record of records) texts.add(record);
  return texts.table();
}

describe('texts of a batch', () => {
  it('are counted by hand: words and pairs of words, over all calls', () => {
    const { kept: n, written } = tableOf(rollout(1, 1, 'c', [kept(0, 'a b a'), kept(1, 'a b')]));
    expect(n).toBe(2);
    // Words a b a a b: two kinds of five. Pairs "a b", "b a", "a b": two of three.
    expect(written.distinct1).toEqual({ sum: 2, n: 5 });
    expect(written.distinct2).toEqual({ sum: 2, n: 3 });
  });

  it('of one call under several seeds stand apart; other steps, calls and single answers do not count there', () => {
    const table = tableOf(
      rollout(1, 1, 'c', [kept(0, 'yes'), kept(1, 'never')]),
      rollout(1, 2, 'c', [kept(0, 'no')]),
      rollout(1, 3, 'c', [kept(0, 'no')]),
      rollout(2, 1, 'c', [kept(0, 'yes')]),
      rollout(2, 2, 'other', [kept(0, 'yes')]),
      rollout(2, 3, null, [kept(0, 'yes')]),
    );
    const { written, expected } = table.sameCall;
    expect(table.kept).toBe(7);
    expect(written).toMatchObject({ calls: 1, answers: 3, different: { sum: 2, n: 3 }, distinct1: { sum: 2, n: 3 } });
    // Kernel of yes, no, no: eigenvalues 1 and 2 of 3; exp of their entropy.
    const entropy = -(Math.log(1 / 3) / 3 + (2 * Math.log(2 / 3)) / 3);
    expect(written.vendi).toBeCloseTo(Math.exp(entropy), 9);
    // "yes" has nothing of the others (0), either "no" has all (100).
    expect(written.selfBleu).toBeCloseTo(200 / 3, 6);
    // The twin said the same thing each time.
    expect(expected).toMatchObject({ calls: 1, different: { sum: 1, n: 3 } });
    expect(expected.selfBleu).toBeCloseTo(100, 9);
    expect(expected.vendi).toBeCloseTo(1, 9);
  });

  it('are nothing where none were kept, and an empty text is one', () => {
    const none = tableOf();
    expect(none).toMatchObject({ kept: 0, written: { n: 0, selfBleu: null, vendi: null }, mauve: { score: null } });
    expect(none.sameCall.written).toMatchObject({ calls: 0, selfBleu: null, vendi: null, different: { sum: 0, n: 0 } });
    expect(tableOf(rollout(1, 1, 'c', [kept(0, '')]))).toMatchObject({ kept: 1, written: { distinct1: { n: 0 } } });
  });

  it('have no MAUVE-style score below the least number, and one from there on', () => {
    const many = (n: number) =>
      tableOf(
        rollout(
          1,
          1,
          'c',
          Array.from({ length: n }, (_, i) => kept(i, `w${i % 7} x`, `w${i % 7} x`)),
        ),
      ).mauve;
    expect(many(MAUVE_LEAST - 1)).toMatchObject({ score: null, smoothed: null, n: [199, 199] });
    // The same texts on both sides are the same distribution.
    expect(many(MAUVE_LEAST).score).toBeCloseTo(1, 6);
  });
});
