/** Self-speculative writing with the micro model on WASM in Node: whatever is drafted, the tokens are those of one at a time. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWorld } from '../../twins';
import { END, MASK, RESP } from '../../world/codec';
import { DEFAULT_STEP_OPTIONS, finishStep, type StepOptions } from '../../world/simulator';
import type { Context } from '../../world/types';
import { greedy, isBannedInText } from '../draw';
import { FileSource } from '../fileSource.node';
import { fetchModel, type ModelFiles } from '../files';
import { ModelSession } from '../session';
import { DraftingModel } from './drafting';
import { DiffusionGraph, type WindowModel } from './graph';
import type { PassOptions } from './pass';
import { DiffusionSimulator } from './simulator';

const world = makeWorld('support', 3);
const context: Context = { world, history: [] };
const action = { tool: world.tools[0]?.name ?? '', args: { id: 'W11' } };
const text = { observation: '{"id":"W11","status":"open"}', delta: '{}', status: 'ok' };
const later: Context = { world, history: [{ directives: [], action, text, delta: {} }] };
const causal = { causalPrefix: true, shift: true };
const prompt = [...Array.from({ length: 70 }, (_, i) => 300 + ((i * 7) % 90)), RESP];
const TOKENS = 24;
/** Behind these the micro model says again and again what it drafted. */
const monotonous = [
  [220, 22],
  [204, 21],
  [3013, 32],
].map(([id = 0, length]) => [...Array<number>(length ?? 0).fill(id), RESP]);

