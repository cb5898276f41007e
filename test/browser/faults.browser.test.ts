/** What can break in a lane, tried on real workers: each fault has its name, and a restart goes on. */
import { afterEach, describe, expect, test } from 'vitest';
import { HttpSource, loadSimulator } from '../../src/models';
import { TensorCensus } from '../../src/models/census.fixture';
import {
  DEFAULT_STEP_OPTIONS,
  finishStep,
  type Draft,
  type Prediction,
  type StepOptions,
} from '../../src/world/simulator';
import { WorkerSimulator, type LaneStatus, type WorkerSimulatorOptions } from '../../workers/client';
import FaultyWorker from './faulty.worker.ts?worker';
import type { Fault } from './faulty.worker';
import { ACTION, CONTEXT, NEXT_ACTION, NEXT_CONTEXT } from './runtime.fixture';

const QUICK: StepOptions = { ...DEFAULT_STEP_OPTIONS, threshold: 0.02 };
/** Some passes, but not too many: the diffusion model takes the steps it is given, the other one draws. */
const LONG = { ...DEFAULT_STEP_OPTIONS, sampler: { name: 'confidence', steps: 6 }, temperature: 0.6, seed: 5 };
/** Written from left to right, with drafts that are all checked. Most of the answer is given. */
const DRAFTED: StepOptions = {
  ...DEFAULT_STEP_OPTIONS,
  ...{ sampler: { name: 'speculative', masks: 4, least: 0 }, prefix: 'ab '.repeat(102) },
};
/** Software WebGPU is slow: a few passes. */
const SHORT: StepOptions = { ...DRAFTED, prefix: 'ab '.repeat(105) };
/** Of the AR model's answer only the status is left. */
const GUIDED: StepOptions = {
  ...{ ...QUICK, directives: [{ kind: 'fail', code: 'rate_limited' }], guidance: 2 },
  pins: [
    { slot: 'observation', pointer: '', value: { error: 'rate_limited' } },
    { slot: 'delta', pointer: '', value: {} },
  ],
};
/** Greedily the graphs of WebAssembly make several passes in a call, between which a step cannot be ended. */
const CANCELLED: Record<'mdlm' | 'ar', { options: StepOptions; byPass: boolean }[]> = {
  mdlm: [
    { options: LONG, byPass: true },
    { options: DRAFTED, byPass: false },
    { options: { ...DRAFTED, temperature: 0.6, seed: 5 }, byPass: true },
  ],
  ar: [
    { options: LONG, byPass: true },
    { options: DEFAULT_STEP_OPTIONS, byPass: false },
  ],
};

/** Starting a worker takes seconds on a busy machine, and software WebGPU half a second for a pass. */
const SLOW = { timeout: 300_000 };
const SOON = { timeout: 120_000 };

const open: WorkerSimulator[] = [];
afterEach(() => open.splice(0).forEach((simulator) => simulator.dispose()));

/** A lane whose first workers have these faults, one each; later ones are sound. */
function lane(id: 'mdlm' | 'ar', faults: Fault[] = [], options: Partial<WorkerSimulatorOptions> = {}) {
  const workers: Worker[] = [];
  const statuses: LaneStatus[] = [];
  const simulator = new WorkerSimulator({
    id,
    baseUrl: `/micro/${id}/`,
    provider: 'wasm',
    onStatus: (status) => statuses.push(status),
    createWorker: () => {
      const worker = new FaultyWorker({ name: faults[workers.length] ?? '' });
      workers.push(worker);
      return worker;
    },
    ...options,
  });
  open.push(simulator);
  const answer = (options: StepOptions = QUICK, signal?: AbortSignal, onDraft?: (draft: Draft) => void) =>
    finishStep(simulator.step(CONTEXT, ACTION, options, signal), onDraft);
  const next = () => finishStep(simulator.step(NEXT_CONTEXT, NEXT_ACTION, { ...QUICK, step: 1 }));
  return { simulator, workers, statuses, answer, next };
}

/** The same tokens in the same passes. What is kept in the cache was summed in another order, so last digits may differ. */
function expectSame({ tokens }: Prediction, whole: Prediction): void {
  const settled = (list: Prediction['tokens']) => list.map((token) => ({ ...token, confidence: 0 }));
  expect(settled(tokens)).toEqual(settled(whole.tokens));
  tokens.forEach(({ confidence }, i) => expect(confidence).toBeCloseTo(whole.tokens[i]?.confidence ?? NaN, 4));
}

