import { expect, test } from 'vitest';
import { boundOf, boundOfAll, gemmShapes, machineOf, transitionBound, workOf, type ModelShape } from './roofline';

const shape: ModelShape = { layers: 4, hidden: 256, heads: 4, headDim: 64, inner: 640, vocab: 3072 };
/** By hand: 4 layers of four 256 x 256 and three 256 x 640. */
const WEIGHTS = 4 * (4 * 65536 + 3 * 163840);
const HEAD = 256 * 3072;

test('work of a token: two operations a weight, and all weights are read', () => {
  expect(workOf(shape, { tokens: 1, keys: 0, logits: 1 })).toEqual({
    flops: 2 * (WEIGHTS + HEAD),
    bytes: 4 * (WEIGHTS + HEAD),
  });
});

test('attention grows with tokens times keys, the cache is read once, and logits only where they are wanted', () => {
  const { flops, bytes } = workOf(shape, { tokens: 10, keys: 100, logits: 0 });
  // Scores and sums: 2 * 2 * 256 for each token, key and layer; keys and values of 256 numbers for each key and layer.
  expect(flops).toBe(20 * WEIGHTS + 10 * 100 * 1024 * 4);
  expect(bytes).toBe(4 * WEIGHTS + 4 * 100 * 2 * 256 * 4);
});

test('a prompt read token by token: each sees itself and what comes before it', () => {
  const attention = (pass: { tokens: number; keys: number }) =>
    workOf(shape, { ...pass, logits: 0, causal: true }).flops - 2 * WEIGHTS * pass.tokens;
  // A whole prompt of four: 1 + 2 + 3 + 4 keys. The last three of 100: 98 + 99 + 100.
  expect(attention({ tokens: 4, keys: 4 })).toBe(10 * 1024 * 4);
  expect(attention({ tokens: 3, keys: 100 })).toBe(297 * 1024 * 4);
  // The cache is read once all the same.
  const pass = { tokens: 3, keys: 100, logits: 0 };
  expect(workOf(shape, { ...pass, causal: true }).bytes).toBe(workOf(shape, pass).bytes);
});

test('the slower of computing and reading bounds a pass', () => {
  const machine = { gflops: 10, memoryGBs: 5 };
  expect(boundOf({ flops: 2e7, bytes: 5e6 }, machine)).toEqual({ ms: 2, by: 'compute' });
  expect(boundOf({ flops: 2e6, bytes: 5e6 }, machine)).toEqual({ ms: 1, by: 'memory' });
  const passes = [
    { count: 1, tokens: 64, keys: 64, logits: 0 },
    { count: 3, tokens: 1, keys: 65, logits: 1 },
  ];
  const one = (i: number) => boundOf(workOf(shape, passes[i] as (typeof passes)[0]), machine);
  expect(one(0).by).toBe('compute');
  expect(one(1).by).toBe('memory');
  expect(boundOfAll(passes, shape, machine).ms).toBeCloseTo(one(0).ms + 3 * one(1).ms, 9);
});

test('a transition: AR reads the weights for each token, MDLM computes its window in each pass', () => {
  const machine = { gflops: 50, memoryGBs: 10 };
  const ar = { nfe: 20, prefillTokens: 40, forwardTokens: 60, promptTokens: 300 };
  const mdlm = { nfe: 8, prefillTokens: 40, forwardTokens: 40 + 8 * 60, promptTokens: 300 };
  const cacheBytes = 4 * 310 * 2 * 256 * 4;
  const token = (4 * (WEIGHTS + HEAD) + cacheBytes) / (10 * 1e6);
  const first = boundOf(workOf(shape, { tokens: 41, keys: 301, logits: 1, causal: true }), machine).ms;
  expect(transitionBound('ar', ar, shape, machine)).toMatchObject({ by: 'memory' });
  expect(transitionBound('ar', ar, shape, machine).ms).toBeCloseTo(first + 19 * token, 9);
  const pass = (60 * 2 * (WEIGHTS + HEAD) + 60 * 360 * 1024 * 4) / (50 * 1e6);
  // 261 + 262 + ... + 300 keys.
  const prefill = (40 * 2 * WEIGHTS + (40 * (261 + 300) * 1024 * 4) / 2) / (50 * 1e6);
  expect(transitionBound('mdlm', mdlm, shape, machine)).toMatchObject({ by: 'compute' });
  expect(transitionBound('mdlm', mdlm, shape, machine).ms).toBeCloseTo(prefill + 8 * pass, 9);
  expect(() => transitionBound('ar', { ...ar, nfe: 0 }, shape, machine)).toThrow(RangeError);
});

test('a machine by its products: the matrix has as many weights as the model', () => {
  const shapes = gemmShapes(shape);
  for (const { k, n } of shapes) expect(Math.abs(k * n - WEIGHTS - HEAD)).toBeLessThan(k);
  const times = [
    { m: 1, k: 1000, n: 1000, ms: 0.4 },
    { m: 64, k: 1000, n: 1000, ms: 2.56 },
  ];
  expect(machineOf(times)).toEqual({ gflops: 50, memoryGBs: 10 });
  expect(() => machineOf([])).toThrow(RangeError);
});
