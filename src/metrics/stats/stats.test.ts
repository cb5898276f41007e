import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import golden from '../../../test/fixtures/metrics/golden_metrics.json';
import { answerConfidence, calibration } from './calibration';
import { holm } from './holm';
import { binomialHalfBelow, normalTails } from './normal';
import { mcnemar, mcnemarCounts, permutationTest, signTest, wilcoxon } from './paired';
import { pairedBootstrap } from './pairedBootstrap';
import { passAtK, passHatK, passRates } from './passAtK';

const list = fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 })), { maxLength: 30 });
const sides = (pairs: [number, number][]) => [pairs.map(([a]) => a), pairs.map(([, b]) => b)] as const;

describe('golden statistics', () => {
  it('of Wilcoxon, without ties', () => {
    const { x, y, W_min, p_exact, p_normal_no_cc } = golden.wilcoxon_no_ties;
    const exact = wilcoxon(x, y);
    expect(exact).toMatchObject({ w: W_min, n: 10, of: 10, method: 'Wilcoxon, exact' });
    expect(exact.p).toBeCloseTo(p_exact, 9);
    expect(wilcoxon(x, y, { form: 'normal' }).p).toBeCloseTo(p_normal_no_cc, 8);
  });

  it('of Wilcoxon, with ties and zeros', () => {
    const { x, y, W_min_wilcox, p_normal_wilcox, W_min_pratt, p_normal_pratt } = golden.wilcoxon_ties_zeros;
    const dropped = wilcoxon(x, y);
    expect(dropped.w).toBe(W_min_wilcox);
    expect(dropped.p).toBeCloseTo(p_normal_wilcox, 7);
    const ranked = wilcoxon(x, y, { zeros: 'pratt' });
    expect(ranked.w).toBe(W_min_pratt);
    expect(ranked.p).toBeCloseTo(p_normal_pratt, 8);
    expect(ranked.n).toBe(dropped.n);
  });

  it('of the sign test and McNemar', () => {
    const { pos, n, p_two_sided } = golden.sign_test;
    const first = Array.from({ length: n }, (_, i) => (i < pos ? 1 : -1));
    expect(signTest(first, new Array<number>(n).fill(0)).p).toBeCloseTo(p_two_sided, 6);
    const { b, c, exact_p, chi2_cc, p_cc, midp } = golden.mcnemar;
    const test = mcnemarCounts(b, c);
    expect(test.exact).toBeCloseTo(exact_p, 9);
    expect(test.chi2).toBeCloseTo(chi2_cc, 6);
    expect(test.corrected).toBeCloseTo(p_cc, 9);
    expect(test.midP).toBeCloseTo(midp, 9);
    // 1 - f(1)/2 with f(1) = 2/4 (Fagerland et al. 2013; contingencytables in R gives the same).
    expect(mcnemarCounts(1, 1).midP).toBe(0.75);
  });

  it.each(golden.passk)('of $c in $n tries, $k drawn', ({ n, c, k, pass_at_k, pass_hat_k }) => {
    expect(passAtK(n, c, k)).toBeCloseTo(pass_at_k, 9);
    expect(passHatK(n, c, k)).toBeCloseTo(pass_hat_k, 9);
  });

  it('of calibration', () => {
    const { conf, correct, bins, ece, brier } = golden.ece;
    const result = calibration(
      conf.map((confidence, i) => ({ confidence, correct: correct[i] === 1 })),
      bins,
    );
    expect(result.ece).toBeCloseTo(ece, 9);
    expect(result.brier).toBeCloseTo(brier, 9);
    expect(result.n).toBe(10);
  });
});

describe('distributions', () => {
  it('have the tails of tables', () => {
    expect(normalTails(0)).toBe(1);
    expect(normalTails(1.959963984540054)).toBeCloseTo(0.05, 12);
    expect(normalTails(-3)).toBeCloseTo(0.0026997960632602, 14);
    expect(normalTails(5) / 5.733031437583869e-7).toBeCloseTo(1, 9);
    // The two forms meet.
    expect(normalTails(3.5355 + 1e-9) / normalTails(3.5355 - 1e-9)).toBeCloseTo(1, 7);
    expect(binomialHalfBelow(2, 4)).toBeCloseTo(11 / 16, 12);
    expect(binomialHalfBelow(4, 4)).toBe(1);
    expect(binomialHalfBelow(1000, 2000)).toBeCloseTo(0.5089, 4);
  });
});

