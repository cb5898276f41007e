/** Starting ONNX Runtime before there is a model for it: compiling its wasm can go on while the files are on their way. */
import { loadOrt } from './ort';
import { creation, type ProviderName } from './session';
import { webgpuProblem } from './webgpu';

/** An ONNX file of one product of two matrices, y = x @ w. The runtime starts with the first session of all. */
export const PRODUCT = Uint8Array.from(
  atob(
    'CAg6XwoRCgF4CgF3EgF5IgZNYXRNdWwSBXN0YXJ0WhUKAXgSEAoOCAESCgoDEgFtCgMSAWtaFQoBdxIQCg4IARIKCgMSAWsKAxIBbmIVCgF5EhAKDggBEgoKAxIBbQoDEgFuQgIQEQ==',
  ),
  (char) => char.charCodeAt(0),
);
/** Sides of the products that warm the runtime up, and how many there are: a few milliseconds each in cold code. */
const SIDE = 128;
const PRODUCTS = 8;

/**
 * Loads the build that a model on this provider will need and, for WebAssembly, starts it. Browsers begin with code that is
 * made quickly and runs slowly, and compile again what is found to be busy: a few products have them do so for the product of
 * matrices, where models spend most of their time, while the model is still being read. Never rejects: whoever makes a
 * session meets the same failure again and tells of it.
 */
export async function startRuntime(provider: ProviderName | 'auto'): Promise<void> {
  try {
    const onGpu = provider !== 'wasm' && (await webgpuProblem(provider === 'webgpu')) === null;
    const ort = await loadOrt(onGpu ? 'webgpu' : 'wasm');
    // On WebGPU the device comes with the first session that wants one; a session without it could get in its way.
    if (onGpu) return;
    const leave = await creation.enter();
    try {
      const session = await ort.InferenceSession.create(PRODUCT, { executionProviders: ['wasm'], logSeverityLevel: 3 });
      const matrix = new ort.Tensor('float32', new Float32Array(SIDE * SIDE).fill(1 / SIDE), [SIDE, SIDE]);
      for (let i = 0; i < PRODUCTS; i++) (await session.run({ x: matrix, w: matrix }))['y']?.dispose();
      await session.release();
    } finally {
      leave();
    }
  } catch {
    // Told by the session that is made next.
  }
}
