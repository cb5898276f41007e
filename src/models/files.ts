/** Fetching a model folder: config first, then every file it names, with bytes counted and hashes checked. */
import { DECODE_FILE, GRAPH_FILE, TOKENIZER_FILE, parseConfig, type ModelConfig } from './config';
import { ModelError, messageOf } from './errors';
import { verify, type ModelSource } from './source';
import { loadTokenizer, type BpeTokenizer } from './tokenizer';

/** How far a load is: bytes of all files together, and the file that is being read. */
export interface LoadProgress {
  file: string;
  loadedBytes: number;
  totalBytes: number;
}

export interface ModelFiles {
  config: ModelConfig;
  tokenizer: BpeTokenizer;
  graph: Uint8Array<ArrayBuffer>;
  /** The graph that reads its weights out of `graph`; null where the folder has none. */
  decode: Uint8Array<ArrayBuffer> | null;
}

/**
 * Reads a folder.
 * @throws ModelError of the source, of `parseConfig` and of `verify`, or `wrong_tokenizer`
 */
export async function fetchModel(
  source: ModelSource,
  onProgress: (progress: LoadProgress) => void = () => {},
  signal?: AbortSignal,
): Promise<ModelFiles> {
  const config = await fetchConfig(source, signal);
  const paths = [TOKENIZER_FILE, ...(config.files[DECODE_FILE] ? [DECODE_FILE] : []), GRAPH_FILE];
  const entries = paths.map((path) => {
    const entry = config.files[path];
    if (!entry) throw new RangeError(path);
    return { path, entry, loaded: 0 };
  });
  const totalBytes = entries.reduce((sum, { entry }) => sum + entry.bytes, 0);
  const report = () => {
    // The file that lacks most names what is waited for; with nothing left that is the graph, the last one.
    const { path } = entries.reduce((a, b) => (a.entry.bytes - a.loaded > b.entry.bytes - b.loaded ? a : b));
    onProgress({ file: path, loadedBytes: entries.reduce((sum, { loaded }) => sum + loaded, 0), totalBytes });
  };
  // All at once: on a line with a long way the small ones would cost a round trip each before the large one.
  const files = await together(signal, (either) =>
    entries.map(async (one) => {
      const progress = (loaded: number) => {
        one.loaded = loaded;
        report();
      };
      const bytes = await source.fetch(one.path, progress, either);
      await verify(one.path, bytes, one.entry);
      return bytes;
    }),
  );
  const [tokenizer, graph] = [files[0], files.at(-1)] as [Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>];
  const decode = files.length > 2 ? (files[1] ?? null) : null;
  return { config, graph, decode, tokenizer: await readTokenizer(tokenizer, config) };
}

/** Results of all; when one fails the others are stopped. (`AbortSignal.any` is newer than the browsers we support.) */
async function together<T>(
  signal: AbortSignal | undefined,
  begin: (either: AbortSignal) => Promise<T>[],
): Promise<T[]> {
  signal?.throwIfAborted();
  const stop = new AbortController();
  const abort = () => stop.abort(signal?.reason);
  signal?.addEventListener('abort', abort);
  try {
    return await Promise.all(begin(stop.signal));
  } catch (error) {
    stop.abort(error);
    throw error;
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

/** Reads and checks only the config of a folder. */
export async function fetchConfig(source: ModelSource, signal?: AbortSignal): Promise<ModelConfig> {
  const bytes = await source.fetch('config.json', () => {}, signal);
  return parseConfig(new TextDecoder().decode(bytes));
}

async function readTokenizer(bytes: Uint8Array, config: ModelConfig): Promise<BpeTokenizer> {
  const advice = 'Export the model folder again with the tokenizer of its corpus.';
  const tokenizer = await loadTokenizer(new TextDecoder().decode(bytes)).catch((error: unknown) => {
    throw new ModelError('wrong_tokenizer', messageOf(error), advice, { cause: error });
  });
  if (tokenizer.sha256 !== config.tokenizerSha256 || tokenizer.vocabSize > config.vocabSize) {
    throw new ModelError(
      'wrong_tokenizer',
      `The model was trained with the tokenizer ${config.tokenizerSha256}, and the folder holds ${tokenizer.sha256}.`,
      advice,
    );
  }
  return tokenizer;
}
