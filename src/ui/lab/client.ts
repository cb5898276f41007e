/** The page's side of the lab's two workers: one batch at work, and tables and files of any. */
import { transfer, wrap, type Remote } from 'comlink';
import { Breakage, converse, SILENCE_MS } from '../../../workers/conversation';
import { ModelError } from '../../models';
import { errorOf } from './failure';
import type { LabJob } from '../../rollouts/lab';
import type { SteeringFacts, SteeringTables } from '../../rollouts/steering';
import type {
  FileName,
  Filter,
  LabApi,
  LabTables,
  Outcome,
  RolloutList,
  RunMessage,
  RunNews,
  RunRequest,
  SuiteMessage,
  SuiteNews,
  SuiteRequest,
} from './protocol';

/** `run` works at a batch; `read` makes tables and files, which may take long, and must not hold the other up. */
type Role = 'run' | 'read';

interface Connection {
  worker: Worker;
  api: Remote<LabApi>;
  broken: Breakage;
}

export class LabClient {
  readonly #connections = new Map<Role, Connection>();

  /** @param createWorker makes the worker; tests give one of their own */
  constructor(
    private readonly createWorker: (name: string) => Worker = (name) =>
      new Worker(new URL('./lab.worker.ts', import.meta.url), { type: 'module', name }),
  ) {}

  /**
   * Works at a batch; aborting the signal cancels it, and what is done is kept. The last message is `ended`.
   * @throws LabError or ModelError when it failed; ModelError `crashed`, `no_answer` when the worker broke
   */
  async *run(request: RunRequest, signal: AbortSignal): AsyncGenerator<RunNews> {
    const { api, broken } = this.#connect('run');
    const call = (port: MessagePort) => api.run(request, transfer(port, [port]));
    for await (const message of converse<RunMessage>(call, { broken, silenceMs: SILENCE_MS, signal })) {
      if (message.type === 'failed') throw errorOf(message.failure);
      if (message.type === 'alive') continue;
      yield message;
      if (message.type === 'ended') return;
    }
  }

  /**
   * Runs a suite; aborting the signal cancels it. The last message is `ended`.
   * @throws LabError or ModelError when it failed; ModelError `crashed`, `no_answer` when the worker broke
   */
  async *suite(request: SuiteRequest, signal: AbortSignal): AsyncGenerator<SuiteNews> {
    const { api, broken } = this.#connect('run');
    const call = (port: MessagePort) => api.suite(request, transfer(port, [port]));
    for await (const message of converse<SuiteMessage>(call, { broken, silenceMs: SILENCE_MS, signal })) {
      if (message.type === 'failed') throw errorOf(message.failure);
      if (message.type === 'alive') continue;
      yield message;
      if (message.type === 'ended') return;
    }
  }

  /** Tables of steering. @param order names of the simulators in the order they are to stand in */
  steering(facts: SteeringFacts, order: readonly string[]): Promise<SteeringTables> {
    return this.#call((api) => api.steering(facts, order));
  }

  async pause(): Promise<void> {
    await this.#connections.get('run')?.api.pause();
  }

  async resume(): Promise<void> {
    await this.#connections.get('run')?.api.resume();
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

  /** Ends the worker of the batch at work; the next run makes a new one. */
  endRun(): void {
    this.#end('run', closed());
  }

  /** Ends both workers. */
  dispose(): void {
    this.#end('run', closed());
    this.#end('read', closed());
  }

  async #call<T>(call: (api: Remote<LabApi>) => Promise<Outcome<T>>): Promise<T> {
    const { api, broken } = this.#connect('read');
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

  #connect(role: Role): Connection {
    const known = this.#connections.get(role);
    if (known) return known;
    const worker = this.createWorker(`terrarium lab ${role}`);
    const crash = (what: string) => {
      const message = `The worker of the lab broke down: ${what || 'no reason was given'}.`;
      const advice = 'What is done of a batch is kept: go on with it, or try again.';
      this.#end(role, new ModelError('crashed', message, advice));
    };
    worker.onerror = (event) => {
      event.preventDefault();
      crash(event.message);
    };
    worker.onmessageerror = () => crash('a message could not be read');
    const connection = { worker, api: wrap<LabApi>(worker), broken: new Breakage() };
    this.#connections.set(role, connection);
    return connection;
  }

  #end(role: Role, error: ModelError): void {
    const connection = this.#connections.get(role);
    this.#connections.delete(role);
    connection?.worker.terminate();
    connection?.broken.happen(error);
  }
}

function closed(): ModelError {
  return new ModelError('disposed', 'The lab was closed.', 'Open it again.');
}
