/** For tests: a world of one tool, a small vocabulary, and models of both kinds that say anything. */
import { END, parseAnswer } from '../../world/codec';
import type { Json, JsonObject } from '../../world/json';
import { hash32, uniform } from '../../world/rng';
import { DEFAULT_STEP_OPTIONS, finishStep, type Prediction, type StepOptions } from '../../world/simulator';
import type { Context, Tool } from '../../world/types';
import { AutoregressiveSimulator } from '../autoregressive/simulator';
import type { CausalModel } from '../autoregressive/writer';
import { Denoiser } from '../diffusion/denoise';
import type { WindowPass } from '../diffusion/pass';
import { readPass } from '../diffusion/reading';
import { openWindowSampler } from '../diffusion/samplers';
import { AnswerWindow } from '../diffusion/window';
import { noiseOf } from '../draw';
import { pathsOf, placeInWindow } from '../pins';
import { loadTokenizer, tokenizerFile, type BpeTokenizer } from '../tokenizer';
import { ConstraintCounter, openWindow } from '.';

/** Bytes, and pieces that reach over the borders of values: a small vocabulary, so that many answers can be tried. */
const PIECES = [
  '{"id',
  '":"',
  '","',
  '"}',
  '}]',
  '[{"',
  '":',
  '{}',
  'W1',
  'id',
  'st',
  'no',
  'tr',
  '12',
  'ok',
  'pai',
  '"a',
];
/** A byte-level tokenizer of a few merges. */
function smallTokenizer(): Promise<BpeTokenizer> {
  const ids = new Map<string, number>(Array.from({ length: 256 }, (_, byte) => [String.fromCharCode(byte), 17 + byte]));
  const merges: [number, number][] = [];
  for (const piece of PIECES) {
    for (let n = 2; n <= piece.length; n++) {
      if (ids.has(piece.slice(0, n))) continue;
      merges.push([ids.get(piece.slice(0, n - 1)) as number, ids.get(piece[n - 1] as string) as number]);
      ids.set(piece.slice(0, n), 17 + 256 + merges.length - 1);
    }
  }
  return loadTokenizer(tokenizerFile(merges));
}

export const tokenizer = await smallTokenizer();

/** The call that is answered. */
export const action = { tool: 'look', args: { id: 'W17' } };
/** Options with the constraint on. */
export const constrained: StepOptions = { ...DEFAULT_STEP_OPTIONS, constraint: 'schema' };

/** A world of one tool with this output schema, of which only the state is not empty. */
export function contextOf(outputSchema: Json): Context {
  const tool = { name: 'look', description: '', inputSchema: {}, outputSchema: outputSchema as JsonObject };
  const state = { orders: { W17: { state: 'paid', note: 'é' }, 'W"2': { state: 'gone' } }, next: 'W18' };
  const world = {
    id: 'w',
    title: '',
    twin: null,
    state,
    task: { instruction: '', checks: [] },
    tools: [tool],
    rules: [],
  };
  return { world, history: [] };
}

/** Logits from 0 to `spread` that are a hash of a seed and the position: a model that says anything. */
function noisy(seed: number, at: number, spread: number): Float32Array {
  let state = hash32(seed, at);
  return Float32Array.from({ length: tokenizer.vocabSize }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (spread * state) / 2 ** 32;
  });
}

/** An AR model that says anything. */
function anyModel(seed: number, spread = 8): CausalModel {
  let length = 0;
  return {
    get length() {
      return length;
    },
    keepCommon: () => Promise.resolve((length = 0)),
    run: (tokens) => Promise.resolve(noisy(seed, (length += tokens.length), spread)),
    dispose: () => Promise.resolve(),
  };
}

/** The answer of an AR model that says anything. */
export function answerOfAr(context: Context, options: StepOptions, seed: number): Promise<Prediction> {
  const config = { maxPositions: 4096, vocabSize: tokenizer.vocabSize } as never;
  const simulator = new AutoregressiveSimulator(anyModel(seed), config, tokenizer, { id: 'any' } as never);
  return finishStep(simulator.step(context, action, options));
}

/** The answer that an MDLM gives which says anything, as its simulator makes it. */
export function answerOfMdlm(context: Context, options: StepOptions, seed: number, sampler: string) {
  const { temperature, topP, pins = [] } = options;
  const placed = placeInWindow(pins, pathsOf(pins, context.world, action), tokenizer);
  const open = openWindow(options, context, action, placed, tokenizer);
  const window = new AnswerWindow(open?.sizes ?? placed.sizes, { fixed: placed.fixed, crop: options.crop });
  const opened = openWindowSampler({ name: sampler, ...(sampler === 'threshold' ? { threshold: 0.2 } : {}) });
  const counter = open?.open ? new ConstraintCounter(open.open) : null;
  const denoiser = new Denoiser(window, opened, options.blockSize ?? Infinity, (...at) => uniform(seed, ...at));
  for (let pass = 0; !window.done; pass++) {
    if (pass > 400) throw new Error('the window is never filled');
    const shown = window.shown(false);
    const logits = new Float32Array(shown.length * tokenizer.vocabSize);
    shown.forEach((place, row) => logits.set(noisy(seed, 1000 * pass + place, 8), row * tokenizer.vocabSize));
    const zeros = new Float32Array(shown.length).fill(0.5);
    const made: WindowPass = {
      best: new Int32Array(shown.length).fill(END),
      confidence: zeros,
      margin: zeros,
      entropy: zeros,
      logits,
      clean: null,
    };
    const guess = readPass(made, {
      ...{ window, shown, shift: false, vocabSize: tokenizer.vocabSize, open: denoiser.open(), contrast: null },
      ...{
        temperature,
        topP,
        minP: 0,
        noise: (place) => noiseOf([seed, place, window.visits(place)], tokenizer.vocabSize),
      },
      constraint: open?.window ?? null,
    });
    const before = window.masked();
    denoiser.take(guess);
    counter?.take(window, before, guess);
  }
  const text = window.text(tokenizer);
  return { ...parseAnswer(text), text, tokens: window.draft(), constraint: counter?.record };
}

/** The tool of such a world. */
export const toolOf = (context: Context) => context.world.tools[0] as Tool;
