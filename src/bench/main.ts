/**
 * The bench's page: it starts workers and passes calls on; `npm run bench` drives it (docs/bench.md). It is part of the
 * production build, so that what is measured is what is shipped.
 */
import { proxy, wrap, type Remote } from 'comlink';
import type { BenchApi, BenchMethod, BenchPage } from './protocol';

interface Connection {
  worker: Worker;
  api: Remote<BenchWorkerApi>;
  /** Rejects when the worker breaks down. */
  broken: Promise<never>;
}

/** A worker's calls, with how far they are told beside the result. */
export type BenchWorkerApi = {
  [M in BenchMethod]: (
    request: Parameters<BenchApi[M]>[0],
    onProgress: (done: number, total: number) => void,
  ) => ReturnType<BenchApi[M]>;
};

/** Longest wait for the browser's own measure of memory. */
const MEMORY_PATIENCE_MS = 20_000;

const workers = new Map<string, Connection>();

function connect(name: string): Connection {
  const known = workers.get(name);
  if (known) return known;
  const worker = new Worker(new URL('./bench.worker.ts', import.meta.url), { type: 'module', name: `bench ${name}` });
  const broken = new Promise<never>((_, reject) => {
    worker.onerror = (event) =>
      reject(new Error(`The worker ${name} broke down: ${event.message || 'no reason given'}.`));
  });
  // Told to whoever waits at the time; nobody may.
  broken.catch(() => {});
  const connection = { worker, api: wrap<BenchWorkerApi>(worker), broken };
  workers.set(name, connection);
  return connection;
}

const bench: BenchPage = {
  onProgress: null,
  async call(name, method, request) {
    const { api, broken } = connect(name);
    const onProgress = proxy((done: number, total: number) => bench.onProgress?.(done, total));
    // Which method takes which request is the caller's affair: both came as text.
    const call = api[method] as unknown as (request: unknown, onProgress: unknown) => Promise<unknown>;
    return JSON.stringify(await Promise.race([call(JSON.parse(request), onProgress), broken]));
  },
  end(name) {
    workers.get(name)?.worker.terminate();
    workers.delete(name);
  },
  async memory() {
    const { measureUserAgentSpecificMemory: measure } = performance as Performance & {
      measureUserAgentSpecificMemory?: () => Promise<{ bytes: number }>;
    };
    if (!measure || !crossOriginIsolated) return null;
    // It waits for a collection of garbage in every process, which some headless browsers never tell it of.
    const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), MEMORY_PATIENCE_MS));
    return Promise.race([measure.call(performance).then(({ bytes }) => bytes), late]);
  },
};

Object.assign(globalThis, { bench });
