import { expect, test } from 'vitest';
import { loadOrt } from '../models/ort';
import { matMulModel } from './onnx';

test.each([
  { m: 1, k: 3, n: 2 },
  { m: 5, k: 300, n: 7 },
])('the runtime multiplies with the graph: $m x $k x $n', async ({ m, k, n }) => {
  const weights = Float32Array.from({ length: k * n }, (_, i) => ((i * 7) % 11) - 5);
  const x = Float32Array.from({ length: m * k }, (_, i) => ((i * 5) % 13) - 6);
  const ort = await loadOrt('wasm');
  const session = await ort.InferenceSession.create(matMulModel({ m, k, n }, weights));
  const { y } = await session.run({ x: new ort.Tensor('float32', x, [m, k]) });
  await session.release();
  const at = (row: number, column: number) => {
    let sum = 0;
    for (let i = 0; i < k; i++) sum += (x[row * k + i] as number) * (weights[i * n + column] as number);
    return sum;
  };
  expect(y?.dims).toEqual([m, n]);
  const expected = Array.from({ length: m * n }, (_, i) => at(Math.floor(i / n), i % n));
  expect([...(y?.data as Float32Array)]).toEqual(expected);
});

test('other numbers of weights are refused', () => {
  expect(() => matMulModel({ m: 1, k: 2, n: 2 }, new Float32Array(3))).toThrow(/3 weights are not 2 x 2/);
});