/** The graph that gives all logits, and the one that gives those of chosen places. */
describe.each(['model.onnx', 'decode.onnx'])('%s', (name) => {
  let files: ModelFiles;
  let graph: DiffusionGraph;
  let simulator: DiffusionSimulator;
  const open = () =>
    name === 'model.onnx'
      ? ModelSession.create(files.graph, 'wasm')
      : ModelSession.create(files.decode as Uint8Array, 'wasm', [], { 'model.onnx': files.graph });
  beforeAll(async () => {
    files = await fetchModel(new FileSource(new URL('../../../test/fixtures/micro/mdlm/', import.meta.url).pathname));
    const config = { ...files.config, ...causal };
    graph = new DiffusionGraph(await open(), config);
    simulator = new DiffusionSimulator(await open(), config, files.tokenizer, { id: 'mdlm' } as never);
  }, 60_000);
  afterAll(async () => {
    await graph.dispose();
    await simulator.dispose();
  });

  /** The graph, whose masks say what `draft` says for the places behind so many tokens of the answer. */
  function dictated(draft: (after: number) => readonly number[]): { model: WindowModel; runs: number[][] } {
    const runs: number[][] = [];
    const pass = async (
      tokens: readonly number[],
      past: ReturnType<WindowModel['past']>,
      options: PassOptions = {},
    ) => {
      const out = await graph.pass(tokens, past, options);
      runs.push([...tokens]);
      const clean = (options.clean ?? 0) - (options.from ?? 0);
      const says = draft(past.start + (options.clean ?? 0) - prompt.length + 1);
      const best = out.best.map((id, i) => (i < clean ? id : (says[i - clean] ?? id)));
      return { ...out, best, confidence: out.confidence.map((x, i) => (i < clean ? x : 1)) };
    };
    return { model: graph.fork(graph.cache, pass), runs };
  }

  /** Writes greedily; gives the tokens and what was counted. */
  async function write(
    model: DraftingModel,
    behind = prompt,
  ): Promise<{ tokens: number[]; nfe: number; forwardTokens: number }> {
    const tokens: number[] = [];
    const { vocabSize: size } = files.config;
    let next = behind.slice(await model.keepCommon(behind));
    while (tokens.length < TOKENS) {
      const { token } = greedy({ data: await model.run(next), start: 0, size }, isBannedInText);
      tokens.push(token);
      next = [token];
    }
    return { tokens, ...model.spent() };
  }

  const drafting = (model: WindowModel, masks: number, least = 0.3) =>
    new DraftingModel(model, files.config, { masks, least });

  describe('tokens', () => {
    it('are those of one at a time for every draft, and a right one saves passes', async () => {
      // Nothing is so sure that it is drafted.
      const alone = await write(drafting(graph, 1, 2));
      // The prompt in front of `<resp>` is encoded without masks.
      expect(alone).toMatchObject({ nfe: TOKENS, forwardTokens: prompt.length - 1 + 2 * TOKENS });
      const right = await write(drafting(dictated((after) => alone.tokens.slice(after)).model, 8));
      expect(right.tokens).toEqual(alone.tokens);
      // The first pass has no draft to check; the others give the eight that were drafted and one more.
      expect(right.nfe).toBe(1 + Math.ceil((TOKENS - 1) / 9));
      await fc.assert(
        fc.asyncProperty(fc.infiniteStream(fc.boolean()), fc.integer({ min: 1, max: 16 }), async (keep, masks) => {
          const flips = [...keep.take(TOKENS + 20)];
          const noisy = alone.tokens.map((token, i) => (flips[i] ? token : 40 + (token % 9)));
          const { model, runs } = dictated((after) => noisy.slice(after));
          const { tokens, nfe, forwardTokens } = await write(drafting(model, masks));
          expect(tokens).toEqual(alone.tokens);
          expect(nfe).toBe(runs.length);
          // The prompt is in the cache since the first of all.
          expect(forwardTokens).toBe(runs.flat().length);
          expect(runs.every((run) => [0, masks].includes(run.filter((id) => id === MASK).length))).toBe(true);
        }),
        { numRuns: 6 },
      );
    });

    it('end a draft before one that is not sure enough', async () => {
      const unsure = dictated(() => Array<number>(8).fill(41));
      const { model } = unsure;
      const pass: WindowModel['pass'] = async (...all) => {
        const out = await model.pass(...all);
        return {
          ...out,
          confidence: out.confidence.map((x, i) => (i === (all[2]?.clean ?? 0) - (all[2]?.from ?? 0) + 2 ? 0.29 : x)),
        };
      };
      await write(drafting(graph.fork(graph.cache, pass), 8));
      const longest = Math.max(...unsure.runs.map((run) => run.filter((id) => id === 41).length));
      expect(longest).toBeGreaterThanOrEqual(2);
      for (const run of unsure.runs) expect(run.slice(1).filter((id) => id === 41).length).toBeLessThanOrEqual(2);
    });

    it('are not drafted behind the `<end>` that ends the answer', async () => {
      const { model, runs } = dictated((after) => (after === 1 ? [41, END, END, 42, END, 43, 44, 45] : []));
      await write(drafting(model, 8));
      // All that is drafted and would be read: the last `<end>` is only predicted, and nothing is asked of what comes then.
      expect(runs[1]?.slice(1)).toEqual([41, END, END, 42]);
    });

    it.runIf(name === 'decode.onnx')('are the same where one call makes several passes', async () => {
      const settings = [
        [1, 0],
        [4, 0.001],
        [8, 0],
        [4, 2],
      ] as const;
      let fewest = TOKENS;
      const all = [prompt, ...monotonous].flatMap((behind) => settings.map((setting) => [behind, ...setting] as const));
      for (const [behind, masks, least] of all) {
        const [stepped, looped] = [graph.fork(), graph.fork()];
        const want = await write(drafting({ ...stepped, write: undefined }, masks, least), behind);
        // Where the prompt is encoded apart, it is not run again.
        const apart = masks === 8 ? { keepCommon: undefined } : {};
        const many = drafting({ ...looped, ...apart }, masks, least);
        const choices: { token: number; pass?: number }[] = [];
        let next = behind.slice(await many.keepCommon(behind));
        let nfe = 0;
        while (choices.length < TOKENS) {
          const some = (await many.write?.(next, 5, 99)) ?? [];
          expect(some.map(({ pass }) => pass)).toEqual(some.map(({ pass }) => pass).sort((a = 0, b = 0) => a - b));
          nfe += some.at(-1)?.pass ?? 0;
          choices.push(...some);
          next = [choices.at(-1)?.token ?? -1];
        }
        expect(choices.slice(0, TOKENS).map(({ token }) => token)).toEqual(want.tokens);
        expect(many.spent().nfe).toBe(nfe);
        fewest = Math.min(fewest, nfe);
        // All but the last is in the cache, as if it had been read.
        const cache = looped.past();
        const fresh = new DiffusionGraph(graph.session, { ...files.config, ...causal });
        await fresh.prefill([[...behind, ...choices.slice(0, -1).map(({ token }) => token)]]);
        expect(cache.start).toBe(fresh.cache.length);
        cache.layers.forEach(({ key }, layer) => {
          const other = fresh.cache.layers[layer]?.key ?? [];
          key.forEach((x, i) => Math.abs(x - (other[i] as number)) > 1e-4 && expect.fail(`key ${i} of layer ${layer}`));
        });
      }
      // Drafts of several tokens were right.
      expect(fewest).toBeLessThan(TOKENS / 2);
    });

    it('leave exactly them in the cache, so that the next answer encodes nothing twice', async () => {
      const model = drafting(graph, 4);
      const { tokens } = await write(model);
      model.settle();
      // The last token was chosen but never run.
      expect(graph.cache.blocks.flat()).toEqual([...prompt, ...tokens.slice(0, -1)]);
      const fresh = new DiffusionGraph(graph.session, { ...files.config, ...causal });
      await fresh.prefill([graph.cache.blocks.flat()]);
      graph.cache.layers.forEach(({ key, value }, layer) => {
        const other = fresh.cache.layers[layer];
        key.forEach(
          (x, i) => Math.abs(x - (other?.key[i] as number)) > 1e-4 && expect.fail(`key ${i} of layer ${layer}`),
        );
        value.forEach((x, i) => Math.abs(x - (other?.value[i] as number)) > 1e-4 && expect.fail(`value ${i}`));
      });
    });
  });

  describe('as a sampler', () => {
    const step = (options: Partial<StepOptions>) =>
      finishStep(simulator.step(context, action, { ...DEFAULT_STEP_OPTIONS, ...options }));
    const sampler = (masks: number, least = 0) => ({ name: 'speculative', masks, least });
    const directives = [{ kind: 'fail' as const, code: 'NOT_FOUND' }];

    it.each([
      ['guided draws', { guidance: 1.5, directives, temperature: 0.7, topP: 0.9, seed: 4 }],
      ['held to a schema', { constraint: 'schema' as const }],
    ])('gives the same answers with and without drafts: %s', async (_, options) => {
      const [one, many] = [
        await step({ ...options, sampler: sampler(1, 1) }),
        await step({ ...options, sampler: sampler(8) }),
      ];
      expect(many.tokens.map(({ id }) => id)).toEqual(one.tokens.map(({ id }) => id));
      expect(many.cost.nfe).toBeLessThanOrEqual(one.cost.nfe);
      expect(one.cost.generatedTokens).toBe(many.cost.generatedTokens);
    });

    it('counts a round for every pass, in one call or in several', async () => {
      const { cost, tokens } = await step({ sampler: sampler(4) });
      const rounds = [...new Set(tokens.map(({ pass }) => pass))];
      expect(rounds).toEqual(Array.from({ length: cost.nfe }, (_, i) => i + 1));
      expect(cost.forwardTokens - cost.prefillTokens).toBeLessThanOrEqual(9 * cost.nfe);
    });

    it('fills a window around what is pinned, as threshold does', async () => {
      const pins = [{ slot: 'status' as const, pointer: '', value: 'ok' }];
      const [drafted, filled] = [
        await step({ pins, sampler: sampler(8), threshold: 0.02 }),
        await step({ pins, threshold: 0.02 }),
      ];
      expect(drafted.tokens).toEqual(filled.tokens);
      expect(drafted.selection?.pins).toEqual([{ placed: true, held: true }]);
    });

    it('counts what it ran, and leaves its answer in the cache for whoever stops asking at the prediction', async () => {
      const options = { sampler: sampler(8), directives, guidance: 2, temperature: 0.5 };
      const { cost, tokens } = await step(options);
      // A round is a pass of one branch or of both; rounds are told of one after another.
      const rounds = [...new Set(tokens.map(({ pass }) => pass))];
      expect(rounds).toEqual(rounds.map((_, i) => i + 1));
      expect(cost.nfe).toBeLessThanOrEqual(2 * rounds.length);
      // Eight masks and at most nine clean tokens before them a pass; the prompt once, the second call, and a pass for either.
      expect(cost.forwardTokens - cost.prefillTokens).toBeLessThanOrEqual(17 * (cost.nfe + 2));
      const plain = await step({ sampler: sampler(8) });
      const { cache } = (simulator as unknown as { graph: DiffusionGraph }).graph;
      // The last token was chosen but never run.
      const written = plain.tokens.slice(0, -1).map(({ id }) => id);
      expect(cache.blocks.flat().slice(-written.length)).toEqual(written);
    });

    it.each([
      ['drawn and guided', { temperature: 1, guidance: 1 }],
      ['drawn', { temperature: 0.8 }],
      ['greedy', { temperature: 0 }],
    ])('gives in a batch what it gives alone, behind prompts of two lengths: %s', async (_, more) => {
      const options = { ...DEFAULT_STEP_OPTIONS, sampler: sampler(8), directives, ...more };
      const items = [context, later].map((one, seed) => ({ context: one, action, options: { ...options, seed } }));
      const batch = await simulator.simulateBatch(items);
      for (const [i, item] of items.entries()) {
        const alone = await finishStep(simulator.step(item.context, item.action, item.options));
        const found = batch[i];
        expect(found?.status === 'fulfilled' && found.value.text).toEqual(alone.text);
        expect(found?.status === 'fulfilled' && found.value.tokens.map(({ id }) => id)).toEqual(
          alone.tokens.map(({ id }) => id),
        );
      }
    });

    it('is refused for a model that reads a prompt in blocks, with what to do', async () => {
      const other = new DiffusionSimulator(await open(), { ...files.config, causalPrefix: false }, files.tokenizer, {
        id: 'x',
      } as never);
      const asked = finishStep(other.step(context, action, { ...DEFAULT_STEP_OPTIONS, sampler: sampler(8) }));
      await expect(asked).rejects.toMatchObject({ code: 'bad_options', advice: expect.stringContaining('threshold') });
      await other.dispose();
    });
  });
});
