/** The MDLM as a simulator: fills the whole answer in parallel, from both sides, in a window behind an exact cache. */
import { SLOT_SIZES, START_SIZES, type Tokenizer } from '../../world/codec';
import { uniform } from '../../world/rng';
import type { Draft, Prediction, Simulator, StepOptions } from '../../world/simulator';
import { SLOTS, type Action, type Context } from '../../world/types';
import type { ModelConfig } from '../config';
import { ModelError } from '../errors';
import type { ModelInfo } from '../info';
import { Turnstile, pause } from '../pause';
import { makePrediction, promptBlocks } from '../prompt';
import type { ModelSession } from '../session';
import { Denoiser } from './denoise';
import { DiffusionGraph } from './graph';
import { needsLogits, readPass } from './reading';
import { openSampler, type OpenSampler } from './samplers';
import { AnswerWindow } from './window';

/** Word that sets the samplers' own draws apart from those of tokens. */
const REVEAL = 0x5eed;
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
      const run = openRun(options);
      const { maxPositions } = this.config;
      const blocks = promptBlocks(context, action, options, this.tokenizer, maxPositions, ROOM);
      const prefillTokens = await this.graph.prefill(blocks);
      const prefillMs = performance.now() - start;
      const past = this.graph.past();
      const window = new AnswerWindow(START_SIZES, { crop: options.crop });
      const key = (place: number, ...more: number[]) => [
        options.seed,
        options.lane,
        options.step,
        past.start + place,
        ...more,
      ];
      const denoiser = new Denoiser(window, run.sampler, run.blockSize, (...at) => uniform(...key(...at), REVEAL));
      let nfe = 0;
      let forwardTokens = prefillTokens;
      while (!window.done) {
        await pause(signal);
        const shown = window.shown(this.config.shift);
        const tokens = window.tokens();
        const pass = await this.graph.pass(
          shown.map((place) => tokens[place] as number),
          past,
          {
            logits: needsLogits(window, options.temperature, 0),
            statistics: run.sampler.usesStatistics,
            ...(shown.length < tokens.length ? { places: shown } : {}),
          },
        );
        nfe++;
        forwardTokens += shown.length;
        const reading = {
          ...{ window, shown, open: denoiser.open(), contrast: null },
          ...{ shift: this.config.shift, vocabSize: this.config.vocabSize },
          ...{ temperature: options.temperature, topP: options.topP },
          key: (place: number) => key(place, ...(window.visits(place) > 0 ? [window.visits(place)] : [])),
        };
        denoiser.take(readPass(pass, reading));
        if (!window.done) yield { kind: 'draft', tokens: window.draft(), text: window.text(this.tokenizer), nfe };
      }
      const ms = performance.now() - start;
      const cost = { nfe, forwardTokens, prefillTokens, ms, prefillMs };
      yield makePrediction(window.text(this.tokenizer), window.draft(), cost, options.seed, this.tokenizer);
    } finally {
      leave();
    }
  }

  /** Frees the model; a second call does nothing. */
  async dispose(): Promise<void> {
    await this.graph.dispose();
  }
}

/**
 * The sampler of a step's options.
 * @throws ModelError `bad_options`
 */
function openRun(options: StepOptions): { sampler: OpenSampler; blockSize: number } {
  const sampler = openSampler(options.sampler ?? { name: 'threshold', threshold: options.threshold });
  const { blockSize = Infinity } = options;
  if (blockSize !== Infinity && !(Number.isInteger(blockSize) && blockSize >= 1)) {
    const message = `Blocks of ${blockSize} places cannot be filled.`;
    throw new ModelError('bad_options', message, 'Give a whole number from 1, or leave it out for the whole window.');
  }
  return { sampler, blockSize };
}
