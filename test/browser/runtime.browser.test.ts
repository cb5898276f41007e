/** Local models in the browser: workers, both providers, cancelling, crashes, and transformers.js as a second opinion. */
import { afterEach, expect, test, vi } from 'vitest';
import { type AutoregressiveSimulator, HttpSource, loadSimulator } from '../../src/models';
import { DEFAULT_STEP_OPTIONS, finishStep, type Draft } from '../../src/world/simulator';
import { WorkerSimulator, type LaneStatus, type WorkerSimulatorOptions } from '../../workers/client';
import { SILENCE_MS } from '../../workers/conversation';
import FaultyWorker from './faulty.worker.ts?worker';
import { ACTION, CONTEXT, NEXT_ACTION, NEXT_CONTEXT } from './runtime.fixture';

/** The micro MDLM is unsure of everything; with a low threshold it needs a few passes only. */
const QUICK = { ...DEFAULT_STEP_OPTIONS, threshold: 0.2 };

/** Software WebGPU takes about half a second for a pass: even fewer. */
const FEW = { ...DEFAULT_STEP_OPTIONS, threshold: 0.05 };

/** From left to right, with drafts that are all checked: on WASM the graph does it by itself. Most of the answer is given. */
const DRAFTED = {
  ...DEFAULT_STEP_OPTIONS,
  ...{ sampler: { name: 'speculative', masks: 4, least: 0 }, prefix: 'ab '.repeat(104) },
};

const open: WorkerSimulator[] = [];

function lane(options: Partial<WorkerSimulatorOptions> & Pick<WorkerSimulatorOptions, 'id'>) {
  const statuses: LaneStatus[] = [];
  const simulator = new WorkerSimulator({
    baseUrl: `/micro/${options.id === 'mdlm' ? 'mdlm' : 'ar'}/`,
    provider: 'wasm',
    onStatus: (status) => statuses.push(status),
    ...options,
  });
  open.push(simulator);
  return { simulator, statuses };
}

afterEach(() => {
  vi.useRealTimers();
  open.splice(0).forEach((simulator) => simulator.dispose());
});

test.each(['mdlm', 'ar'] as const)('%s answers in a worker on WASM and streams drafts', async (id) => {
  const { simulator, statuses } = lane({ id });
  const drafts: Draft[] = [];
  const prediction = await finishStep(simulator.step(CONTEXT, ACTION, QUICK), (draft) => drafts.push(draft));
  expect(statuses[0]).toEqual({ phase: 'loading' });
  const loaded = statuses.filter((status) => status.progress).at(-1)?.progress;
  expect(loaded?.totalBytes).toBeGreaterThan(100_000);
  expect(loaded?.loadedBytes).toBe(loaded?.totalBytes);
  expect(simulator.status).toMatchObject({ phase: 'ready', info: { id, provider: 'wasm', fallbackReason: null } });
  expect(drafts.length).toBe(prediction.cost.nfe - 1);
  expect(drafts.map((draft) => draft.nfe)).toEqual(drafts.map((_, i) => i + 1));
  expect(prediction.tokens.every((token) => !token.masked && token.pass > 0)).toBe(true);
  expect(prediction.cost.prefillTokens).toBeGreaterThan(50);
  const next = await finishStep(simulator.step(NEXT_CONTEXT, NEXT_ACTION, { ...QUICK, step: 1 }));
  expect(next.cost.prefillTokens).toBeLessThan(prediction.cost.prefillTokens);
  // The cache that grew step by step, against one that is filled in one pass.
  const { simulator: cold } = lane({ id });
  const once = await finishStep(cold.step(NEXT_CONTEXT, NEXT_ACTION, { ...QUICK, step: 1 }));
  expect(once.cost.prefillTokens).toBeGreaterThan(next.cost.prefillTokens);
  expect(once.tokens.map((token) => token.id)).toEqual(next.tokens.map((token) => token.id));
});

