/** Both simulators with the micro pair on WASM in Node: exact caches, honest costs, seeds, cancelling. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWorld } from '../twins';
import { encodeAnswer, encodeContext, maskedWindow, START_SIZES } from '../world/codec';
import { DEFAULT_STEP_OPTIONS, finishStep, type Draft } from '../world/simulator';
import type { Action, Context } from '../world/types';
import { AutoregressiveGraph } from './autoregressive/graph';
import { DiffusionGraph } from './diffusion/graph';
import type { LayerPair } from './diffusion/prefixCache';
import { FileSource } from './fileSource.node';
import { fetchModel, type ModelFiles } from './files';
import { loadSimulator, type ModelSimulator } from './load';
import { selfTest } from './selfTest';
import { ModelSession } from './session';

/** Tokens of the window a diffusion model starts with, `<resp>` included. */
const START = maskedWindow(START_SIZES).length;
const folder = (kind: string) => new URL(`../../test/fixtures/micro/${kind}/`, import.meta.url).pathname;
const world = makeWorld('support', 3);
const action: Action = { tool: world.tools[0]?.name ?? '', args: { id: 'W11' } };
const turn = {
  directives: [],
  action,
  text: { observation: '{"id":"W11","status":"open"}', delta: '{}', status: 'ok' },
  delta: {},
};
const first: Context = { world, history: [] };
const second: Context = { world, history: [turn] };
/** The micro MDLM is never sure, so a fixed number of steps bounds its passes; the AR model does not look at it. */
const options = { ...DEFAULT_STEP_OPTIONS, sampler: { name: 'confidence', steps: 8 } };

describe.each(['mdlm', 'ar'] as const)('%s', (kind) => {
  let simulator: ModelSimulator;
  beforeAll(async () => {
    simulator = await loadSimulator({ source: new FileSource(folder(kind)), provider: 'wasm' });
  }, 60_000);
  afterAll(() => simulator.dispose());

  it('tells what it is', () => {
    expect(simulator.info).toMatchObject({ id: kind, kind, provider: 'wasm', fallbackReason: null, codec: 2 });
    expect(simulator.supports(world)).toBe(true);
  });

  it('streams drafts and ends in a prediction whose costs add up', async () => {
    const drafts: Draft[] = [];
    const defaults = { ...DEFAULT_STEP_OPTIONS, threshold: 0.02 };
    const prediction = await finishStep(simulator.step(first, action, defaults), (draft) => drafts.push(draft));
    const { cost, tokens, text } = prediction;
    const prefix = encodeContext(first, action, [], await tokenizerOf(kind)).flat().length;
    expect(cost.prefillTokens).toBe(prefix);
    expect(drafts.length).toBe(cost.nfe - 1);
    expect(Math.max(...tokens.map((token) => token.pass))).toBe(cost.nfe);
    expect(cost.generatedTokens).toBe(encodeAnswer(text, await tokenizerOf(kind)).length - 1);
    const windows = kind === 'ar' ? cost.nfe : drafts.reduce((sum, draft) => sum + draft.tokens.length + 1, START);
    // Of the AR's passes the first runs over the prefix as well, with <resp> at its end.
    expect(cost.forwardTokens).toBe(prefix + windows);
    expect(cost.ms).toBeGreaterThanOrEqual(cost.prefillMs);
    const again = await finishStep(simulator.step(first, action, defaults));
    expect(again.text).toEqual(text);
    expect(again.cost.prefillTokens).toBe(0);
  });

  it('writes the same with a warm cache and with a cold one', async () => {
    await finishStep(simulator.step(first, action, options));
    const warm = await finishStep(simulator.step(second, action, options));
    const other = await loadSimulator({ source: new FileSource(folder(kind)), provider: 'wasm' });
    const cold = await finishStep(other.step(second, action, options));
    await other.dispose();
    expect(warm.tokens.map((token) => token.id)).toEqual(cold.tokens.map((token) => token.id));
    expect(warm.cost.prefillTokens).toBeLessThan(cold.cost.prefillTokens);
    expect(warm.cost.nfe).toBe(cold.cost.nfe);
  });

  it('draws the same for one key, and other answers for other seeds', async () => {
    const text = async (seed: number) => {
      const step = simulator.step(first, action, { ...options, temperature: 1.5, seed });
      return JSON.stringify((await finishStep(step)).text);
    };
    expect(await text(1)).toBe(await text(1));
    expect(new Set([await text(1), await text(2), await text(3)]).size).toBeGreaterThan(1);
  });

  it('stops between passes when aborted, and the next step is none the worse', async () => {
    const whole = await finishStep(simulator.step(second, action, options));
    const control = new AbortController();
    const reason = new Error('enough');
    let drafts = 0;
    const step = finishStep(simulator.step(second, action, options, control.signal), () => {
      if (++drafts === 2) control.abort(reason);
    });
    await expect(step).rejects.toBe(reason);
    expect(drafts).toBe(2);
    const again = await finishStep(simulator.step(second, action, options));
    expect(again.text).toEqual(whole.text);
  });

  it('lets steps that come together wait for each other', async () => {
    const alone = await finishStep(simulator.step(first, action, options));
    const both = await Promise.all([first, second].map((c) => finishStep(simulator.step(c, action, options))));
    expect(both[0]?.text).toEqual(alone.text);
  });

  it('refuses a world that is too long, with the numbers', async () => {
    const long = { ...world, task: { ...world.task, instruction: 'zq '.repeat(2000) } };
    const step = finishStep(simulator.step({ world: long, history: [] }, action, options));
    await expect(step).rejects.toMatchObject({
      code: 'context_too_long',
      message: expect.stringMatching(/\d{4} tokens/),
    });
  });

  it('says so when it was disposed, and can be disposed twice', async () => {
    const other = await loadSimulator({ source: new FileSource(folder(kind)), provider: 'auto' });
    expect(other.info.fallbackReason).toMatch(/no WebGPU/);
    await other.dispose();
    await other.dispose();
    await expect(finishStep(other.step(first, action, options))).rejects.toMatchObject({ code: 'disposed' });
  });

  it('is refused when its golden logits are others', async () => {
    const { config, graph } = await fetchModel(new FileSource(folder(kind)));
    const session = await ModelSession.create(graph, 'wasm');
    await selfTest(session, config);
    const [check, ...rest] = config.selfTest.checks;
    const wrong = { ...config.selfTest, checks: [...rest, { position: 0, token: 30, ...check, logit: 40 }] };
    const failed = selfTest(session, { ...config, selfTest: wrong });
    await expect(failed).rejects.toMatchObject({
      code: 'self_test',
      message: expect.stringContaining('instead of 40'),
    });
    await session.dispose();
  });
});

