/** What the command line asks of the bench page's workers, and what they give back. Everything crosses as JSON. */
import type { ModelInfo, ProviderName } from '../models';
import type { BatchItem, Cost } from '../world/simulator';
import type { SlotTexts } from '../world/types';

/** What a worker is to run: one model in one runtime. */
export interface OpenRequest {
  kind: 'ar' | 'mdlm' | 'transformers.js';
  /** Address of the model folder; relative to the page, or absolute. */
  baseUrl: string;
  provider: ProviderName;
  /** Threads of WebAssembly. */
  threads: number;
}

export interface Opened {
  info: ModelInfo;
  /** Threads that ONNX Runtime was set to; on WebGPU those of its WebAssembly part. */
  threads: number;
  /** Milliseconds from the request to a model that passed its self-test; files come from the bench's own server. */
  loadMs: number;
}

/** An answer as far as the bench needs it: what scoring reads, the tokens, the cost. */
export interface BenchAnswer {
  text: SlotTexts;
  ids: number[];
  cost: Cost;
  /** Milliseconds of the step inside the graph, and the passes it took there (every call of the session counts). */
  graphMs: number;
  graphRuns: number;
}

export interface AnswerRequest {
  items: BatchItem[];
  /** Answered before the clock starts; nothing of them is kept. */
  warmup: BatchItem[];
  /** Run up to its first draft before each item, so that of the item's prompt nothing is cached; null keeps the cache. */
  flush: BatchItem | null;
}

export interface LanesRequest {
  /** Groups one after another; in a group, rounds; in a round, one item a lane. */
  groups: BatchItem[][][];
  /** Lanes in shared passes where the model can; otherwise one after another, lane by lane. */
  together: boolean;
}

export interface LanesResult {
  /** What each answer cost, in the order of the items, and wall milliseconds of each round. */
  costs: Cost[];
  ms: number[];
  /** Items that could not be answered. */
  rejected: number;
  /** True where the lanes really shared passes. */
  shared: boolean;
}

export interface EnduranceRequest {
  /** Answered in turn, round after round. */
  items: BatchItem[];
  /** Number of the first step, and how many there are. */
  from: number;
  steps: number;
}

export interface EnduranceResult {
  /** Wall milliseconds of each step, and those of them that passed inside ONNX Runtime. */
  ms: number[];
  graphMs: number[];
  /** Size of the worker's WebAssembly memory after them; it only grows, so what leaks is seen in it. */
  wasmBytes: number;
}

export interface GenerateRequest {
  prompts: number[][];
  /** Tokens to generate behind each prompt. */
  newTokens: number[];
}

export interface Generated {
  ids: number[];
  ms: number;
}

/** A matrix product of ONNX Runtime: [m, k] x [k, n], the second a constant as weights are. */
export interface GemmShape {
  m: number;
  k: number;
  n: number;
}

export interface GemmTime extends GemmShape {
  /** Median milliseconds of one product. */
  ms: number;
}

export interface MachineRequest {
  provider: ProviderName;
  threads: number;
  shapes: GemmShape[];
}

/** The calls of a bench worker. */
export interface BenchApi {
  open(request: OpenRequest): Promise<Opened>;
  answer(request: AnswerRequest): Promise<BenchAnswer[]>;
  lanes(request: LanesRequest): Promise<LanesResult>;
  endure(request: EnduranceRequest): Promise<EnduranceResult>;
  generate(request: GenerateRequest): Promise<Generated[]>;
  machine(request: MachineRequest): Promise<GemmTime[]>;
}

export type BenchMethod = keyof BenchApi;

/** What the page offers to whoever drives it. Arguments and results are JSON text: drivers copy long texts quickly. */
export interface BenchPage {
  /** Calls a method of the worker of this name, which is started if need be. */
  call(worker: string, method: BenchMethod, request: string): Promise<string>;
  /** Ends a worker and frees what it holds. */
  end(worker: string): void;
  /**
   * Bytes of page and workers after a collection of garbage (`measureUserAgentSpecificMemory`); null where the browser does
   * not say, or not within 20 seconds.
   */
  memory(): Promise<number | null>;
  /** Called with the items done and all items of the call that runs. */
  onProgress: ((done: number, total: number) => void) | null;
}
