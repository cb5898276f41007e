/** Opens the simulators an evaluation can be asked for, by name. */
import { join } from 'node:path';
import { failureOf, type Failure } from '../models/errors';
import { FileSource } from '../models/fileSource.node.ts';
import type { ModelInfo } from '../models/info';
import type { ModelSource } from '../models/source';
import { TwinSimulator } from '../twins';
import type { Simulator } from '../world/simulator';

export const MODEL_NAMES = ['ar', 'mdlm', 'transformers', 'twin'] as const;
export type ModelName = (typeof MODEL_NAMES)[number];

/** A simulator ready to answer. `info` is null for the twin. */
export interface OpenSimulator {
  simulator: Simulator;
  info: ModelInfo | null;
  dispose(): Promise<void>;
}

type Load = (options: {
  source: ModelSource;
  provider: 'wasm';
  signal?: AbortSignal;
}) => Promise<Simulator & { info: ModelInfo; dispose(): Promise<void> }>;

/**
 * Opens a simulator. Models run on WebAssembly from the folder of their kind under `models`.
 * @throws ModelError when the weights are missing or wrong; the signal's reason when aborted
 */
export async function openSimulator(name: ModelName, models: string, signal?: AbortSignal): Promise<OpenSimulator> {
  if (name === 'twin') return { simulator: new TwinSimulator(), info: null, dispose: () => Promise.resolve() };
  const runtime = (await import(/* @vite-ignore */ '../models/index' + '.ts')) as { loadSimulator: Load };
  const source = new FileSource(join(models, name === 'transformers' ? 'ar' : name));
  const simulator = await runtime.loadSimulator({ source, provider: 'wasm', ...(signal ? { signal } : {}) });
  return { simulator, info: simulator.info, dispose: () => simulator.dispose() };
}

/** Why a simulator did not run, with advice that fits the command line. */
export function explain(name: ModelName, models: string, error: unknown): Failure {
  const failure = failureOf(error);
  if (failure.code !== 'not_found') return failure;
  return {
    ...failure,
    advice: `Put a trained ${name} folder there (models/training/ makes one), or name another place with --models DIR; now it is ${models}.`,
  };
}
