/** The page's side of the lab's worker: one batch at a time, and tables and files of any. */
import { transfer, wrap, type Remote } from 'comlink';
import { Breakage, converse, SILENCE_MS } from '../../../workers/conversation';
import { ModelError } from '../../models';
import { errorOf } from './failure';
import type { LabJob } from '../../rollouts/lab';
import type { FileName, Filter, LabApi, LabTables, Outcome, RolloutList, RunMessage, RunRequest } from './protocol';

export class LabClient {
  #connection: { worker: Worker; api: Remote<LabApi>; broken: Breakage } | null = null;

  /** @param createWorker makes the worker; tests give one of their own */
  constructor(
    private readonly createWorker: () => Worker = () =>
      new Worker(new URL('./lab.worker.ts', import.meta.url), { type: 'module', name: 'terrarium lab' }),
  ) {}

  /**
   * Works at a batch; aborting the signal cancels it, and what is done is kept. The last message is `ended`.
   * @throws LabError or ModelError when it failed; ModelError `crashed`, `no_answer` when the worker broke
   */
  async *run(request: RunRequest, signal: AbortSignal): AsyncGenerator<RunMessage> {
    const { api, broken } = this.#connect();
    const call = (port: MessagePort) => api.run(request, transfer(port, [port]));
    for await (const message of converse<RunMessage>(call, { broken, silenceMs: SILENCE_MS, signal })) {
      if (message.type === 'failed') throw errorOf(message.failure);
      if (message.type !== 'alive') yield message;
      if (message.type === 'ended') return;
    }
  }

  async pause(): Promise<void> {
    await this.#connection?.api.pause();
  }

  async resume(): Promise<void> {
    await this.#connection?.api.resume();
  }

  /** The tables of a batch as far as it is. @throws LabError */
  tables(batch: string): Promise<LabTables> {
    return this.#call((api) => api.tables(batch));
  }

  /** The first finished rollouts that a filter lets through. @throws LabError */
  rollouts(batch: string, filter: Filter): Promise<RolloutList> {
    return this.#call((api) => api.rollouts(batch, filter));
  }

  /** A finished rollout as wmtrace. @throws LabError `bad_record` */
  rollout(batch: string, job: LabJob): Promise<string> {
    return this.#call((api) => api.rollout(batch, job));
  }

  /** A file of a batch as far as it is. @throws LabError, RolloutError `not_finite` */
  file(batch: string, name: FileName): Promise<Blob> {
    return this.#call((api) => api.file(batch, name));
  }

  /** Ends the worker; the next call makes a new one. */
  dispose(): void {
    this.#end(new ModelError('disposed', 'The lab was closed.', 'Open it again.'));
  }

  async #call<T>(call: (api: Remote<LabApi>) => Promise<Outcome<T>>): Promise<T> {
    const { api, broken } = this.#connect();
    let forget = () => {};
    const breaks = new Promise<never>((_, reject) => (forget = broken.listen(reject)));
    try {
      const outcome = await Promise.race([call(api), breaks]);
      if (outcome.ok) return outcome.value;
      throw errorOf(outcome.failure);
    } finally {
      forget();
    }
  }

  #connect() {
    if (this.#connection) return this.#connection;
    const worker = this.createWorker();
    const crash = (what: string) =>
      this.#end(
        new ModelError(
          'crashed',
          `The worker of the lab broke down: ${what || 'no reason was given'}.`,
          'Go on with the batch; what is done is kept.',
        ),
      );
    worker.onerror = (event) => {
      event.preventDefault();
      crash(event.message);
    };
    worker.onmessageerror = () => crash('a message could not be read');
    return (this.#connection = { worker, api: wrap<LabApi>(worker), broken: new Breakage() });
  }

  #end(error: ModelError): void {
    const connection = this.#connection;
    this.#connection = null;
    connection?.worker.terminate();
    connection?.broken.happen(error);
  }
}
