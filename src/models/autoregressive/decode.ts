/**
 * The AR model's graph for WebAssembly (models/training/decode.py) with its cache. Keys and values lie here, in arrays with
 * room behind them, and only those of new tokens come out of a pass; a call goes on greedily by itself for several tokens.
 * Each token is a block of its own, so any leading run of tokens of a cache is exact and can be kept.
 */
import { END, PAD_0 } from '../../world/codec';
import { CacheStack } from '../batch/cacheStack';
import type { ModelConfig } from '../config';
import { NEVER_SEEN, PrefixCache, asBlocks, type LayerPair } from '../diffusion/prefixCache';
import type { Choice } from '../draw';
import { ModelError } from '../errors';
import type { ModelSession } from '../session';
import { checkLogits, presentNames } from './graph';
import type { CausalModel } from './writer';

/** Tokens to be run behind what a cache holds. */
export interface DecodeRequest {
  cache: PrefixCache;
  tokens: readonly number[];
  /** How to go on greedily: tokens at most, and the `<end>` that may be among them. Absent: logits are wanted. */
  write?: { limit: number; ends: number };
}

/** Logits behind the last token, or the tokens written; what was run is in the cache then. */
export interface Decoded {
  logits: Float32Array | null;
  choices: Choice[];
}

/** Keeps of a cache what leads `tokens`, but never all of them; gives the number of tokens kept. */
export function keepCommon(cache: PrefixCache, tokens: readonly number[]): number {
  const blocks = asBlocks(tokens);
  return cache.keepCommon(blocks.slice(0, Math.min(cache.common(blocks), tokens.length - 1)));
}

export class DecodeGraph implements CausalModel {
  private readonly names: string[];
  private readonly stack: CacheStack;

  /** @param cache of the answers that are written one at a time */
  constructor(
    readonly session: ModelSession,
    readonly config: ModelConfig,
    readonly cache = new PrefixCache(config),
    private readonly ownsSession = true,
  ) {
    this.names = presentNames(config.layers);
    this.stack = new CacheStack(config);
  }

  get length(): number {
    return this.cache.length;
  }

  keepCommon(tokens: readonly number[]): Promise<number> {
    return Promise.resolve(keepCommon(this.cache, tokens));
  }

  async run(tokens: readonly number[]): Promise<Float32Array> {
    const [out] = await this.decode([{ cache: this.cache, tokens }]);
    return out?.logits as Float32Array;
  }

  async write(tokens: readonly number[], limit: number, ends: number): Promise<Choice[]> {
    const [out] = await this.decode([{ cache: this.cache, tokens, write: { limit, ends } }]);
    return out?.choices as Choice[];
  }

  fork(): Promise<DecodeGraph> {
    const cache = new PrefixCache(this.config);
    cache.copyFrom(this.cache, this.cache.blocks.length);
    return Promise.resolve(new DecodeGraph(this.session, this.config, cache, false));
  }

