/** One call over a port: what arrives, how it ends, and that nothing of it is left behind. */
import { describe, expect, it } from 'vitest';
import { ModelError } from '../src/models/errors';
import { Breakage, converse } from './conversation';
import { CANCEL } from './protocol';

/** The worker's end of calls: sends what it is told, and keeps what it hears. */
function worker() {
  const heard: unknown[] = [];
  let port: MessagePort | undefined;
  const call = (given: MessagePort) => {
    port = given;
    given.onmessage = ({ data }) => heard.push(data);
    return Promise.resolve();
  };
  const gone = new ModelError('crashed', 'gone', 'Restart.');
  return { heard, call, gone, send: (message: unknown) => port?.postMessage(message), close: () => port?.close() };
}

describe('converse', () => {
  it('leaves no listener behind, however a call ends', async () => {
    const broken = new Breakage();
    for (let i = 0; i < 30; i++) {
      const { call, send, heard, close } = worker();
      const messages = converse<number>(call, { broken, silenceMs: 10_000 });
      const first = messages.next();
      expect(broken.size).toBe(1);
      send(i);
      expect(await first).toEqual({ done: false, value: i });
      await messages.return(undefined);
      expect(broken.size).toBe(0);
      // Who leaves early cancels.
      await expect.poll(() => heard).toEqual([CANCEL]);
      close();
    }
  });

  it('rejects with the reason of a break, after what had arrived before it', async () => {
    const broken = new Breakage();
    const { call, send, gone, close } = worker();
    const messages = converse<string>(call, { broken, silenceMs: 10_000 });
    const first = messages.next();
    send('a');
    expect((await first).value).toBe('a');
    const second = messages.next();
    broken.happen(gone);
    broken.happen(new ModelError('crashed', 'again', ''));
    await expect(second).rejects.toBe(gone);
    expect(broken.size).toBe(0);
    // A call on a broken worker ends at once.
    const other = worker();
    await expect(converse(other.call, { broken, silenceMs: 10_000 }).next()).rejects.toBe(gone);
    close();
    other.close();
  });

  it('takes silence for a hang', async () => {
    const broken = new Breakage();
    const { call, close } = worker();
    const message = converse(call, { broken, silenceMs: 20 }).next();
    await expect(message).rejects.toMatchObject({ code: 'no_answer' });
    close();
  });
});
