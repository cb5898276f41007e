import { expect, test, vi } from 'vitest';
import { loadOrt } from './ort';
import { SMALLEST, startRuntime } from './start';

test('the smallest graph is one that the runtime takes and runs', async () => {
  const ort = await loadOrt('wasm');
  const session = await ort.InferenceSession.create(SMALLEST);
  const { y } = await session.run({ x: new ort.Tensor('float32', [7], [1]) });
  await session.release();
  expect([...(y?.data as Float32Array)]).toEqual([7]);
});

test('starting makes one session and frees it; one that fails is left to the next to tell', async () => {
  const ort = await loadOrt('wasm');
  const create = vi.spyOn(ort.InferenceSession, 'create');
  await startRuntime('wasm');
  expect(create).toHaveBeenCalledTimes(1);
  const session = await create.mock.results[0]?.value;
  await expect(session.run({ x: new ort.Tensor('float32', [7], [1]) })).rejects.toThrow();
  create.mockRejectedValueOnce(new Error('no memory'));
  await expect(startRuntime('wasm')).resolves.toBeUndefined();
  create.mockRestore();
});
