/** Entry of the worker that reads result files: one file a message, one outcome back. */
import { failureIn } from '../lab/failure';
import type { Outcome } from '../lab/protocol';
import { readResultFile, type Opened } from './readFile';

async function outcomeOf(file: Blob): Promise<Outcome<Opened>> {
  try {
    return { ok: true, value: await readResultFile(file) };
  } catch (error) {
    return { ok: false, failure: failureIn(error) };
  }
}

onmessage = async ({ data }: MessageEvent<Blob>) => postMessage(await outcomeOf(data));
