/** What may go wrong with files: each with the code and the words that tell people what to do. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseConfig } from './config';
import { FileSource } from './fileSource.node';
import { fetchModel, type LoadProgress } from './files';
import { HttpSource, verify, type ModelSource } from './source';

const MICRO = new URL('../../test/fixtures/micro/ar/', import.meta.url);
const bytesOf = (path: string) => new Uint8Array(readFileSync(new URL(path, MICRO)));
const config = () => JSON.parse(new TextDecoder().decode(bytesOf('config.json'))) as Record<string, never>;

/** The micro folder with some files replaced. */
function source(changed: { [path: string]: Uint8Array<ArrayBuffer> | string } = {}): ModelSource {
  return {
    baseUrl: 'memory:/',
    fetch: async (path, onProgress) => {
      const other = changed[path];
      const bytes = typeof other === 'string' ? new TextEncoder().encode(other) : (other ?? bytesOf(path));
      onProgress(bytes.length, bytes.length);
      return bytes;
    },
  };
}

describe('fetchModel', () => {
  it('reads a folder and counts its bytes to the end', async () => {
    const seen: LoadProgress[] = [];
    const { config, tokenizer } = await fetchModel(source(), (progress) => seen.push(progress));
    expect(config.kind).toBe('ar');
    expect(tokenizer.sha256).toBe(config.tokenizerSha256);
    const total = Object.values(config.files).reduce((sum, file) => sum + file.bytes, 0);
    expect(seen.every((progress) => progress.totalBytes === total)).toBe(true);
    expect(seen.map((progress) => progress.loadedBytes)).toEqual(
      seen.map((progress) => progress.loadedBytes).sort((a, b) => a - b),
    );
    expect(seen.at(-1)).toEqual({ file: 'onnx/model.onnx', loadedBytes: total, totalBytes: total });
  });

  it('refuses a file of another size, and one with a single other bit', async () => {
    const graph = bytesOf('onnx/model.onnx');
    const cut = fetchModel(source({ 'onnx/model.onnx': graph.slice(0, -1) }));
    await expect(cut).rejects.toMatchObject({
      code: 'wrong_size',
      message: expect.stringContaining(`${graph.length}`),
    });
    graph[1000] = (graph[1000] as number) ^ 1;
    await expect(fetchModel(source({ 'onnx/model.onnx': graph }))).rejects.toMatchObject({ code: 'wrong_hash' });
  });

  it('stops the other files when one is wrong or the load is given up', async () => {
    for (const why of ['wrong', 'given up']) {
      const control = new AbortController();
      const signals: AbortSignal[] = [];
      const files = source(why === 'wrong' ? { 'tokenizer.json': '{}' } : {});
      const slow: ModelSource = {
        ...files,
        fetch: (path, onProgress, signal) => {
          if (path !== 'onnx/model.onnx') return files.fetch(path, onProgress, signal);
          signals.push(signal as AbortSignal);
          return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
        },
      };
      const load = fetchModel(slow, () => {}, control.signal);
      if (why === 'given up') setTimeout(() => control.abort(new Error('enough')), 20);
      await expect(load).rejects.toMatchObject(why === 'wrong' ? { code: 'wrong_size' } : { message: 'enough' });
      expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    }
  });

  it('refuses a tokenizer that the model was not trained with', async () => {
    const other = config() as unknown as { terrarium: { tokenizerSha256: string } };
    other.terrarium.tokenizerSha256 = '0'.repeat(64);
    const load = fetchModel(source({ 'config.json': JSON.stringify(other) }));
    await expect(load).rejects.toMatchObject({ code: 'wrong_tokenizer' });
  });

  it('refuses another codec, and says which', async () => {
    const other = config() as unknown as { terrarium: { codec: number } };
    other.terrarium.codec = 1;
    const load = fetchModel(source({ 'config.json': JSON.stringify(other) }));
    await expect(load).rejects.toMatchObject({
      code: 'wrong_codec',
      message: expect.stringMatching(/version 1.*version 2/),
    });
  });
});

