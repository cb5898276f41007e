/** The load-time self-test: a provider that computes a few golden logits wrongly is not trusted with the rest. */
import type { Tensor } from 'onnxruntime-web/webgpu';
import type { LogitCheck, ModelConfig } from './config';
import { ModelError } from './errors';
import type { ModelSession, ProviderName, Tensors } from './session';
import { noLoop } from './diffusion/draftLoop';
import { NEVER_SEEN } from './diffusion/prefixCache';

/** Golden logits were computed in fp32 with the same weights; providers differ in the order of sums and in exp(). */
const ABSOLUTE = 0.05;
const RELATIVE = 0.01;

/**
 * Runs the config's self-test once.
 * @throws ModelError `self_test` with the worst difference
 */
export async function selfTest(session: ModelSession, config: ModelConfig): Promise<void> {
  const { checks } = config.selfTest;
  // The graph that decodes gives the logits of the places it is told to read.
  const read = session.inputNames.includes('read') ? [...new Set(checks.map(({ position }) => position))] : null;
  const feeds = read
    ? decodeFeeds(session, config, read)
    : (config.kind === 'ar' ? arFeeds : mdlmFeeds)(session, config);
  const { logits } = await session.run(feeds, ['logits']);
  const data = (await logits?.getData(true)) as Float32Array;
  const row = (position: number) => (read ? read.indexOf(position) : position);
  const at = (position: number, token: number) => data[row(position) * config.vocabSize + token] ?? NaN;
  checkGolden(checks, at, session.provider);
}

/**
 * Compares logits with golden ones.
 * @throws ModelError `self_test` with the worst difference
 */
export function checkGolden(
  checks: readonly LogitCheck[],
  at: (position: number, token: number) => number,
  provider: ProviderName,
): void {
  let worst = { excess: -Infinity, text: '' };
  for (const { position, token, logit } of checks) {
    const got = at(position, token);
    const excess = Math.abs(got - logit) - (ABSOLUTE + RELATIVE * Math.abs(logit));
    // Written so that NaN counts as the worst of all.
    if (!(excess <= worst.excess)) worst = { excess, text: `${got} instead of ${logit} at position ${position}` };
    if (Number.isNaN(excess)) break;
  }
  if (!(worst.excess <= 0)) {
    throw new ModelError(
      'self_test',
      `On ${provider} the model computes wrong numbers: ${worst.text || 'there was nothing to compare'}.`,
      provider === 'webgpu' ? 'Choose WebAssembly.' : 'Load the model again; its files may be of two versions.',
    );
  }
}

function arFeeds(session: ModelSession, config: ModelConfig): Tensors {
  const { inputIds } = config.selfTest;
  return {
    input_ids: session.int64(inputIds),
    attention_mask: session.int64(inputIds.map(() => 1)),
    position_ids: session.int64(inputIds.map((_, i) => i)),
    ...emptyPast(session, config, 'past_key_values', 0),
  };
}

function decodeFeeds(session: ModelSession, config: ModelConfig, read: number[]): Tensors {
  const feeds = { ...mdlmFeeds(session, config), read: session.int32(read, [read.length]) };
  if (config.kind === 'mdlm') return { ...feeds, ...noLoop(session) };
  const places = config.selfTest.inputIds.map((_, i) => i);
  return { ...feeds, block_ids: session.int32(places), ends: session.int32([1], [1]), more: session.int64([0], []) };
}

function mdlmFeeds(session: ModelSession, config: ModelConfig): Tensors {
  const { inputIds, blockIds } = config.selfTest;
  return {
    input_ids: session.int32(inputIds),
    positions: session.int32(inputIds.map((_, i) => i)),
    block_ids: session.int32(blockIds),
    past_block_ids: session.int32([NEVER_SEEN]),
    ...emptyPast(session, config, 'past', 1),
  };
}

function emptyPast(session: ModelSession, config: ModelConfig, prefix: string, length: number): Tensors {
  const { layers, heads, headDim } = config;
  const zeros = (): Tensor => session.float32(new Float32Array(heads * length * headDim), [1, heads, length, headDim]);
  const names = Array.from({ length: layers }, (_, i) => [`${prefix}.${i}.key`, `${prefix}.${i}.value`]).flat();
  return Object.fromEntries(names.map((name) => [name, zeros()]));
}
