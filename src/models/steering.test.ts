/** Guidance, forced starts and best-of-n with the micro pair: what they fix, what they change, what they cost. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWorld } from '../twins';
import type { Pin } from '../world/anchors';
import { RESP, START_SIZES, encodeCall, encodeContext, isPad, maskedWindow, type Tokenizer } from '../world/codec';
import { DEFAULT_STEP_OPTIONS, finishStep, type Prediction, type StepOptions } from '../world/simulator';
import type { Action, Context, Directive } from '../world/types';
import { AutoregressiveGraph } from './autoregressive/graph';
import { AutoregressiveSimulator } from './autoregressive/simulator';
import { DiffusionGraph } from './diffusion/graph';
import { DiffusionSimulator } from './diffusion/simulator';
import { isBanned, isBannedInText, statistics } from './draw';
import { FileSource } from './fileSource.node';
import { fetchModel } from './files';
import { infoOf } from './info';
import { loadSimulator, type ModelSimulator } from './load';
import { afterToken, forcedStart, startBan, textsOf } from './pins';
import { ModelSession } from './session';

const folder = (kind: string) => new URL(`../../test/fixtures/micro/${kind}/`, import.meta.url).pathname;
const world = makeWorld('support', 3);
const action: Action = { tool: world.tools[0]?.name ?? '', args: { id: 'W11' } };
const context: Context = { world, history: [] };
const directives: Directive[] = [{ kind: 'fail', code: 'rate_limited' }];
const quick = { name: 'confidence', steps: 4 };
const observation: Pin = { slot: 'observation', pointer: '', value: { error: 'not_found' } };

let tokenizer: Tokenizer;
const simulators = new Map<string, ModelSimulator>();
beforeAll(async () => {
  tokenizer = (await fetchModel(new FileSource(folder('ar')))).tokenizer;
  simulators.set('ar', await loadSimulator({ source: new FileSource(folder('ar')), provider: 'wasm' }));
  const { config, graph, tokenizer: own, info } = await inBlocks();
  simulators.set('mdlm', new DiffusionSimulator(await ModelSession.create(graph, 'wasm'), config, own, info));
}, 60_000);
afterAll(async () => {
  for (const simulator of simulators.values()) await simulator.dispose();
});

/** The micro MDLM as one that reads a prompt in blocks, and the prediction for a place at that place. */
async function inBlocks() {
  const { config: saved, ...rest } = await files('mdlm');
  const config = { ...saved, shift: false, causalPrefix: false };
  return { ...rest, config, info: infoOf(config, 'wasm', null, null) };
}

async function files(kind: string) {
  const found = await fetchModel(new FileSource(folder(kind)));
  return { ...found, info: infoOf(found.config, 'wasm', null, null) };
}

function answer(kind: string, options: Partial<StepOptions>): Promise<Prediction> {
  const simulator = simulators.get(kind) as ModelSimulator;
  return finishStep(simulator.step(context, action, { ...DEFAULT_STEP_OPTIONS, sampler: quick, ...options }));
}
const ids = ({ tokens }: Prediction) => tokens.map(({ id }) => id);
const refused = (message: RegExp) => ({ code: 'bad_options', message: expect.stringMatching(message) });