describe('parseConfig', () => {
  it.each([
    ['no JSON', () => 'model'],
    ['no object', () => '[]'],
    ['no block', (c: Record<string, unknown>) => JSON.stringify({ ...c, terrarium: undefined })],
    [
      'another kind',
      (c: Record<string, object>) => JSON.stringify({ ...c, terrarium: { ...c['terrarium'], kind: 'rnn' } }),
    ],
    ['no layers', (c: Record<string, unknown>) => JSON.stringify({ ...c, num_hidden_layers: 0 })],
    [
      'other slots',
      (c: Record<string, object>) => JSON.stringify({ ...c, terrarium: { ...c['terrarium'], slots: {} } }),
    ],
    ['no files', (c: Record<string, object>) => JSON.stringify({ ...c, terrarium: { ...c['terrarium'], files: {} } })],
  ])('names what is wrong: %s', (_, change) => {
    expect(() => parseConfig(change(config()))).toThrow(expect.objectContaining({ code: 'bad_config' }));
  });

  it('counts the parameters as the card does', () => {
    const card = new TextDecoder().decode(bytesOf('README.md'));
    const { parameters } = parseConfig(JSON.stringify(config()));
    expect(card).toContain(`${parameters.toLocaleString('en-US')} parameters`);
  });
});

describe('FileSource', () => {
  it('names a missing file and what a folder must hold', async () => {
    const load = new FileSource('/nowhere/ar').fetch('config.json', () => {});
    await expect(load).rejects.toMatchObject({ code: 'not_found', advice: expect.stringContaining('config.json') });
  });

  it('stops when aborted', async () => {
    const reason = new Error('enough');
    const load = new FileSource(MICRO.pathname).fetch('onnx/model.onnx', () => {}, AbortSignal.abort(reason));
    await expect(load).rejects.toBe(reason);
  });
});

describe('HttpSource', () => {
  const answers: { [path: string]: RequestListener } = {
    '/page/config.json': (_, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end('<!doctype html><title>App</title>');
    },
    '/untyped/config.json': (_, response) => response.end('\n <!DOCTYPE html><title>App</title>'),
    '/lfs/config.json': (_, response) => response.end('version https://git-lfs.github.com/spec/v1\noid sha256:0\n'),
    '/broken/config.json': (_, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('12345');
      setTimeout(() => response.destroy(), 20);
    },
    '/busy/config.json': (_, response) => {
      response.statusCode = 503;
      response.end('later');
    },
    '/slow/config.json': (_, response) => {
      response.writeHead(200, { 'content-length': '10' });
      response.write('12345');
    },
    '/good/config.json': (_, response) => {
      response.writeHead(200, { 'content-length': '10' });
      response.write('12345');
      setTimeout(() => response.end('67890'), 20);
    },
  };
  let server: Server;
  let base = '';
  beforeAll(async () => {
    server = createServer((request, response) => {
      const answer = answers[request.url ?? ''];
      if (answer) return answer(request, response);
      response.statusCode = 404;
      return response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it.each([
    ['nothing', 'not_found'],
    ['page', 'not_a_model'],
    ['untyped', 'not_a_model'],
    ['lfs', 'not_a_model'],
    ['broken', 'network'],
    ['busy', 'network'],
  ])('tells %s from a model', async (folder, code) => {
    const load = new HttpSource(`${base}/${folder}`).fetch('config.json', () => {});
    await expect(load).rejects.toMatchObject({
      code,
      message: expect.stringContaining(`${base}/${folder}/config.json`),
    });
  });

  it('reports bytes as they come', async () => {
    const seen: [number, number][] = [];
    const bytes = await new HttpSource(`${base}/good/`).fetch('config.json', (...now) => seen.push(now));
    expect(new TextDecoder().decode(bytes)).toBe('1234567890');
    expect(seen[0]).toEqual([0, 10]);
    expect(seen.at(-1)).toEqual([10, 10]);
  });

  it('stops when aborted in the middle', async () => {
    const control = new AbortController();
    const reason = new Error('enough');
    const load = new HttpSource(`${base}/slow/`).fetch(
      'config.json',
      (n) => n > 0 && control.abort(reason),
      control.signal,
    );
    await expect(load).rejects.toBe(reason);
  });

  it('names a server that cannot be reached', async () => {
    const load = new HttpSource('http://127.0.0.1:9/').fetch('config.json', () => {});
    await expect(load).rejects.toMatchObject({ code: 'network' });
  });
});

describe('verify', () => {
  it('takes what fits and names both hashes otherwise', async () => {
    const bytes = new TextEncoder().encode('abc');
    // FIPS 180-2, appendix B.1
    const sha256 = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
    await verify('x', bytes, { bytes: 3, sha256 });
    const other = 'f'.repeat(64);
    const check = verify('x', bytes, { bytes: 3, sha256: other });
    await expect(check).rejects.toMatchObject({ code: 'wrong_hash', message: expect.stringContaining(sha256) });
    await expect(check).rejects.toMatchObject({ message: expect.stringContaining(other) });
  });
});
