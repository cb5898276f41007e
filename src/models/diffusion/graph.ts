/** The MDLM's graph: prefilling clean blocks into the cache, and denoising passes over a window behind it. */
import { PAD_0 } from '../../world/codec';
import type { ModelConfig } from '../config';
import { ModelError } from '../errors';
import { CacheStack, type CacheRow } from '../batch/cacheStack';
import type { ModelSession, Tensors } from '../session';
import { noLoop, writeLoop, type LoopPlan, type Written } from './draftLoop';
import { isAlive, layerNames, layerPairs } from './layers';
import { NEVER_SEEN, PrefixCache, asBlocks } from './prefixCache';
import { outputNames, outputsOf, rowsOf, type Clean, type PassOptions, type WindowPass } from './pass';

/** Keys and values that a window stands behind, the position it starts at and the number of its block. */
export interface Past extends CacheRow {
  start: number;
  block: number;
}

/** One window of a pass. */
export interface PassRequest {
  tokens: readonly number[];
  /** What `past()` gave after the prefill. */
  past: Past;
  options?: PassOptions;
}

/** What a simulator needs of a graph: the whole of it, or a lane's part of one that many lanes share. */
export type WindowModel = Pick<DiffusionGraph, 'prefill' | 'past' | 'pass' | 'extend' | 'fork'> & {
  /**
   * Keeps of the cache what leads these blocks too; gives the tokens kept. Only where a pass over what is missing costs no logits
   * for it, and where nobody else may be encoding the same.
   */
  keepCommon?: ((prompt: readonly (readonly number[])[]) => number) | undefined;
  /** Writes behind clean tokens in one call of several passes (`./draftLoop.ts`). Only where the graph has them in it. */
  write?: ((tokens: readonly number[], plan: LoopPlan) => Promise<Written>) | undefined;
};

export class DiffusionGraph {
  /** As in `WindowModel`. */
  readonly keepCommon?: WindowModel['keepCommon'];
  readonly write?: WindowModel['write'];
  private readonly presentNames: string[];
  private readonly stack: CacheStack;
  /** Whether the graph is the one that gives the places it is told to read (models/training/decode.py). */
  private readonly reads: boolean;

  /** @param cache of the windows that are run one at a time */
  constructor(
    readonly session: ModelSession,
    private readonly config: ModelConfig,
    readonly cache = new PrefixCache(config),
  ) {
    this.presentNames = layerNames(config.layers, 'present');
    this.stack = new CacheStack(config);
    this.reads = session.inputNames.includes('read');
    Object.assign(this, this.alone(cache));
  }

  /** What can be done with a cache that no other lane waits for, by the graph that reads. */
  private alone(cache: PrefixCache): Pick<WindowModel, 'keepCommon' | 'write'> {
    return { keepCommon: this.keeping(() => cache), write: this.writing(() => cache) };
  }

  /** Keeps what leads a prompt in the cache there is for its blocks; undefined for the graph that gives all logits. */
  keeping(cache: (blocks: readonly (readonly number[])[]) => PrefixCache): WindowModel['keepCommon'] {
    if (!this.reads) return undefined;
    return (prompt) => {
      const blocks = this.attended(prompt);
      const held = cache(blocks);
      held.keepCommon(blocks);
      return held.length;
    };
  }

  /** Writes behind what a cache holds then; undefined for the graph without a loop. */
  writing(cache: () => PrefixCache): WindowModel['write'] {
    if (!this.reads) return undefined;
    return (tokens, plan) => writeLoop(this.session, this.config, cache(), tokens, plan);
  }

  /** The blocks of a prompt as this model's attention counts them. */
  attended(blocks: readonly (readonly number[])[]): readonly (readonly number[])[] {
    return this.config.causalPrefix ? asBlocks(blocks.flat()) : blocks;
  }

  /**
   * Brings the cache to exactly these blocks; what leads it already is not computed again.
   * @returns token positions that had to be encoded
   * @throws ModelError `bad_output` when keys or values are zeros or no numbers; the cache stays as it was
   */
  async prefill(prompt: readonly (readonly number[])[], cache = this.cache): Promise<number> {
    const blocks = this.attended(prompt);
    const kept = cache.keepCommon(blocks);
    const added = blocks.slice(kept);
    const ids = added.flat();
    if (ids.length === 0) return 0;
    const blockIds = added.flatMap((block, i) => block.map(() => kept + i));
    const start = cache.length;
    // Shaders are made for shapes: on WebGPU the pass is filled up to one of a few lengths.
    const width = this.session.provider === 'webgpu' ? Math.ceil(ids.length / 32) * 32 : ids.length;
    const fill = (values: number[], filler: number) => [
      ...values,
      ...Array<number>(width - values.length).fill(filler),
    ];
    const out = await this.session.run(
      {
        ...this.stack.feeds(this.session, [this.past(false, cache)]),
        input_ids: this.session.int32(fill(ids, PAD_0)),
        positions: this.session.int32(
          fill(
            ids.map((_, i) => start + i),
            0,
          ),
        ),
        block_ids: this.session.int32(fill(blockIds, NEVER_SEEN)),
        // Nothing is read, but the graph wants a place.
        ...this.toRead([0]),
      },
      this.presentNames,
    );
    const pairs = await layerPairs(out, this.config.layers);
    if (!pairs.every((pair) => isAlive(pair, ids.length - 1, this.config.headDim))) throw badOutput('keys');
    cache.append(added, pairs, width);
    return ids.length;
  }

