/** A worker of the bench: one model in one runtime, or the runtime alone, timed where it runs. */
// First: it has to see every memory that is made.
import './memory';
import { expose } from 'comlink';
import { HttpSource, loadSimulator, type ModelSimulator } from '../models';
import { loadOrt } from '../models/ort';
import { answerAll, finishStep, type BatchItem, type Cost } from '../world/simulator';
import { gemmTimes } from './gemm';
import { GraphClock } from './graphClock';
import type { BenchWorkerApi } from './main';
import { wasmBytes } from './memory';
import type { BenchAnswer } from './protocol';
import { TransformersGenerator } from './transformers';

type Tell = (done: number, total: number) => void;

let simulator: ModelSimulator | null = null;
let generator: TransformersGenerator | null = null;
const clock = new GraphClock();

function model(): ModelSimulator {
  if (!simulator) throw new Error('No model is open in this worker.');
  return simulator;
}

async function timed(item: BatchItem): Promise<BenchAnswer> {
  clock.reset();
  const { context, action, options } = item;
  const { text, tokens, cost } = await finishStep(model().step(context, action, options));
  return { text, ids: tokens.map(({ id }) => id), cost, graphMs: clock.ms, graphRuns: clock.runs };
}

/** Has the cache hold the start of another prompt: an answer that is left at its first draft. */
async function flushCache({ context, action, options }: BatchItem): Promise<void> {
  for await (const _ of model().step(context, action, options)) break;
}

const api: BenchWorkerApi = {
  async open({ kind, baseUrl, provider, threads }) {
    const start = performance.now();
    const source = new HttpSource(new URL(baseUrl, globalThis.location.href).href);
    // transformers.js has only the build with WebGPU in it, whatever it runs on.
    const ort = await loadOrt(kind === 'transformers.js' || provider === 'webgpu' ? 'webgpu' : 'wasm');
    ort.env.wasm.numThreads = threads;
    clock.watch(ort);
    if (kind === 'transformers.js') generator = await TransformersGenerator.load(source, provider);
    else simulator = await loadSimulator({ source, provider });
    const info = (generator ?? model()).info;
    if (info.provider !== provider) {
      throw new Error(`The model runs on ${info.provider} instead of ${provider}: ${info.fallbackReason}.`);
    }
    return { info, threads: ort.env.wasm.numThreads, loadMs: performance.now() - start };
  },

  async answer({ items, warmup, flush }, tell: Tell) {
    for (const item of warmup) await timed(item);
    const out: BenchAnswer[] = [];
    for (const item of items) {
      if (flush) await flushCache(flush);
      out.push(await timed(item));
      void tell(out.length, items.length);
    }
    return out;
  },

  async lanes({ groups, together }, tell: Tell) {
    const total = groups.flat(2).length;
    let [steps, rejected] = [0, 0];
    const costs: Cost[] = [];
    const ms: number[] = [];
    clock.reset();
    for (const rounds of groups) {
      for (const items of rounds) {
        const start = performance.now();
        if (together) {
          for (const answer of await answerAll(model(), items)) {
            if (answer.status === 'rejected') rejected++;
            else costs.push(answer.value.cost);
          }
        } else {
          for (const { context, action, options } of items) {
            costs.push((await finishStep(model().step(context, action, options))).cost);
          }
        }
        ms.push(performance.now() - start);
        void tell((steps += items.length), total);
      }
    }
    return { costs, ms, rejected, shared: clock.rows > 1 };
  },

  async endure({ items, from, steps }, tell: Tell) {
    const ms: number[] = [];
    const graphMs: number[] = [];
    for (let step = from; step < from + steps; step++) {
      const start = performance.now();
      const answer = await timed(items[step % items.length] as BatchItem);
      ms.push(performance.now() - start);
      graphMs.push(answer.graphMs);
      void tell(ms.length, steps);
    }
    // Memory is read now, and garbage is not what the steps leave.
    (globalThis as { gc?: () => void }).gc?.();
    return { ms, graphMs, wasmBytes: wasmBytes() };
  },

  async generate({ prompts, newTokens }, tell: Tell) {
    if (!generator) throw new Error('transformers.js is not open in this worker.');
    const out = [];
    for (const [i, prompt] of prompts.entries()) {
      out.push(await generator.generate(prompt, newTokens[i] ?? 1));
      void tell(out.length, prompts.length);
    }
    return out;
  },

  machine: ({ provider, threads, shapes }, tell: Tell) => gemmTimes(provider, threads, shapes, tell),
};

expose(api);
