/** Writing an answer from left to right with a causal model that keeps the keys and values of what it has run. */
import { RESP, encodeCall, type Tokenizer } from '../../world/codec';
import type { Draft, Prediction, StepOptions } from '../../world/simulator';
import type { Action, Context } from '../../world/types';
import { Candidates, drawKey, type Attempt } from '../candidates';
import type { ModelConfig } from '../config';
import { ConstraintCounter, StreamConstraint, notApplied, openConstraint, type Constraint } from '../constraint';
import { draw, greedy, isBannedInText, type Choice, type Row } from '../draw';
import { ModelError } from '../errors';
import { guided } from '../guidance';
import { drawingOf, type Drawing } from '../options';
import { pause } from '../pause';
import { afterToken, forcedStart, pathsOf, startBan, textsOf, type Forced } from '../pins';
import { makePrediction, promptBlocks } from '../prompt';
import type { Verifier } from '../verifiers';
import { AnswerStream, MAX_TOKENS } from './answer';

/** A token that was written, with the pass of the call that chose it, from 1, where passes choose several. */
export type Written = Choice & { pass?: number };

/** An autoregressive model with a cache of the tokens it has run, whoever runs it. */
export interface CausalModel {
  /** Tokens in the cache. */
  readonly length: number;
  /** Keeps of the cache what leads `tokens` too, but never all of them; gives the number of tokens kept. */
  keepCommon(tokens: readonly number[]): Promise<number>;
  /** Runs tokens behind those of the cache and adds them to it; gives the logits of the last one, [vocabulary]. */
  run(tokens: readonly number[]): Promise<Float32Array>;
  /**
   * Runs tokens and goes on greedily: gives about `limit` tokens at most, the last of them the last `<end>` of `ends`. All but
   * the last are in the cache then. Missing where the runtime gives logits only.
   */
  write?: ((tokens: readonly number[], limit: number, ends: number) => Promise<Written[]>) | undefined;
  /** What was run since it was last asked for; missing where every `run` is one pass over the tokens it is given. */
  spent?(): { nfe: number; forwardTokens: number };
  /** A second cache that holds what this one holds; missing where the runtime cannot. Whoever takes it disposes it. */
  fork?(): Promise<CausalModel>;
  /** No pass starts from now on; whoever is at work ends with `disposed`. */
  retire?(): void;
  dispose(): Promise<void>;
}

/** Tokens written in one call where nothing but the best token is asked for: as long as cancelling may wait. */
const CHUNK = 16;

/** A cache with the tokens its answers start behind; the first `context` of them are blocks before the answer. */
interface Branch {
  model: CausalModel;
  prompt: number[];
  context: number;
}

/** What a step ran so far. */
interface Meter {
  nfe: number;
  forwardTokens: number;
  prefillTokens: number;
  /** When the first logits were there. */
  firstAt: number | null;
}

/** What the attempts of a step have in common. */
interface Plan {
  options: StepOptions;
  drawing: Drawing;
  forced: Forced;
  branch: Branch;
  /** Without this turn's directives; null without guidance. */
  contrast: Branch | null;
  constraint: Constraint | null;
  meter: Meter;
  signal: AbortSignal | undefined;
}

export class Writer {
  constructor(
    private readonly config: ModelConfig,
    private readonly tokenizer: Tokenizer,
    private readonly verifiers: { readonly [name: string]: Verifier },
  ) {}

