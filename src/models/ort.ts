/** The one place that knows which build of ONNX Runtime runs here. */
import type * as OrtModule from 'onnxruntime-web/webgpu';
import { ModelError, messageOf } from './errors';

export type Ort = typeof OrtModule;

/** Builds by what they can run on. */
export type OrtBuild = 'webgpu' | 'wasm';

const loading = new Map<OrtBuild, Promise<Ort>>();

/** True in Node; workers and pages have no `process` of their own. */
export function inNode(): boolean {
  return typeof process !== 'undefined' && typeof process.versions?.node === 'string';
}

/**
 * ONNX Runtime for this place. In browsers the two builds are two runtimes, each with its own start and its own files from
 * the page's origin; one that failed to start stays failed, the other does not mind. In Node there is one, without WebGPU,
 * which reads its wasm from the package.
 * @throws ModelError `no_runtime`
 */
export function loadOrt(build: OrtBuild): Promise<Ort> {
  const known = loading.get(build);
  if (known) return known;
  const started = importOrt(build).catch((error: unknown) => {
    // A later try may be luckier: a rejected promise must not be kept.
    loading.delete(build);
    throw new ModelError(
      'no_runtime',
      `ONNX Runtime could not be loaded: ${messageOf(error)}.`,
      inNode() ? 'Run "npm ci".' : 'Check the connection and reload the page.',
      { cause: error },
    );
  });
  loading.set(build, started);
  return started;
}

async function importOrt(build: OrtBuild): Promise<Ort> {
  if (!inNode()) return build === 'webgpu' ? (await import('./ort.webgpu')).ort : (await import('./ort.wasm')).ort;
  // Kept from bundlers: pages never need this build.
  const name = 'onnxruntime-web';
  const ort = (await import(/* @vite-ignore */ name)) as Ort;
  ort.env.wasm.numThreads = 1;
  return ort;
}
