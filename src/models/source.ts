/** Where the files of a model come from, and the checks that nothing else passes for one. */
import type { FileEntry } from './config';
import { ModelError, messageOf } from './errors';
import { sha256 } from './tokenizer';

/** Bytes read so far; `totalBytes` is 0 while nobody knows it. */
export type OnBytes = (loadedBytes: number, totalBytes: number) => void;

/** A place that holds model folders' files: the page's own origin, or a folder on disk (fileSource.node.ts). */
export interface ModelSource {
  /** Where the folder is, with a slash at its end. */
  readonly baseUrl: string;
  /**
   * Bytes of one file of the folder.
   * @throws ModelError `not_found`, `network` or `not_a_model`; the signal's reason when aborted.
   */
  fetch(path: string, onProgress: OnBytes, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>>;
}

const RELOAD = 'Check the connection and load the model again.';
const INSTALL = 'Serve the model folder at this address: "npm run build" copies it from models/ if it is there.';

/** Reads a folder over HTTP. Use it on the page's own origin: nothing else is needed, and nothing else is asked. */
export class HttpSource implements ModelSource {
  readonly baseUrl: string;

  /** @param baseUrl absolute, or relative to the page or worker */
  constructor(baseUrl: string) {
    this.baseUrl = baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`;
  }

  async fetch(path: string, onProgress: OnBytes, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    const url = this.baseUrl + path;
    const response = await fetch(url, signal ? { signal } : {}).catch((error: unknown) => {
      signal?.throwIfAborted();
      throw new ModelError('network', `${url} could not be fetched: ${messageOf(error)}.`, RELOAD, { cause: error });
    });
    if (response.status === 404) throw new ModelError('not_found', `There is no ${url}.`, INSTALL);
    if (!response.ok) throw new ModelError('network', `${url} answered with status ${response.status}.`, RELOAD);
    if (/^text\/html\b/i.test(response.headers.get('content-type') ?? '')) {
      await response.body?.cancel();
      throw notAModel(url, 'a web page');
    }
    try {
      return refusePretender(url, await readBody(response, onProgress));
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof ModelError) throw error;
      throw new ModelError('network', `${url} broke off: ${messageOf(error)}.`, RELOAD, { cause: error });
    }
  }
}

async function readBody(response: Response, onProgress: OnBytes): Promise<Uint8Array<ArrayBuffer>> {
  // With a content encoding the length counts compressed bytes and says nothing about what arrives here.
  const encoded = response.headers.get('content-encoding') !== null;
  const total = encoded ? 0 : Number(response.headers.get('content-length') ?? 0);
  const chunks: Uint8Array[] = [];
  let loaded = 0;
  onProgress(0, total);
  for (const reader = response.body?.getReader(); reader;) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    loaded += value.length;
    onProgress(loaded, total);
  }
  const all = new Uint8Array(loaded);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

function notAModel(url: string, what: string): ModelError {
  return new ModelError(
    'not_a_model',
    `${url} is ${what}, not a file of a model.`,
    'The server answers unknown paths with something else: make it answer 404, and put the model folder there.',
  );
}

/**
 * Gives the bytes back unless they are an HTML page or a Git LFS pointer, which arrive with status 200 where a file is
 * missing and would otherwise fail much later and obscurely.
 * @throws ModelError `not_a_model`
 */
export function refusePretender(url: string, bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const start = new TextDecoder().decode(bytes.subarray(0, 256)).trimStart().toLowerCase();
  if (start.startsWith('<!doctype') || start.startsWith('<html')) throw notAModel(url, 'a web page');
  if (start.startsWith('version https://git-lfs')) throw notAModel(url, 'a Git LFS pointer');
  return bytes;
}

/**
 * Checks a file against its entry in the config.
 * @throws ModelError `wrong_size` or `wrong_hash`, with both values
 */
export async function verify(path: string, bytes: Uint8Array<ArrayBuffer>, entry: FileEntry): Promise<void> {
  const advice = 'Empty the cache of this site and load again; if it stays, the folder mixes files of two models.';
  if (bytes.length !== entry.bytes) {
    throw new ModelError('wrong_size', `${path} has ${bytes.length} bytes and should have ${entry.bytes}.`, advice);
  }
  const hash = await sha256(bytes);
  if (hash !== entry.sha256) {
    throw new ModelError('wrong_hash', `${path} has the SHA-256 ${hash} and should have ${entry.sha256}.`, advice);
  }
}
