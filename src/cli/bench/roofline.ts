/**
 * A roofline (Williams, Waterman, Patterson 2009) of the pair: the least time a pass can take on a machine that multiplies so
 * fast and reads memory so fast. It counts what every implementation has to do and nothing else, so a step can come
 * near it and never below it, but for weights that stay in a cache which the measured rate did not see.
 */
import type { GemmTime } from '../../bench/protocol';

/** Sizes of a Llama-style decoder without biases, with tied embeddings. */
export interface ModelShape {
  layers: number;
  hidden: number;
  heads: number;
  headDim: number;
  inner: number;
  vocab: number;
}

/** One forward pass of one lane. */
export interface Pass {
  /** Tokens run. */
  tokens: number;
  /** Tokens the last of them may see, itself included. */
  keys: number;
  /** Whether each sees only itself and what comes before it, as in a prompt; otherwise all see the same. */
  causal?: boolean;
  /** Tokens whose logits are wanted. */
  logits: number;
}

export interface Work {
  /** Floating-point operations; a multiplication with its addition is two. */
  flops: number;
  /** Bytes that have to be read once: weights and cache, in fp32. */
  bytes: number;
}

/** What a machine can do at best, measured with the models' runtime and threads. */
export interface Machine {
  gflops: number;
  /** Gigabytes (1e9) of weights a second. */
  memoryGBs: number;
}

export interface Bound {
  ms: number;
  by: 'compute' | 'memory';
}

const FLOAT_BYTES = 4;

/** Numbers in the weight matrices of all layers; what embeds is left out. */
function layerWeights({ layers, hidden, heads, headDim, inner }: ModelShape): number {
  return layers * (4 * hidden * heads * headDim + 3 * hidden * inner);
}

/**
 * Operations and bytes of a pass: 2 for each weight and token, 4 * heads * headDim for each token, key it sees and layer
 * (scores and sums); norms, rotations and softmax are left out.
 */
export function workOf(shape: ModelShape, { tokens, keys, logits, causal = false }: Pass): Work {
  const { layers, heads, headDim, hidden, vocab } = shape;
  const weights = layerWeights(shape);
  const head = logits > 0 ? hidden * vocab : 0;
  // Of `tokens` tokens in a row the first sees `tokens - 1` fewer than the last.
  const seen = causal ? keys - (tokens - 1) / 2 : keys;
  const attention = 4 * tokens * seen * heads * headDim * layers;
  return {
    flops: 2 * weights * tokens + 2 * hidden * vocab * logits + attention,
    bytes: FLOAT_BYTES * (weights + head + 2 * layers * heads * headDim * keys),
  };
}

/** Least milliseconds of some work, and what takes them. */
export function boundOf({ flops, bytes }: Work, { gflops, memoryGBs }: Machine): Bound {
  const [compute, memory] = [flops / (gflops * 1e6), bytes / (memoryGBs * 1e6)];
  return compute >= memory ? { ms: compute, by: 'compute' } : { ms: memory, by: 'memory' };
}

/** Passes one after another: their bounds add up; `by` is what takes most of it. */
export function boundOfAll(passes: readonly (Pass & { count: number })[], shape: ModelShape, machine: Machine): Bound {
  const sums = { compute: 0, memory: 0 };
  for (const { count, ...pass } of passes) {
    const { ms, by } = boundOf(workOf(shape, pass), machine);
    sums[by] += count * ms;
  }
  return { ms: sums.compute + sums.memory, by: sums.compute >= sums.memory ? 'compute' : 'memory' };
}

/** Medians of a transition as the bench measures them, and the tokens of its prompt. */
export interface Transition {
  nfe: number;
  prefillTokens: number;
  forwardTokens: number;
  promptTokens: number;
}

/**
 * Least time of a transition. AR: the new part of the prompt in a pass that gives the first token, then a pass a token. MDLM:
 * the new part of the prompt, then `nfe` passes over a window of the mean size. A prompt is counted as read token by token;
 * a model that reads it block by block lets tokens see a few more, so the bound stands for it as well.
 */
export function transitionBound(kind: 'ar' | 'mdlm', one: Transition, shape: ModelShape, machine: Machine): Bound {
  const { nfe, prefillTokens, forwardTokens, promptTokens } = one;
  if (nfe <= 0) throw new RangeError('a transition without a pass has no bound');
  const generated = (forwardTokens - prefillTokens) / nfe;
  const prefill = { count: 1, tokens: prefillTokens, keys: promptTokens, causal: true };
  const passes =
    kind === 'ar'
      ? [
          { ...prefill, tokens: prefillTokens + 1, keys: promptTokens + 1, logits: 1 },
          { count: nfe - 1, tokens: 1, keys: promptTokens + nfe / 2, logits: 1 },
        ]
      : [
          { ...prefill, logits: 0 },
          { count: nfe, tokens: generated, keys: promptTokens + generated, logits: generated },
        ];
  return boundOfAll(passes, shape, machine);
}

/**
 * The shapes that are multiplied to know a machine: rows from one to many, by a matrix with as many weights as the model,
 * so that it lies in the caches, or does not, as the model's weights do.
 */
export function gemmShapes(shape: ModelShape): { m: number; k: number; n: number }[] {
  const { hidden, vocab } = shape;
  const k = Math.max(hidden, 64);
  const n = Math.max(64, Math.round((layerWeights(shape) + hidden * vocab) / k));
  return [1, 8, 64, 256].map((m) => ({ m, k, n }));
}

/** The best rates among the products: operations at any number of rows, bytes of weights a second at one row. */
export function machineOf(times: readonly GemmTime[]): Machine {
  if (times.length === 0) throw new RangeError('a machine is known by products, and there are none');
  const gflops = Math.max(...times.map(({ m, k, n, ms }) => (2 * m * k * n) / (ms * 1e6)));
  const memoryGBs = Math.max(...times.map(({ k, n, ms }) => (FLOAT_BYTES * k * n) / (ms * 1e6)));
  return { gflops, memoryGBs };
}
