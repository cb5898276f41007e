/**
 * Serves the production build with the headers that threads in WebAssembly need. `npm start` builds first.
 * An unknown path is a 404, never index.html: a page that arrives in place of a model would be taken for one.
 */
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import sirv from 'sirv';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Headers of every answer: with them the page is cross-origin isolated. */
export const ISOLATION_HEADERS = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** @param {string} pathname */
function contentType(pathname) {
  if (pathname.endsWith('.wasm')) return 'application/wasm';
  if (pathname.endsWith('.mjs')) return 'text/javascript';
  if (pathname.endsWith('.onnx')) return 'application/octet-stream';
  return undefined;
}

/**
 * Starts the server.
 * @param {{ port?: number, host?: string, dist?: string, mounts?: Record<string, string>, isolated?: boolean }} [options]
 *   `port` 0 takes a free one; `mounts` adds folders under a path ("/micro/": "test/fixtures/micro"); without `isolated` the
 *   headers are left out, as by hosts that cannot send them: the page then has one thread.
 * @returns {Promise<{ url: string, close: () => Promise<void> }>}
 */
export async function serve({
  port = 0,
  host = 'localhost',
  dist = join(root, 'dist'),
  mounts = {},
  isolated = true,
} = {}) {
  if (!existsSync(join(dist, 'index.html'))) throw new Error(`${dist} has no build; run "npm run build" first.`);
  const setHeaders = (/** @type {import('node:http').ServerResponse} */ response, /** @type {string} */ pathname) => {
    const type = contentType(pathname);
    if (type) response.setHeader('Content-Type', type);
    // Hashed names never change; everything else is asked for again (an ETag makes that cheap).
    response.setHeader('Cache-Control', pathname.startsWith('/assets/') ? 'max-age=31536000, immutable' : 'no-cache');
  };
  // Files are looked up when asked for (dev): a list made at the start would go stale with the next build.
  const open = (/** @type {string} */ folder) => sirv(folder, { etag: true, dev: true, setHeaders });
  const files = open(dist);
  const mounted = Object.entries(mounts).map(([prefix, folder]) => ({ prefix, handler: open(folder) }));

  const server = createServer((request, response) => {
    if (isolated) for (const [name, value] of Object.entries(ISOLATION_HEADERS)) response.setHeader(name, value);
    const missing = () => {
      response.statusCode = 404;
      response.setHeader('Content-Type', 'text/plain; charset=utf-8');
      response.end('Not found\n');
    };
    const mount = mounted.find(({ prefix }) => request.url?.startsWith(prefix));
    if (!mount) return files(request, response, missing);
    request.url = `/${(request.url ?? '').slice(mount.prefix.length)}`;
    return mount.handler(request, response, missing);
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve(undefined));
  });
  const address = server.address();
  const actual = typeof address === 'object' && address ? address.port : port;
  return {
    url: `http://${host}:${actual}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function main() {
  const port = Number(process.env['PORT'] ?? 4173);
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw new Error(`PORT=${process.env['PORT']} is not a port number.`);
  }
  try {
    const host = process.env['HOST'] ?? 'localhost';
    const { url } = await serve({ port, host });
    console.log(`Terrarium is at ${url} (stop with Ctrl+C)`);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
      throw new Error(`Port ${port} is busy. Stop what uses it, or choose another: PORT=4180 npm start`, {
        cause: error,
      });
    }
    throw error;
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  main().catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
