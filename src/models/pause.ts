/** Cooperative cancelling: a worker hears messages only between tasks. */

const waiting: (() => void)[] = [];
let channel: MessageChannel | undefined;

function nextTask(): Promise<void> {
  if (typeof setImmediate === 'function') return new Promise((resolve) => setImmediate(resolve));
  // Not setTimeout: browsers hold nested timers back for 4 ms.
  if (!channel) {
    channel = new MessageChannel();
    channel.port1.onmessage = () => waiting.shift()?.();
  }
  const { port2 } = channel;
  return new Promise((resolve) => {
    waiting.push(resolve);
    port2.postMessage(null);
  });
}

/**
 * Lets other tasks run (so that a cancel message can arrive), then throws the signal's reason if it was aborted.
 * Called between forward passes.
 */
export async function pause(signal?: AbortSignal): Promise<void> {
  await nextTask();
  signal?.throwIfAborted();
}

/** Runs tasks one after another, whatever becomes of the ones before. */
export class Turnstile {
  private last: Promise<unknown> = Promise.resolve();

  /** Waits for all that came before; the function that is given back lets the next one in. */
  async enter(): Promise<() => void> {
    let leave: () => void = () => {};
    const before = this.last;
    this.last = new Promise<void>((resolve) => (leave = resolve));
    await before;
    return leave;
  }
}
