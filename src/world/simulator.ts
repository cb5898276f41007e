/**
 * The two interfaces everything else is written against: a `Simulator` stands in for the environment, an `Agent` acts
 * in it. Nothing outside `src/models`, `src/twins` and `workers` knows which simulator it talks to.
 */
import type { Pin } from './anchors';
import type { Action, Context, Directive, Slot, SlotTexts, State, Transition, World } from './types';

/** A diffusion sampler by name, with its parameters (src/models/diffusion/samplers says what there is). */
export interface SamplerChoice {
  name: string;
  [parameter: string]: string | number;
}

/** What one step may depend on beside the context. Draws are keyed by (seed, lane, step, position). */
export interface StepOptions {
  directives: Directive[];
  seed: number;
  /** Number of the step in its rollout, from 0. */
  step: number;
  /** Key of the lane; two lanes with one key, seed and step draw the same numbers. */
  lane: number;
  /** 0 is greedy and the default of the project. */
  temperature: number;
  /** Nucleus mass that tokens are drawn from, in (0, 1]; 1 keeps every token, and the one that crosses the mark is kept. */
  topP: number;
  /** Confidence at which the diffusion sampler `threshold` commits a position, in (0, 1]. */
  threshold: number;
  /** MDLM: which places are written when; absent: `threshold`. With pins `speculative` fills a window as `threshold` does. */
  sampler?: SamplerChoice;
  /** MDLM: places of a block; blocks are filled one after another, slot by slot. Absent: the whole window at once. */
  blockSize?: number;
  /** MDLM: leave the places behind a committed `<end>` out of later passes. */
  crop?: boolean;
  /** Least probability of a token that may be drawn, as a share of the most probable one's, in [0, 1]; absent: 0. */
  minP?: number;
  /**
   * Scale of guidance on this turn's directives, from 0 (none). Every token or pass then takes a second run in which they
   * are not told.
   */
  guidance?: number;
  /** AR: text that the observation starts with. */
  prefix?: string;
  /** Values that the answer must have. They are fixed before generation where their place is known. */
  pins?: readonly Pin[];
  /** Answers tried at most until all pins hold, where some could not be fixed; absent: 8. */
  attempts?: number;
  /** Tries several answers and takes the best by a verifier (src/models/verifiers.ts). */
  bestOf?: { n: number; verifier: string };
  /** Holds the answer to the output schema of the tool, where it has one; absent: nothing is held to anything. */
  constraint?: 'schema';
}

export const DEFAULT_STEP_OPTIONS: StepOptions = {
  directives: [],
  seed: 1,
  step: 0,
  lane: 0,
  temperature: 0,
  topP: 1,
  threshold: 0.9,
};

/** One position of an answer in progress. A masked position has no token yet. */
export interface DraftToken {
  slot: Slot;
  id: number;
  masked: boolean;
  /** Probability the model gave the committed token (or gives its current guess), in [0, 1]. */
  confidence: number;
  /**
   * Round (from 1) in which the position was committed: a forward pass, or two with guidance. 0 while it is masked, and
   * when it was fixed before generation.
   */
  pass: number;
}

/** A snapshot of an answer in progress, for drawing. `text` is the answer as far as it is known. */
export interface Draft {
  kind: 'draft';
  tokens: DraftToken[];
  text: SlotTexts;
  nfe: number;
}

/** Why an answer could not be taken as it stands; the slot's part of the transition is then empty. */
export interface ParseError {
  slot: Slot;
  message: string;
}

/** What an answer cost. All counts are of this step alone. */
export interface Cost {
  /** Forward passes that produced answer tokens (number of function evaluations). */
  nfe: number;
  /** Tokens of the finished answer in clean form, the three `<end>` included. */
  generatedTokens: number;
  /** Token positions sent through the model in all passes: prefill, denoising or decoding, and the commit pass. */
  forwardTokens: number;
  /** Token positions of the prefix that this step had to encode (0 when the cache held all of it). */
  prefillTokens: number;
  /**
   * Wall milliseconds of the whole step, and until the first tokens were there: where one call reads the prompt and writes on
   * (WebAssembly, greedy), what it wrote is in that time too.
   */
  ms: number;
  prefillMs: number;
}

export const NO_COST: Cost = { nfe: 0, generatedTokens: 0, forwardTokens: 0, prefillTokens: 0, ms: 0, prefillMs: 0 };

/** How an answer was chosen where several were tried, or where values were pinned. */
export interface Selection {
  /** Answers tried, and those of them in which every pin held: what acceptance rates are summed from. */
  attempts: number;
  accepted: number;
  /** The attempt that is the answer, from 0, and the verifier's scores of all of them, where there is a verifier. */
  chosen: number;
  scores: number[];
  /** For each pin, whether it was fixed before generation, and whether it holds in the answer. */
  pins: { placed: boolean; held: boolean }[];
}

