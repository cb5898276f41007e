/** A thousand steps leave nothing behind: tensors, cache, WebAssembly's memory and the work of a step stay what they were. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWorld } from '../twins';
import { DEFAULT_STEP_OPTIONS, finishStep, type Cost, type StepOptions } from '../world/simulator';
import type { Action, Context, Turn, World } from '../world/types';
import { TensorCensus } from './census.fixture';
import { FileSource } from './fileSource.node';
import { loadSimulator } from './load';

const STEPS = 1000;
/** Turns before the history is folded into a new world. */
const TURNS = 4;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes of WebAssembly in use: its memory only grows, so what leaks there is seen in its size. */
const memories: WebAssembly.Memory[] = [];
const { Memory } = WebAssembly;
beforeAll(() => {
  WebAssembly.Memory = class extends Memory {
    constructor(descriptor: WebAssembly.MemoryDescriptor) {
      super(descriptor);
      memories.push(this);
    }
  };
});
afterAll(() => {
  WebAssembly.Memory = Memory;
});
const wasmBytes = () => memories.reduce((sum, memory) => sum + memory.buffer.byteLength, 0);

/** Two tiny worlds in turn, each with a history that grows and is dropped. */
const contexts = [3, 4].flatMap((seed) => {
  const whole = makeWorld('support', seed, 1);
  const state = { orders: { W11: { status: seed === 3 ? 'open' : 'paid' } } };
  const world: World = { ...whole, tools: whole.tools.slice(0, 1), rules: [], state };
  const action: Action = { tool: world.tools[0]?.name ?? '', args: { id: 'W11' } };
  const text = { observation: '{"id":"W11","status":"open"}', delta: '{}', status: 'ok' };
  const turn: Turn = { directives: [], action, text, delta: {} };
  return Array.from({ length: TURNS }, (_, n) => ({
    context: { world, history: Array<Turn>(n).fill(turn) } satisfies Context,
    action,
  }));
});

/**
 * How steps are asked for, in turn. What the micro models write from left to right is long, so most of it is given: to the AR
 * model the slots before the status, and to the MDLM all but a few tokens.
 */
const SETTINGS: Record<'mdlm' | 'ar', Partial<StepOptions>[]> = {
  mdlm: [{ sampler: { name: 'speculative' }, prefix: 'ab '.repeat(104) }, { threshold: 0.02 }],
  ar: [
    {
      pins: [
        { slot: 'observation', pointer: '', value: { error: 'rate_limited' } },
        { slot: 'delta', pointer: '', value: {} },
      ],
    },
  ],
};

describe.each(['mdlm', 'ar'] as const)('%s', (kind) => {
  it('is after 1,000 steps what it was after the first ones', async () => {
    const census = new TensorCensus();
    const simulator = await loadSimulator({
      source: new FileSource(new URL(`../../test/fixtures/micro/${kind}/`, import.meta.url).pathname),
      provider: 'wasm',
    });
    /** What is held, without what only waits to be collected. */
    const held = async () => {
      await new Promise((resolve) => setTimeout(resolve));
      collect();
      return { tensors: census.live, gpu: census.liveOnGpu, past: census.longestPast, wasm: wasmBytes() };
    };
    const work = ({ nfe, forwardTokens, prefillTokens }: Cost) => [nfe, forwardTokens, prefillTokens].join();
    const works: string[] = [];
    const runs: number[] = [];
    let early: Awaited<ReturnType<typeof held>> | undefined;
    for (let step = 0; step < STEPS; step++) {
      const { context, action } = contexts[step % contexts.length] as (typeof contexts)[0];
      const options = { ...DEFAULT_STEP_OPTIONS, ...SETTINGS[kind][step % SETTINGS[kind].length], step };
      const before = census.runs;
      const { cost } = await finishStep(simulator.step(context, action, options));
      works.push(work(cost));
      runs.push(census.runs - before);
      // After two rounds everything has been met once, with a warm cache.
      if (step === 2 * contexts.length - 1) early = await held();
    }
    const late = await held();
    expect(early?.wasm).toBeGreaterThan(0);
    expect(late).toEqual(early);
    // The work of a step is that of the same step in the round before, in passes and in tokens.
    const n = contexts.length;
    const round = (list: readonly unknown[], at: number) => list.slice(at * n, (at + 1) * n);
    for (let at = 2; at < STEPS / n; at++) {
      expect(round(works, at)).toEqual(round(works, 1));
      expect(round(runs, at)).toEqual(round(runs, 1));
    }
    expect(census.made).toBeGreaterThan(5 * STEPS);
    await simulator.dispose();
    census.stop();
  }, 120_000);
});
