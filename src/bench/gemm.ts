/** How fast the runtime multiplies matrices here, with the threads and the provider that models get. */
import { ModelSession, type ProviderName } from '../models/session';
import { loadOrt } from '../models/ort';
import { matMulModel } from './onnx';
import type { GemmShape, GemmTime } from './protocol';

const WARMUP = 5;
const RUNS = 30;

/**
 * Medians of 30 products of each shape after 5 that do not count.
 * @returns one time a shape, in order
 */
export async function gemmTimes(
  provider: ProviderName,
  threads: number,
  shapes: readonly GemmShape[],
  tell: (done: number, total: number) => void,
): Promise<GemmTime[]> {
  const ort = await loadOrt(provider);
  ort.env.wasm.numThreads = threads;
  const out: GemmTime[] = [];
  for (const shape of shapes) {
    const weights = Float32Array.from({ length: shape.k * shape.n }, (_, i) => Math.sin(i));
    const session = await ModelSession.create(matMulModel(shape, weights), provider);
    const feed = session.float32(
      Float32Array.from({ length: shape.m * shape.k }, (_, i) => Math.cos(i)),
      [shape.m, shape.k],
    );
    const times: number[] = [];
    for (let i = 0; i < WARMUP + RUNS; i++) {
      const start = performance.now();
      const { y } = await session.run({ x: feed }, ['y']);
      // On WebGPU a product is done only when somebody has it.
      await y?.getData(true);
      if (i >= WARMUP) times.push(performance.now() - start);
    }
    await session.dispose();
    times.sort((a, b) => a - b);
    out.push({ ...shape, ms: times[Math.floor(times.length / 2)] as number });
    tell(out.length, shapes.length);
  }
  return out;
}
