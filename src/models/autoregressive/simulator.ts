/** The AR model as a simulator: writes the answer left to right with a key-value cache. */
import { RESP, type Tokenizer } from '../../world/codec';
import type { Draft, Prediction, Simulator, StepOptions } from '../../world/simulator';
import type { Action, Context } from '../../world/types';
import type { ModelConfig } from '../config';
import { draw, greedy, isBannedInText, type Choice } from '../draw';
import type { ModelInfo } from '../info';
import { Turnstile, pause } from '../pause';
import { makePrediction, promptBlocks } from '../prompt';
import { AnswerStream, MAX_TOKENS } from './answer';

/** An autoregressive model with a cache of the tokens it has run, whoever runs it. */
export interface CausalModel {
  /** Tokens in the cache. */
  readonly length: number;
  /** Keeps of the cache what leads `tokens` too, but never all of them; gives the number of tokens kept. */
  keepCommon(tokens: readonly number[]): Promise<number>;
  /** Runs tokens behind those of the cache and adds them to it; gives the logits of the last one, [vocabulary]. */
  run(tokens: readonly number[]): Promise<Float32Array>;
  dispose(): Promise<void>;
}

export class AutoregressiveSimulator implements Simulator {
  private readonly turnstile = new Turnstile();

  constructor(
    private readonly graph: CausalModel,
    private readonly config: ModelConfig,
    private readonly tokenizer: Tokenizer,
    readonly info: ModelInfo,
  ) {}

  get id(): string {
    return this.info.id;
  }

  supports(): boolean {
    return true;
  }

  /**
   * The pass over the new part of the prefix and `<resp>` gives the first token, so there are as many passes as tokens.
   * What was generated stays in the cache and is kept by the next step as far as its clean form has the same tokens.
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
      const blocks = promptBlocks(context, action, options, this.tokenizer, maxPositions, 1 + MAX_TOKENS);
      const prompt = [...blocks.flat(), RESP];
      const kept = await this.graph.keepCommon(prompt);
      const answer = new AnswerStream();
      let logits = await this.graph.run(prompt.slice(kept));
      const prefillMs = performance.now() - start;
      let forwardTokens = prompt.length - kept;
      for (;;) {
        const choice = this.choose(logits, options, this.graph.length);
        answer.push(choice);
        if (answer.done) break;
        const tokens = answer.draft();
        yield { kind: 'draft', tokens, text: answer.text(this.tokenizer), nfe: tokens.length };
        await pause(signal);
        logits = await this.graph.run([choice.token]);
        forwardTokens++;
      }
      const tokens = answer.draft();
      const ms = performance.now() - start;
      const cost = { nfe: tokens.length, forwardTokens, prefillTokens: prompt.length - 1 - kept, ms, prefillMs };
      yield makePrediction(answer.text(this.tokenizer), tokens, cost, options.seed, this.tokenizer);
    } finally {
      leave();
    }
  }

  private choose(logits: Float32Array, options: StepOptions, position: number): Choice {
    const row = { data: logits, start: 0, size: this.config.vocabSize };
    if (options.temperature <= 0) return greedy(row, isBannedInText);
    const key = [options.seed, options.lane, options.step, position];
    return draw(row, options.temperature, options.topP, key, isBannedInText);
  }

  /** Frees the model; a second call does nothing. */
  async dispose(): Promise<void> {
    await this.graph.dispose();
  }
}
