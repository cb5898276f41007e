/** Opens the simulators an evaluation can be asked for, by name. */
import { join } from 'node:path';
import { failureOf, loadSimulator, type Failure, type ModelInfo } from '../models';
import { FileSource } from '../models/fileSource.node.ts';
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

/**
 * Opens a simulator. Models run on WebAssembly from the folder of their kind under `models`; `transformers` is the AR
 * folder run by transformers.js.
 * @throws ModelError when the weights are missing or wrong; the signal's reason when aborted
 */
export async function openSimulator(name: ModelName, models: string, signal?: AbortSignal): Promise<OpenSimulator> {
  if (name === 'twin') return { simulator: new TwinSimulator(), info: null, dispose: () => Promise.resolve() };
  const simulator =
    name === 'transformers'
      ? // Loaded only when chosen, as in the page: the library is large.
        await (await import('./transformersNode')).loadTransformersInNode(models, signal)
      : await loadSimulator({
          source: new FileSource(join(models, name)),
          provider: 'wasm',
          ...(signal ? { signal } : {}),
        });
  return { simulator, info: simulator.info, dispose: () => simulator.dispose() };
}

/** Why a simulator did not run, with advice that fits the command line. */
export function explain(name: ModelName, models: string, error: unknown): Failure {
  const failure = failureOf(error);
  if (failure.code !== 'not_found') return failure;
  return {
    ...failure,
    advice: `Put a trained ${name === 'mdlm' ? 'mdlm' : 'ar'} folder there (models/training/ makes one), or name another place with --models DIR; now it is ${models}.`,
  };
}

/** Simulators that opened, by name, and why others did not. */
export interface OpenSimulators<Name extends ModelName> {
  opened: { name: Name; simulator: Simulator; info: ModelInfo | null }[];
  errors: { [name: string]: Failure };
  dispose(): Promise<void>;
}

/**
 * Opens simulators one after another; one that does not run is told of on stderr, and the others run all the same.
 * @throws the signal's reason when aborted; those that were open are then disposed
 */
export async function openSimulators<Name extends ModelName>(
  names: readonly Name[],
  models: string,
  signal: AbortSignal,
): Promise<OpenSimulators<Name>> {
  const note = (text: string) => process.stderr.write(text);
  const opened: OpenSimulators<Name>['opened'] = [];
  const errors: { [name: string]: Failure } = {};
  const closing: (() => Promise<void>)[] = [];
  const dispose = async () => {
    for (const close of closing) await close();
  };
  for (const name of names) {
    try {
      const { simulator, info, dispose: close } = await openSimulator(name, models, signal);
      closing.push(close);
      opened.push({ name, simulator, info });
    } catch (error) {
      if (signal.aborted) await dispose();
      signal.throwIfAborted();
      const failure = (errors[name] = explain(name, models, error));
      note(`${name} does not run: ${failure.message} ${failure.advice}\n`);
    }
  }
  if (opened.length === 0) note(`None of ${names.join(', ')} can be run from ${models}.\n`);
  return { opened, errors, dispose };
}
