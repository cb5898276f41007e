import { expect, test, vi } from 'vitest';
import { loadOrt } from './ort';
import { PRODUCT, startRuntime } from './start';

test('the graph is one that the runtime takes, and it multiplies', async () => {
  const ort = await loadOrt('wasm');
  const session = await ort.InferenceSession.create(PRODUCT);
  const x = new ort.Tensor('float32', [1, 2, 3, 4], [2, 2]);
  const { y } = await session.run({ x, w: new ort.Tensor('float32', [5, 6], [2, 1]) });
  await session.release();
  expect([...(y?.data as Float32Array)]).toEqual([17, 39]);
});

test('starting makes one session and frees it; one that fails is left to the next to tell', async () => {
  const ort = await loadOrt('wasm');
  const create = vi.spyOn(ort.InferenceSession, 'create');
  await startRuntime('wasm');
  expect(create).toHaveBeenCalledTimes(1);
  const session = await create.mock.results[0]?.value;
  const one = new ort.Tensor('float32', [1], [1, 1]);
  await expect(session.run({ x: one, w: one })).rejects.toThrow();
  create.mockRejectedValueOnce(new Error('no memory'));
  await expect(startRuntime('wasm')).resolves.toBeUndefined();
  create.mockRestore();
});
