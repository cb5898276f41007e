/** Starting ONNX Runtime before there is a model for it: compiling its wasm can go on while the files are on their way. */
import { loadOrt } from './ort';
import { creation, type ProviderName } from './session';
import { webgpuProblem } from './webgpu';

/** An ONNX file whose only node hands one number on (y = x). The runtime starts with the first session of all. */
export const SMALLEST = Uint8Array.from(
  atob('CAg6OwoQCgF4EgF5IghJZGVudGl0eRIFc3RhcnRaDwoBeBIKCggIARIECgIIAWIPCgF5EgoKCAgBEgQKAggBQgIQEQ=='),
  (char) => char.charCodeAt(0),
);

/**
 * Loads the build that a model on this provider will need and, for WebAssembly, starts it. Never rejects: whoever makes a
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
      const session = await ort.InferenceSession.create(SMALLEST, { executionProviders: ['wasm'], logSeverityLevel: 3 });
      await session.release();
    } finally {
      leave();
    }
  } catch {
    // Told by the session that is made next.
  }
}
