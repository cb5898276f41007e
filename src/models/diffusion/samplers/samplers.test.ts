/** Each sampler against the published numbers, and what all of them promise on made-up models. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { END, MASK, RESP, padId } from '../../../world/codec';
import { uniform } from '../../../world/rng';
import { Denoiser } from '../denoise';
import { AnswerWindow, type Guess } from '../window';
import { WINDOW_SAMPLERS, openWindowSampler } from '.';
import { noiseLevels, unmaskChance } from './ancestral';
import { quotas } from './confidence';
import { withinBudget } from './entropyBudget';
import { remaskChances } from './remask';
import type { Candidate } from './types';

const GOLDEN = JSON.parse(
  readFileSync(new URL('../../../../test/fixtures/samplers/golden_samplers.json', import.meta.url), 'utf8'),
) as {
  llada_num_transfer_tokens: { masked: number; steps: number; per_step: number[] }[];
  eb_sampler: { entropies_sorted_nats: number[]; k_by_gamma: { [gamma: string]: number } };
  mdlm_ancestral_loglinear: { t: number; s: number; p_unmask: number; p_stay: number }[];
  remdm_cap: Remdm[];
  remdm_rescale: Remdm[];
};
interface Remdm {
  t: number;
  s: number;
  eta: number;
  sigma: number;
  masked_unmask: number;
  masked_stay: number;
}
const NAMES = Object.keys(WINDOW_SAMPLERS) as (keyof typeof WINDOW_SAMPLERS)[];
const half = () => 0.5;

function candidates(values: number[], statistic: 'confidence' | 'margin' | 'entropy'): Candidate[] {
  return values.map((value, i) => ({ place: i + 1, confidence: 0.5, margin: 0.5, entropy: 0.5, [statistic]: value }));
}

describe('published numbers', () => {
  it.each(GOLDEN.llada_num_transfer_tokens)(
    'quotas of $masked places in $steps steps',
    ({ masked, steps, per_step }) => {
      expect(quotas(masked, steps)).toEqual(per_step);
    },
  );

  it.each(Object.entries(GOLDEN.eb_sampler.k_by_gamma))('a budget of %s nats writes %d', (budget, count) => {
    const { entropies_sorted_nats: entropies } = GOLDEN.eb_sampler;
    expect(withinBudget(entropies, Number(budget))).toBe(count);
    const sampler = openWindowSampler({ name: 'entropy-budget', budget: Number(budget) }).open(entropies.length);
    const masked = candidates([...entropies].reverse(), 'entropy');
    const plan = sampler.plan({ masked, written: [], uniform: half });
    expect(plan?.commit).toEqual([6, 5, 4, 3, 2, 1].slice(0, count));
  });

  it.each(GOLDEN.mdlm_ancestral_loglinear)('ancestral from $t to $s', ({ t, s, p_unmask, p_stay }) => {
    expect(unmaskChance(t, s)).toBeCloseTo(p_unmask, 6);
    expect(1 - unmaskChance(t, s)).toBeCloseTo(p_stay, 6);
  });

  it.each(['cap', 'rescale'] as const)('remasking by %s', (strategy) => {
    for (const { t, s, eta, sigma, masked_unmask, masked_stay } of GOLDEN[`remdm_${strategy}`]) {
      const { remask, unmask } = remaskChances(t, s, strategy, eta);
      expect(remask).toBeCloseTo(sigma, 6);
      expect(unmask).toBeCloseTo(masked_unmask, 6);
      expect(1 - unmask).toBeCloseTo(masked_stay, 6);
    }
  });

  it('noise falls from 1 to 0 in equal steps', () => {
    expect([0, 1, 2, 3].map((step) => noiseLevels(step, 4))).toEqual([
      { t: 1, s: 0.75 },
      { t: 0.75, s: 0.5 },
      { t: 0.5, s: 0.25 },
      { t: 0.25, s: 0 },
    ]);
  });
});

describe('orders', () => {
  it.each([
    ['confidence', [2, 3]],
    ['margin', [2, 3]],
    ['entropy', [1, 4]],
  ] as const)('by %s, ties to the left', (order, want) => {
    const sampler = openWindowSampler({ name: 'confidence', steps: 2, order }).open(4);
    const masked = candidates([0.1, 0.8, 0.7, 0.1], order);
    expect(sampler.plan({ masked, written: [], uniform: half })?.commit.toSorted()).toEqual(want);
  });

  it('ancestral follows its chances, whatever the model thinks', () => {
    const n = 20_000;
    const masked = candidates(Array<number>(n).fill(0.9), 'confidence');
    const sampler = openWindowSampler({ name: 'ancestral', steps: 8 }).open(n);
    const plan = sampler.plan({ masked, written: [], uniform: (place, step) => uniform(place, step) });
    // Four standard deviations around 1/8.
    expect(Math.abs((plan?.commit.length ?? 0) / n - 0.125)).toBeLessThan(4 * Math.sqrt((0.125 * 0.875) / n));
  });
});

describe('choosing a sampler', () => {
  it('fills in defaults and keeps what is given', () => {
    expect(openWindowSampler({ name: 'remask', steps: 4 }).choice).toEqual({
      name: 'remask',
      steps: 4,
      strategy: 'cap',
      eta: 0.05,
    });
  });

  it.each([
    [{ name: 'fastest' }, /no diffusion sampler "fastest"/, /threshold, confidence, entropy-budget, ancestral, remask/],
    [{ name: 'toString' }, /no diffusion sampler/, /threshold/],
    [{ name: 'confidence', step: 3 }, /no parameter "step"/, /steps \(a whole number from 1 to 1024\), order \(one of/],
    [{ name: 'confidence', steps: 1.5 }, /steps of the sampler confidence is 1.5/, /whole number from 1 to 1024/],
    [{ name: 'confidence', order: 'size' }, /is "size"/, /one of confidence, margin, entropy/],
    [{ name: 'threshold', threshold: NaN }, /threshold of the sampler threshold/, /a number from 0 to 1/],
  ])('refuses %j', (choice, message, advice) => {
    expect(() => openWindowSampler(choice as never)).toThrow(
      expect.objectContaining({
        code: 'bad_options',
        message: expect.stringMatching(message),
        advice: expect.stringMatching(advice),
      }),
    );
  });
});

/** A made-up model that changes its mind with what is written, always about the same for one window. */
function guess(window: AnswerWindow, seed: number): Guess {
  const tokens = window.tokens();
  const salt = tokens.reduce((sum, id) => (sum * 31 + id) | 0, seed);
  const token = tokens.map((_, i) => [END, padId(i), 400 + i, 500 + i][Math.floor(uniform(salt, i) * 4)] as number);
  const confidence = tokens.map((_, i) => uniform(salt, i, 1));
  return { best: token, token, confidence, margin: confidence, entropy: confidence.map((c) => -Math.log(c)) };
}

