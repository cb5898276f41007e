/** The window under the threshold sampler: against its twin in torch, against the published rule, growing and cropping. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { END, MASK, SLOT_SIZES, padId, type Tokenizer } from '../../world/codec';
import { Denoiser } from './denoise';
import { openWindowSampler } from './samplers';
import { AnswerWindow, type Guess } from './window';

interface Trace {
  threshold: number;
  passes: { best: number[]; confidence: number[] }[];
  masked: number[];
  final: number[];
  sizes: number[];
  content: number[][];
  nfe: number;
}

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../test/fixtures/samplers/${name}`, import.meta.url), 'utf8'));
const TRACES = read('window_traces.json') as Trace[];
const GOLDEN = read('golden_samplers.json') as {
  fast_dllm: { conf_sorted_desc: number[]; threshold: { [threshold: string]: number } };
};
/** Ids as text, one private-use character each, so that a decoded slot shows which tokens it had. */
const IDS: Tokenizer = {
  vocabSize: 2048,
  sha256: '',
  encode: (text) => Array.from(text, (char) => char.charCodeAt(0) - 0xe000),
  decode: (ids) => String.fromCharCode(...ids.map((id) => 0xe000 + id)),
};

const guessOf = (best: number[], confidence: number[]): Guess => ({
  ...{ best, token: best, confidence, margin: confidence },
  entropy: confidence.map((value) => 1 - value),
});
const denoise = (window: AnswerWindow, threshold = 0.9) =>
  new Denoiser(window, openWindowSampler({ name: 'threshold', threshold }), Infinity, () => 0.5);
/** Wide enough that the traces and the golden rule have their places; start sizes are those of the codec. */
const SIZES = { observation: 32, delta: 16, status: 8 };
const text = (window: AnswerWindow) => Object.values(window.text(IDS)).map((slot) => IDS.encode(slot));

/** Every pass writes a place or grows a slot, so the threshold sampler never needs more passes than this. */
const MAX_PASSES = Object.values(SLOT_SIZES).reduce((sum, sizes) => sum + Math.max(...sizes) + sizes.length, 0);

describe('AnswerWindow', () => {
  it.each(TRACES.map((trace, i) => [i, trace] as const))('follows trace %i of the torch sampler', (_, trace) => {
    const window = new AnswerWindow(SIZES);
    const denoiser = denoise(window, trace.threshold);
    trace.passes.forEach(({ best, confidence }, i) => {
      expect(window.masked().length).toBe(trace.masked[i]);
      expect(window.done).toBe(false);
      denoiser.take(guessOf(best, confidence));
    });
    expect(window.done).toBe(true);
    expect(window.tokens()).toEqual(trace.final);
    expect(Object.values(window.sizes)).toEqual(trace.sizes);
    expect(text(window)).toEqual(trace.content);
  });

  it.each(Object.entries(GOLDEN.fast_dllm.threshold))(
    'commits as Fast-dLLM does at threshold %s',
    (threshold, count) => {
      const { conf_sorted_desc: sorted } = GOLDEN.fast_dllm;
      const window = new AnswerWindow(SIZES);
      const confidence = window.tokens().map((_, place) => sorted[place - 1] ?? 0);
      denoise(window, Number(threshold)).take(guessOf(Array<number>(confidence.length).fill(END), confidence));
      expect(window.draft().filter((token) => !token.masked).length).toBe(count);
    },
  );

  it('grows before it commits, and remembers the pass and confidence of each place', () => {
    const window = new AnswerWindow(SIZES);
    const denoiser = denoise(window);
    const wide = Array<number>(240).fill(500);
    denoiser.take(guessOf(wide, Array<number>(240).fill(1)));
    expect(window.sizes).toEqual({ observation: 64, delta: 40, status: 8 });
    expect(window.draft().every((token) => token.masked && token.pass === 0)).toBe(true);
    denoiser.take(guessOf(wide, Array<number>(240).fill(1)));
    expect(window.sizes).toEqual({ observation: 128, delta: 80, status: 8 });
    const pads = Array<number>(240).fill(padId(0));
    denoiser.take(guessOf(pads, [0, 0, 0.7, ...Array<number>(237).fill(0.1)]));
    const written = window.draft().filter((token) => !token.masked);
    expect(written).toEqual([{ slot: 'observation', id: padId(0), masked: false, confidence: 0.7, pass: 3 }]);
  });

  it('ends within its limit of passes whatever the model says', () => {
    for (const id of [500, END, padId(3)]) {
      const window = new AnswerWindow();
      const denoiser = denoise(window);
      let passes = 0;
      while (!window.done) {
        denoiser.take(guessOf(Array<number>(240).fill(id), Array<number>(240).fill(0.01)));
        expect(++passes).toBeLessThanOrEqual(MAX_PASSES);
      }
      expect(window.tokens()).not.toContain(MASK);
    }
  });

  it('reads a slot up to its first end, without pads and masks', () => {
    const window = new AnswerWindow({ observation: 16, delta: 4, status: 8 });
    const best = [16, 300, padId(0), 301, END, 302, ...Array<number>(34).fill(padId(1))];
    denoise(window).take(
      guessOf(
        best,
        best.map((_, i) => (i < 6 ? 1 : 0)),
      ),
    );
    expect(text(window)).toEqual([[300, 301], [], []]);
  });
});
