/** The MDLM's graph: prefilling clean blocks into the cache, and denoising passes over a window behind it. */
import { PAD_0 } from '../../world/codec';
import type { ModelConfig } from '../config';
import { ModelError } from '../errors';
import type { ModelSession, Tensors } from '../session';
import { NEVER_SEEN, PrefixCache, type LayerPair } from './prefixCache';

/** What one pass gives for the S places of a window; `logits` only when asked for, [S, vocabulary]. */
export interface WindowPass {
  best: Int32Array;
  confidence: Float32Array;
  logits: Float32Array | null;
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
        ...this.past(),
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

  /** Keys, values and blocks of the cache as inputs; they stay valid until the next prefill. */
  past(): Tensors {
    const { layers, heads, headDim } = this.config;
    const { capacity } = this.cache;
    const feeds: Tensors = { past_block_ids: this.session.int32(this.cache.pastBlockIds()) };
    for (let i = 0; i < layers; i++) {
      const pair = this.cache.layers[i] as LayerPair;
      feeds[`past.${i}.key`] = this.session.float32(pair.key, [1, heads, capacity, headDim]);
      feeds[`past.${i}.value`] = this.session.float32(pair.value, [1, heads, capacity, headDim]);
    }
    return feeds;
  }

  /**
   * One denoising pass over a window that stands behind the cache's blocks.
   * @param past what `past()` gave after the prefill
   * @throws ModelError `bad_output` when the confidences are no probabilities
   */
  async pass(window: readonly number[], past: Tensors, wantLogits: boolean): Promise<WindowPass> {
    const start = this.cache.length;
    const out = await this.session.run(
      {
        ...past,
        input_ids: this.session.int32(window),
        positions: this.session.int32(window.map((_, i) => start + i)),
        block_ids: this.session.int32(window.map(() => this.cache.blocks.length)),
      },
      ['best', 'confidence', ...(wantLogits ? ['logits'] : [])],
    );
    const confidence = (await out['confidence']?.getData(true)) as Float32Array;
    // A failed read of a graphics buffer can come back as zeros.
    if (!confidence.every((value) => value > 0 && value <= 1.0001)) {
      throw badOutput('confidences');
    }
    return {
      best: (await out['best']?.getData(true)) as Int32Array,
      confidence,
      logits: wantLogits ? ((await out['logits']?.getData(true)) as Float32Array) : null,
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
