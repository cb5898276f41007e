/** Runs y = x + x with ONNX Runtime in a worker, on the provider that is asked for. */
import * as ort from 'onnxruntime-web/webgpu';
import mjs from 'onnxruntime-web/ort-wasm-simd-threaded.asyncify.mjs?url';
import wasm from 'onnxruntime-web/ort-wasm-simd-threaded.asyncify.wasm?url';

/** An ONNX file with one Add node, made with onnx.helper (opset 17). */
const ADD = 'CAgSADo3Cg4KAXgKAXgSAXkiA0FkZBIBZ1oQCgF4EgsKCQgBEgUKAxIBbmIQCgF5EgsKCQgBEgUKAxIBbkIECgAQEQ==';

addEventListener('message', async ({ data: provider }: MessageEvent<string>) => {
  try {
    ort.env.wasm.wasmPaths = { mjs, wasm };
    ort.env.wasm.numThreads = crossOriginIsolated ? 2 : 1;
    const bytes = Uint8Array.from(atob(ADD), (character) => character.charCodeAt(0));
    const session = await ort.InferenceSession.create(bytes, { executionProviders: [provider] });
    const { y } = await session.run({ x: new ort.Tensor('float32', new Float32Array([1, 2, 3])) });
    postMessage({ y: [...((await y?.getData()) as Float32Array)] });
  } catch (error) {
    postMessage({ error: String(error) });
  }
});
