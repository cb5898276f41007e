/**
 * The AR graph (Hugging Face's decoder with past) with its cache. Attention is causal, so every leading run of tokens of
 * the cache is exact and can be kept, inside a block as well.
 */
import type { Tensor } from 'onnxruntime-web/webgpu';
import type { ModelConfig } from '../config';
import { ModelError } from '../errors';
import { commonPrefix } from '../prompt';
import type { ModelSession, Tensors } from '../session';
import type { CausalModel } from './writer';

const PAST = 'past_key_values';

/** Names of the outputs with keys and values; on WebGPU they stay there. */
export function presentNames(layers: number): string[] {
  return Array.from({ length: layers }, (_, i) => [`present.${i}.key`, `present.${i}.value`]).flat();
}

/** @throws ModelError `bad_output` for what a failed read of a graphics buffer gives */
export function checkLogits(logits: Float32Array): Float32Array {
  if (!logits.every((value) => Number.isFinite(value)) || logits.every((value) => value === logits[0])) {
    throw new ModelError(
      'bad_output',
      'The model gave logits that are no numbers, or all the same.',
      'Restart the lane; if it happens again, choose WebAssembly.',
    );
  }
  return logits;
}

export class AutoregressiveGraph implements CausalModel {
  /** Tokens whose keys and values are in `pairs`. */
  private held: number[] = [];
  /** Keys and values by their suffix ("0.key"), each [1, heads, held.length, headDim]. */
  private pairs = new Map<string, Tensor>();
  private readonly names: string[];

  constructor(
    readonly session: ModelSession,
    private readonly config: ModelConfig,
    private readonly ownsSession = true,
  ) {
    this.names = presentNames(config.layers);
    this.empty();
  }

  /** Tokens in the cache. */
  get length(): number {
    return this.held.length;
  }

  /**
   * Keeps of the cache what leads `tokens` too, but never all of them: the last token has to be run to get its logits.
   * @returns how many tokens are kept
   */
  async keepCommon(tokens: readonly number[]): Promise<number> {
    const common = commonPrefix(this.held, tokens, (a, b) => a === b);
    await this.truncate(Math.min(common, tokens.length - 1));
    return this.held.length;
  }

  /**
   * Runs tokens behind those of the cache and adds them to it.
   * @returns logits of the last one, [vocabulary]
   * @throws ModelError `bad_output` when they are no numbers
   */
  async run(tokens: readonly number[]): Promise<Float32Array> {
    const start = this.held.length;
    const total = start + tokens.length;
    const feeds: Tensors = {
      input_ids: this.session.int64(tokens),
      attention_mask: this.session.int64(Array<number>(total).fill(1)),
      position_ids: this.session.int64(tokens.map((_, i) => start + i)),
    };
    for (const [suffix, tensor] of this.pairs) feeds[`${PAST}.${suffix}`] = tensor;
    const out = await this.session.run(feeds, ['logits', ...this.names]);
    this.replace(
      [...this.held, ...tokens],
      this.names.map((name) => [name.slice('present.'.length), out[name] as Tensor]),
    );
    const all = (await out['logits']?.getData(true)) as Float32Array;
    const { vocabSize } = this.config;
    try {
      return checkLogits(all.subarray((tokens.length - 1) * vocabSize, tokens.length * vocabSize));
    } catch (error) {
      // What came with bad logits must not be reused by the next step.
      this.empty();
      throw error;
    }
  }

  /** A second cache on the same session that holds what this one holds. Disposing it leaves the session alone. */
  async fork(): Promise<AutoregressiveGraph> {
    const copy = new AutoregressiveGraph(this.session, this.config, false);
    const pairs: [string, Tensor][] = [];
    for (const [suffix, tensor] of this.pairs) {
      const data = ((await tensor.getData()) as Float32Array).slice();
      pairs.push([suffix, this.session.float32(data, [...tensor.dims])]);
    }
    copy.replace([...this.held], pairs);
    return copy;
  }

  retire(): void {
    this.session.retire();
  }

  /** Nothing may be run afterwards; no tensor is left. */
  async dispose(): Promise<void> {
    this.replace([], []);
    if (this.ownsSession) await this.session.dispose();
  }

  private async truncate(length: number): Promise<void> {
    const before = this.held.length;
    if (length === before) return;
    if (length === 0) return this.empty();
    const { heads, headDim } = this.config;
    const shorter: [string, Tensor][] = [];
    for (const [suffix, tensor] of this.pairs) {
      const data = (await tensor.getData()) as Float32Array;
      const out = new Float32Array(heads * length * headDim);
      for (let h = 0; h < heads; h++) {
        const start = h * before * headDim;
        out.set(data.subarray(start, start + length * headDim), h * length * headDim);
      }
      shorter.push([suffix, this.session.float32(out, [1, heads, length, headDim])]);
    }
    this.replace(this.held.slice(0, length), shorter);
  }

  private empty(): void {
    const { heads, headDim } = this.config;
    const none = () => this.session.float32(new Float32Array(0), [1, heads, 0, headDim]);
    this.replace(
      [],
      this.names.map((name) => [name.slice('present.'.length), none()]),
    );
  }

  private replace(held: number[], pairs: [string, Tensor][]): void {
    for (const tensor of this.pairs.values()) tensor.dispose();
    this.held = held;
    this.pairs = new Map(pairs);
  }
}
