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
  const totalBytes = paths.reduce((sum, path) => sum + (config.files[path]?.bytes ?? 0), 0);
  let before = 0;
  const files: Uint8Array<ArrayBuffer>[] = [];
  for (const path of paths) {
    const entry = config.files[path];
    if (!entry) throw new RangeError(path);
    const done = before;
    const report = (loaded: number) => onProgress({ file: path, loadedBytes: done + loaded, totalBytes });
    const bytes = await source.fetch(path, report, signal);
    await verify(path, bytes, entry);
    files.push(bytes);
    before += entry.bytes;
  }
  const [tokenizer, graph] = [files[0], files.at(-1)] as [Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>];
  const decode = files.length > 2 ? (files[1] ?? null) : null;
  return { config, graph, decode, tokenizer: await readTokenizer(tokenizer, config) };
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
