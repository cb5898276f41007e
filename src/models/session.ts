/** One ONNX graph on one execution provider: making it, running it, freeing it, and saying when its device is gone. */
import type { InferenceSession, Tensor } from 'onnxruntime-web/webgpu';
import { ModelError, messageOf } from './errors';
import { loadOrt, type Ort } from './ort';
import { Turnstile } from './pause';

export type ProviderName = 'webgpu' | 'wasm';
export type Tensors = { [name: string]: Tensor };

/** ONNX Runtime's start is not reentrant: sessions of one worker or process are made one after another. */
export const creation = new Turnstile();

/** Number formats that feeds are made of and outputs are read as. */
const DTYPES = new Set<string>(['float32', 'int32', 'int64']);
/** How ONNX Runtime says that it has no code for a number format: by its name, or by an operator that lacks it. */
const NO_CODE =
  /tensor\((b?float(16|8\w*)|float4\w*|u?int\d|complex\w*)\)|Could not find an implementation|float16.*not supported|shader-f16/i;
const EXPORT =
  'Put a graph with float32 inputs and outputs there (weights may be stored as float16): models/training/export.py makes one.';

export class ModelSession {
  private lost: string | null = null;
  private retired = false;
  private released = false;

  private constructor(
    readonly ort: Ort,
    private readonly session: InferenceSession,
    readonly provider: ProviderName,
    /** Name of the graphics adapter; null on WASM. */
    readonly adapter: string | null,
  ) {}

  /**
   * @param bytes the ONNX file
   * @param gpuOutputs names of outputs that stay on the GPU (WebGPU only); whoever takes them disposes them
   * @param externalData files by name that hold weights of the graph
   * @throws ModelError `session` when the provider cannot run the graph, `unsupported_dtype` when that is because of the
   *   number formats in it
   */
  static async create(
    bytes: Uint8Array,
    provider: ProviderName,
    gpuOutputs: string[] = [],
    externalData: { [name: string]: Uint8Array } = {},
  ): Promise<ModelSession> {
    const ort = await loadOrt(provider);
    const leave = await creation.enter();
    let session: InferenceSession | undefined;
    try {
      const onGpu = provider === 'webgpu';
      session = await ort.InferenceSession.create(bytes, {
        executionProviders: [onGpu ? { name: 'webgpu', storageBufferCacheMode: 'bucket' } : 'wasm'],
        graphOptimizationLevel: 'all',
        logSeverityLevel: 3,
        // Threads that wait busily take the cores from everything else, and on a loaded machine from each other.
        extra: { session: { intra_op: { allow_spinning: '0' } } },
        externalData: Object.entries(externalData).map(([path, data]) => ({ path, data })),
        ...(onGpu && gpuOutputs.length > 0
          ? { preferredOutputLocation: Object.fromEntries(gpuOutputs.map((name) => [name, 'gpu-buffer' as const])) }
          : {}),
      });
      refuseOtherFormats(session);
      const device = onGpu ? await ort.env.webgpu.device : null;
      const made = new ModelSession(ort, session, provider, device ? adapterName(device.adapterInfo) : null);
      void device?.lost.then((info) => made.onLost(info));
      return made;
    } catch (error) {
      await session?.release().catch(() => undefined);
      if (error instanceof ModelError) throw error;
      const message = `The model cannot be run on ${provider === 'webgpu' ? 'WebGPU' : 'WebAssembly'}: ${messageOf(error)}.`;
      if (NO_CODE.test(message)) throw new ModelError('unsupported_dtype', message, EXPORT, { cause: error });
      throw new ModelError(
        'session',
        message,
        provider === 'webgpu' ? 'Choose WebAssembly.' : 'Restart the lane; a fresh worker may do better.',
        { cause: error },
      );
    } finally {
      leave();
    }
  }

  get inputNames(): readonly string[] {
    return this.session.inputNames;
  }

  int32(values: ArrayLike<number>, shape: number[] = [1, values.length]): Tensor {
    return new this.ort.Tensor('int32', Int32Array.from(values), shape);
  }

  int64(values: readonly number[], shape: number[] = [1, values.length]): Tensor {
    return new this.ort.Tensor('int64', BigInt64Array.from(values, BigInt), shape);
  }

  float32(values: Float32Array, shape: number[]): Tensor {
    return new this.ort.Tensor('float32', values, shape);
  }

  /**
   * One forward pass.
   * @param fetches the outputs to bring back
   * @throws ModelError `device_lost`, `disposed` or `run`
   */
  async run(feeds: Tensors, fetches: string[]): Promise<Tensors> {
    const out = await this.attempt(() => this.session.run(feeds, fetches));
    for (const tensor of Object.values(out)) if (tensor.location === 'gpu-buffer') this.guard(tensor);
    return out;
  }

  /** No pass starts from now on: whoever is at work ends with `disposed`, and the session can be freed behind it. */
  retire(): void {
    this.retired = true;
  }

  /** Frees the session; a second call does nothing. */
  async dispose(): Promise<void> {
    this.retire();
    if (this.released) return;
    this.released = true;
    await this.session.release();
  }

  /** @throws ModelError when there is nothing left to run on */
  check(): void {
    if (this.retired) throw new ModelError('disposed', 'The model was disposed.', 'Load it again.');
    if (this.lost !== null) {
      throw new ModelError('device_lost', `The graphics device was lost${this.lost}.`, 'Restart the lane.');
    }
  }

  /** What lies on the device can be lost with it after the pass that made it: reading it later fails like a pass. */
  private guard(tensor: Tensor): void {
    const read = tensor.getData.bind(tensor);
    tensor.getData = (release) => this.attempt(() => read(release));
  }

  private async attempt<T>(work: () => Promise<T>): Promise<T> {
    this.check();
    try {
      return await work();
    } catch (error) {
      // The loss is often announced a moment after the call that suffers from it.
      await new Promise((resolve) => setTimeout(resolve, this.provider === 'webgpu' ? 20 : 0));
      this.check();
      throw new ModelError('run', `A forward pass failed: ${messageOf(error)}.`, 'Restart the lane.', { cause: error });
    }
  }

  private onLost(info: GPUDeviceLostInfo): void {
    // Releasing the last session destroys the device on purpose.
    if (!this.retired) this.lost = info.message ? ` (${info.message})` : '';
  }
}

/** Feeds of another format than the graph's would only fail in its first pass, and outputs be read as garbage. */
function refuseOtherFormats({ inputMetadata, outputMetadata }: InferenceSession): void {
  for (const [what, list] of [['input', inputMetadata] as const, ['output', outputMetadata] as const]) {
    for (const value of list) {
      if (value.isTensor && DTYPES.has(value.type)) continue;
      const type = value.isTensor ? value.type : 'no tensor';
      const message = `The ${what} "${value.name}" of the graph is ${type}; this page works with ${[...DTYPES].join(', ')}.`;
      throw new ModelError('unsupported_dtype', message, EXPORT);
    }
  }
}

function adapterName(info: GPUAdapterInfo | undefined): string {
  const parts = [info?.vendor, info?.architecture, info?.device, info?.description];
  return [...new Set(parts.filter((part) => part))].join(' ') || 'unnamed adapter';
}