describe.each(['ar', 'mdlm'])('guidance of %s', (kind) => {
  it('of scale 0 is none; above it changes the answer and costs what it runs', async () => {
    const plain = await answer(kind, { directives });
    expect(ids(await answer(kind, { directives, guidance: 0 }))).toEqual(ids(plain));
    await answer(kind, { directives: [] });
    // 300 passes of the micro AR model say no more than 30.
    const short: Partial<StepOptions> = kind === 'ar' ? { prefix: '{"error":"rate' } : {};
    const guided = await answer(kind, { directives, guidance: 3, ...short });
    const blocks = encodeContext(context, action, directives, tokenizer);
    const untold = encodeCall(null, action, tokenizer).length;
    const { cost, tokens } = guided;
    // The prefix up to this turn's call is in the cache and shared; the calls of both branches are not.
    expect(cost.prefillTokens).toBe((blocks.at(-1)?.length as number) + untold);
    const rounds = Math.max(...tokens.map(({ pass }) => pass));
    expect(cost.nfe).toBe(2 * rounds);
    if (kind === 'mdlm') {
      // The window of the micro model grows once, in the first pass.
      const places = maskedWindow(START_SIZES).length + (rounds - 1) * (1 + tokens.length);
      expect(cost.forwardTokens - cost.prefillTokens).toBe(2 * places);
      expect(tokens.map(({ confidence }) => confidence)).not.toEqual(plain.tokens.map(({ confidence }) => confidence));
    } else {
      const forced = tokens.length - rounds;
      expect(cost.forwardTokens - cost.prefillTokens).toBe(2 * (1 + forced + rounds - 1));
    }
    // The cache is left as it was for the branch with directives.
    expect(ids(await answer(kind, { directives }))).toEqual(ids(plain));
  });

  it('is what two models without caches say together', async () => {
    const { config, graph: bytes } = kind === 'ar' ? await fetchModel(new FileSource(folder(kind))) : await inBlocks();
    const session = await ModelSession.create(bytes, 'wasm');
    const told = encodeContext(context, action, directives, tokenizer);
    const branches = [told, [...told.slice(0, -1), encodeCall(null, action, tokenizer)]];
    const window = maskedWindow(START_SIZES);
    const rows: Float32Array[] = [];
    for (const blocks of branches) {
      if (kind === 'ar') {
        const graph = new AutoregressiveGraph(session, config);
        rows.push((await graph.run([...blocks.flat(), RESP])).slice());
      } else {
        const graph = new DiffusionGraph(session, config);
        await graph.prefill(blocks);
        rows.push((await graph.pass(window, graph.past(), { logits: true })).logits?.slice() as Float32Array);
      }
    }
    const size = config.vocabSize;
    const [c, u] = rows as [Float32Array, Float32Array];
    const simulator = simulators.get(kind) as ModelSimulator;
    const options = { ...DEFAULT_STEP_OPTIONS, directives, sampler: quick, guidance: 2 };
    for await (const draft of simulator.step(context, action, options)) {
      // The micro model wants no other sizes, so the first draft is that of the first pass.
      for (const place of kind === 'ar' ? [0] : [1, 7, 18, 26]) {
        const start = kind === 'ar' ? 0 : place * size;
        const logits = c.slice(start, start + size).map((one, i) => {
          const other = u[start + i] as number;
          return isBanned(i) || (kind === 'ar' && isPad(i)) ? -1e9 : other + 3 * (one - other);
        });
        const { best, confidence } = statistics({ data: logits, start: 0, size }, isBanned);
        const token = draft.tokens[kind === 'ar' ? 0 : place - 1];
        expect(token?.confidence).toBeCloseTo(confidence, 4);
        if (!token?.masked) expect(token?.id).toBe(best);
      }
      break;
    }
    await session.dispose();
  });

  it('without a difference between the branches is no guidance', async () => {
    // With the directives untold in both, c - u = 0 at every place.
    const simulator = simulators.get(kind) as ModelSimulator;
    const guided = await finishStep(
      simulator.step(context, action, {
        ...DEFAULT_STEP_OPTIONS,
        ...{ sampler: quick, guidance: 5, prefix: '{"error' },
        directives: [{ kind: '?' } as unknown as Directive],
      }),
    );
    const plain = await finishStep(
      simulator.step(context, action, {
        ...DEFAULT_STEP_OPTIONS,
        ...{ sampler: quick, prefix: '{"error' },
        directives: [{ kind: '?' } as unknown as Directive],
      }),
    );
    expect(guided.text).toEqual(plain.text);
    expect(guided.cost.nfe).toBe(2 * plain.cost.nfe);
  });

  it('can be stopped at any draft, and the next step is none the worse', async () => {
    const options = { directives, guidance: 1, ...(kind === 'ar' ? { prefix: '{"error":"rate' } : {}) };
    const whole = await answer(kind, options);
    const simulator = simulators.get(kind) as ModelSimulator;
    for (const stop of [1, 2, 3]) {
      const control = new AbortController();
      let drafts = 0;
      const full = { ...DEFAULT_STEP_OPTIONS, sampler: quick, ...options };
      const step = finishStep(simulator.step(context, action, full, control.signal), () => {
        if (++drafts === stop) control.abort(new Error('enough'));
      });
      await expect(step).rejects.toThrow('enough');
      expect(ids(await answer(kind, options))).toEqual(ids(whole));
    }
  });

  it('is refused where the runtime has no second cache', async () => {
    const model = { length: 0, keepCommon: () => Promise.resolve(0), run: () => Promise.reject(new Error('ran')) };
    const { config } = await fetchModel(new FileSource(folder('ar')));
    const { info } = simulators.get('ar') as ModelSimulator;
    const other = new AutoregressiveSimulator({ ...model, dispose: () => Promise.resolve() }, config, tokenizer, info);
    const step = other.step(context, action, { ...DEFAULT_STEP_OPTIONS, guidance: 1 });
    await expect(finishStep(step)).rejects.toMatchObject(refused(/no second cache/));
  });

  it('is refused below 0', async () => {
    await expect(answer(kind, { guidance: -1 })).rejects.toMatchObject(refused(/guidance is -1/));
    await expect(answer(kind, { minP: 2 })).rejects.toMatchObject(refused(/min-p is 2/));
  });
});

