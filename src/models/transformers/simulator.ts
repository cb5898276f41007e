/**
 * The AR folder run by transformers.js (`@xenova/transformers`) instead of our own runtime, as an independent check of both
 * the folder and the runtime. Only this file imports that package, and only when the lane is chosen.
 */
import { AutoregressiveSimulator } from '../autoregressive/simulator';
import type { Tokenizer } from '../../world/codec';
import { GRAPH_FILE, TOKENIZER_FILE, type ModelConfig } from '../config';
import { ModelError, messageOf } from '../errors';
import { fetchModel } from '../files';
import { infoOf } from '../info';
import { withFallback, type LoadOptions, type ModelSimulator } from '../load';
import { loadOrt } from '../ort';
import type { ProviderName } from '../session';
import type { ModelSource } from '../source';
import { TransformersModel, type Library } from './model';

/** Files that transformers.js asks for beside the graph; they are small and only of use to it. */
const SMALL_FILES = ['config.json', 'generation_config.json', 'tokenizer_config.json'];
/** A host that does not exist: whatever is not handed over in memory cannot be had. */
const NOWHERE = 'https://model.invalid/';

/**
 * Loads an AR folder into transformers.js. Files come from the same source and pass the same checks as for our own runtime;
 * transformers.js gets them from memory, so it asks nobody for anything and caches nothing.
 * @throws ModelError as `loadSimulator`; `bad_config` for a folder that is no AR model
 */
export async function loadTransformersSimulator(options: LoadOptions): Promise<ModelSimulator> {
  const { source, provider, signal, onProgress } = options;
  const { library, config, tokenizer } = await openTransformers(source, onProgress, signal);
  const { made, fallbackReason } = await withFallback(provider, (one) => provenModel(library, one, config));
  const reason = fallbackReason ?? options.fallbackReason ?? null;
  const info = {
    ...infoOf(config, made.provider, null, reason),
    id: 'ar-transformers',
    runtime: 'transformers.js' as const,
  };
  return new AutoregressiveSimulator(made, config, tokenizer, info);
}

/**
 * The library with an AR folder in its memory under the name `ar`.
 * @throws ModelError as `fetchModel`; `bad_config` for a folder that is no AR model; `no_runtime`
 */
export async function openTransformers(
  source: ModelSource,
  onProgress?: LoadOptions['onProgress'],
  signal?: AbortSignal,
): Promise<{ library: Library; config: ModelConfig; tokenizer: Tokenizer }> {
  const { config, tokenizer, graph } = await fetchModel(source, onProgress, signal);
  if (config.kind !== 'ar') {
    throw new ModelError('bad_config', 'transformers.js cannot run an MDLM folder.', 'Choose the AR model.');
  }
  const files = new Map<string, Uint8Array<ArrayBuffer>>([[GRAPH_FILE, graph]]);
  for (const path of SMALL_FILES) files.set(path, await source.fetch(path, () => {}, signal));
  files.set(TOKENIZER_FILE, await source.fetch(TOKENIZER_FILE, () => {}, signal));
  return { library: await openLibrary(files), config, tokenizer };
}

/** The library with its doors shut: no remote models, no caches, no files but those in memory. */
async function openLibrary(files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>): Promise<Library> {
  // First, so that the runtime both share has its own paths and transformers.js does not point it at a CDN.
  await loadOrt('webgpu');
  const library = await import('@xenova/transformers').catch((error: unknown) => {
    const message = `transformers.js could not be loaded: ${messageOf(error)}.`;
    throw new ModelError('no_runtime', message, 'Check the connection and reload the page.', { cause: error });
  });
  const { env } = library;
  env.allowRemoteModels = false;
  env.allowLocalModels = true;
  env.localModelPath = NOWHERE;
  env.useBrowserCache = false;
  env.useFSCache = false;
  env.useFS = false;
  env.useWasmCache = false;
  env.fetch = async (input: RequestInfo | URL) => {
    const url = String(input instanceof Request ? input.url : input);
    const path = [...files.keys()].find((name) => url === `${NOWHERE}ar/${name}`);
    const bytes = path === undefined ? undefined : files.get(path);
    return bytes ? new Response(bytes) : new Response(null, { status: 404 });
  };
  return library;
}

/** A model that gives the golden logits of its last self-test position. */
async function provenModel(
  library: Library,
  provider: ProviderName,
  config: Parameters<typeof TransformersModel.load>[2],
): Promise<TransformersModel> {
  const model = await TransformersModel.load(library, provider, config);
  try {
    await model.selfTest();
    return model;
  } catch (error) {
    await model.dispose();
    throw error;
  }
}
