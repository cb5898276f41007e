/** From a folder to a simulator that has proven itself: files, session, self-test, and WASM where WebGPU will not do. */
import type { Simulator } from '../world/simulator';
import { AutoregressiveSimulator } from './autoregressive/simulator';
import { DecodeGraph } from './autoregressive/decode';
import { AutoregressiveGraph, presentNames } from './autoregressive/graph';
import { GRAPH_FILE } from './config';
import { DiffusionSimulator } from './diffusion/simulator';
import { messageOf } from './errors';
import { fetchModel, type LoadProgress, type ModelFiles } from './files';
import { infoOf, type ModelInfo } from './info';
import { phase } from './phase';
import { selfTest } from './selfTest';
import { ModelSession, type ProviderName } from './session';
import { startRuntime } from './start';
import type { ModelSource } from './source';
import { webgpuProblem } from './webgpu';

/** A local model that answers actions. */
export type ModelSimulator = Simulator & {
  readonly info: ModelInfo;
  /** Frees the model; a second call does nothing. */
  dispose(): Promise<void>;
};

export interface LoadOptions {
  source: ModelSource;
  /** `auto` prefers WebGPU on a real graphics adapter; `webgpu` takes a software adapter as well. Both fall back. */
  provider: ProviderName | 'auto';
  signal?: AbortSignal;
  onProgress?: (progress: LoadProgress) => void;
  /** Why a caller chose WASM after a failure of its own, to be shown with the model. */
  fallbackReason?: string;
}

/**
 * Loads a model folder of either kind. Works in pages, in workers and in Node (there on WASM).
 * @throws ModelError with code and advice; the signal's reason when aborted
 */
export async function loadSimulator(options: LoadOptions): Promise<ModelSimulator> {
  const { source, provider, signal, onProgress } = options;
  // Compiling the runtime takes longer than bringing the files: both at once.
  void phase('runtime', () => startRuntime(provider));
  const files = await phase('files', () => fetchModel(source, onProgress, signal));
  signal?.throwIfAborted();
  const { made: session, fallbackReason } = await withFallback(provider, (one) => provenSession(files, one));
  if (signal?.aborted) await session.dispose();
  signal?.throwIfAborted();
  const reason = fallbackReason ?? options.fallbackReason ?? null;
  const info = infoOf(files.config, session.provider, session.adapter, reason);
  const { config, tokenizer } = files;
  if (config.kind === 'mdlm') return new DiffusionSimulator(session, config, tokenizer, info);
  const Graph = session.inputNames.includes('read') ? DecodeGraph : AutoregressiveGraph;
  return new AutoregressiveSimulator(new Graph(session, config), config, tokenizer, info);
}

/**
 * Makes something on the provider that is asked for, or on WASM where WebGPU is missing or fails.
 * @returns it, and why it is not on WebGPU (null when it is, or when that was not asked for)
 */
export async function withFallback<T>(
  provider: ProviderName | 'auto',
  make: (provider: ProviderName) => Promise<T>,
): Promise<{ made: T; fallbackReason: string | null }> {
  if (provider === 'wasm') return { made: await make('wasm'), fallbackReason: null };
  let reason = await webgpuProblem(provider === 'webgpu');
  if (reason === null) {
    try {
      return { made: await make('webgpu'), fallbackReason: null };
    } catch (error) {
      reason = messageOf(error);
    }
  }
  return { made: await make('wasm'), fallbackReason: reason };
}

/** A session that passed the self-test. */
async function provenSession({ config, graph, decode }: ModelFiles, provider: ProviderName): Promise<ModelSession> {
  const gpuOutputs = config.kind === 'ar' ? presentNames(config.layers) : [];
  // On WebGPU keys and values stay on the card with the plain graph; the loop of the other would fetch them.
  const session = await phase('session', () =>
    decode && provider === 'wasm'
      ? ModelSession.create(decode, provider, [], { [GRAPH_FILE.slice(GRAPH_FILE.lastIndexOf('/') + 1)]: graph })
      : ModelSession.create(graph, provider, gpuOutputs),
  );
  try {
    await phase('self-test', () => selfTest(session, config));
    return session;
  } catch (error) {
    await session.dispose();
    throw error;
  }
}
