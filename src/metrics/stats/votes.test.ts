import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import golden from '../../../test/fixtures/metrics/golden_metrics.json';
import { bradleyTerry, bradleyTerryIntervals, elo, winsOf, type Vote } from './bradleyTerry';
import { krippendorff } from './krippendorff';
import { maskedBound, perplexity } from './likelihood';

describe('bradleyTerry', () => {
  it('agrees with the golden strengths', () => {
    const { wins, strength_geo_mean1, elo: expected } = golden.bradley_terry;
    const strengths = bradleyTerry(wins) ?? [];
    strengths.forEach((strength, i) => {
      expect(strength).toBeCloseTo(strength_geo_mean1[i] ?? NaN, 6);
      expect(elo(strength)).toBeCloseTo(expected[i] ?? NaN, 4);
    });
    expect(strengths).toHaveLength(3);
  });

  it('has no answer where somebody only wins, or nobody met', () => {
    expect(
      bradleyTerry([
        [0, 3],
        [0, 0],
      ]),
    ).toBeNull();
    expect(
      bradleyTerry([
        [0, 0],
        [0, 0],
      ]),
    ).toBeNull();
    expect(
      bradleyTerry([
        [0, 3],
        [1, 0],
      ])?.[0],
    ).toBeCloseTo(Math.sqrt(3), 9);
  });

  it('explains what it saw: expected wins are the wins there were', () => {
    const game = fc.integer({ min: 1, max: 9 });
    fc.assert(
      fc.property(fc.array(game, { minLength: 12, maxLength: 12 }), (numbers) => {
        const wins = Array.from({ length: 4 }, (_, i) =>
          Array.from({ length: 4 }, (_, j) => (i === j ? 0 : (numbers[i * 3 + (j > i ? j - 1 : j)] ?? 0))),
        );
        const strengths = bradleyTerry(wins) ?? [];
        const at = (i: number, j: number) => wins[i]?.[j] ?? 0;
        strengths.forEach((own, i) => {
          const expected = strengths.reduce((sum, other, j) => sum + ((at(i, j) + at(j, i)) * own) / (own + other), 0);
          expect(expected).toBeCloseTo(
            [0, 1, 2, 3].reduce((sum, j) => sum + at(i, j), 0),
            6,
          );
        });
        expect(strengths.reduce((product, x) => product * x, 1)).toBeCloseTo(1, 9);
      }),
      { numRuns: 50 },
    );
  });

  it('counts ties as halves, and has intervals around the strengths', () => {
    const votes: Vote[] = Array.from({ length: 60 }, (_, i) => ({
      a: 0,
      b: 1,
      outcome: i % 6 === 0 ? 'tie' : i % 3 === 0 ? 'b' : 'a',
    }));
    expect(winsOf(votes, 2)).toEqual([
      [0, 45],
      [15, 0],
    ]);
    const made = bradleyTerryIntervals(votes, 2, { count: 200 });
    expect(made).toMatchObject({ used: 200, drawn: 200 });
    const [first] = made.intervals ?? [];
    expect(first?.[0]).toBeLessThan(Math.sqrt(3));
    expect(first?.[0]).toBeGreaterThan(1);
    expect(first?.[1]).toBeGreaterThan(Math.sqrt(3));
    expect(bradleyTerryIntervals([], 2)).toEqual({ intervals: null, used: 0, drawn: 0 });
    // Of two votes, one each way, half of the resamples have the same vote twice and no maximum.
    const two: Vote[] = [
      { a: 0, b: 1, outcome: 'a' },
      { a: 0, b: 1, outcome: 'b' },
    ];
    const { used, drawn } = bradleyTerryIntervals(two, 2, { count: 400 });
    expect(drawn).toBe(400);
    expect(used).toBeGreaterThan(150);
    expect(used).toBeLessThan(250);
    // All for one: no resample has a maximum.
    expect(bradleyTerryIntervals(two.slice(1), 2, { count: 50 })).toEqual({ intervals: null, used: 0, drawn: 50 });
  });
});

describe('krippendorff', () => {
  const { data, ...levels } = golden.krippendorff;
  it.each(Object.entries(levels))('agrees with the golden value, %s', (level, alpha) => {
    expect(krippendorff(data, level as keyof typeof levels)).toBeCloseTo(alpha, 6);
  });

  it('is 1 for full agreement, unmoved by the order of raters, and null where nothing can be compared', () => {
    const rows = fc.array(fc.array(fc.option(fc.integer({ min: 1, max: 5 })), { minLength: 6, maxLength: 6 }), {
      minLength: 2,
      maxLength: 4,
    });
    fc.assert(
      fc.property(rows, (ratings) => {
        const alpha = krippendorff(ratings, 'ordinal');
        const turned = krippendorff(ratings.toReversed(), 'ordinal');
        if (alpha === null || turned === null) expect(alpha).toBe(turned);
        else expect(turned).toBeCloseTo(alpha, 9);
        expect(alpha ?? 0).toBeLessThanOrEqual(1 + 1e-12);
      }),
    );
    expect(
      krippendorff(
        [
          [1, 2],
          [1, 2],
        ],
        'interval',
      ),
    ).toBe(1);
    expect(
      krippendorff(
        [
          [1, 1],
          [1, 1],
        ],
        'nominal',
      ),
    ).toBeNull();
    expect(
      krippendorff(
        [
          [1, null],
          [null, 2],
        ],
        'nominal',
      ),
    ).toBeNull();
    expect(krippendorff([], 'nominal')).toBeNull();
  });
});

describe('likelihood', () => {
  it('agrees with the golden toy: every mask of two places once in its share', () => {
    const { L, conditionals: p, exact_any_order_nats, uniform_k_form, ppl_bound } = golden.nelbo_toy;
    const one = (probability: number) => ({ masked: 1, nll: -Math.log(probability) });
    const both = { masked: 2, nll: -Math.log(p['x1|']) - Math.log(p['x2|']) };
    // k is 1 or 2 equally often; with k = 1 either place.
    const bound = maskedBound([one(p['x1|x2']), one(p['x2|x1']), both, both], L);
    expect(bound?.nats).toBeCloseTo(uniform_k_form, 8);
    expect(bound?.nats).toBeCloseTo(exact_any_order_nats, 8);
    expect(bound?.perplexity).toBeCloseTo(ppl_bound, 8);
    expect(bound?.standardError).toBeGreaterThan(0);
    expect(maskedBound([], 2)).toBeNull();
  });

  it('perplexity of a uniform guess is the number of choices', () => {
    expect(perplexity(new Array<number>(7).fill(Math.log(32)))).toBeCloseTo(32, 10);
    expect(perplexity([])).toBeNull();
  });
});
