/** Result files read in a worker: the tables of a large one take seconds, in which the page must stay free. */
import { LabError } from '../../rollouts/lab';
import { errorOf } from '../lab/failure';
import type { Outcome } from '../lab/protocol';
import type { Opened } from './readFile';

/**
 * Reads a result file and computes its tables again, in a worker that ends with it.
 * @param signal ends the worker wherever it is; the promise is rejected with its reason
 * @param createWorker makes the worker; tests give one of their own
 * @throws LabError `bad_record`, `bad_spec` that says what is wrong with the file and what to do
 */
export async function readInWorker(
  file: Blob,
  signal: AbortSignal,
  createWorker: () => Worker = () =>
    new Worker(new URL('./result.worker.ts', import.meta.url), { type: 'module', name: 'terrarium result' }),
): Promise<Opened> {
  signal.throwIfAborted();
  const worker = createWorker();
  try {
    const outcome = await new Promise<Outcome<Opened>>((resolve, reject) => {
      const broken = (what: string) => {
        const advice = 'Close other tabs, which may hold the memory that it needs, and try again.';
        reject(new LabError('bad_record', `The worker that reads the file broke down: ${what}.`, advice));
      };
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      worker.onmessage = ({ data }: MessageEvent<Outcome<Opened>>) => resolve(data);
      worker.onmessageerror = () => broken('a message could not be read');
      worker.onerror = (event) => {
        event.preventDefault();
        broken(event.message || 'no reason was given');
      };
      worker.postMessage(file);
    });
    if (outcome.ok) return outcome.value;
    throw errorOf(outcome.failure);
  } finally {
    worker.terminate();
  }
}