/** What a constraint did to an answer. */
export interface ConstraintRecord {
  kind: 'schema';
  /** False where the call names no tool with an output schema; the answer is then free. */
  applied: boolean;
  /** Tokens the model wrote in each slot, and those of them that would have been others without the constraint. */
  written: Record<Slot, number>;
  fired: Record<Slot, number>;
  /** Parts of the schema that were not held to, as JSON Pointers into it. */
  open: string[];
}

/** A finished answer. Unparsable output is a result (scored 0), never an exception and never repaired. */
export interface Prediction {
  kind: 'prediction';
  transition: Transition;
  /** The three slots exactly as written; this is what enters the history. */
  text: SlotTexts;
  parseErrors: ParseError[];
  /** The answer's tokens with confidence and order of commitment; empty for simulators without tokens (the twin). */
  tokens: DraftToken[];
  cost: Cost;
  seed: number;
  /** Only where there was something to choose. */
  selection?: Selection;
  /** Only where the answer was to be held to something. */
  constraint?: ConstraintRecord;
}

/** One of many actions to be answered together, with everything `Simulator.step` takes. */
export interface BatchItem {
  context: Context;
  action: Action;
  options: StepOptions;
}

/** The one interface of all environments. The iterable yields drafts and ends with exactly one prediction. */
export interface Simulator {
  readonly id: string;
  /** Whether the simulator can answer in this world (the twin cannot in a world without truth). */
  supports(world: World): boolean;
  /**
   * Answers one action. Rejects with the signal's reason when aborted; any other rejection is a failure of the
   * machinery (a lost device, a crashed worker), never of the answer.
   */
  step(context: Context, action: Action, options: StepOptions, signal?: AbortSignal): AsyncIterable<Draft | Prediction>;
  /**
   * Answers many actions, each with its own context, seed, lane, directives and settings, in shared forward passes; missing
   * where the runtime cannot. Every answer is, token for token, what `step` gives alone. `ms` of a prediction is the time
   * from the start of the batch to that answer. Call it through `answerAll`, which also serves simulators without it.
   * @param onAnswer called with each answer as it is finished, in any order
   * @returns one entry for each item, in order: its prediction, or why there is none (`bad_options`, `context_too_long`)
   * @throws the signal's reason when aborted, or a failure of the machinery, as `step`
   */
  simulateBatch?(
    items: readonly BatchItem[],
    signal?: AbortSignal,
    onAnswer?: (index: number, prediction: Prediction) => void,
  ): Promise<PromiseSettledResult<Prediction>[]>;
}

/**
 * Answers many actions with any simulator: in shared passes where it can (`Simulator.simulateBatch`), one after another
 * where it cannot. For N lanes give N items whose options differ in `lane` or `seed`.
 * @returns one entry for each item, in order; an item that cannot be answered does not stop the others
 * @throws the signal's reason when aborted
 */
export async function answerAll(
  simulator: Simulator,
  items: readonly BatchItem[],
  signal?: AbortSignal,
  onAnswer?: (index: number, prediction: Prediction) => void,
): Promise<PromiseSettledResult<Prediction>[]> {
  if (simulator.simulateBatch) return simulator.simulateBatch(items, signal, onAnswer);
  const out: PromiseSettledResult<Prediction>[] = [];
  for (const [index, { context, action, options }] of items.entries()) {
    signal?.throwIfAborted();
    try {
      const value = await finishStep(simulator.step(context, action, options, signal));
      onAnswer?.(index, value);
      out.push({ status: 'fulfilled', value });
    } catch (reason) {
      signal?.throwIfAborted();
      out.push({ status: 'rejected', reason });
    }
  }
  return out;
}

/** Runs a step to its end and gives the prediction, with every draft passed to `onDraft`. */
export async function finishStep(
  steps: AsyncIterable<Draft | Prediction>,
  onDraft?: (draft: Draft) => void,
): Promise<Prediction> {
  for await (const item of steps) {
    if (item.kind === 'prediction') return item;
    onDraft?.(item);
  }
  throw new Error('The simulator ended without a prediction.');
}

/** What an agent sees: the world it is told about, the state as its lane has it, and what happened so far. */
export interface AgentView {
  world: World;
  state: State;
  steps: { action: Action; transition: Transition }[];
}

export interface Agent {
  readonly id: string;
  act(view: AgentView, signal?: AbortSignal): Promise<Action>;
}
