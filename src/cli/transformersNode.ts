/**
 * The AR folder run by transformers.js in Node. There the library knows other devices than in a browser, wants files by their
 * paths, and would have ONNX Runtime fetch its wasm from a CDN; everything else is the page's own adapter.
 */
import { resolve } from 'node:path';
import { AutoregressiveSimulator, fetchModel, ModelError, type ModelSimulator } from '../models';
import { FileSource } from '../models/fileSource.node.ts';
import { infoOf } from '../models/info';
import { TransformersModel, type Library } from '../models/transformers/model';

/**
 * Loads `ar` under `models` into transformers.js; files pass the same checks as for our own runtime, and nothing is fetched.
 * @throws ModelError as `loadSimulator`; `bad_config` for a folder that is no AR model
 */
export async function loadTransformersInNode(models: string, signal?: AbortSignal): Promise<ModelSimulator> {
  const { config, tokenizer } = await fetchModel(new FileSource(resolve(models, 'ar')), undefined, signal);
  if (config.kind !== 'ar') {
    throw new ModelError('bad_config', 'transformers.js cannot run an MDLM folder.', 'Put an AR model into ar.');
  }
  const model = await TransformersModel.load(await openLibrary(models), 'wasm', config);
  try {
    await model.selfTest();
  } catch (error) {
    await model.dispose();
    throw error;
  }
  const info = infoOf(config, 'wasm', null, null);
  return new AutoregressiveSimulator(model, config, tokenizer, {
    ...info,
    id: 'ar-transformers',
    runtime: 'transformers.js',
  });
}

async function openLibrary(models: string): Promise<Library> {
  const library = await import('@xenova/transformers');
  const { env } = library;
  env.allowRemoteModels = false;
  env.allowLocalModels = true;
  env.localModelPath = `${resolve(models)}/`;
  env.useFSCache = false;
  const { wasm } = env.backends.onnx;
  if (wasm) {
    // Undefined takes the files of the package that is installed.
    wasm.wasmPaths = undefined as never;
    wasm.numThreads = 1;
  }
  const { AutoModelForCausalLM } = library;
  const fromPretrained: typeof AutoModelForCausalLM.from_pretrained = (name, options) =>
    // What Node calls cpu is the WebAssembly runtime here: package.json puts onnxruntime-web in place of the native one.
    AutoModelForCausalLM.from_pretrained(name, { ...options, device: 'cpu' });
  return {
    ...library,
    AutoModelForCausalLM: Object.assign(Object.create(AutoModelForCausalLM) as typeof AutoModelForCausalLM, {
      from_pretrained: fromPretrained,
    }),
  };
}
