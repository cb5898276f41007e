/** The MDLM as a simulator: fills the whole answer in parallel, from both sides, in a window behind an exact cache. */
import { SLOT_SIZES, encodeCall, type Tokenizer } from '../../world/codec';
import { uniform } from '../../world/rng';
import type { BatchItem, Draft, Prediction, SamplerChoice, StepOptions } from '../../world/simulator';
import { SLOTS, type Action, type Context } from '../../world/types';
import { Candidates, drawKey, type Attempt } from '../candidates';
import type { ModelConfig } from '../config';
import { ConstraintCounter, notApplied, openWindow, type OpenWindow } from '../constraint';
import { noiseOf } from '../draw';
import { ModelError } from '../errors';
import { GraphSimulator } from '../graphSimulator';
import type { ModelInfo } from '../info';
import { drawingOf, type Drawing } from '../options';
import { pause } from '../pause';
import { pathsOf, placeInWindow, type Placed } from '../pins';
import { makePrediction, promptBlocks } from '../prompt';
import type { ModelSession } from '../session';
import { Writer } from '../autoregressive/writer';
import { Denoiser } from './denoise';
import { DraftingModel, type Drafting } from './drafting';
import { DiffusionGraph, type Past, type WindowModel } from './graph';
import { WindowLanes } from './lanes';
import { needsLogits, readPass } from './reading';
import { isDrafting, openSampler, openWindowSampler, type WindowSampler } from './samplers';
import { AnswerWindow } from './window';

/** Word that sets the samplers' own draws apart from those of tokens. */
const REVEAL = 0x5eed;
/** `<resp>` and the largest window. */
const ROOM = 1 + SLOTS.reduce((sum, slot) => sum + Math.max(...SLOT_SIZES[slot]), 0);

/** What a step ran so far. */
interface Meter {
  nfe: number;
  forwardTokens: number;
}

/** What the attempts of a step have in common. */
interface Plan {
  graph: WindowModel;
  options: StepOptions;
  drawing: Drawing;
  sampler: WindowSampler;
  blockSize: number;
  placed: Placed;
  past: Past;
  /** Without this turn's directives; null without guidance. */
  contrast: Past | null;
  constraint: OpenWindow | null;
  meter: Meter;
  signal: AbortSignal | undefined;
}

export class DiffusionSimulator extends GraphSimulator<WindowModel> {
  private readonly writer: Writer;

  constructor(session: ModelSession, config: ModelConfig, tokenizer: Tokenizer, info: ModelInfo) {
    const graph = new DiffusionGraph(session, config);
    super(graph, new WindowLanes(graph, config, writesOn), config, tokenizer, info);
    this.writer = new Writer(config, tokenizer, this.verifiers);
  }