const loaded = new Map<string, Promise<ModelFiles>>();
async function tokenizerOf(kind: string) {
  const files = loaded.get(kind) ?? fetchModel(new FileSource(folder(kind)));
  loaded.set(kind, files);
  return (await files).tokenizer;
}

function worst(a: Float32Array, b: Float32Array): number {
  expect(a.length).toBe(b.length);
  return a.reduce((most, value, i) => Math.max(most, Math.abs(value - (b[i] as number))), 0);
}

describe('prefix caches', () => {
  it('of the MDLM: one pass, block by block, and a cache that was cut back agree', async () => {
    const { config, graph: bytes, tokenizer } = await fetchModel(new FileSource(folder('mdlm')));
    const graph = new DiffusionGraph(await ModelSession.create(bytes, 'wasm'), { ...config, causalPrefix: false });
    const blocks = encodeContext(second, action, [], tokenizer);
    const other = [...blocks.slice(0, 2), [16, 300, 301, 9, 302, 9, 303, 9], [14, 15, 400]];
    /** Keys and values of the blocks without the room behind them. */
    const snapshot = () => graph.cache.layers.flatMap((pair: LayerPair) => [held(pair.key), held(pair.value)]);
    const held = (data: Float32Array) => {
      const { length, capacity } = graph.cache;
      const size = config.headDim;
      return Float32Array.from(
        Array.from({ length: config.heads }, (_, h) => [
          ...data.subarray(h * capacity * size, (h * capacity + length) * size),
        ]).flat(),
      );
    };
    expect(await graph.prefill(blocks)).toBe(blocks.flat().length);
    const once = snapshot();
    const window = [16, ...Array<number>(52).fill(0)];
    const pass = await graph.pass(window, graph.past(), { logits: true });
    // Cut back to the first two blocks, continue with others, and come back one block at a time.
    expect(await graph.prefill(other)).toBe(other.slice(2).flat().length);
    for (let n = 1; n <= blocks.length; n++) await graph.prefill(blocks.slice(0, n));
    snapshot().forEach((part, i) => expect(worst(part, once[i] as Float32Array)).toBeLessThan(1e-4));
    const again = await graph.pass(window, graph.past(), { logits: true });
    expect(worst(again.logits as Float32Array, pass.logits as Float32Array)).toBeLessThan(1e-3);
    expect(again.best).toEqual(pass.best);
    expect(again.logits?.length).toBe(window.length * config.vocabSize);
    await graph.dispose();
  });

  it('of the AR: one pass, token by token, and a cache that was cut back agree', async () => {
    const { config, graph: bytes, tokenizer } = await fetchModel(new FileSource(folder('ar')));
    const graph = new AutoregressiveGraph(await ModelSession.create(bytes, 'wasm'), config);
    const tokens = encodeContext(second, action, [], tokenizer).flat();
    const once = (await graph.run(tokens)).slice();
    expect(await graph.keepCommon([...tokens.slice(0, 40), 500, 501])).toBe(40);
    await graph.run([500, 501]);
    expect(await graph.keepCommon(tokens)).toBe(40);
    let last = new Float32Array();
    for (const token of tokens.slice(40)) last = Float32Array.from(await graph.run([token]));
    expect(worst(last, once)).toBeLessThan(1e-3);
    expect(await graph.keepCommon(tokens)).toBe(tokens.length - 1);
    expect(worst(await graph.run(tokens.slice(-1)), once)).toBeLessThan(1e-3);
    await graph.dispose();
  });
});
