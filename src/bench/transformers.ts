/** transformers.js as its users call it: `generate` on the AR folder. */
import type { ModelInfo, ModelSource, ProviderName } from '../models';
import { infoOf } from '../models/info';
import { openTransformers } from '../models/transformers/simulator';
import type { Generated } from './protocol';

type Opened = Awaited<ReturnType<typeof openTransformers>>;
type Model = Awaited<ReturnType<Opened['library']['AutoModelForCausalLM']['from_pretrained']>>;

export class TransformersGenerator {
  private constructor(
    private readonly library: Opened['library'],
    private readonly model: Model,
    readonly info: ModelInfo,
  ) {}

  /**
   * Loads the folder as `src/models/transformers` does, so that both run the same files.
   * @throws ModelError as `loadTransformersSimulator`
   */
  static async load(source: ModelSource, provider: ProviderName): Promise<TransformersGenerator> {
    const { library, config } = await openTransformers(source);
    const model = await library.AutoModelForCausalLM.from_pretrained('ar', {
      local_files_only: true,
      dtype: 'fp32',
      device: provider,
    });
    const info = { ...infoOf(config, provider, null, null), runtime: 'transformers.js' as const };
    return new TransformersGenerator(library, model, info);
  }

  /** Greedy tokens behind a prompt, exactly so many: `<end>` stands three times in an answer and must not end it. */
  async generate(prompt: readonly number[], newTokens: number): Promise<Generated> {
    const { Tensor } = this.library;
    const ints = (values: bigint[]) => new Tensor('int64', BigInt64Array.from(values), [1, values.length]);
    const start = performance.now();
    const output = (await this.model.generate({
      input_ids: ints(prompt.map(BigInt)),
      attention_mask: ints(prompt.map(() => 1n)),
      max_new_tokens: newTokens,
      do_sample: false,
      eos_token_id: null,
    } as unknown as Parameters<Model['generate']>[0])) as InstanceType<typeof Tensor>;
    const ms = performance.now() - start;
    const ids = Array.from(output.data as BigInt64Array, Number);
    return { ids: ids.slice(prompt.length), ms };
  }
}
