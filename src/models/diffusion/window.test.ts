/** The threshold sampler against its twin in torch, and against the published rule. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { END, MASK, SLOT_SIZES, padId, type Tokenizer } from '../../world/codec';
import { AnswerWindow, MAX_PASSES, type Guess } from './window';

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

const guessOf = (best: number[], confidence: number[]): Guess => ({ best, token: best, confidence });
const text = (window: AnswerWindow) => Object.values(window.text(IDS)).map((slot) => IDS.encode(slot));

describe('AnswerWindow', () => {
  it.each(TRACES.map((trace, i) => [i, trace] as const))('follows trace %i of the torch sampler', (_, trace) => {
    const window = new AnswerWindow();
    trace.passes.forEach(({ best, confidence }, i) => {
      expect(window.masked().length).toBe(trace.masked[i]);
      expect(window.done).toBe(false);
      window.advance(guessOf(best, confidence), trace.threshold);
    });
    expect(window.done).toBe(true);
    expect(window.tokens()).toEqual(trace.final);
    expect(Object.values(window.sizes)).toEqual(trace.sizes);
    expect(text(window)).toEqual(trace.content);
  });

  it.each(Object.entries(GOLDEN.fast_dllm.threshold))('commits as Fast-dLLM does at threshold %s', (threshold, count) => {
    const { conf_sorted_desc: sorted } = GOLDEN.fast_dllm;
    const window = new AnswerWindow();
    const confidence = window.tokens().map((_, place) => sorted[place - 1] ?? 0);
    window.advance(guessOf(Array<number>(confidence.length).fill(END), confidence), Number(threshold));
    expect(window.draft().filter((token) => !token.masked).length).toBe(count);
  });

  it('grows before it commits, and remembers the pass and confidence of each place', () => {
    const window = new AnswerWindow();
    const wide = Array<number>(240).fill(500);
    window.advance(guessOf(wide, Array<number>(240).fill(1)), 0.9);
    expect(window.sizes).toEqual({ observation: 64, delta: 40, status: 8 });
    expect(window.draft().every((token) => token.masked && token.pass === 0)).toBe(true);
    window.advance(guessOf(wide, Array<number>(240).fill(1)), 0.9);
    expect(window.sizes).toEqual({ observation: 128, delta: 80, status: 8 });
    const pads = Array<number>(240).fill(padId(0));
    window.advance(guessOf(pads, [0, 0, 0.7, ...Array<number>(237).fill(0.1)]), 0.9);
    const written = window.draft().filter((token) => !token.masked);
    expect(written).toEqual([{ slot: 'observation', id: padId(0), masked: false, confidence: 0.7, pass: 3 }]);
  });

  it('ends within its limit of passes whatever the model says', () => {
    for (const id of [500, END, padId(3)]) {
      const window = new AnswerWindow();
      let passes = 0;
      while (!window.done) {
        window.advance(guessOf(Array<number>(240).fill(id), Array<number>(240).fill(0.01)), 0.9);
        expect(++passes).toBeLessThanOrEqual(MAX_PASSES);
      }
      expect(window.tokens()).not.toContain(MASK);
    }
    expect(MAX_PASSES).toBeGreaterThan(Math.max(...SLOT_SIZES.observation));
  });

  it('reads a slot up to its first end, without pads and masks', () => {
    const window = new AnswerWindow({ observation: 16, delta: 4, status: 8 });
    const best = [16, 300, padId(0), 301, END, 302, ...Array<number>(34).fill(padId(1))];
    window.advance(guessOf(best, best.map((_, i) => (i < 6 ? 1 : 0))), 0.9);
    expect(text(window)).toEqual([[300, 301], [], []]);
  });
});
