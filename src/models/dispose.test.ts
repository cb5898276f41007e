/** No tensor outlives a step, a batch, or a simulator that is disposed of in the midst of a step. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { makeWorld } from '../twins';
import { DEFAULT_STEP_OPTIONS, finishStep, type StepOptions } from '../world/simulator';
import type { Action, Context } from '../world/types';
import { TensorCensus } from './census.fixture';
import { FileSource } from './fileSource.node';
import { loadSimulator } from './load';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const whole = makeWorld('support', 3, 1);
const world = { ...whole, tools: whole.tools.slice(0, 1), rules: [], state: { orders: { W11: { status: 'paid' } } } };
const context: Context = { world, history: [] };
const action: Action = { tool: world.tools[0]?.name ?? '', args: { id: 'W11' } };
/** Few tokens: the observation and the delta are given. */
const options: StepOptions = {
  ...DEFAULT_STEP_OPTIONS,
  threshold: 0.02,
  pins: [
    { slot: 'observation', pointer: '', value: { error: 'rate_limited' } },
    { slot: 'delta', pointer: '', value: {} },
  ],
};

const drawn: StepOptions = {
  ...{ ...options, guidance: 1.5, temperature: 0.7 },
  sampler: { name: 'confidence', steps: 4 },
};
/** Most of the answer is given, and the graph goes on by itself. */
const greedy: StepOptions = { ...DEFAULT_STEP_OPTIONS, sampler: { name: 'speculative' }, prefix: 'ab '.repeat(100) };

it.each([
  ['mdlm', 'in a window', drawn, { ...options, temperature: 0.5 }],
  ['mdlm', 'by drafts that the graph checks itself', greedy, greedy],
  ['ar', 'token by token', drawn, { ...options, temperature: 0.5 }],
  ['ar', 'several tokens a call', greedy, greedy],
] as const)(
  '%s %s',
  async (kind, _, warm, lane) => {
    const census = new TensorCensus();
    const simulator = await loadSimulator({
      source: new FileSource(new URL(`../../test/fixtures/micro/${kind}/`, import.meta.url).pathname),
      provider: 'wasm',
    });
    /** Without what only waits to be collected. */
    const live = async () => {
      await new Promise((resolve) => setTimeout(resolve));
      collect();
      return census.live;
    };
    await finishStep(simulator.step(context, action, warm));
    const answers = await simulator.simulateBatch?.(
      [1, 2, 3].map((seed) => ({ context, action, options: { ...lane, seed } })),
    );
    expect(answers?.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
    // Between steps the cache is plain memory.
    expect(await live()).toBe(0);
    // A pass gives more than this, so something is counted.
    expect(census.made).toBeGreaterThan(20);

    // In the midst of a step.
    let disposed: Promise<void> | undefined;
    const left = finishStep(simulator.step(context, action, warm), () => (disposed ??= simulator.dispose()));
    await expect(left).rejects.toMatchObject({ code: 'disposed' });
    await disposed;
    expect(await live()).toBe(0);
    await simulator.dispose();
    // The simulator itself is still held, so nothing was collected along with it.
    expect(simulator.info.kind).toBe(kind);
    census.stop();
  },
  120_000,
);
