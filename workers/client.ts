/** A simulator whose model runs in a worker of its own: status, cancelling, crashes and restarting. */
import { transfer, wrap, type Remote } from 'comlink';
import {
  ModelError,
  failureOf,
  type Failure,
  type LoadProgress,
  type ModelInfo,
  type ProviderName,
} from '../src/models';
import type { Draft, Prediction, Simulator, StepOptions } from '../src/world/simulator';
import type { Action, Context } from '../src/world/types';
import { Breakage, SILENCE_MS, converse } from './conversation';
import type { LoadMessage, LoadRequest, SimulatorApi, StepMessage } from './protocol';

/** How a lane's model is doing. `info` stays known through a failure and a restart. */
export interface LaneStatus {
  phase: 'idle' | 'loading' | 'ready' | 'busy' | 'failed';
  progress?: LoadProgress;
  info?: ModelInfo;
  error?: Failure;
}

export interface WorkerSimulatorOptions {
  id: 'ar' | 'mdlm' | 'ar-transformers';
  /** Address of the model folder, relative to the page or absolute. */
  baseUrl: string;
  provider: ProviderName | 'auto';
  onStatus(status: LaneStatus): void;
  /** Makes the worker; tests give one of their own. */
  createWorker?: () => Worker;
  /** Longest silence of the worker during a step before it is given up. */
  silenceMs?: number;
}

/** A worker, its proxy, and what tells that it broke. */
interface Connection {
  worker: Worker;
  api: Remote<SimulatorApi>;
  broken: Breakage;
  /** Ends the worker; what waits for it rejects with the error. */
  end(error: ModelError): void;
}

/** Failures of a step after which the worker is as good as before. */
const HARMLESS = new Set<string>(['context_too_long', 'bad_options']);
/** Failures of a load that a fresh worker on WASM may not have: an ONNX Runtime that failed once stays failed. */
const WORTH_WASM = new Set<string>([
  'session',
  'self_test',
  'no_runtime',
  'crashed',
  'no_answer',
  'run',
  'device_lost',
]);

export class WorkerSimulator implements Simulator {
  readonly id: string;
  private current: LaneStatus = { phase: 'idle' };
  private connection: Connection | null = null;
  private loading: Promise<void> | null = null;
  private disposed = false;

  constructor(private readonly options: WorkerSimulatorOptions) {
    this.id = options.id;
  }

  get status(): LaneStatus {
    return this.current;
  }

  supports(): boolean {
    return true;
  }

  /**
   * Loads the model unless it is there; calls at the same time share one load.
   * @throws ModelError, which also stands in the status
   */
  load(): Promise<void> {
    if (this.disposed) return Promise.reject(new ModelError('disposed', 'The lane was disposed.', 'Make a new one.'));
    if (this.current.phase === 'ready' || this.current.phase === 'busy') return Promise.resolve();
    this.loading ??= this.loadWithFallback().finally(() => (this.loading = null));
    return this.loading;
  }

  /** Ends the worker, whatever it does, and loads the model in a fresh one. */
  async restart(): Promise<void> {
    this.end(new ModelError('disposed', 'The lane was restarted.', 'Step again.'));
    await this.loading?.catch(() => {});
    this.set({ phase: 'idle' });
    await this.load();
  }

