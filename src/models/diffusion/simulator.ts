/** The MDLM as a simulator: fills the whole answer in parallel, from both sides, in a window behind an exact cache. */
import { SLOT_SIZES, type Tokenizer } from '../../world/codec';
import type { Draft, Prediction, Simulator, StepOptions } from '../../world/simulator';
import { SLOTS, type Action, type Context } from '../../world/types';
import { draw, isBanned } from '../draw';
import type { ModelInfo } from '../info';
import type { ModelConfig } from '../config';
import { Turnstile, pause } from '../pause';
import { makePrediction, promptBlocks } from '../prompt';
import type { ModelSession } from '../session';
import { DiffusionGraph, type WindowPass } from './graph';
import { AnswerWindow, MAX_PASSES, type Guess } from './window';

/** `<resp>` and the largest window. */
const ROOM = 1 + SLOTS.reduce((sum, slot) => sum + Math.max(...SLOT_SIZES[slot]), 0);

export class DiffusionSimulator implements Simulator {
  readonly id = 'mdlm';
  private readonly graph: DiffusionGraph;
  private readonly turnstile = new Turnstile();

  constructor(
    session: ModelSession,
    private readonly config: ModelConfig,
    private readonly tokenizer: Tokenizer,
    readonly info: ModelInfo,
  ) {
    this.graph = new DiffusionGraph(session, config);
  }

  supports(): boolean {
    return true;
  }

  /**
   * A finished answer enters the cache with the prefill of the step after it, re-tokenized in clean form as part of the
   * history; so `prefillTokens` and `forwardTokens` of that next step count the commit pass of this one.
   */
  async *step(
    context: Context,
    action: Action,
    options: StepOptions,
    signal?: AbortSignal,
  ): AsyncIterable<Draft | Prediction> {
    const leave = await this.turnstile.enter();
    try {
      signal?.throwIfAborted();
      const start = performance.now();
      const { maxPositions } = this.config;
      const blocks = promptBlocks(context, action, options, this.tokenizer, maxPositions, ROOM);
      const prefillTokens = await this.graph.prefill(blocks);
      const prefillMs = performance.now() - start;
      const past = this.graph.past();
      const window = new AnswerWindow();
      let nfe = 0;
      let forwardTokens = prefillTokens;
      while (!window.done && nfe < MAX_PASSES) {
        await pause(signal);
        const tokens = window.tokens();
        const pass = await this.graph.pass(tokens, past, options.temperature > 0);
        nfe++;
        forwardTokens += tokens.length;
        window.advance(this.guess(pass, window, options, nfe), options.threshold);
        if (!window.done) yield { kind: 'draft', tokens: window.draft(), text: window.text(this.tokenizer), nfe };
      }
      const ms = performance.now() - start;
      const cost = { nfe, forwardTokens, prefillTokens, ms, prefillMs };
      yield makePrediction(window.text(this.tokenizer), window.draft(), cost, options.seed, this.tokenizer);
    } finally {
      leave();
    }
  }

  /** What the pass says about each place: its own output, or that of the place before it in a shifted model. */
  private guess(pass: WindowPass, window: AnswerWindow, options: StepOptions, nfe: number): Guess {
    const shift = this.config.shift ? 1 : 0;
    const at = (place: number) => Math.max(0, place - shift);
    const best = pass.best.map((_, i) => pass.best[at(i)] as number);
    const confidence = pass.confidence.map((_, i) => pass.confidence[at(i)] as number);
    if (!pass.logits) return { best, token: best, confidence };
    const token = Int32Array.from(best);
    const size = this.config.vocabSize;
    const first = this.graph.cache.length;
    for (const place of window.masked()) {
      const row = { data: pass.logits, start: at(place) * size, size };
      const key = [options.seed, options.lane, options.step, first + place, nfe];
      const choice = draw(row, options.temperature, 1, key, isBanned);
      token[place] = choice.token;
      confidence[place] = choice.confidence;
    }
    return { best, token, confidence };
  }

  /** Frees the model; a second call does nothing. */
  async dispose(): Promise<void> {
    await this.graph.dispose();
  }
}