describe('paired tests', () => {
  it('do not care which simulator is named first, and give a p in (0, 1]', () => {
    fc.assert(
      fc.property(list, (pairs) => {
        const [a, b] = sides(pairs);
        const tests = [signTest, wilcoxon, (x: number[], y: number[]) => permutationTest(x, y, { trials: 50 })];
        for (const test of tests) {
          const [one, other] = [test(a, b), test(b, a)];
          expect(one.p).toBeCloseTo(other.p, 10);
          expect(one.p).toBeGreaterThan(0);
          expect(one.p).toBeLessThanOrEqual(1);
          expect(one.n).toBeLessThanOrEqual(one.of);
        }
        expect(wilcoxon(a, b).effect).toBeCloseTo(-wilcoxon(b, a).effect, 12);
        const zero = permutationTest(a, a, { trials: 20 });
        expect(zero).toMatchObject({ p: 1, difference: 0, n: 0 });
      }),
      { numRuns: 60 },
    );
  });

  it('agree where they must: McNemar is the sign test of yes and no', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.boolean()), { maxLength: 40 }), (pairs) => {
        const [a, b] = [pairs.map(([x]) => x), pairs.map(([, y]) => y)];
        const test = mcnemar(a, b);
        expect(test.exact).toBeCloseTo(signTest(a.map(Number), b.map(Number)).p, 12);
        expect(test.midP).toBeLessThanOrEqual(test.exact + 1e-12);
        expect(test.n).toBe(pairs.length);
      }),
    );
  });

  it('find a difference that is there and none that is not', () => {
    const a = Array.from({ length: 40 }, (_, i) => i + 5);
    const b = Array.from({ length: 40 }, (_, i) => i + (i % 4));
    expect(permutationTest(a, b).p).toBeLessThan(0.001);
    expect(permutationTest(a, a.toReversed()).p).toBeGreaterThan(0.5);
    // Both flips of one pair reach the observed difference.
    expect(permutationTest([1], [0]).p).toBe(1);
  });

  it('take differences that are equal but for rounding as ties', () => {
    // 0.1, 0.2, ... are no binary numbers: 0.3 - 0.2 is not 0.2 - 0.1 to the last bit, nor 0.1 + 0.2 the 0.3 of the other side.
    const tenths = { x: [3, 2, 9, 6, 5, 10, 7, 4], y: [2, 1, 7, 7, 2, 8, 7, 1] };
    const [x, y] = [tenths.x.map((n) => n / 10), tenths.y.map((n) => n / 10)];
    const whole = wilcoxon(tenths.x, tenths.y);
    expect(wilcoxon(x, y)).toEqual(whole);
    // scipy 1.17: wilcoxon([1, 1, 2, -1, 3, 2, 0, 3], zero_method='wilcox', correction=False, method='approx').
    expect(whole.p).toBeCloseTo(0.0403197213958959, 12);
    expect(whole).toMatchObject({ w: 2, n: 7, method: 'Wilcoxon, normal, zeros wilcox' });
    const sum = 0.1 + 0.2;
    expect(sum).not.toBe(0.3);
    expect(signTest([sum, 1], [0.3, 0])).toMatchObject({ n: 1, first: 1, second: 0 });
    expect(permutationTest([sum], [0.3])).toMatchObject({ n: 0, p: 1 });
    expect(wilcoxon([sum], [0.3])).toMatchObject({ n: 0, p: 1 });
  });

  it('need pairs', () => {
    expect(() => wilcoxon([1], [])).toThrow(RangeError);
    expect(() => mcnemar([true], [])).toThrow(RangeError);
    expect(() => pairedBootstrap([{ sum: 1, n: 1 }], [])).toThrow(RangeError);
  });
});

describe('pairedBootstrap', () => {
  it('is narrow where both simulators fail on the same episodes', () => {
    const first = Array.from({ length: 40 }, (_, i) => ({ sum: i % 2, n: 1 }));
    const second = first.map(({ sum }, i) => ({ sum: i === 1 ? 0 : sum, n: 1 }));
    const { difference, interval, n } = pairedBootstrap(first, second);
    expect(difference).toBeCloseTo(1 / 40, 12);
    expect(n).toBe(40);
    expect(interval?.[0]).toBe(0);
    expect(interval?.[1]).toBeLessThan(0.11);
    // All episodes agree: resampling sees no spread, which is no certainty.
    expect(pairedBootstrap(first, first)).toMatchObject({ difference: 0, interval: null });
    expect(pairedBootstrap(second, first).difference).toBe(-(difference ?? 0));
  });

  it('says nothing where nothing counts', () => {
    const none = { sum: 0, n: 0 };
    expect(pairedBootstrap([none, none], [none, none])).toMatchObject({ difference: null, interval: null });
    // One episode that counts has no spread, however many others stand beside it.
    const [one, other] = [
      { sum: 1, n: 2 },
      { sum: 3, n: 4 },
    ];
    expect(pairedBootstrap([one, none, none], [one, other, other])).toMatchObject({ n: 3, interval: null });
    expect(pairedBootstrap([one, other, none], [one, none, other]).interval).not.toBeNull();
  });
});