  /**
   * The cache as the past of a pass.
   * @param copy it outlives the next prefill; otherwise it is valid until then
   */
  past(copy = false, cache = this.cache): Past {
    const { layers, capacity } = cache;
    return {
      layers: copy ? layers.map(({ key, value }) => ({ key: key.slice(), value: value.slice() })) : layers,
      capacity,
      blockIds: cache.pastBlockIds(),
      start: cache.length,
      block: cache.blocks.length,
    };
  }

  /** Adds clean tokens that a pass ran behind what the cache holds, each a block of its own. */
  extend(tokens: readonly number[], { pairs, stride }: Clean, cache = this.cache): void {
    const last = tokens.length - 1;
    if (!pairs.every((pair) => isAlive(pair, last, this.config.headDim))) throw badOutput('keys');
    cache.append(asBlocks(tokens), pairs, stride);
  }

  /** The same graph with a second cache, which holds what this one holds. Nothing of it has to be freed. */
  fork(from = this.cache, pass: WindowModel['pass'] = (...all) => this.pass(...all)): WindowModel {
    const cache = new PrefixCache(this.config);
    cache.copyFrom(from, from.blocks.length);
    return {
      prefill: (prompt) => this.prefill(prompt, cache),
      past: (copy) => this.past(copy, cache),
      extend: (tokens, clean) => this.extend(tokens, clean, cache),
      ...this.alone(cache),
      fork: () => this.fork(cache, pass),
      pass,
    };
  }

  /** One denoising pass over the tokens of a window, as `passes`. */
  async pass(tokens: readonly number[], past: Past, options: PassOptions = {}): Promise<WindowPass> {
    return (await this.passes([{ tokens, past, options }]))[0] as WindowPass;
  }

  /**
   * One forward pass over several windows, each behind its own past; shorter ones are filled up with places that nothing
   * sees. Each gets what it would get alone (within the rounding of fp32).
   * @throws ModelError `bad_output` when the confidences are no probabilities
   */
  async passes(requests: readonly PassRequest[]): Promise<WindowPass[]> {
    const longest = Math.max(...requests.map(({ tokens }) => tokens.length));
    const keeps = requests.some(({ options }) => options?.clean);
    const gaps = requests.some(({ options }) => options?.places);
    // A window with gaps or clean tokens can have any length, and on WebGPU shaders are made for shapes.
    const width = this.session.provider === 'webgpu' && (gaps || keeps) ? Math.ceil(longest / 16) * 16 : longest;
    const ints = (row: (request: PassRequest) => readonly number[], filler: number) => {
      const data = new Int32Array(requests.length * width).fill(filler);
      requests.forEach((request, r) => data.set(row(request), r * width));
      return this.session.int32(data, [requests.length, width]);
    };
    const places = ({ tokens, options }: PassRequest) => options?.places ?? tokens.map((_, i) => i);
    const wanted = requests.map(({ tokens, options }, r) =>
      tokens.slice(options?.from ?? 0).map((_, i) => r * width + (options?.from ?? 0) + i),
    );
    const out = await this.session.run(
      {
        ...this.stack.feeds(
          this.session,
          requests.map(({ past }) => past),
        ),
        input_ids: ints(({ tokens }) => tokens, PAD_0),
        positions: ints((request) => places(request).map((at) => request.past.start + at), 0),
        block_ids: ints(({ tokens, past, options }) => {
          return tokens.map((_, i) => past.block + Math.min(i, options?.clean ?? 0));
        }, NEVER_SEEN),
        ...this.toRead(wanted.flat()),
      },
      [
        ...outputNames(
          requests.map(({ options }) => options),
          this.reads,
        ),
        ...(keeps ? this.presentNames : []),
      ],
    );
    const all = await outputsOf(out);
    const pairs = keeps ? await layerPairs(out, this.config.layers) : [];
    const size = this.config.heads * width * this.config.headDim;
    let read = 0;
    return requests.map(({ options = {} }, r) => {
      const mine = (data: Float32Array) => data.subarray(r * size, (r + 1) * size);
      const kept = pairs.map(({ key, value }) => ({ key: mine(key), value: mine(value) }));
      const rows = wanted[r] as number[];
      // The graph that reads gives what was asked for of one window behind that of the other.
      const start = this.reads ? read : (rows[0] as number);
      read += rows.length;
      const pass = rowsOf(all, start, rows.length, options, this.config.vocabSize);
      // A failed read of a graphics buffer can come back as zeros.
      if (!pass.confidence.every((value) => value > 0 && value <= 1.0001)) throw badOutput('confidences');
      return { ...pass, clean: options.clean ? { pairs: kept, stride: width } : null };
    });
  }

  private toRead(places: readonly number[]): Tensors {
    return this.reads ? { read: this.session.int32(places, [places.length]), ...noLoop(this.session) } : {};
  }

  /** Frees what only batches need. */
  endBatch(): void {
    this.stack.clear();
  }

  /** No pass starts from now on; whoever is at work ends with `disposed`. */
  retire(): void {
    this.session.retire();
  }

  async dispose(): Promise<void> {
    this.cache.clear();
    this.stack.clear();
    await this.session.dispose();
  }
}

function badOutput(what: 'keys' | 'confidences'): ModelError {
  const message = {
    keys: 'The model gave keys or values that are zeros or no numbers.',
    confidences: 'The model gave confidences that are no probabilities.',
  }[what];
  return new ModelError('bad_output', message, 'Restart the lane; if it happens again, choose WebAssembly.');
}
