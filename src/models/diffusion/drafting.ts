/**
 * An MDLM with a causal prefix as a model that writes from left to right, several tokens a pass (self-speculative decoding as
 * in TiDAR, Liu et al. 2025, and Self-Speculative Masked Diffusions, Campbell et al. 2025). A pass runs the clean tokens that
 * were chosen, a draft behind them and masks behind that. The clean ones see those before them only, so their logits are what
 * the model says one token at a time; as long as the draft is what the writer then chooses, no other pass is needed. The masks
 * see all clean tokens and each other: what they say is the next draft. Whatever is drafted, the tokens that are chosen are
 * the same; only the number of passes differs.
 */
import { END, FIRST_TEXT, MASK, RESP } from '../../world/codec';
import { SLOTS } from '../../world/types';
import type { CausalModel, Written } from '../autoregressive/writer';
import type { ModelConfig } from '../config';
import type { WindowModel } from './graph';
import type { Clean } from './pass';

/** How a draft is made. */
export interface Drafting {
  /** Masks of a pass, each of which drafts a token. */
  masks: number;
  /** A draft ends before the first token that is less sure than this. */
  least: number;
}

/** What the last pass ran behind the cache. */
interface Ahead {
  tokens: readonly number[];
  /** Of the tokens from `from` on and what stands behind them, [n, vocabulary]. */
  logits: Float32Array;
  from: number;
  clean: Clean;
  /** How many of the tokens were chosen. */
  chosen: number;
  /** Tokens drafted for the places behind the one after `tokens`. */
  draft: readonly number[];
}

/** Passes of one call, where the graph goes on by itself: as long as cancelling may wait. */
const PASSES = 16;

export class DraftingModel implements CausalModel {
  /** As in `CausalModel`; it exists where the graph goes on by itself. */
  readonly write?: CausalModel['write'];
  private ahead: Ahead | null = null;
  /** What the cache holds of the tokens that were last given. */
  private held: readonly number[] = [];
  /** Tokens to come that are in the cache already. */
  private encoded = 0;
  private cost = { nfe: 0, forwardTokens: 0 };

  constructor(
    private readonly graph: WindowModel,
    private readonly config: Pick<ModelConfig, 'vocabSize' | 'maxPositions'>,
    private readonly drafting: Drafting,
  ) {
    const { write } = graph;
    if (write) this.write = (tokens, limit, ends) => this.writeOn(write, tokens, limit, ends);
  }

  get length(): number {
    return this.held.length + (this.ahead?.chosen ?? 0);
  }

  /**
   * Where the graph reads chosen places, the rest of the prompt runs in the first pass. Elsewhere all but the last of the
   * tokens are encoded here, without logits; of these the ones that were not in the cache count as run.
   */
  async keepCommon(tokens: readonly number[]): Promise<number> {
    this.settle();
    const before = tokens.slice(0, -1);
    if (this.graph.keepCommon) {
      this.held = before.slice(0, this.graph.keepCommon([before]));
      return this.held.length;
    }
    const added = await this.graph.prefill([before]);
    this.cost.forwardTokens += added;
    this.held = before;
    this.encoded = added;
    return before.length - added;
  }

  /** As in `CausalModel`; no logits where everything that is given was encoded by `keepCommon`. */
  async run(wanted: readonly number[]): Promise<Float32Array> {
    const tokens = this.unencoded(wanted);
    if (tokens.length === 0) return new Float32Array(0);
    const [next, ...more] = tokens;
    const { ahead } = this;
    if (ahead && more.length === 0 && next === ahead.tokens[ahead.chosen]) {
      ahead.chosen++;
      return this.row(ahead, ahead.chosen - 1);
    }
    // A draft goes on behind the token that was not known yet when it was made.
    const all = ahead && ahead.chosen === ahead.tokens.length;
    const draft = all && more.length === 0 ? ahead.draft : [];
    this.settle();
    return this.pass(tokens, draft);
  }

