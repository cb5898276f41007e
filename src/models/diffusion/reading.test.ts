/** Reading passes: draws depend on their key alone, cropped places change nothing but that they are no longer seen. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { END, MASK, PAD_0, RESP, encodeContext, padId } from '../../world/codec';
import { uniform } from '../../world/rng';
import { makeWorld } from '../../twins';
import { DEFAULT_STEP_OPTIONS, finishStep, type Prediction, type StepOptions } from '../../world/simulator';
import { noiseOf } from '../draw';
import { FileSource } from '../fileSource.node';
import { fetchModel, type ModelFiles } from '../files';
import { loadSimulator, type ModelSimulator } from '../load';
import { ModelSession } from '../session';
import { CacheStack } from '../batch/cacheStack';
import { DiffusionGraph } from './graph';
import type { WindowPass } from './pass';
import { NEVER_SEEN } from './prefixCache';
import { readPass, type Reading } from './reading';
import { WINDOW_SAMPLERS } from './samplers';
import { AnswerWindow, type Guess } from './window';

const SIZES = { observation: 16, delta: 4, status: 8 };
const WIDTH = 29;
const folder = new URL('../../../test/fixtures/micro/mdlm/', import.meta.url).pathname;

function madeUp(tokens: number, vocabSize: number): WindowPass {
  const logits = Float32Array.from({ length: tokens * vocabSize }, (_, i) => 3 * uniform(i, 5));
  const zeros = new Float32Array(tokens);
  return { best: new Int32Array(tokens).fill(17), confidence: zeros, margin: null, entropy: null, logits, clean: null };
}

const reading = (window: AnswerWindow, more: Partial<Reading> = {}): Reading => ({
  ...{ window, shown: window.shown(false), shift: false, vocabSize: 64, open: window.masked(), contrast: null },
  ...{
    temperature: 1,
    topP: 1,
    minP: 0,
    noise: (place: number) => noiseOf([1, 2, 3, 100 + place, window.visits(place)], 64),
  },
  ...more,
});

/** A guess that writes these tokens at all places that are committed. */
function writes(at: { [place: number]: number }): Guess {
  const token = Array.from({ length: WIDTH }, (_, i) => at[i] ?? MASK);
  const ones = Array<number>(WIDTH).fill(1);
  return { best: token, token, confidence: ones, margin: ones, entropy: ones };
}

describe('draws', () => {
  it('do not depend on blocks, nor on when a place is looked at; masking a place again draws anew', () => {
    const window = new AnswerWindow(SIZES);
    const pass = madeUp(WIDTH, 64);
    const all = Array.from(readPass(pass, reading(window)).token);
    for (const open of [[5], [5, 6, 7], [28, 5]]) {
      const some = readPass(pass, reading(window, { open })).token;
      for (const place of open) expect(some[place]).toBe(all[place]);
    }
    window.notice(writes({}));
    window.commit([5, 6], writes({ 5: 17, 6: 17 }));
    expect(Array.from(readPass(pass, reading(window)).token).slice(7)).toEqual(all.slice(7));
    const places = [5, 6, 8, 9, 10, 11, 12];
    window.remask(places);
    const again = readPass(pass, reading(window)).token;
    expect(places.map((place) => again[place])).not.toEqual(places.map((place) => all[place]));
    expect(again[13]).toBe(all[13]);
  });

  it('come from the nucleus, and never from what is banned at a place', () => {
    const ban = (id: number) => id !== 40 && id !== 41;
    const window = new AnswerWindow(SIZES, { fixed: { observation: [null, { ban }] } });
    const pass = madeUp(WIDTH, 64);
    const greedy = readPass(pass, reading(window, { temperature: 0 }));
    expect([40, 41]).toContain(greedy.best[2]);
    expect(greedy.token[2]).toBe(greedy.best[2]);
    expect((greedy.confidence[2] as number) + 0).toBeGreaterThan(0.04);
    for (let seed = 0; seed < 20; seed++) {
      const noise = (place: number) => noiseOf([seed, place], 64);
      expect([40, 41]).toContain(readPass(pass, reading(window, { noise })).token[2]);
      // With a nucleus this narrow only the best token is left.
      const narrow = readPass(pass, reading(window, { noise, topP: 0.01 }));
      const row = Array.from((pass.logits as Float32Array).subarray(7 * 64, 8 * 64));
      const allowed = row.map((logit, id) => (id === END || (id >= PAD_0 && id < 9) || id >= 17 ? logit : -1));
      expect(narrow.token[7]).toBe(allowed.indexOf(Math.max(...allowed)));
    }
  });
});

