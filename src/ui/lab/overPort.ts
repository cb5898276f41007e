/** The worker's side of work that is told over a port: signs of life, cancelling, and a failure as the last message. */
import { CANCEL } from '../../../workers/protocol';
import type { Failure } from '../../models';
import { failureIn } from './failure';

const HEARTBEAT_MS = 2000;

/** Messages that every such work has. */
type Basic = { type: 'alive' } | { type: 'failed'; failure: Failure };

/** Does the work; what it throws is sent as `failed`. The signal is aborted when the other side cancels. */
export async function overPort<M>(
  port: MessagePort,
  work: (send: (message: M | Basic) => void, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const control = new AbortController();
  const send = (message: M | Basic) => port.postMessage(message);
  port.onmessage = ({ data }: MessageEvent) => {
    if (data === CANCEL) control.abort(new DOMException('cancelled', 'AbortError'));
  };
  const heartbeat = setInterval(() => send({ type: 'alive' }), HEARTBEAT_MS);
  try {
    await work(send, control.signal);
  } catch (error) {
    send({ type: 'failed', failure: failureIn(error) });
  } finally {
    clearInterval(heartbeat);
    port.onmessage = null;
  }
}
