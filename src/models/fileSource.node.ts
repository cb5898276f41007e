/** Model folders on disk, for the command line and tests in Node. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ModelError, messageOf } from './errors';
import { refusePretender, type ModelSource, type OnBytes } from './source';

export class FileSource implements ModelSource {
  readonly baseUrl: string;

  /** @param folder path of the model folder (`models/ar`) */
  constructor(private readonly folder: string) {
    this.baseUrl = `${pathToFileURL(folder).href.replace(/\/$/, '')}/`;
  }

  async fetch(path: string, onProgress: OnBytes, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    const file = join(this.folder, path);
    try {
      const data = await readFile(file, signal ? { signal } : {});
      const bytes = new Uint8Array(data);
      onProgress(bytes.length, bytes.length);
      return refusePretender(file, bytes);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof ModelError) throw error;
      throw new ModelError(
        'not_found',
        `${file} cannot be read: ${messageOf(error)}.`,
        'Give the path of a model folder, such as models/ar, that holds config.json and onnx/model.onnx.',
        { cause: error },
      );
    }
  }
}