/** Forward passes that a worker has made. */
function passesOf(worker: Worker): Promise<number> {
  return new Promise((resolve) => {
    const listen = ({ data }: MessageEvent<{ passes?: number }>) => {
      if (data.passes === undefined) return;
      worker.removeEventListener('message', listen);
      resolve(data.passes);
    };
    worker.addEventListener('message', listen);
    worker.postMessage('passes');
  });
}

test(
  'a graph that is wrong, no graph, cut short or of another number format is named so; restarts go on',
  SLOW,
  async () => {
    const { simulator, answer, workers } = lane('ar', ['bit', 'page', 'cut', 'half'], { provider: 'auto' });
    const expected = [
      ['wrong_hash', /model\.onnx has the SHA-256/, /cache/],
      ['not_a_model', /is a web page/, /404/],
      ['network', /broke off/, /again/],
      ['unsupported_dtype', /input "x" of the graph is float16/, /float32/],
    ] as const;
    for (const [i, [code, message, advice]] of expected.entries()) {
      await expect(i === 0 ? answer() : simulator.restart()).rejects.toMatchObject({ code });
      expect(simulator.status.phase).toBe('failed');
      expect(simulator.status.error).toEqual({
        code,
        message: expect.stringMatching(message),
        advice: expect.stringMatching(advice),
      });
      // Another provider would not help, so none was tried.
      expect(workers.length).toBe(i + 1);
    }
    await simulator.restart();
    expect((await answer()).cost.nfe).toBeGreaterThan(0);
  },
);

describe('a load that is interrupted', () => {
  const stalled = async (faults: Fault[]) => {
    const made = lane('mdlm', faults);
    const load = made.simulator.load();
    load.catch(() => {});
    const stalls = () => expect.poll(() => made.simulator.status.progress?.file, SOON).toBe('onnx/model.onnx');
    await stalls();
    return { ...made, load, stalls };
  };

  test('by Stop of the step that waits for it goes on; by a restart it begins again', SLOW, async () => {
    const { simulator, load, answer, statuses } = await stalled(['stall']);
    const control = new AbortController();
    const reason = new Error('enough');
    const step = answer(QUICK, control.signal);
    control.abort(reason);
    await expect(step).rejects.toBe(reason);
    expect(simulator.status.phase).toBe('loading');
    const restart = simulator.restart();
    await expect(load).rejects.toMatchObject({ code: 'disposed' });
    await restart;
    expect(simulator.status.phase).toBe('ready');
    expect(statuses.some((status) => status.phase === 'failed')).toBe(false);
    await answer();
  });

  test('by the end of its worker fails; by disposing it ends for good', SLOW, async () => {
    const { simulator, load, workers, statuses, stalls } = await stalled(['stall', 'stall']);
    workers[0]?.postMessage('crash');
    await expect(load).rejects.toMatchObject({ code: 'crashed' });
    expect(simulator.status).toMatchObject({ phase: 'failed', error: { code: 'crashed' } });
    const restart = simulator.restart();
    restart.catch(() => {});
    await stalls();
    simulator.dispose();
    await expect(restart).rejects.toMatchObject({ code: 'disposed' });
    expect(statuses.at(-1)).toEqual({ phase: 'idle' });
  });
});

describe('a self-test that fails', () => {
  test('on WebGPU alone: WASM is taken and the reason is shown', SLOW, async () => {
    const { simulator, answer } = lane('mdlm', ['wrong-on-webgpu'], { provider: 'webgpu' });
    expect((await answer()).cost.nfe).toBeGreaterThan(0);
    expect(simulator.status.info).toMatchObject({
      provider: 'wasm',
      fallbackReason: expect.stringMatching(/On webgpu the model computes wrong numbers/),
    });
  });

  test('everywhere: the model is refused', SLOW, async () => {
    const { simulator } = lane('ar', ['wrong-everywhere']);
    await expect(simulator.load()).rejects.toMatchObject({ code: 'self_test' });
    expect(simulator.status).toMatchObject({ phase: 'failed', error: { code: 'self_test' } });
  });
});

test('two models that load and answer at once do as they do alone', SLOW, async () => {
  const [mdlm, ar] = [lane('mdlm'), lane('ar')];
  const together = await Promise.all([mdlm.answer(), ar.answer()]);
  // One loads while the other answers, and is restarted twice at once.
  const [again] = await Promise.all([mdlm.answer(), ar.simulator.restart(), ar.simulator.restart()]);
  expect(ar.simulator.status.phase).toBe('ready');
  const alone = [await mdlm.answer(), await ar.answer()];
  expect(together.map(({ text }) => text)).toEqual(alone.map(({ text }) => text));
  expect(again.text).toEqual(alone[0]?.text);
  expect(mdlm.workers.length).toBe(1);
});

