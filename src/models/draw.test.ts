/** Choosing tokens: golden numbers of nucleus sampling, bans, and that draws follow the distribution and their key. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { END, MASK, RESP, RULES, padId } from '../world/codec';
import { hash32, uniform } from '../world/rng';
import { draw, greedy, gumbel, isBanned, isBannedInText, noiseOf, nucleus, statistics } from './draw';
import { guided } from './guidance';

const GOLDEN = JSON.parse(
  readFileSync(new URL('../../test/fixtures/samplers/golden_samplers.json', import.meta.url), 'utf8'),
) as {
  nucleus: { p: number[]; top_p: { [p: string]: { hf: number[] } }; min_p: { [p: string]: number[] } };
  cfg: { cond: number[]; uncond: number[]; dcfg_gamma: Numbers; llada_scale: Numbers };
};
type Numbers = { [scale: string]: number[] };
const none = () => false;
const rowOf = (logits: number[], before = 0) => ({
  data: Float32Array.from([...Array<number>(before).fill(99), ...logits]),
  start: before,
  size: logits.length,
});

describe('nucleus', () => {
  it.each(Object.entries(GOLDEN.nucleus.top_p))('keeps what Hugging Face keeps at %s', (topP, { hf }) => {
    const kept = nucleus(GOLDEN.nucleus.p, Number(topP));
    expect(GOLDEN.nucleus.p.map((_, i) => kept.has(i))).toEqual(hf.map((p) => p > 0));
    const mass = [...kept].reduce((sum, i) => sum + (GOLDEN.nucleus.p[i] ?? 0), 0);
    hf.forEach((p, i) => expect(kept.has(i) ? (GOLDEN.nucleus.p[i] ?? 0) / mass : 0).toBeCloseTo(p, 5));
  });

  it('is that of a whole sort, however flat or steep', () => {
    for (const scale of [0.01, 1, 5]) {
      const weights = Array.from({ length: 500 }, (_, i) => Math.exp(scale * gumbel(uniform(i, 4))));
      const total = weights.reduce((sum, w) => sum + w, 0);
      const p = weights.map((w) => w / total);
      const sorted = p.map((_, i) => i).sort((a, b) => (p[b] as number) - (p[a] as number));
      for (const topP of [0.01, 0.5, 0.9, 0.999]) {
        let mass = 0;
        const want = sorted.filter((i) => {
          const before = mass;
          mass += p[i] as number;
          return before < topP;
        });
        expect([...nucleus(p, topP)]).toEqual(want);
      }
    }
  });

  it('keeps the order of ids among equals', () => {
    expect([...nucleus([0.25, 0.25, 0.25, 0.25], 0.5)]).toEqual([0, 1]);
  });
});

describe('min-p', () => {
  it.each(Object.entries(GOLDEN.nucleus.min_p))('draws what is left at %s, in its shares', (minP, want) => {
    const logits = GOLDEN.nucleus.p.map(Math.log);
    const n = 4000;
    const counts = want.map(() => 0);
    for (let i = 0; i < n; i++) {
      const { token } = draw(rowOf(logits), 1, 1, [i, 3], none, Number(minP));
      counts[token] = (counts[token] ?? 0) + 1;
    }
    want.forEach((p, i) => {
      if (p === 0) expect(counts[i]).toBe(0);
      else expect(Math.abs((counts[i] ?? 0) / n - p)).toBeLessThan(4 * Math.sqrt((p * (1 - p)) / n));
    });
  });

  it('goes by the probabilities before the temperature', () => {
    const tokens = Array.from({ length: 300 }, (_, i) => draw(rowOf([2, 1, 0]), 50, 1, [i], none, 0.2).token);
    expect(new Set(tokens)).toEqual(new Set([0, 1]));
  });
});

describe('guidance', () => {
  const { cond, uncond, llada_scale: scales, dcfg_gamma: gammas } = GOLDEN.cfg;
  const softmax = (logits: Float32Array) => {
    const total = logits.reduce((sum, logit) => sum + Math.exp(logit), 0);
    return Array.from(logits, (logit) => Math.exp(logit) / total);
  };
  const by = (scale: number) =>
    softmax(guided(rowOf(cond.map(Math.log), 2), rowOf(uncond.map((p) => Math.log(p) + 3)), scale).data);
  it.each(Object.entries(scales))('at scale %s is that of LLaDA', (scale, want) => {
    by(Number(scale)).forEach((p, i) => expect(p).toBeCloseTo(want[i] as number, 5));
  });

  it.each(Object.entries(gammas))('is D-CFG at gamma %s = scale + 1', (gamma, want) => {
    by(Number(gamma) - 1).forEach((p, i) => expect(p).toBeCloseTo(want[i] as number, 5));
  });
});

describe('statistics', () => {
  it('are those of the distribution over what is allowed', () => {
    const row = rowOf([9, ...[0.7, 0.2, 0.1].map(Math.log)], 3);
    const { best, confidence, margin, entropy } = statistics(row, (token) => token === 0);
    expect(best).toBe(1);
    expect(confidence).toBeCloseTo(0.7, 6);
    expect(margin).toBeCloseTo(0.5, 6);
    expect(entropy).toBeCloseTo(-(0.7 * Math.log(0.7) + 0.2 * Math.log(0.2) + 0.1 * Math.log(0.1)), 6);
  });
});

describe('greedy', () => {
  it('takes the first of the largest that is allowed, with its probability among the allowed', () => {
    const choice = greedy(rowOf([9, 1, 2, 2], 5), (token) => token === 0);
    expect(choice.token).toBe(2);
    expect(choice.confidence).toBeCloseTo(1 / (2 + Math.exp(-1)), 12);
  });

  it('bans what is never an answer', () => {
    const ids = [MASK, padId(0), padId(7), END, RULES, RESP, 17];
    expect(ids.map(isBanned)).toEqual([true, false, false, false, true, true, false]);
    expect(ids.map(isBannedInText)).toEqual([true, true, true, false, true, true, false]);
  });
});

describe('draw', () => {
  const logits = [0.5, -1, 2, 0, 1.2];

  it('is argmax of logits with Gumbel noise of one key per token', () => {
    for (let seed = 0; seed < 300; seed++) {
      const place = hash32(seed, 1, 2, 3);
      const noisy = logits.map((logit, i) => Math.fround(logit) + 0.7 * gumbel(uniform(place, i)));
      expect(draw(rowOf(logits), 0.7, 1, [seed, 1, 2, 3], none).token).toBe(noisy.indexOf(Math.max(...noisy)));
      expect(draw(rowOf(logits), 0.7, 1, noiseOf([seed, 1, 2, 3], 5), none).token).toBe(
        noisy.indexOf(Math.max(...noisy)),
      );
    }
  });

  it.each([
    [1, 1],
    [0.5, 1],
    [1, 0.8],
  ])('follows the distribution at temperature %d and top-p %d', (temperature, topP) => {
    const weights = logits.map((logit) => Math.exp(logit / temperature));
    const total = weights.reduce((sum, w) => sum + w, 0);
    const kept = nucleus(
      weights.map((w) => w / total),
      topP,
    );
    const mass = weights.reduce((sum, w, i) => sum + (kept.has(i) ? w : 0), 0);
    const n = 20000;
    const counts = logits.map(() => 0);
    for (let i = 0; i < n; i++) {
      const { token } = draw(rowOf(logits), temperature, topP, [i, 7], none);
      counts[token] = (counts[token] ?? 0) + 1;
    }
    // Pearson's chi-square; the 99.9% quantile with four degrees of freedom is 18.5. The draws are fixed by their keys.
    const chi = counts.reduce((sum, count, i) => {
      const expected = kept.has(i) ? (n * (weights[i] as number)) / mass : 0;
      if (expected === 0) expect(count).toBe(0);
      return expected === 0 ? sum : sum + (count - expected) ** 2 / expected;
    }, 0);
    expect(chi).toBeLessThan(18.5);
  });

  it('depends on its key only, and never gives a banned token', () => {
    const once = draw(rowOf(logits), 1, 1, [4, 5], none);
    expect(draw(rowOf(logits, 8), 1, 1, [4, 5], none)).toEqual(once);
    const tokens = Array.from({ length: 200 }, (_, i) => draw(rowOf(logits), 3, 1, [i], (t) => t === 2).token);
    expect(tokens).not.toContain(2);
    expect(new Set(tokens).size).toBeGreaterThan(2);
  });

  it('reports the probability at temperature 1, whatever the temperature', () => {
    const { token, confidence } = draw(rowOf([0, 30]), 0.1, 1, [1], none);
    expect(token).toBe(1);
    expect(confidence).toBeCloseTo(1, 9);
  });
});