describe.each(NAMES)('%s', (name) => {
  it('fills every window and leaves pins alone, whole or in blocks, cropped or not', () => {
    const size = fc.constantFrom(1, 5, 16, Infinity);
    fc.assert(
      fc.property(fc.integer(), size, fc.boolean(), fc.constantFrom(1, 3, 24), (seed, blockSize, crop, steps) => {
        const pins = [{ id: 600 }, null, { id: 601 }];
        const sizes = { observation: 16, delta: 4, status: 8 };
        const window = new AnswerWindow(sizes, { fixed: { observation: pins, status: pins }, crop });
        const stepped = 'steps' in WINDOW_SAMPLERS[name].parameters;
        const sampler = openWindowSampler({ name, ...(stepped ? { steps } : {}) });
        const denoiser = new Denoiser(window, sampler, blockSize, (...key) => uniform(seed, ...key));
        let passes = 0;
        while (!window.done) {
          denoiser.take(guess(window, seed));
          expect(++passes).toBeLessThan(600);
          const { observation, delta } = window.sizes;
          const ids = window.tokens();
          expect([ids[0], ids[1], ids[3]]).toEqual([RESP, 600, 601]);
          const status = 1 + observation + delta;
          expect([ids[status], ids[status + 2]]).toEqual([600, 601]);
        }
        expect(window.tokens()).not.toContain(MASK);
        expect(window.draft().filter(({ pass }) => pass === 0).length).toBe(4);
      }),
      { numRuns: 40 },
    );
  });

  it('writes a block before it looks at the next', () => {
    const window = new AnswerWindow({ observation: 16, delta: 4, status: 8 });
    const denoiser = new Denoiser(window, openWindowSampler({ name }), 8, (...key) => uniform(3, ...key));
    const sure = (): Guess => {
      const one = guess(window, 1);
      return { ...one, best: one.best, token: Array<number>(30).fill(padId(0)) };
    };
    for (let passes = 0; passes < 300 && window.isMasked(8); passes++) {
      denoiser.take({ ...sure(), best: Array<number>(30).fill(padId(0)) });
      const masked = window.masked();
      if (masked.some((place) => place <= 8)) expect(masked.filter((place) => place > 8).length).toBe(20);
    }
  });
});