describe.each(['ar', 'mdlm'])('min-p of %s', (kind) => {
  it('keeps what is improbable out of a whole answer, and of 1 leaves the greedy one', async () => {
    /** Logits of each pass: of the AR model those of one token, of the MDLM those of all places. */
    const passes: Float32Array[] = [];
    let simulator: ModelSimulator;
    if (kind === 'ar') {
      const { config, graph: bytes, info } = await files('ar');
      const graph = new AutoregressiveGraph(await ModelSession.create(bytes, 'wasm'), config);
      const run = graph.run.bind(graph);
      graph.run = async (tokens) => {
        const logits = await run(tokens);
        passes.push(logits.slice());
        return logits;
      };
      simulator = new AutoregressiveSimulator(graph, config, tokenizer, info);
    } else {
      const { config, graph: bytes, info } = await inBlocks();
      simulator = new DiffusionSimulator(await ModelSession.create(bytes, 'wasm'), config, tokenizer, info);
      const { graph } = simulator as unknown as { graph: DiffusionGraph };
      const pass = graph.pass.bind(graph);
      graph.pass = async (...all) => {
        const out = await pass(...all);
        if (out.logits) passes.push(out.logits.slice());
        return out;
      };
    }
    const { vocabSize: size } = (await files('ar')).config;
    /** An answer with the probability of its least probable token, as a share of the best one's. */
    const drawn = async (minP: number, temperature = 0.8) => {
      passes.length = 0;
      const options = { ...DEFAULT_STEP_OPTIONS, sampler: quick, seed: 3, temperature, minP };
      const { tokens } = await finishStep(simulator.step(context, action, options));
      const shares = tokens.map(({ id, pass }, i) => {
        const logits = passes[pass - 1] ?? new Float32Array();
        // No slot has grown since.
        if (passes.length > 0) expect(logits.length).toBe(kind === 'ar' ? size : (1 + tokens.length) * size);
        const row = logits.subarray(kind === 'ar' ? 0 : (i + 1) * size).subarray(0, size);
        const never = kind === 'ar' ? isBannedInText : isBanned;
        return Math.exp((row[id] as number) - Math.max(...row.filter((_, token) => !never(token))));
      });
      return { ids: tokens.map(({ id }) => id), least: Math.min(...shares) };
    };
    const [free, bounded] = [await drawn(0), await drawn(0.3)];
    expect(free.ids.length).toBeGreaterThan(5);
    expect(free.least).toBeLessThan(0.3);
    expect(bounded.least).toBeGreaterThanOrEqual(0.3);
    expect(bounded.ids).not.toEqual(free.ids);
    expect((await drawn(1)).ids).toEqual((await drawn(0, 0)).ids);
    await simulator.dispose();
  });
});

