/**
 * The loop in the MDLM's second graph (models/training/drafts.py): one call runs clean tokens with masks behind them, then checks
 * what they draft and drafts again, pass after pass. It chooses what `DraftingModel` chooses with one call a pass, but keys and
 * values stay inside, and no logits come out.
 */
import { CacheStack } from '../batch/cacheStack';
import type { ModelConfig } from '../config';
import type { Choice } from '../draw';
import { MASK } from '../../world/codec';
import { ModelError } from '../errors';
import type { ModelSession, Tensors } from '../session';
import { isAlive, layerNames, layerPairs } from './layers';
import { asBlocks, type PrefixCache } from './prefixCache';

export interface LoopPlan {
  /** Masks of a pass. */
  masks: number;
  /** A draft ends before the first token that is less sure than this. */
  least: number;
  /** Passes at most. */
  passes: number;
  /** The `<end>` that may still be written; the last of them ends the answer. */
  ends: number;
}

/** What a call wrote, in order; each token with the pass that chose it, counted from 1. */
export interface Written {
  choices: (Choice & { pass: number })[];
  /** Tokens that all passes ran. */
  forwardTokens: number;
}

/** Inputs of a call that does not go on by itself. */
export function noLoop(session: ModelSession): Tensors {
  return {
    more: session.int64([0], []),
    masks: session.int64([0], [1]),
    least: session.float32(new Float32Array(1), []),
    ends: session.int32([1], [1]),
  };
}

/**
 * Writes greedily behind `tokens`, which are clean and stand behind what the cache holds. All but the last of what was written is
 * in the cache then.
 * @throws ModelError `bad_output` for confidences that are no probabilities and keys that are no numbers; the cache stays as it was
 */
export async function writeLoop(
  session: ModelSession,
  config: ModelConfig,
  cache: PrefixCache,
  tokens: readonly number[],
  { masks: wanted, least, passes, ends }: LoopPlan,
): Promise<Written> {
  const start = cache.length;
  const room = config.maxPositions - start - tokens.length;
  const masks = Math.min(wanted, room);
  // A pass goes on by a draft and one token more, and the last one needs as many places again for its masks.
  const more = Math.max(0, Math.min(passes, Math.floor(room / (masks + 1)) - 1) - 1);
  const ids = [...tokens, ...Array<number>(masks).fill(MASK)];
  const block = cache.blocks.length;
  const last = tokens.length - 1;
  const { layers, capacity } = cache;
  const [given, later] = [layerNames(config.layers, 'present'), layerNames(config.layers, 'later')];
  const out = await session.run(
    {
      ...new CacheStack(config).feeds(session, [{ layers, capacity, blockIds: cache.pastBlockIds() }]),
      input_ids: session.int32(ids),
      positions: session.int32(ids.map((_, i) => start + i)),
      block_ids: session.int32(ids.map((_, i) => block + Math.min(i, tokens.length))),
      read: session.int32(
        ids.slice(last).map((_, i) => last + i),
        [ids.length - last],
      ),
      more: session.int64([more], []),
      masks: session.int64([masks], [1]),
      least: session.float32(Float32Array.of(least), []),
      ends: session.int32([ends], [1]),
    },
    ['written', 'sureness', 'round', 'ran', ...given, ...later],
  );
  const data = async <T>(name: string) => (await out[name]?.getData(true)) as T;
  const [written, sureness] = [await data<Int32Array>('written'), await data<Float32Array>('sureness')];
  const round = await data<Int32Array>('round');
  const ran = Number((await data<BigInt64Array>('ran'))[0]);
  const [front, behind] = [await layerPairs(out, config.layers), await layerPairs(out, config.layers, 'later')];
  if (!sureness.every((value) => value > 0 && value <= 1.0001))
    throw badOutput('confidences that are no probabilities');
  const kept = [...written.subarray(0, -1)];
  const alive = (pairs: typeof front, count: number) =>
    count === 0 || pairs.every((pair) => isAlive(pair, count - 1, config.headDim));
  if (!alive(front, tokens.length) || !alive(behind, kept.length))
    throw badOutput('keys or values that are zeros or no numbers');
  cache.append(asBlocks(tokens), front, ids.length);
  if (kept.length > 0) cache.append(asBlocks(kept), behind, kept.length);
  return {
    choices: [...written].map((token, i) => ({
      token,
      confidence: Math.min(1, sureness[i] as number),
      pass: 1 + (round[i] as number),
    })),
    forwardTokens: ids.length + ran,
  };
}

function badOutput(what: string): ModelError {
  return new ModelError(
    'bad_output',
    `The model gave ${what}.`,
    'Restart the lane; if it happens again, choose WebAssembly.',
  );
}
