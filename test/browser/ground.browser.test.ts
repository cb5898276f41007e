/** The ground under the runtime: an isolated page, and ONNX Runtime in a module worker on both of its providers. */
import { expect, test } from 'vitest';
import GroundWorker from './ground.worker.ts?worker';

test('the page is cross-origin isolated, so WebAssembly may use threads', () => {
  expect(crossOriginIsolated).toBe(true);
});

test.each(['wasm', 'webgpu'])('ONNX Runtime computes in a worker on %s', async (provider) => {
  const worker = new GroundWorker();
  try {
    const answer = await new Promise((resolve, reject) => {
      worker.addEventListener('message', ({ data }) => resolve(data));
      worker.addEventListener('error', (event) => reject(new Error(event.message)));
      worker.postMessage(provider);
    });
    expect(answer).toEqual({ y: [2, 4, 6] });
  } finally {
    worker.terminate();
  }
});
