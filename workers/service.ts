/** The worker's side: one model, its loading and its steps. Also runs without a worker, over any MessagePort. */
import { HttpSource, ModelError, failureOf, loadSimulator, type ModelSimulator } from '../src/models';
import { Turnstile } from '../src/models/pause';
import type { StepOptions } from '../src/world/simulator';
import type { Action, Context } from '../src/world/types';
import { CANCEL, type LoadMessage, type LoadRequest, type SimulatorApi, type StepMessage } from './protocol';

const HEARTBEAT_MS = 2000;

export class SimulatorService implements SimulatorApi {
  private simulator: ModelSimulator | null = null;
  private readonly loads = new Turnstile();

  /** Loads that come together happen one after another; the last one's model stays, and the others are freed. */
  async load(request: LoadRequest, port: MessagePort): Promise<void> {
    await this.converse(port, async (send: (message: LoadMessage) => void, signal) => {
      const leave = await this.loads.enter();
      try {
        signal.throwIfAborted();
        await this.exchange(request, send, signal);
      } finally {
        leave();
      }
    });
  }

  private async exchange(
    request: LoadRequest,
    send: (message: LoadMessage) => void,
    signal: AbortSignal,
  ): Promise<void> {
    await this.simulator?.dispose();
    this.simulator = null;
    const options = {
      source: new HttpSource(request.baseUrl),
      provider: request.provider,
      signal,
      onProgress: (progress: { file: string; loadedBytes: number; totalBytes: number }) =>
        send({ type: 'progress', progress }),
      ...(request.fallbackReason === undefined ? {} : { fallbackReason: request.fallbackReason }),
    };
    // Loaded only when chosen: transformers.js is larger than everything else together.
    const load =
      request.runtime === 'transformers.js'
        ? (await import('../src/models/transformers/simulator')).loadTransformersSimulator
        : loadSimulator;
    const simulator = await load(options);
    this.simulator = simulator;
    send({ type: 'loaded', info: simulator.info });
  }

  async step(context: Context, action: Action, options: StepOptions, port: MessagePort): Promise<void> {
    await this.converse(port, async (send: (message: StepMessage) => void, signal) => {
      if (!this.simulator) throw new ModelError('disposed', 'No model is loaded.', 'Load one first.');
      for await (const item of this.simulator.step(context, action, options, signal)) {
        send(item.kind === 'draft' ? { type: 'draft', draft: item } : { type: 'prediction', prediction: item });
      }
    });
  }

  /** Runs one call over its port: a signal that the other side can abort, a heartbeat, and failures as messages. */
  private async converse<M>(
    port: MessagePort,
    work: (send: (message: M) => void, signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const control = new AbortController();
    const send = (message: unknown) => port.postMessage(message);
    port.onmessage = ({ data }: MessageEvent) => {
      if (data === CANCEL) control.abort(new DOMException('cancelled', 'AbortError'));
    };
    const heartbeat = setInterval(() => send({ type: 'alive' }), HEARTBEAT_MS);
    try {
      await work(send, control.signal);
    } catch (error) {
      if (!control.signal.aborted) send({ type: 'failed', failure: failureOf(error) });
      else send({ type: 'cancelled' });
    } finally {
      clearInterval(heartbeat);
      port.onmessage = null;
    }
  }
}