test.each([
  ['mdlm', [FEW, DRAFTED]],
  ['ar', [QUICK]],
] as const)(
  '%s on WebGPU writes what it writes on WASM',
  async (id, settings) => {
    const answers = async (provider: 'webgpu' | 'wasm') => {
      const { simulator } = lane({ id, provider });
      const answered = [];
      for (const options of settings) {
        answered.push(await finishStep(simulator.step(CONTEXT, ACTION, options)));
        answered.push(await finishStep(simulator.step(NEXT_CONTEXT, NEXT_ACTION, { ...options, step: 1 })));
      }
      const info = simulator.status.info;
      simulator.dispose();
      // What leads a prompt and was kept is not encoded again.
      const [all = 0, ...rest] = answered.map(({ cost }) => cost.prefillTokens);
      expect(Math.max(...rest)).toBeLessThan(all);
      return { info, ids: answered.map(({ tokens }) => tokens.map((token) => token.id)) };
    };
    const gpu = await answers('webgpu');
    expect(gpu.info).toMatchObject({ provider: 'webgpu', fallbackReason: null });
    expect(gpu.info?.adapter).toMatch(/swiftshader/i);
    expect(gpu.ids).toEqual((await answers('wasm')).ids);
  },
  150_000,
);

test('a software adapter is not chosen by itself, and the reason is shown', async () => {
  const { simulator } = lane({ id: 'mdlm', provider: 'auto' });
  await simulator.load();
  expect(simulator.status.info?.provider).toBe('wasm');
  expect(simulator.status.info?.fallbackReason).toMatch(/software/);
});

test.each(['mdlm', 'ar'] as const)('cancelling %s stops between passes and leaves the lane ready', async (id) => {
  const { simulator } = lane({ id });
  await simulator.load();
  const whole = await finishStep(simulator.step(CONTEXT, ACTION, DEFAULT_STEP_OPTIONS));
  const control = new AbortController();
  const reason = new Error('enough');
  let drafts = 0;
  const step = finishStep(simulator.step(CONTEXT, ACTION, DEFAULT_STEP_OPTIONS, control.signal), () => {
    if (++drafts === 2) control.abort(reason);
  });
  await expect(step).rejects.toBe(reason);
  expect(drafts).toBeLessThan(whole.cost.nfe - 1);
  expect(simulator.status.phase).toBe('ready');
  const again = await finishStep(simulator.step(CONTEXT, ACTION, DEFAULT_STEP_OPTIONS));
  expect(again.text).toEqual(whole.text);
});

test('an aborted signal stops a step before it starts', async () => {
  const { simulator } = lane({ id: 'ar' });
  const reason = new Error('no');
  const step = finishStep(simulator.step(CONTEXT, ACTION, DEFAULT_STEP_OPTIONS, AbortSignal.abort(reason)));
  await expect(step).rejects.toBe(reason);
  expect(simulator.status.phase).toBe('idle');
});

test.each([
  ['throws outside of a call', 'crash', 'crashed'],
  ['falls silent', 'close', 'no_answer'],
])('a worker that %s fails the step; a restart recovers', async (_, command, code) => {
  const workers: Worker[] = [];
  const createWorker = () => {
    const worker = new FaultyWorker();
    workers.push(worker);
    return worker;
  };
  const { simulator, statuses } = lane({ id: 'mdlm', createWorker });
  await simulator.load();
  // The page's minute of patience is let pass at once. The worker has a clock of its own.
  if (code === 'no_answer') vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const closed = new Promise<void>((resolve) => {
    workers[0]?.addEventListener('message', ({ data }: MessageEvent<{ closed?: boolean }>) => data.closed && resolve());
  });
  let drafts = 0;
  const step = finishStep(simulator.step(CONTEXT, ACTION, DEFAULT_STEP_OPTIONS), () => {
    if (++drafts === 1) workers[0]?.postMessage(command);
  });
  step.catch(() => {});
  if (code === 'no_answer') {
    await closed;
    await expect.poll(() => vi.getTimerCount()).toBeGreaterThan(0);
    vi.advanceTimersByTime(SILENCE_MS - 1);
    expect(simulator.status.phase).toBe('busy');
    vi.advanceTimersByTime(1);
  }
  await expect(step).rejects.toMatchObject({ code });
  vi.useRealTimers();
  expect(simulator.status).toMatchObject({ phase: 'failed', error: { code }, info: { kind: 'mdlm' } });
  await expect(finishStep(simulator.step(CONTEXT, ACTION, DEFAULT_STEP_OPTIONS))).rejects.toMatchObject({ code });
  await simulator.restart();
  expect(workers.length).toBe(2);
  expect(statuses.map((status) => status.phase)).toContain('failed');
  const answer = await finishStep(simulator.step(CONTEXT, ACTION, QUICK));
  expect(answer.cost.nfe).toBeGreaterThan(0);
});

