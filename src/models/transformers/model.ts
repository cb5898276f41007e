/** A causal language model of transformers.js with its cache, behind the interface of our own AR graph. */
import type * as TransformersJs from '@xenova/transformers';
import type { DynamicCache, PreTrainedModel, Tensor } from '@xenova/transformers';
import { checkLogits } from '../autoregressive/graph';
import type { CausalModel } from '../autoregressive/writer';
import type { ModelConfig } from '../config';
import { ModelError, messageOf } from '../errors';
import { commonPrefix } from '../prompt';
import type { ProviderName } from '../session';
import { checkGolden } from '../selfTest';

export type Library = typeof TransformersJs;

export class TransformersModel implements CausalModel {
  private held: number[] = [];
  private past: DynamicCache | null = null;
  private disposed = false;

  private constructor(
    private readonly library: Library,
    private readonly model: PreTrainedModel,
    readonly provider: ProviderName,
    private readonly config: ModelConfig,
  ) {}

  /** @throws ModelError `session` */
  static async load(library: Library, provider: ProviderName, config: ModelConfig): Promise<TransformersModel> {
    try {
      const model = await library.AutoModelForCausalLM.from_pretrained('ar', {
        local_files_only: true,
        // Our files hold fp16 weights that are cast to fp32: the plain graph, in the words of transformers.js.
        dtype: 'fp32',
        device: provider,
      });
      return new TransformersModel(library, model, provider, config);
    } catch (error) {
      const message = `transformers.js cannot run the model on ${provider}: ${messageOf(error)}.`;
      throw new ModelError('session', message, provider === 'webgpu' ? 'Choose WebAssembly.' : 'Restart the lane.', {
        cause: error,
      });
    }
  }

  get length(): number {
    return this.held.length;
  }

  /** Its cache cannot be cut, so it is kept whole or not at all. */
  async keepCommon(tokens: readonly number[]): Promise<number> {
    const common = commonPrefix(this.held, tokens, (a, b) => a === b);
    if (common < this.held.length || common >= tokens.length) await this.clear();
    return this.held.length;
  }

  async run(tokens: readonly number[]): Promise<Float32Array> {
    if (this.disposed) throw new ModelError('disposed', 'The model was disposed.', 'Load it again.');
    const { DynamicCache, Tensor } = this.library;
    const total = this.held.length + tokens.length;
    const ints = (values: readonly number[]) =>
      new Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length]);
    let outputs: { [name: string]: Tensor };
    try {
      outputs = await this.model({
        input_ids: ints(tokens),
        attention_mask: ints(Array<number>(total).fill(1)),
        position_ids: ints(tokens.map((_, i) => this.held.length + i)),
        past_key_values: this.past,
      });
    } catch (error) {
      throw new ModelError('run', `A forward pass failed: ${messageOf(error)}.`, 'Restart the lane.', { cause: error });
    }
    const entries = Object.entries(outputs).filter(([name]) => name.startsWith('present.'));
    await this.past?.dispose();
    this.past = new DynamicCache(
      Object.fromEntries(entries.map(([name, tensor]) => [name.replace('present', 'past_key_values'), tensor])),
    );
    this.held = [...this.held, ...tokens];
    const all = outputs['logits']?.data as Float32Array;
    const { vocabSize } = this.config;
    try {
      return checkLogits(all.slice((tokens.length - 1) * vocabSize, tokens.length * vocabSize));
    } catch (error) {
      // What came with bad logits must not be reused by the next step.
      await this.clear();
      throw error;
    }
  }

  /** @throws ModelError `self_test` when the golden logits of the last position are others */
  async selfTest(): Promise<void> {
    const { inputIds, checks } = this.config.selfTest;
    const last = inputIds.length - 1;
    const logits = await this.run(inputIds);
    checkGolden(
      checks.filter((check) => check.position === last),
      (_, token) => logits[token] ?? NaN,
      this.provider,
    );
    await this.clear();
  }

  async dispose(): Promise<void> {
    if (this.disposed) return;
    this.disposed = true;
    await this.clear();
    await this.model.dispose();
  }

  private async clear(): Promise<void> {
    this.held = [];
    await this.past?.dispose();
    this.past = null;
  }
}