describe('the start of an AR answer', () => {
  it('can be forced, and the last piece of it may go on', async () => {
    const { text, tokens, cost } = await answer('ar', { prefix: '{"id":"W1' });
    expect(text.observation.startsWith('{"id":"W1')).toBe(true);
    const forced = tokenizer.encode('{"id":"W');
    expect(tokens.slice(0, forced.length).map(({ id, pass }) => [id, pass])).toEqual(forced.map((id) => [id, 0]));
    expect(tokens[forced.length]?.pass).toBe(1);
    expect(cost.nfe).toBe(tokens.length - forced.length);
  });

  it('starts with any prefix, whatever the tokens', () => {
    const texts = textsOf(tokenizer);
    for (const prefix of ['orde', '{"order_id":"', 'no such fil', 'é', '12', ' a', '{']) {
      const { ids: forced, next } = forcedStart([], [], prefix, tokenizer);
      let [written, rest] = [tokenizer.decode(forced), next];
      while (rest) {
        const ban = startBan(texts, rest);
        const id = texts.findIndex((_, token) => !ban(token));
        expect(id).toBeGreaterThanOrEqual(0);
        written += texts[id];
        rest = afterToken(rest, texts[id] as string);
      }
      expect(written.startsWith(prefix)).toBe(true);
    }
  });
});

describe('best of n', () => {
  it('takes the answer its verifier likes best, and counts all of them', async () => {
    const simulator = simulators.get('ar') as ModelSimulator & AutoregressiveSimulator;
    const seen: number[] = [];
    simulator.verifiers['length'] = ({ text }) => {
      seen.push(text.observation.length);
      return 1 / (2 + text.observation.length);
    };
    const options = { temperature: 1, topP: 0.95, bestOf: { n: 2, verifier: 'length' } };
    const { text, selection, cost } = await answer('ar', options);
    expect(seen.length).toBe(2);
    const most = Math.max(...(selection?.scores ?? []));
    expect(selection?.scores[selection.chosen]).toBe(most);
    expect(text.observation.length).toBe(Math.min(...seen));
    expect(selection?.attempts).toBe(2);
    const single = await answer('ar', { ...options, bestOf: { n: 1, verifier: 'length' } });
    expect(single.cost.nfe).toBeLessThan(cost.nfe);
    expect(seen[2]).toBe(seen[0]);
  });

  it('stops at an answer with a full score', async () => {
    const simulator = simulators.get('ar') as ModelSimulator & AutoregressiveSimulator;
    simulator.verifiers['any'] = () => 1;
    const options = { temperature: 1, pins: [observation], bestOf: { n: 5, verifier: 'any' } };
    expect((await answer('ar', options)).selection).toMatchObject({ attempts: 1, scores: [1] });
  });

  it.each(['ar', 'mdlm'])('of %s needs a verifier that is there, and chance', async (kind) => {
    const bestOf = { n: 2, verifier: 'truth' };
    await expect(answer(kind, { temperature: 1, bestOf })).rejects.toMatchObject({
      ...refused(/no verifier "truth"/),
      advice: expect.stringContaining('parses, likely, sound'),
    });
    await expect(answer(kind, { bestOf: { n: 2, verifier: 'parses' } })).rejects.toMatchObject(
      refused(/temperature 0/),
    );
  });
});