  /**
   * A finished answer enters the cache with the prefill of the step after it, re-tokenized in clean form as part of the
   * history; so `prefillTokens` and `forwardTokens` of that next step count the commit pass of this one. With guidance
   * every pass is two, and the call without its directives is a block more to prefill. Every attempt counts.
   */
  protected async *answer(
    graph: WindowModel,
    context: Context,
    action: Action,
    options: StepOptions,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Draft | Prediction> {
    const start = performance.now();
    const drawing = drawingOf(options);
    const asked = openSampler(samplerOf(options));
    const pins = options.pins ?? [];
    if (asked.drafts && pins.length === 0) {
      const model = this.draftingModel(graph, asked.drafts);
      try {
        return yield* this.writer.answer(model, context, action, options, signal);
      } finally {
        // What was chosen stays in the cache, so there is no commit pass. Whoever has the prediction asks for nothing more, so
        // that code behind the last yield might never run.
        model.settle();
      }
    }
    // What is pinned further on would be out of sight from left to right: a window is filled around it.
    const sampler = asked.drafts ? openWindowSampler({ name: 'threshold', threshold: options.threshold }) : asked;
    const blockSize = blockSizeOf(options);
    const paths = pathsOf(pins, context.world, action);
    const placed = placeInWindow(pins, paths, this.tokenizer);
    const constraint = openWindow(options, context, action, placed, this.tokenizer);
    const candidates = new Candidates(context, action, options, placed.placed, this.verifiers);
    // Directives that are not told may take a token more than those that are.
    const room = ROOM + (drawing.guidance > 0 ? 1 : 0);
    const blocks = promptBlocks(context, action, options, this.tokenizer, this.config.maxPositions, room);
    let [prefillTokens, contrast]: [number, Past | null] = [0, null];
    if (drawing.guidance > 0) {
      prefillTokens += await graph.prefill([...blocks.slice(0, -1), encodeCall(null, action, this.tokenizer)]);
      contrast = graph.past(true);
    }
    prefillTokens += await graph.prefill(blocks);
    const past = graph.past();
    const prefillMs = performance.now() - start;
    const meter: Meter = { nfe: 0, forwardTokens: prefillTokens };
    const plan = { graph, options, drawing, sampler, blockSize, placed, past, contrast, constraint, meter, signal };
    for (let again = true; again;) again = candidates.offer(yield* this.attempt(plan, candidates));
    const { text, tokens, constraint: held } = candidates.chosen;
    const cost = { ...meter, prefillTokens, ms: performance.now() - start, prefillMs };
    yield makePrediction(text, tokens, cost, options.seed, this.tokenizer, candidates.selection, held);
  }

  /** The graph as a model that writes from left to right. @throws ModelError `bad_options` where it cannot check its drafts */
  private draftingModel(graph: WindowModel, drafting: Drafting): DraftingModel {
    if (this.config.causalPrefix && this.config.shift) return new DraftingModel(graph, this.config, drafting);
    const message = 'This model does not read its prompt token by token, so it cannot check what it drafts.';
    throw new ModelError('bad_options', message, 'Use another sampler, such as threshold.');
  }

  /** One answer, drawn under the keys of its attempt. */
  private async *attempt(plan: Plan, candidates: Candidates): AsyncGenerator<Draft, Attempt> {
    const { graph, options, drawing, sampler, blockSize, placed, past, constraint, meter, signal } = plan;
    const [attempt, temperature] = [candidates.made, candidates.temperature];
    const held = constraint?.window ?? null;
    const counter = held && constraint?.open ? new ConstraintCounter(constraint.open) : null;
    const window = new AnswerWindow(constraint?.sizes ?? placed.sizes, { fixed: placed.fixed, crop: options.crop });
    const key = (place: number, visits?: number) => drawKey(options, attempt, past.start + place, visits);
    const denoiser = new Denoiser(window, sampler, blockSize, (place, ...more) =>
      uniform(...key(place), ...more, REVEAL),
    );
    const { shift, vocabSize } = this.config;
    const known = new Map<string, Float64Array>();
    const noise = (place: number) => {
      const visits = window.visits(place);
      const found = known.get(`${place}:${visits}`) ?? noiseOf(key(place, visits), vocabSize);
      known.set(`${place}:${visits}`, found);
      return found;
    };
    while (!window.done) {
      await pause(signal);
      const shown = window.shown(shift);
      const all = window.tokens();
      const tokens = shown.map((place) => all[place] as number);
      const places = shown.length < all.length ? { places: shown } : {};
      const logits = needsLogits(window, temperature, drawing.guidance, held !== null);
      const pass = await graph.pass(tokens, past, { ...places, logits, statistics: sampler.usesStatistics });
      const other = plan.contrast && (await graph.pass(tokens, plan.contrast, { ...places, logits }));
      meter.nfe += other ? 2 : 1;
      meter.forwardTokens += tokens.length * (other ? 2 : 1);
      const guess = readPass(pass, {
        ...{ window, shown, shift, vocabSize, temperature },
        ...{ topP: drawing.topP, minP: drawing.minP, open: denoiser.open() },
        contrast: other && { pass: other, scale: drawing.guidance },
        noise,
        constraint: held,
      });
      const before = window.masked();
      denoiser.take(guess);
      counter?.take(window, before, guess);
      if (window.done) break;
      yield { kind: 'draft', tokens: window.draft(), text: window.text(this.tokenizer), nfe: meter.nfe };
    }
    const record = counter?.record ?? (options.constraint ? notApplied() : undefined);
    return { text: window.text(this.tokenizer), tokens: window.draft(), constraint: record };
  }
}

/** Whether an answer is written greedily from left to right with nothing to look at between its tokens, as `Writer` does it. */
function writesOn({ options }: BatchItem): boolean {
  const { temperature, guidance = 0, constraint, pins = [] } = options;
  const drafts = isDrafting(samplerOf(options).name);
  return drafts && temperature <= 0 && guidance === 0 && constraint === undefined && pins.length === 0;
}

/** The sampler that is asked for; the one by threshold takes it from the options where it has none of its own. */
function samplerOf({ sampler, threshold }: StepOptions): SamplerChoice {
  const { name = 'threshold' } = sampler ?? {};
  return name === 'threshold' ? { threshold, ...sampler, name } : { ...sampler, name };
}

/**
 * Places of a block; infinite for the whole window.
 * @throws ModelError `bad_options`
 */
function blockSizeOf({ blockSize = Infinity }: StepOptions): number {
  if (blockSize === Infinity || (Number.isInteger(blockSize) && blockSize >= 1)) return blockSize;
  const message = `Blocks of ${blockSize} places cannot be filled.`;
  throw new ModelError('bad_options', message, 'Give a whole number from 1, or leave it out for the whole window.');
}