  /** Ends the worker for good; a second call does nothing. */
  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    this.end(new ModelError('disposed', 'The lane was disposed.', 'Make a new one.'));
    this.set({ phase: 'idle' });
  }

  /** As in `Simulator`; loads the model first if that has not happened. One step at a time. */
  async *step(
    context: Context,
    action: Action,
    options: StepOptions,
    signal?: AbortSignal,
  ): AsyncIterable<Draft | Prediction> {
    signal?.throwIfAborted();
    if (this.current.phase === 'failed') throw this.asError(this.current.error);
    // A load goes on when the step that waits for it is stopped: the next one wants the model as well.
    if (this.current.phase === 'idle' || this.current.phase === 'loading') await unlessAborted(this.load(), signal);
    signal?.throwIfAborted();
    if (this.status.phase === 'busy') {
      throw new ModelError('run', 'The lane still answers another action.', 'Wait for it, or cancel it.');
    }
    const connection = this.connection as Connection;
    this.set({ ...this.current, phase: 'busy' });
    try {
      yield* this.answer(connection, context, action, options, signal);
      this.ready(connection);
    } catch (error) {
      const failure = failureOf(error);
      if (signal?.aborted && failure.code !== 'no_answer') this.ready(connection);
      else if (HARMLESS.has(failure.code)) this.ready(connection);
      else this.fail(connection, failure);
      signal?.throwIfAborted();
      throw error;
    } finally {
      // The consumer may leave early; what it left running must not hold the lane.
      if (this.connection === connection && this.current.phase === 'busy') this.ready(connection);
    }
  }

  private async *answer(
    connection: Connection,
    context: Context,
    action: Action,
    options: StepOptions,
    signal: AbortSignal | undefined,
  ): AsyncIterable<Draft | Prediction> {
    // An end of its own, so that a consumer that leaves early cancels too.
    const control = new AbortController();
    const abort = () => control.abort();
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
    const call = (port: MessagePort) => connection.api.step(context, action, options, transfer(port, [port]));
    const messages = converse<StepMessage>(call, { ...this.limits(connection), signal: control.signal });
    try {
      for await (const message of messages) {
        if (message.type === 'draft') {
          if (!control.signal.aborted) yield message.draft;
        } else if (message.type === 'prediction') {
          signal?.throwIfAborted();
          yield message.prediction;
          return;
        } else if (message.type === 'failed') {
          throw this.asError(message.failure);
        } else if (message.type === 'cancelled') {
          signal?.throwIfAborted();
          throw new DOMException('The step was cancelled.', 'AbortError');
        }
      }
    } finally {
      signal?.removeEventListener('abort', abort);
      control.abort();
    }
  }

  private async loadWithFallback(): Promise<void> {
    const { id, provider } = this.options;
    const request: LoadRequest = {
      baseUrl: new URL(this.options.baseUrl, globalThis.location.href).href,
      provider,
      runtime: id === 'ar-transformers' ? 'transformers.js' : 'terrarium',
    };
    this.set({ phase: 'loading' });
    try {
      await this.loadOnce(request).catch((error: unknown) => {
        const { code, message } = failureOf(error);
        if (this.disposed || provider === 'wasm' || !WORTH_WASM.has(code)) throw error;
        return this.loadOnce({ ...request, provider: 'wasm', fallbackReason: message });
      });
    } catch (error) {
      const failure = failureOf(error);
      this.end(this.asError(failure));
      // A load that a restart or disposing cut short did not fail.
      if (!this.disposed && failure.code !== 'disposed') this.set({ ...this.known(), phase: 'failed', error: failure });
      throw error;
    }
  }

  private async loadOnce(request: LoadRequest): Promise<void> {
    this.end(new ModelError('disposed', 'The lane loads again.', 'Step again.'));
    const connection = this.connect();
    const call = (port: MessagePort) => connection.api.load(request, transfer(port, [port]));
    // Compiling a runtime blocks a worker for longer than a forward pass does.
    const { broken, silenceMs } = this.limits(connection);
    const limits = { broken, silenceMs: Math.max(silenceMs, SILENCE_MS) };
    for await (const message of converse<LoadMessage>(call, limits)) {
      if (message.type === 'progress') this.set({ ...this.known(), phase: 'loading', progress: message.progress });
      else if (message.type === 'failed') throw this.asError(message.failure);
      else if (message.type === 'loaded') {
        this.set({ phase: 'ready', info: { ...message.info, id: this.id } });
        return;
      }
    }
  }

  private connect(): Connection {
    const { id, createWorker } = this.options;
    const worker =
      createWorker?.() ??
      new Worker(new URL('./simulator.worker.ts', import.meta.url), { type: 'module', name: `terrarium ${id}` });
    const broken = new Breakage();
    const connection: Connection = {
      worker,
      api: wrap<SimulatorApi>(worker),
      broken,
      end: (error) => {
        worker.terminate();
        broken.happen(error);
      },
    };
    const crash = (what: string) => {
      const message = `The worker of this lane broke down: ${what || 'no reason was given'}.`;
      const error = new ModelError('crashed', message, 'Restart the lane.');
      connection.end(error);
      if (this.current.phase !== 'loading') this.fail(connection, failureOf(error));
    };
    worker.onerror = (event) => {
      event.preventDefault();
      crash(event.message);
    };
    worker.onmessageerror = () => crash('a message could not be read');
    this.connection = connection;
    return connection;
  }

  private limits(connection: Connection): { broken: Breakage; silenceMs: number } {
    return { broken: connection.broken, silenceMs: this.options.silenceMs ?? SILENCE_MS };
  }

  private end(error: ModelError): void {
    this.connection?.end(error);
    this.connection = null;
  }

  /** Back to ready, unless the lane has got another worker meanwhile. */
  private ready(connection: Connection): void {
    if (this.connection === connection) this.set({ ...this.known(), phase: 'ready' });
  }

  private fail(connection: Connection, error: Failure): void {
    if (this.connection !== connection) return;
    this.end(this.asError(error));
    this.set({ ...this.known(), phase: 'failed', error });
  }

  private known(): { info?: ModelInfo } {
    return this.current.info ? { info: this.current.info } : {};
  }

  private asError(failure: Failure | undefined): ModelError {
    const { code, message, advice } = failure ?? {
      code: 'crashed',
      message: 'The lane failed.',
      advice: 'Restart it.',
    };
    return new ModelError(code as ModelError['code'], message, advice);
  }

  private set(status: LaneStatus): void {
    this.current = status;
    this.options.onStatus(status);
  }
}

/** What the promise gives, or the signal's reason as soon as it is aborted. */
async function unlessAborted(promise: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return promise;
  let stop: () => void = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