  /**
   * The pass over the new part of the prefix, `<resp>` and what is forced gives the first token, so there are as many
   * passes as generated tokens, twice that with guidance. What was generated stays in the cache and is kept by the next
   * step as far as its clean form has the same tokens. Every attempt counts.
   */
  async *answer(
    model: CausalModel,
    context: Context,
    action: Action,
    options: StepOptions,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Draft | Prediction> {
    let contrast: Branch | null = null;
    try {
      const start = performance.now();
      const drawing = drawingOf(options);
      const pins = options.pins ?? [];
      const paths = pathsOf(pins, context.world, action);
      const forced = forcedStart(pins, paths, options.prefix ?? '', this.tokenizer);
      const candidates = new Candidates(context, action, options, forced.placed, this.verifiers);
      // Directives that are not told may take a token more than those that are.
      const room = 1 + MAX_TOKENS + (drawing.guidance > 0 ? 1 : 0);
      const blocks = promptBlocks(context, action, options, this.tokenizer, this.config.maxPositions, room);
      const meter: Meter = { nfe: 0, forwardTokens: 0, prefillTokens: 0, firstAt: null };
      const branch = this.branch(model, blocks, forced);
      if (drawing.guidance > 0) contrast = await this.contrast(model, blocks, action, forced, meter);
      const constraint = openConstraint(options, context, action, this.tokenizer);
      const plan = { options, drawing, forced, branch, contrast, constraint, meter, signal };
      for (let again = true; again;) again = candidates.offer(yield* this.attempt(plan, candidates));
      const { text, tokens, constraint: held } = candidates.chosen;
      const { nfe, forwardTokens, prefillTokens } = meter;
      const end = performance.now();
      const cost = { nfe, forwardTokens, prefillTokens, ms: end - start, prefillMs: (meter.firstAt ?? end) - start };
      yield makePrediction(text, tokens, cost, options.seed, this.tokenizer, candidates.selection, held);
    } finally {
      await contrast?.model.dispose();
    }
  }

  private branch(model: CausalModel, blocks: readonly (readonly number[])[], forced: Forced): Branch {
    const context = blocks.flat();
    return { model, prompt: [...context, RESP, ...forced.ids], context: context.length };
  }

  /** A copy of the cache up to this turn's call, behind which the call is run without its directives. */
  private async contrast(
    model: CausalModel,
    blocks: number[][],
    action: Action,
    forced: Forced,
    meter: Meter,
  ): Promise<Branch> {
    if (!model.fork) {
      const message = 'This runtime has no second cache, which guidance needs.';
      throw new ModelError('bad_options', message, 'Set guidance to 0, or use the model in our own runtime.');
    }
    const before = blocks.slice(0, -1);
    const shared = before.flat();
    // What comes behind the shared tokens is not to be kept, whatever it is.
    const kept = await model.keepCommon([...shared, -1]);
    if (kept < shared.length) {
      await model.run(shared.slice(kept));
      meter.forwardTokens += model.spent?.().forwardTokens ?? shared.length - kept;
      meter.prefillTokens += shared.length - kept;
    }
    return this.branch(await model.fork(), [...before, encodeCall(null, action, this.tokenizer)], forced);
  }

  /** One answer, drawn under the keys of its attempt. */
  private async *attempt(plan: Plan, candidates: Candidates): AsyncGenerator<Draft, Attempt> {
    const { options, forced, branch, contrast, constraint, meter, signal } = plan;
    const [attempt, temperature] = [candidates.made, candidates.temperature];
    const texts = textsOf(this.tokenizer);
    const answer = new AnswerStream(forced.ids);
    const held = constraint?.outcomes
      ? {
          mask: new StreamConstraint(constraint.outcomes, this.config.vocabSize, forced.ids, MAX_TOKENS),
          counter: new ConstraintCounter(constraint.open),
        }
      : null;
    let next = forced.next;
    let last: number | null = null;
    let round = 0;
    while (!answer.done) {
      // Where the best token is all that is asked for, the graph writes several by itself.
      if (temperature <= 0 && branch.model.write && !contrast && !next && !held) {
        const before = { nfe: meter.nfe, round };
        const choices = await this.writeOn(branch, last, answer.left, meter);
        for (const [i, choice] of choices.entries()) {
          const pass = choice.pass ?? i + 1;
          if (choice.pass !== undefined) round = before.round + pass;
          answer.push(choice, choice.pass && round);
          last = choice.token;
          if (answer.done) break;
          // What one pass chose is shown together.
          if (choices[i + 1]?.pass === pass) continue;
          yield { kind: 'draft', tokens: answer.draft(), text: answer.text(this.tokenizer), nfe: before.nfe + pass };
          signal?.throwIfAborted();
        }
        if (!answer.done) await pause(signal);
        continue;
      }
      const passes = meter.nfe;
      const row = await this.logits(branch, last, meter);
      const other = contrast && (await this.logits(contrast, last, meter));
      if (meter.nfe > passes) round++;
      meter.firstAt ??= performance.now();
      const ban = next && startBan(texts, next);
      const banned = ban ? (id: number) => isBannedInText(id) || ban(id) : isBannedInText;
      const key = drawKey(options, attempt, branch.model.length);
      const seen = other ? guided(row, other, plan.drawing.guidance) : row;
      const choose = (not: (id: number) => boolean): Choice =>
        temperature <= 0 ? greedy(seen, not) : draw(seen, temperature, plan.drawing.topP, key, not, plan.drawing.minP);
      const allowed = held?.mask.allowed((id) => !banned(id));
      const choice = choose(allowed ? (id) => allowed[id] === 0 : banned);
      if (held) {
        held.counter.note(answer.slot, choose(banned).token !== choice.token);
        held.mask.push(choice.token);
      }
      next = next && afterToken(next, texts[choice.token] ?? '');
      answer.push(choice, branch.model.spent && round);
      last = choice.token;
      if (answer.done) break;
      yield { kind: 'draft', tokens: answer.draft(), text: answer.text(this.tokenizer), nfe: meter.nfe };
      if (meter.nfe > passes) await pause(signal);
    }
    const record = held?.counter.record ?? (constraint ? notApplied() : undefined);
    return { text: answer.text(this.tokenizer), tokens: answer.draft(), constraint: record };
  }

  /** Logits behind the prompt, or behind the token that was chosen last. */
  private async logits(branch: Branch, last: number | null, meter: Meter): Promise<Row> {
    const tokens = await this.next(branch, last, meter);
    const data = await branch.model.run(tokens);
    const { nfe, forwardTokens } = branch.model.spent?.() ?? { nfe: 1, forwardTokens: tokens.length };
    meter.nfe += nfe;
    meter.forwardTokens += forwardTokens;
    return { data, start: 0, size: this.config.vocabSize };
  }

  /** The best tokens behind the prompt, or behind the token that was chosen last. */
  private async writeOn(
    branch: Branch,
    last: number | null,
    left: { ends: number; tokens: number },
    meter: Meter,
  ): Promise<Written[]> {
    const tokens = await this.next(branch, last, meter);
    const choices = (await branch.model.write?.(tokens, Math.min(CHUNK, left.tokens), left.ends)) ?? [];
    meter.firstAt ??= performance.now();
    const one = { nfe: choices.length, forwardTokens: tokens.length + choices.length - 1 };
    const { nfe, forwardTokens } = branch.model.spent?.() ?? one;
    meter.nfe += nfe;
    meter.forwardTokens += forwardTokens;
    return choices;
  }

  /** Tokens that the next pass runs; what has to be encoded before the answer is counted. */
  private async next({ model, prompt, context }: Branch, last: number | null, meter: Meter): Promise<number[]> {
    const kept = last === null ? await model.keepCommon(prompt) : 0;
    if (last === null) meter.prefillTokens += Math.max(0, context - kept);
    return last === null ? prompt.slice(kept) : [last];
  }
}
