/**
 * A simulator worker that breaks when it is told to (by a message), or from the start (by its name). It counts its forward
 * passes and tells them when asked.
 */
import { expose } from 'comlink';
import { loadOrt } from '../../src/models/ort';
import { ModelSession } from '../../src/models/session';
import { sha256 } from '../../src/models/tokenizer';
import { SimulatorService } from '../../workers/service';
import { HALF_GRAPH } from './runtime.fixture';

/** Faults of a worker by name; without a name it is sound. */
export type Fault = 'bit' | 'page' | 'cut' | 'stall' | 'half' | 'wrong-on-webgpu' | 'wrong-everywhere' | '';

const fault = self.name as Fault;
let passes = 0;

addEventListener('message', async ({ data }: MessageEvent<unknown>) => {
  if (data === 'close') {
    postMessage({ closed: true });
    close();
  }
  if (data === 'passes') postMessage({ passes });
  if (data === 'lose-device') (await (await loadOrt('webgpu')).env.webgpu.device).destroy();
  if (data === 'crash') {
    setTimeout(() => {
      throw new Error('broken on purpose');
    });
  }
});

const { run } = ModelSession.prototype;
ModelSession.prototype.run = async function (feeds, fetches) {
  passes++;
  const out = await run.call(this, feeds, fetches);
  if (fault === 'wrong-everywhere' || (fault === 'wrong-on-webgpu' && this.provider === 'webgpu')) {
    const logits = (await out['logits']?.getData()) as Float32Array | undefined;
    logits?.forEach((value, i) => (logits[i] = value + 1));
  }
  return out;
};

const honest = fetch;
globalThis.fetch = async (input, init) => {
  const url = String(input instanceof Request ? input.url : input);
  if (fault === 'half' && url.endsWith('/config.json')) {
    const config = (await (await honest(input, init)).json()) as {
      terrarium: { files: { [path: string]: { bytes: number; sha256: string } } };
    };
    config.terrarium.files['onnx/model.onnx'] = { bytes: HALF_GRAPH.length, sha256: await sha256(HALF_GRAPH) };
    // The graph of WebAssembly reads its weights there, but has formats of its own.
    delete config.terrarium.files['onnx/decode.onnx'];
    return Response.json(config);
  }
  if (!url.endsWith('model.onnx')) return honest(input, init);
  if (fault === 'page')
    return new Response('<!doctype html><title>App</title>', { headers: { 'content-type': 'text/html' } });
  if (fault === 'half') return new Response(HALF_GRAPH);
  const response = await honest(input, init);
  if (fault === 'bit') {
    const bytes = new Uint8Array(await response.arrayBuffer());
    bytes[5000] = (bytes[5000] as number) ^ 1;
    return new Response(bytes);
  }
  if (fault === 'cut' || fault === 'stall') {
    const bytes = new Uint8Array(await response.arrayBuffer());
    const body = new ReadableStream<Uint8Array>({
      async pull(stream) {
        stream.enqueue(bytes.slice(0, 50_000));
        if (fault === 'cut') stream.error(new TypeError('the connection is gone'));
        else await new Promise(() => {});
      },
    });
    return new Response(body);
  }
  return response;
};

expose(new SimulatorService());
