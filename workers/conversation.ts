/** The page's side of one call: messages as they come, silence taken for a hang, cancelling with a limit. */
import { ModelError } from '../src/models';
import { CANCEL } from './protocol';

/** Longest silence of a worker; heartbeats come every two seconds unless one forward pass takes longer. */
export const SILENCE_MS = 60_000;
/** How long a cancelled call may go on: one forward pass, on a slow machine. */
export const CANCEL_MS = 10_000;

/**
 * The end of a worker, told to the calls that are under way. Not a promise: calls come by the thousand during the life of
 * one worker, and what was hung on a promise stays there until it settles.
 */
export class Breakage {
  private error: ModelError | null = null;
  private readonly listeners = new Set<(error: ModelError) => void>();

  /** Calls that listen. */
  get size(): number {
    return this.listeners.size;
  }

  /** Tells the listener once, at once if it has happened already; the function that is given back takes it off. */
  listen(listener: (error: ModelError) => void): () => void {
    if (this.error) listener(this.error);
    else this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Only the first reason counts. */
  happen(error: ModelError): void {
    if (this.error) return;
    this.error = error;
    for (const listener of this.listeners) listener(error);
    this.listeners.clear();
  }
}

export interface ConversationOptions {
  /** Happens when the worker breaks. */
  broken: Breakage;
  silenceMs: number;
  signal?: AbortSignal | undefined;
}

/**
 * Calls the worker with a fresh port and yields what comes back over it until the caller stops; a caller that stops early
 * cancels the call.
 * @param call sends the other end of the port
 * @throws ModelError `no_answer` on silence, also after cancelling; the reason of `broken`
 */
export async function* converse<M>(
  call: (port: MessagePort) => Promise<void>,
  { broken, silenceMs, signal }: ConversationOptions,
): AsyncGenerator<M> {
  const { port1: port, port2 } = new MessageChannel();
  const queue: M[] = [];
  let wake: () => void = () => {};
  let failure: unknown = null;
  port.onmessage = ({ data }: MessageEvent<M>) => {
    queue.push(data);
    wake();
  };
  const fail = (error: unknown) => {
    failure ??= error;
    wake();
  };
  let cancelledAt = Infinity;
  const cancel = () => {
    cancelledAt = performance.now();
    port.postMessage(CANCEL);
    wake();
  };
  signal?.addEventListener('abort', cancel, { once: true });
  const forget = broken.listen(fail);
  try {
    call(port2).catch(fail);
    if (signal?.aborted) cancel();
    for (;;) {
      const limit = Math.min(silenceMs, cancelledAt + CANCEL_MS - performance.now());
      await new Promise<void>((resolve) => {
        if (queue.length > 0 || failure !== null) return resolve();
        const timer = setTimeout(() => {
          if (performance.now() >= cancelledAt + CANCEL_MS || silenceMs <= limit) failure ??= noAnswer(limit);
          resolve();
        }, limit);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      // What arrived before a failure still counts: the answer may be among it.
      while (queue.length > 0) yield queue.shift() as M;
      if (failure !== null) throw failure;
    }
  } finally {
    forget();
    signal?.removeEventListener('abort', cancel);
    // A call that is through does not hear it any more.
    if (cancelledAt === Infinity) port.postMessage(CANCEL);
    port.close();
  }
}

function noAnswer(ms: number): ModelError {
  return new ModelError(
    'no_answer',
    `The worker has not answered for ${Math.max(1, Math.round(ms / 1000))} seconds and was ended.`,
    'Restart the lane.',
  );
}