test('a lost graphics device fails the step; a restart recovers', async () => {
  const workers: Worker[] = [];
  const createWorker = () => {
    const worker = new FaultyWorker();
    workers.push(worker);
    return worker;
  };
  const { simulator } = lane({ id: 'mdlm', provider: 'webgpu', createWorker });
  await simulator.load();
  expect(simulator.status.info?.provider).toBe('webgpu');
  const step = finishStep(simulator.step(CONTEXT, ACTION, DEFAULT_STEP_OPTIONS), () => {
    workers[0]?.postMessage('lose-device');
  });
  await expect(step).rejects.toMatchObject({ code: 'device_lost' });
  expect(simulator.status.phase).toBe('failed');
  await simulator.restart();
  expect(simulator.status).toMatchObject({ phase: 'ready', info: { provider: 'webgpu' } });
  await finishStep(simulator.step(CONTEXT, ACTION, FEW));
}, 150_000);

test('a web page in place of a model is named as such', async () => {
  const { simulator } = lane({ id: 'ar', baseUrl: '/index.html?' });
  await expect(simulator.load()).rejects.toMatchObject({ code: 'not_a_model' });
  expect(simulator.status).toMatchObject({ phase: 'failed', error: { code: 'not_a_model' } });
  expect(simulator.status.error?.advice).toMatch(/404/);
});

test('a graph with a single other bit is refused by its hash', async () => {
  const source = new HttpSource('/micro/ar/');
  const fetch: typeof source.fetch = async (path, ...rest) => {
    const bytes = await source.fetch(path, ...rest);
    if (path.endsWith('model.onnx')) bytes[5000] = (bytes[5000] as number) ^ 1;
    return bytes;
  };
  const load = loadSimulator({ source: { baseUrl: source.baseUrl, fetch }, provider: 'wasm' });
  await expect(load).rejects.toMatchObject({ code: 'wrong_hash', message: expect.stringContaining('onnx/model.onnx') });
});

test('a missing folder is named as such', async () => {
  const { simulator } = lane({ id: 'ar', baseUrl: '/micro/ar/nothing/' });
  await expect(simulator.load()).rejects.toMatchObject({ code: 'not_found' });
});

test('transformers.js runs the same folder, greedy tokens are equal, and nothing leaves the origin', async () => {
  const own = (await loadSimulator({
    source: new HttpSource('/micro/ar/'),
    provider: 'wasm',
  })) as AutoregressiveSimulator;
  const { simulator } = lane({ id: 'ar-transformers' });
  await simulator.load();
  expect(simulator.status.info).toMatchObject({ runtime: 'transformers.js', provider: 'wasm' });
  for (const [context, action] of [[CONTEXT, ACTION] as const, [NEXT_CONTEXT, NEXT_ACTION] as const]) {
    const ours = await finishStep(own.step(context, action, DEFAULT_STEP_OPTIONS));
    const theirs = await finishStep(simulator.step(context, action, DEFAULT_STEP_OPTIONS));
    expect(theirs.tokens.map((token) => token.id)).toEqual(ours.tokens.map((token) => token.id));
    expect(theirs.text).toEqual(ours.text);
  }
  await own.dispose();
  const elsewhere = performance.getEntriesByType('resource').filter(({ name }) => new URL(name).origin !== origin);
  expect(elsewhere.map(({ name }) => name).filter((name) => name.startsWith('http'))).toEqual([]);
});
