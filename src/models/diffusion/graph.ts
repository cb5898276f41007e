/** The MDLM's graph: prefilling clean blocks into the cache, and denoising passes over a window behind it. */
import { PAD_0 } from '../../world/codec';
import type { ModelConfig } from '../config';
import { ModelError } from '../errors';
import type { ModelSession, Tensors } from '../session';
import { NEVER_SEEN, PrefixCache, type LayerPair } from './prefixCache';

/** What one pass gives for the S tokens it ran; what was not asked for is null. `logits` are [S, vocabulary]. */
export interface WindowPass {
  best: Int32Array;
  confidence: Float32Array;
  margin: Float32Array | null;
  entropy: Float32Array | null;
  logits: Float32Array | null;
}

/** Keys and values that a window stands behind, the position it starts at and the number of its block. */
export interface Past {
  feeds: Tensors;
  start: number;
  block: number;
}

export interface PassOptions {
  logits?: boolean;
  /** Margin and entropy of each place. */
  statistics?: boolean;
  /** Places of the tokens in the window, counted from `<resp>` at 0, where some are left out; absent: one after another. */
  places?: readonly number[];
}

export class DiffusionGraph {
  readonly cache: PrefixCache;
  private readonly presentNames: string[];

  constructor(
    readonly session: ModelSession,
    private readonly config: ModelConfig,
  ) {
    this.cache = new PrefixCache(config);
    this.presentNames = layerNames(config.layers, 'present');
  }

  /**
   * Brings the cache to exactly these blocks; those that lead it already are not computed again.
   * @returns token positions that had to be encoded
   * @throws ModelError `bad_output` when keys or values are zeros or no numbers; the cache stays as it was
   */
  async prefill(blocks: readonly (readonly number[])[]): Promise<number> {
    const kept = this.cache.keepCommon(blocks);
    const added = blocks.slice(kept);
    const ids = added.flat();
    if (ids.length === 0) return 0;
    const blockIds = added.flatMap((block, i) => block.map(() => kept + i));
    const start = this.cache.length;
    // Shaders are made for shapes: on WebGPU the pass is filled up to one of a few lengths.
    const width = this.session.provider === 'webgpu' ? Math.ceil(ids.length / 32) * 32 : ids.length;
    const fill = (values: number[], filler: number) => [...values, ...Array<number>(width - values.length).fill(filler)];
    const out = await this.session.run(
      {
        ...this.past().feeds,
        input_ids: this.session.int32(fill(ids, PAD_0)),
        positions: this.session.int32(fill(ids.map((_, i) => start + i), 0)),
        block_ids: this.session.int32(fill(blockIds, NEVER_SEEN)),
      },
      this.presentNames,
    );
    const pairs = await layerPairs(out, this.config.layers);
    if (!pairs.every((pair) => isAlive(pair, ids.length - 1, this.config.headDim))) throw badOutput('keys');
    this.cache.append(added, pairs, width);
    return ids.length;
  }

  /**
   * The cache as inputs of a pass.
   * @param copy they outlive the next prefill; otherwise they are valid until then
   */
  past(copy = false): Past {
    const { layers, heads, headDim } = this.config;
    const { capacity } = this.cache;
    const feeds: Tensors = { past_block_ids: this.session.int32(this.cache.pastBlockIds()) };
    const tensor = (data: Float32Array) =>
      this.session.float32(copy ? data.slice() : data, [1, heads, capacity, headDim]);
    for (let i = 0; i < layers; i++) {
      const pair = this.cache.layers[i] as LayerPair;
      feeds[`past.${i}.key`] = tensor(pair.key);
      feeds[`past.${i}.value`] = tensor(pair.value);
    }
    return { feeds, start: this.cache.length, block: this.cache.blocks.length };
  }

  /**
   * One denoising pass over the tokens of a window.
   * @param past what `past()` gave after the prefill
   * @throws ModelError `bad_output` when the confidences are no probabilities
   */
  async pass(tokens: readonly number[], past: Past, options: PassOptions = {}): Promise<WindowPass> {
    const { logits = false, statistics = false, places } = options;
    const { start, block, feeds } = past;
    const size = tokens.length;
    // A window with gaps can have any length, and on WebGPU shaders are made for shapes.
    const fill = places && this.session.provider === 'webgpu' ? (16 - (size % 16)) % 16 : 0;
    const filled = (values: readonly number[], filler: number) => [...values, ...Array<number>(fill).fill(filler)];
    const wanted = ['best', 'confidence', ...(statistics ? ['margin', 'entropy'] : []), ...(logits ? ['logits'] : [])];
    const out = await this.session.run(
      {
        ...feeds,
        input_ids: this.session.int32(filled(tokens, PAD_0)),
        positions: this.session.int32(filled(places?.map((at) => start + at) ?? tokens.map((_, i) => start + i), 0)),
        block_ids: this.session.int32(filled(tokens.map(() => block), NEVER_SEEN)),
      },
      wanted,
    );
    const floats = async (name: string, width: number) =>
      wanted.includes(name) ? ((await out[name]?.getData(true)) as Float32Array).subarray(0, size * width) : null;
    const confidence = (await floats('confidence', 1)) as Float32Array;
    // A failed read of a graphics buffer can come back as zeros.
    if (!confidence.every((value) => value > 0 && value <= 1.0001)) {
      throw badOutput('confidences');
    }
    return {
      best: ((await out['best']?.getData(true)) as Int32Array).subarray(0, size),
      confidence,
      margin: await floats('margin', 1),
      entropy: await floats('entropy', 1),
      logits: await floats('logits', this.config.vocabSize),
    };
  }

  async dispose(): Promise<void> {
    this.cache.clear();
    await this.session.dispose();
  }
}

function layerNames(layers: number, prefix: string): string[] {
  return Array.from({ length: layers }, (_, i) => [`${prefix}.${i}.key`, `${prefix}.${i}.value`]).flat();
}

async function layerPairs(out: Tensors, layers: number): Promise<LayerPair[]> {
  const data = async (name: string) => (await out[name]?.getData(true)) as Float32Array;
  const pairs: LayerPair[] = [];
  for (let i = 0; i < layers; i++) {
    pairs.push({ key: await data(`present.${i}.key`), value: await data(`present.${i}.value`) });
  }
  return pairs;
}

/** Whether the keys and values of a token are numbers and not all zero, as those of a failed read are. */
function isAlive(pair: LayerPair, token: number, headDim: number): boolean {
  return [pair.key, pair.value].every((data) => {
    const row = data.subarray(token * headDim, (token + 1) * headDim);
    return row.every(Number.isFinite) && row.some((value) => value !== 0);
  });
}

function badOutput(what: 'keys' | 'confidences'): ModelError {
  const message = {
    keys: 'The model gave keys or values that are zeros or no numbers.',
    confidences: 'The model gave confidences that are no probabilities.',
  }[what];
  return new ModelError('bad_output', message, 'Restart the lane; if it happens again, choose WebAssembly.');
}
