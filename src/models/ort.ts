/** The one place that knows which build of ONNX Runtime runs here. */
import type * as OrtModule from 'onnxruntime-web/webgpu';
import { ModelError, messageOf } from './errors';

export type Ort = typeof OrtModule;

let loading: Promise<Ort> | undefined;

/** True in Node; workers and pages have no `process` of their own. */
export function inNode(): boolean {
  return typeof process !== 'undefined' && typeof process.versions?.node === 'string';
}

/**
 * ONNX Runtime for this place: in browsers the WebGPU build, whose wasm is served by the page itself; in Node the plain
 * WebAssembly build, which reads its wasm from the package.
 * @throws ModelError `no_runtime`
 */
export function loadOrt(): Promise<Ort> {
  loading ??= importOrt().catch((error: unknown) => {
    // A later try may be luckier: a rejected promise must not be kept.
    loading = undefined;
    throw new ModelError(
      'no_runtime',
      `ONNX Runtime could not be loaded: ${messageOf(error)}.`,
      inNode() ? 'Run "npm ci".' : 'Check the connection and reload the page.',
      { cause: error },
    );
  });
  return loading;
}

async function importOrt(): Promise<Ort> {
  if (!inNode()) return (await import('./ort.browser')).ort;
  // Kept from bundlers: pages never need this build.
  const name = 'onnxruntime-web';
  const ort = (await import(/* @vite-ignore */ name)) as Ort;
  ort.env.wasm.numThreads = 1;
  return ort;
}