test.each(['mdlm', 'ar'] as const)(
  '%s can be cancelled at every draft, however it writes; the next answer is whole',
  SLOW,
  async (id) => {
    const { simulator, answer, workers } = lane(id);
    for (const { options, byPass } of CANCELLED[id]) {
      let last = 0;
      const whole = await answer(options, undefined, () => last++);
      expect(last).toBe(whole.cost.nfe - 1);
      expect(last).toBeGreaterThanOrEqual(4);
      for (let at = 0; at <= last; at++) {
        const control = new AbortController();
        const reason = new Error(`enough at ${at}`);
        let drafts = 0;
        const step = answer(options, control.signal, () => {
          if (++drafts === at) control.abort(reason);
        });
        if (at === 0) control.abort(reason);
        await expect(step).rejects.toBe(reason);
        expect(drafts).toBe(at);
        expect(simulator.status.phase).toBe('ready');
        expectSame(await answer(options), whole);
      }
      // A consumer that leaves ends the work in the worker as well: it makes a pass or two, not all of them.
      const before = await passesOf(workers[0] as Worker);
      const rounds = 10;
      for (let i = 0; i < rounds; i++) {
        for await (const item of simulator.step(CONTEXT, ACTION, options)) {
          expect(item.kind).toBe('draft');
          break;
        }
        expect(simulator.status.phase).toBe('ready');
      }
      expectSame(await answer(options), whole);
      const passes = (await passesOf(workers[0] as Worker)) - before - whole.cost.nfe;
      if (byPass) expect(passes).toBeLessThan((rounds * whole.cost.nfe * 2) / 3);
    }
    expect(workers.length).toBe(1);
  },
);

describe('on the graphics card', () => {
  test(
    'a device that is lost between two steps is named by the next one, also where the cache lies on it',
    SLOW,
    async () => {
      const { simulator, answer, next, workers } = lane('ar', [], { provider: 'webgpu' });
      await answer();
      workers[0]?.postMessage('lose-device');
      await expect(next()).rejects.toMatchObject({ code: 'device_lost' });
      expect(simulator.status).toMatchObject({ phase: 'failed', error: { code: 'device_lost' } });
    },
  );

  test('nothing stays there but the cache, and nothing after disposing', SLOW, async () => {
    const census = new TensorCensus();
    const simulator = await loadSimulator({ source: new HttpSource('/micro/ar/'), provider: 'webgpu' });
    expect(simulator.info.provider).toBe('webgpu');
    expect(census.liveOnGpu).toBe(0);
    /** Keys and values of two layers. */
    const cache = 4;
    await finishStep(simulator.step(CONTEXT, ACTION, QUICK));
    expect(census.liveOnGpu).toBe(cache);
    await finishStep(simulator.step(NEXT_CONTEXT, NEXT_ACTION, { ...QUICK, step: 1 }));
    expect(census.liveOnGpu).toBe(cache);
    const control = new AbortController();
    const step = finishStep(simulator.step(CONTEXT, ACTION, QUICK, control.signal), () => control.abort());
    await expect(step).rejects.toMatchObject({ name: 'AbortError' });
    expect(census.liveOnGpu).toBeLessThanOrEqual(cache);
    // A second cache is made for guidance, and goes with the answer.
    await finishStep(simulator.step(CONTEXT, ACTION, GUIDED));
    expect(census.liveOnGpu).toBe(cache);
    await simulator.dispose();
    expect(census.liveOnGpu).toBe(0);
    census.stop();
  });

  test('the MDLM leaves nothing there, also by drafts', SLOW, async () => {
    const census = new TensorCensus();
    const simulator = await loadSimulator({ source: new HttpSource('/micro/mdlm/'), provider: 'webgpu' });
    expect(simulator.info.provider).toBe('webgpu');
    const runs = census.runs;
    await finishStep(simulator.step(CONTEXT, ACTION, SHORT));
    expect(census.runs).toBeGreaterThan(runs + 4);
    expect(census.liveOnGpu).toBe(0);
    const control = new AbortController();
    const step = finishStep(simulator.step(CONTEXT, ACTION, SHORT, control.signal), () => control.abort());
    await expect(step).rejects.toMatchObject({ name: 'AbortError' });
    await simulator.dispose();
    expect(census.liveOnGpu).toBe(0);
    census.stop();
  });
});