  /**
   * Runs rows together, each behind its own cache; all of them write, or none does. A row gets what it would get alone
   * (within the rounding of fp32), and its tokens enter its cache.
   * @throws ModelError `bad_output` when logits or confidences are no numbers; the caches are then empty
   */
  async decode(rows: readonly DecodeRequest[]): Promise<Decoded[]> {
    const { session, config } = this;
    const width = Math.max(...rows.map(({ tokens }) => tokens.length));
    const ints = (of: (row: DecodeRequest) => readonly number[], filler: number) => {
      const data = new Int32Array(rows.length * width).fill(filler);
      rows.forEach((row, r) => data.set(of(row), r * width));
      return session.int32(data, [rows.length, width]);
    };
    const places = ({ cache, tokens }: DecodeRequest) => tokens.map((_, i) => cache.length + i);
    const longest = Math.max(...rows.map(({ cache, tokens }) => cache.length + tokens.length));
    const limit = Math.max(...rows.map(({ write }) => write?.limit ?? 1));
    // A row that has written its last token goes on until all have, but not beyond the positions there are.
    const more = Math.max(0, Math.min(limit - 1, config.maxPositions - longest));
    const writes = rows.some(({ write }) => write !== undefined);
    const stacked = rows.map(({ cache }) => ({
      layers: cache.layers,
      capacity: cache.capacity,
      blockIds: cache.pastBlockIds(),
    }));
    const one = [rows.length];
    const out = await session.run(
      {
        ...this.stack.feeds(session, stacked),
        input_ids: ints(({ tokens }) => tokens, PAD_0),
        positions: ints(places, 0),
        block_ids: ints(places, NEVER_SEEN),
        read: session.int32(
          rows.map(({ tokens }, r) => r * width + tokens.length - 1),
          one,
        ),
        ends: session.int32(
          rows.map(({ write }) => write?.ends ?? 0),
          one,
        ),
        more: session.int64([more], []),
      },
      writes ? ['best', 'confidence', 'written', 'sureness', ...this.names] : ['logits', ...this.names],
    );
    const data = async (name: string) => (await out[name]?.getData(true)) as Float32Array;
    const pairs: LayerPair[] = [];
    const added = out['present.0.key']?.dims[2] as number;
    for (let i = 0; i < config.layers; i++) {
      pairs.push({ key: await data(`present.${i}.key`), value: await data(`present.${i}.value`) });
    }
    try {
      const results = writes
        ? this.choices(
            rows,
            [await data('best'), await data('written')],
            [await data('confidence'), await data('sureness')],
          )
        : await this.logits(rows, await data('logits'));
      const size = config.heads * added * config.headDim;
      rows.forEach(({ cache, tokens }, r) => {
        const part = (all: Float32Array) => all.subarray(r * size, (r + 1) * size);
        const mine = pairs.map(({ key, value }) => ({ key: part(key), value: part(value) }));
        this.enter(cache, tokens, results[r] as Decoded, mine, added, width);
      });
      return results;
    } catch (error) {
      // What came with bad logits must not be reused by the next step.
      for (const { cache } of rows) cache.clear();
      throw error;
    }
  }

  /** Frees what only batches need. */
  endBatch(): void {
    this.stack.clear();
  }

  retire(): void {
    this.session.retire();
  }

  async dispose(): Promise<void> {
    this.cache.clear();
    this.stack.clear();
    if (this.ownsSession) await this.session.dispose();
  }

  private logits(rows: readonly DecodeRequest[], all: Float32Array): Decoded[] {
    const { vocabSize } = this.config;
    return rows.map((_, r) => ({ logits: checkLogits(all.subarray(r * vocabSize, (r + 1) * vocabSize)), choices: [] }));
  }

  /** What each row wrote, up to its last `<end>` or its limit. First come those that were read, then those of the loop. */
  private choices(
    rows: readonly DecodeRequest[],
    tokens: ArrayLike<number>[],
    confidences: ArrayLike<number>[],
  ): Decoded[] {
    const at = (lists: ArrayLike<number>[], turn: number, r: number) =>
      turn === 0 ? lists[0]?.[r] : lists[1]?.[(turn - 1) * rows.length + r];
    return rows.map(({ write }, r) => {
      const choices: Choice[] = [];
      let ends = write?.ends ?? 0;
      for (let turn = 0; turn < (write?.limit ?? 0) && ends > 0; turn++) {
        const token = at(tokens, turn, r);
        if (token === undefined) break;
        choices.push({ token, confidence: checkConfidence(at(confidences, turn, r) as number) });
        if (token === END) ends--;
      }
      return { logits: null, choices };
    });
  }

  /** Puts what was run into a cache: the tokens, and all that were written but the last. */
  private enter(
    cache: PrefixCache,
    tokens: readonly number[],
    { choices }: Decoded,
    pairs: LayerPair[],
    added: number,
    width: number,
  ): void {
    const { heads, headDim } = this.config;
    const later = choices.slice(0, -1).map(({ token }) => token);
    // Rows that were filled up have a gap between their tokens and those of the loop.
    cache.append(asBlocks(tokens), pairs, added);
    if (later.length === 0) return;
    const rest = added - width;
    const behind = (all: Float32Array) => {
      const data = new Float32Array(heads * rest * headDim);
      for (let h = 0; h < heads; h++) {
        data.set(all.subarray((h * added + width) * headDim, (h + 1) * added * headDim), h * rest * headDim);
      }
      return data;
    };
    const moved = pairs.map(({ key, value }) => ({ key: behind(key), value: behind(value) }));
    cache.append(asBlocks(later), moved, rest);
  }
}

/** @throws ModelError `bad_output` unless the confidence is a probability */
function checkConfidence(confidence: number): number {
  if (confidence > 0 && confidence <= 1.0001) return Math.min(1, confidence);
  throw new ModelError(
    'bad_output',
    'The model gave confidences that are no probabilities.',
    'Restart the lane; if it happens again, choose WebAssembly.',
  );
}
