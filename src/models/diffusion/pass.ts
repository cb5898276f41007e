/** A denoising pass: what is asked of it, and what its tensors are for one window of it. */
import { statistics } from '../draw';
import type { Tensors } from '../session';
import type { LayerPair } from './prefixCache';

/** What one pass gives for S tokens, all it ran or those from `from` on; what was not asked for is null. `logits` are [S, vocabulary]. */
export interface WindowPass {
  best: Int32Array;
  confidence: Float32Array;
  margin: Float32Array | null;
  entropy: Float32Array | null;
  logits: Float32Array | null;
  /** Keys and values of the leading tokens that were clean, for `extend`; null where there were none. */
  clean: Clean | null;
}

/** Keys and values that a pass gave, per layer [heads, stride, headDim]. */
export interface Clean {
  pairs: readonly LayerPair[];
  stride: number;
}

export interface PassOptions {
  logits?: boolean;
  /** Margin and entropy of each place. */
  statistics?: boolean;
  /** So many leading tokens are clean, each a block of its own, behind which the others stand as one; absent: none. */
  clean?: number;
  /** What comes before this token is not read: results begin with it. */
  from?: number;
  /** Places of the tokens in the window, counted from `<resp>` at 0, where some are left out; absent: one after another. */
  places?: readonly number[];
}

/** What a pass gave for all of its rows. */
export type Outputs = { best: Int32Array; confidence: Float32Array } & {
  [name in 'margin' | 'entropy' | 'logits']: Float32Array | null;
};

/**
 * Names of what a pass is asked for.
 * @param reads the graph gives the places it is told to read, and no margin and no entropy: they come from its logits
 */
export function outputNames(options: readonly (PassOptions | undefined)[], reads: boolean): string[] {
  const some = (what: 'logits' | 'statistics') => options.some((of) => of?.[what]);
  const given = reads ? [] : ['margin', 'entropy'];
  const logits = some('logits') || (reads && some('statistics'));
  return ['best', 'confidence', ...(some('statistics') ? given : []), ...(logits ? ['logits'] : [])];
}

/** Brings what a pass gave into memory. */
export async function outputsOf(out: Tensors): Promise<Outputs> {
  const data = async (name: string) => ((await out[name]?.getData(true)) ?? null) as Float32Array | null;
  return {
    best: (await out['best']?.getData(true)) as Int32Array,
    confidence: (await data('confidence')) as Float32Array,
    margin: await data('margin'),
    entropy: await data('entropy'),
    logits: await data('logits'),
  };
}

/** `count` rows of what a pass gave, from `start` on. */
export function rowsOf(
  all: Outputs,
  start: number,
  count: number,
  { logits, statistics: asked }: PassOptions,
  vocabSize: number,
): Omit<WindowPass, 'clean'> {
  const cut = <T extends Int32Array | Float32Array>(data: T, of = 1) =>
    data.subarray(start * of, (start + count) * of) as T;
  const given = all.logits && cut(all.logits, vocabSize);
  const found =
    asked && !all.margin && given
      ? Array.from({ length: count }, (_, i) =>
          statistics({ data: given, start: i * vocabSize, size: vocabSize }, () => false),
        )
      : null;
  const column = (name: 'margin' | 'entropy') =>
    found ? Float32Array.from(found, (row) => row[name]) : asked && all[name] ? cut(all[name]) : null;
  return {
    best: cut(all.best),
    confidence: cut(all.confidence),
    margin: column('margin'),
    entropy: column('entropy'),
    logits: logits ? given : null,
  };
}
