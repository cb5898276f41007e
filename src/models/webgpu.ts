/** Whether WebGPU is worth trying here. */
import { messageOf } from './errors';

/**
 * Null when there is an adapter; otherwise why WebGPU is not used, as a phrase for a badge.
 * @param software whether an adapter that computes on the CPU will do (it is slower than WebAssembly)
 */
export async function webgpuProblem(software: boolean): Promise<string | null> {
  const gpu = typeof navigator === 'undefined' ? undefined : (navigator as Navigator & { gpu?: GPU }).gpu;
  if (!gpu) return 'this browser or runtime has no WebGPU';
  try {
    const adapter = await gpu.requestAdapter();
    if (!adapter) return 'there is no graphics adapter for WebGPU';
    const { info } = adapter;
    if (
      !software &&
      (info?.isFallbackAdapter || /swiftshader|llvmpipe/i.test(`${info?.architecture} ${info?.device}`))
    ) {
      return 'the graphics adapter is software, which is slower than WebAssembly';
    }
    return null;
  } catch (error) {
    return `asking for a graphics adapter failed: ${messageOf(error)}`;
  }
}