  private async writeOn(
    write: NonNullable<WindowModel['write']>,
    wanted: readonly number[],
    limit: number,
    ends: number,
  ): Promise<Written[]> {
    const tokens = this.unencoded(wanted);
    this.settle();
    const { choices, forwardTokens } = await write(tokens, { ...this.drafting, passes: Math.min(PASSES, limit), ends });
    this.cost.nfe += choices.at(-1)?.pass ?? 0;
    this.cost.forwardTokens += forwardTokens;
    this.held = [...this.held, ...tokens, ...choices.slice(0, -1).map(({ token }) => token)];
    return choices;
  }

  spent(): { nfe: number; forwardTokens: number } {
    const { cost } = this;
    this.cost = { nfe: 0, forwardTokens: 0 };
    return cost;
  }

  fork(): Promise<DraftingModel> {
    this.settle();
    const copy = new DraftingModel(this.graph.fork(), this.config, this.drafting);
    copy.held = this.held;
    return Promise.resolve(copy);
  }

  /** The graph is not its own. */
  dispose(): Promise<void> {
    return Promise.resolve();
  }

  /** Of the tokens that are to be run, those that `keepCommon` did not encode already. */
  private unencoded(wanted: readonly number[]): readonly number[] {
    const { encoded } = this;
    this.encoded = 0;
    return wanted.slice(encoded);
  }

  /** Runs tokens, a draft and masks; gives the logits of the last of the tokens. */
  private async pass(tokens: readonly number[], draft: readonly number[]): Promise<Float32Array> {
    const last = this.lastEnd(tokens, draft);
    const clean = [...tokens, ...draft.slice(0, last)];
    const room = this.config.maxPositions - this.held.length - clean.length;
    // Behind the answer there is nothing to draft.
    const masks = last < draft.length ? 0 : Math.min(this.drafting.masks, room);
    const all = [...clean, ...Array<number>(masks).fill(MASK)];
    const from = tokens.length - 1;
    const pass = await this.graph.pass(all, this.graph.past(), { logits: true, clean: clean.length, from });
    this.cost.nfe++;
    this.cost.forwardTokens += all.length;
    this.ahead = {
      tokens: clean,
      logits: pass.logits as Float32Array,
      clean: pass.clean as Clean,
      chosen: tokens.length,
      from,
      draft: this.drafted(pass.best.subarray(clean.length - from), pass.confidence.subarray(clean.length - from)),
    };
    return this.row(this.ahead, from);
  }

  /** Where in a draft the `<end>` stands that ends the answer; the draft's length where there is none. */
  private lastEnd(tokens: readonly number[], draft: readonly number[]): number {
    const before = [...this.held, ...tokens];
    let left = SLOTS.length - before.slice(before.lastIndexOf(RESP)).filter((id) => id === END).length;
    const at = draft.findIndex((id) => id === END && --left === 0);
    return at < 0 ? draft.length : at;
  }

  /** Each mask says what follows it. */
  private drafted(best: Int32Array, confidence: Float32Array): number[] {
    const tokens = [...best];
    const end = tokens.findIndex(
      (id, i) => (confidence[i] as number) < this.drafting.least || (id < FIRST_TEXT && id !== END),
    );
    return end < 0 ? tokens : tokens.slice(0, end);
  }

  /** Puts what was chosen of the last pass into the cache, where the next answer finds it. */
  settle(): void {
    const { ahead } = this;
    this.ahead = null;
    if (!ahead) return;
    const chosen = ahead.tokens.slice(0, ahead.chosen);
    this.graph.extend(chosen, ahead.clean);
    this.held = [...this.held, ...chosen];
  }

  private row({ logits, from }: Ahead, at: number): Float32Array {
    const { vocabSize } = this.config;
    return logits.subarray((at - from) * vocabSize, (at - from + 1) * vocabSize);
  }
}