describe('cropping', () => {
  it('leaves out what stands behind an end, once and for all', () => {
    const window = new AnswerWindow(SIZES, { crop: true });
    window.notice(writes({}));
    window.commit([4], writes({ 4: END }));
    expect(window.tokens().slice(1, 17)).toEqual([
      ...[MASK, MASK, MASK, END],
      ...Array.from({ length: 12 }, (_, i) => padId(i)),
    ]);
    const rest = Array.from({ length: 12 }, (_, i) => 17 + i);
    expect(window.shown(false)).toEqual([0, 1, 2, 3, 4, ...rest]);
    // A shifted model reads place 17 at place 16, which has to stay for as long as 17 is masked.
    expect(window.shown(true)).toEqual([0, 1, 2, 3, 4, 16, ...rest]);
    window.commit([17], writes({ 17: 300 }));
    expect(window.shown(true)).toEqual([0, 1, 2, 3, 4, ...rest]);
    expect([1, 4, 5, 17].map((place) => window.isWritten(place))).toEqual([false, false, false, true]);
    expect(new AnswerWindow(SIZES).shown(true).length).toBe(WIDTH);
  });
});

describe('with the micro model', () => {
  let files: ModelFiles;
  let graph: DiffusionGraph;
  let simulator: ModelSimulator;
  const world = makeWorld('support', 3);
  const action = { tool: world.tools[0]?.name ?? '', args: { id: 'W11' } };
  const context = { world, history: [] };
  beforeAll(async () => {
    files = await fetchModel(new FileSource(folder));
    graph = new DiffusionGraph(await ModelSession.create(files.graph, 'wasm'), files.config);
    simulator = await loadSimulator({ source: new FileSource(folder), provider: 'wasm' });
  }, 60_000);
  afterAll(async () => {
    await graph.dispose();
    await simulator.dispose();
  });
  const answer = (options: Partial<StepOptions>): Promise<Prediction> =>
    finishStep(simulator.step(context, action, { ...DEFAULT_STEP_OPTIONS, ...options }));

  it('a pass over a cropped window is the whole pass in which nobody sees the dropped pads', async () => {
    await graph.prefill(encodeContext(context, action, [], files.tokenizer));
    const past = graph.past();
    const dropped = [6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];
    const tokens = Array.from({ length: WIDTH }, (_, i) =>
      i === 0 ? RESP : i === 5 ? END : dropped.includes(i) ? padId(i - 6) : i === 2 ? 300 : MASK,
    );
    const places = tokens.flatMap((_, i) => (dropped.includes(i) ? [] : [i]));
    const cropped = await graph.pass(
      places.map((place) => tokens[place] as number),
      past,
      { logits: true, statistics: true, places },
    );
    const session = graph.session;
    const whole = await session.run(
      {
        ...new CacheStack(files.config).feeds(session, [past]),
        input_ids: session.int32(tokens),
        positions: session.int32(tokens.map((_, i) => past.start + i)),
        block_ids: session.int32(tokens.map((_, i) => (dropped.includes(i) ? NEVER_SEEN : past.block))),
      },
      ['logits', 'best'],
    );
    const logits = (await whole['logits']?.getData()) as Float32Array;
    const best = (await whole['best']?.getData()) as Int32Array;
    const { vocabSize } = files.config;
    places.forEach((place, at) => {
      expect(cropped.best[at]).toBe(best[place]);
      for (let id = 0; id < vocabSize; id++) {
        const difference =
          (cropped.logits?.[at * vocabSize + id] as number) - (logits[place * vocabSize + id] as number);
        if (Math.abs(difference) > 1e-4) expect.fail(`place ${place}, token ${id}: ${difference}`);
      }
    });
    const seen = await graph.pass(tokens, past, { logits: true });
    expect(cropped.logits?.[40]).not.toBeCloseTo(seen.logits?.[40] as number, 5);
  });

  it.each(Object.keys(WINDOW_SAMPLERS))('%s answers, cropped and in blocks, and counts what it ran', async (name) => {
    const stepped =
      name === 'entropy-budget' ? { budget: 40 } : name === 'threshold' ? { threshold: 0.02 } : { steps: 4 };
    const sampler = { name, ...stepped };
    const whole = await answer({ sampler });
    const blocks = await answer({ sampler, blockSize: 64, crop: true, temperature: 1, topP: 0.9 });
    for (const { tokens, cost } of [whole, blocks]) {
      expect(tokens.some(({ masked }) => masked)).toBe(false);
      expect(cost.nfe).toBe(Math.max(...tokens.map(({ pass }) => pass)));
      expect(cost.forwardTokens - cost.prefillTokens).toBeLessThanOrEqual(cost.nfe * (1 + tokens.length));
    }
    const again = await answer({ sampler, blockSize: 64, crop: true, temperature: 1, topP: 0.9 });
    expect(again.tokens).toEqual(blocks.tokens);
  });

  it('says what is possible when it is asked for something else', async () => {
    await expect(answer({ sampler: { name: 'best' } })).rejects.toMatchObject({ code: 'bad_options' });
    await expect(answer({ blockSize: 0 })).rejects.toMatchObject({ advice: expect.stringContaining('whole window') });
  });
});