describe('holm', () => {
  it('steps down, as in a worked example', () => {
    const adjusted = holm([0.01, 0.04, 0.03, 0.005]);
    [0.03, 0.06, 0.06, 0.02].forEach((p, i) => expect(adjusted[i]).toBeCloseTo(p, 12));
    expect(holm([])).toEqual([]);
  });

  it('raises every p, keeps their order, and never beyond what Bonferroni gives', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 }), (ps) => {
        const out = holm(ps);
        out.forEach((p, i) => {
          const raw = ps[i] ?? 0;
          expect(p).toBeGreaterThanOrEqual(raw);
          expect(p).toBeLessThanOrEqual(Math.min(1, raw * ps.length) + 1e-12);
          ps.forEach((other, j) => other < raw && expect(out[j]).toBeLessThanOrEqual(p));
        });
      }),
    );
  });
});

describe('tries', () => {
  it('lie in [0, 1]; any is at least every; both are the share for one try', () => {
    const tries = fc
      .integer({ min: 1, max: 12 })
      .chain((n) => fc.tuple(fc.constant(n), fc.integer({ min: 0, max: n }), fc.integer({ min: 1, max: n })));
    fc.assert(
      fc.property(tries, ([n, c, k]) => {
        expect(passAtK(n, c, 1)).toBeCloseTo(c / n, 12);
        expect(passHatK(n, c, 1)).toBeCloseTo(c / n, 12);
        expect(passAtK(n, c, k)).toBeGreaterThanOrEqual(passHatK(n, c, k) - 1e-12);
        // Failing all of k is failing every one of k.
        expect(passAtK(n, c, k)).toBeCloseTo(1 - passHatK(n, n - c, k), 12);
      }),
    );
    expect(() => passAtK(3, 4, 1)).toThrow(RangeError);
    expect(() => passHatK(3, 1, 4)).toThrow(RangeError);
  });

  it('leave out tasks with too few of them, and say so', () => {
    const tasks = [
      { n: 4, c: 2 },
      { n: 1, c: 1 },
    ];
    expect(passRates(tasks, 2)).toMatchObject({ n: 1, any: 1 - 1 / 6, every: 1 / 6 });
    expect(passRates(tasks, 5)).toEqual({ k: 5, n: 0, any: null, every: null });
  });
});

describe('calibration', () => {
  const judged = fc.array(
    fc.record({ confidence: fc.double({ min: 0, max: 1, noNaN: true }), correct: fc.boolean() }),
    { maxLength: 40 },
  );
  it('is bounded, counts every answer once, and is at least the gap of the means', () => {
    fc.assert(
      fc.property(judged, fc.integer({ min: 1, max: 15 }), (answers, count) => {
        const { ece, brier, n, bins } = calibration(answers, count);
        expect(bins.reduce((sum, bin) => sum + bin.n, 0)).toBe(n);
        if (ece === null || brier === null) {
          expect(n).toBe(0);
          return;
        }
        const gap = answers.reduce((sum, a) => sum + a.confidence - Number(a.correct), 0) / n;
        expect(ece).toBeGreaterThanOrEqual(Math.abs(gap) - 1e-9);
        expect(ece).toBeLessThanOrEqual(1 + 1e-9);
        expect(brier).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('closes bins on the right', () => {
    const { bins } = calibration([0, 0.1, 0.3, 0.7, 1].map((confidence) => ({ confidence, correct: true })));
    expect(bins.map(({ n }) => n)).toEqual([2, 0, 1, 0, 0, 0, 1, 0, 0, 1]);
  });

  it('says what confidence is', () => {
    const tokens = [0.5, 0.8].map((confidence) => ({
      slot: 'status' as const,
      id: 1,
      masked: false,
      confidence,
      pass: 1,
    }));
    expect(answerConfidence(tokens, 'mean')).toBe(0.65);
    expect(answerConfidence(tokens, 'least')).toBe(0.5);
    expect(answerConfidence(tokens, 'product')).toBe(0.4);
    expect(answerConfidence([], 'mean')).toBeNull();
  });
});
