/** Why the prefix cache may be called exact: 200 random prompts give the same logits cached, in one pass and in a batch. */
import { describe, expect, it } from 'vitest';
import { END, MASK, PAD_0, RESP } from '../world/codec';
import { uniform } from '../world/rng';
import { DecodeGraph, type DecodeRequest } from './autoregressive/decode';
import { AutoregressiveGraph } from './autoregressive/graph';
import { DiffusionGraph, type PassRequest } from './diffusion/graph';
import type { WindowPass } from './diffusion/pass';
import { NEVER_SEEN, PrefixCache, asBlocks, type LayerPair } from './diffusion/prefixCache';
import { greedy, isBannedInText, type Choice } from './draw';
import { FileSource } from './fileSource.node';
import { fetchModel } from './files';
import { ModelSession, type Tensors } from './session';

const PROMPTS = 200;
const BATCH = 10;
/** `<resp>` and places that are masked. */
const WINDOW = [RESP, ...Array<number>(11).fill(MASK)];
const TOLERANCE = 1e-4;

const int = (low: number, high: number, ...key: number[]) => low + Math.floor(uniform(...key) * (high - low));

/** Blocks of random tokens; some prompts are much longer than the rest. */
const prompts = Array.from({ length: PROMPTS }, (_, p) =>
  Array.from({ length: int(1, 6, 1, p) }, (_, b) =>
    Array.from({ length: int(1, p % 25 === 0 ? 90 : 12, 2, p, b) }, (_, i) => int(10, 2048, 3, p, b, i)),
  ),
);
const batches = Array.from({ length: PROMPTS / BATCH }, (_, i) => prompts.slice(i * BATCH, (i + 1) * BATCH));

async function open(kind: 'mdlm' | 'ar') {
  const folder = new URL(`../../test/fixtures/micro/${kind}/`, import.meta.url).pathname;
  const { config, graph } = await fetchModel(new FileSource(folder));
  return { config, session: await ModelSession.create(graph, 'wasm') };
}

/** The second graph of a folder, whose weights are those of the first. */
async function openDecode(kind: 'mdlm' | 'ar') {
  const folder = new URL(`../../test/fixtures/micro/${kind}/`, import.meta.url).pathname;
  const { decode, graph } = await fetchModel(new FileSource(folder));
  return ModelSession.create(decode as Uint8Array, 'wasm', [], { 'model.onnx': graph });
}

function worst(a: Float32Array, b: Float32Array): number {
  expect(a.length).toBe(b.length);
  // Written so that a NaN stays.
  return a.reduce((most, value, i) => Math.max(most, Math.abs(value - (b[i] as number))), 0);
}

/** The best token of each row. */
function best(logits: Float32Array, vocabulary: number): number[] {
  return Array.from({ length: logits.length / vocabulary }, (_, row) => {
    const part = logits.subarray(row * vocabulary, (row + 1) * vocabulary);
    return part.reduce((at, value, i) => (value > (part[at] as number) ? i : at), 0);
  });
}

function expectSame(got: Float32Array, want: Float32Array, vocabulary: number): void {
  expect(worst(got, want)).toBeLessThan(TOLERANCE);
  expect(best(got, vocabulary)).toEqual(best(want, vocabulary));
}

describe('200 random prompts', () => {
  it.each([
    ['block by block', false],
    ['token by token', true],
  ])(
    'MDLM that reads %s: windows behind a cache, in one pass, and in batches behind caches',
    async (_, causalPrefix) => {
      const { config: saved, session } = await open('mdlm');
      const config = { ...saved, causalPrefix };
      const { layers, heads, headDim, vocabSize } = config;
      const graph = new DiffusionGraph(session, config);
      const names = Array.from({ length: layers }, (_, i) => [`past.${i}.key`, `past.${i}.value`]).flat();
      const logitsOf = async (feeds: Tensors) =>
        (await (await session.run(feeds, ['logits']))['logits']?.getData(true)) as Float32Array;

      /** Everything at once, behind a past of one key that nothing sees. */
      const onePass = async (blocks: number[][]) => {
        const all = [...(causalPrefix ? asBlocks(blocks.flat()) : blocks), WINDOW];
        const ids = all.flat();
        const nothing = () => session.float32(new Float32Array(heads * headDim), [1, heads, 1, headDim]);
        const logits = await logitsOf({
          input_ids: session.int32(ids),
          positions: session.int32(ids.map((_, i) => i)),
          block_ids: session.int32(all.flatMap((block, i) => block.map(() => i))),
          past_block_ids: session.int32([NEVER_SEEN]),
          ...Object.fromEntries(names.map((name) => [name, nothing()])),
        });
        return logits.subarray((ids.length - WINDOW.length) * vocabSize);
      };

      for (const batch of batches) {
        const cached: Float32Array[] = [];
        const rows: { pairs: LayerPair[]; capacity: number; blockIds: Int32Array; start: number; block: number }[] = [];
        for (const blocks of batch) {
          // In one go, or in two, as steps of a session do.
          const cut = int(0, blocks.length + 1, 4, blocks.length, blocks[0]?.[0] ?? 0);
          if (cut > 0) await graph.prefill(blocks.slice(0, cut));
          await graph.prefill(blocks);
          const pass = await graph.pass(WINDOW, graph.past(), { logits: true });
          const logits = pass.logits as Float32Array;
          expect([...pass.best]).toEqual(best(logits, vocabSize));
          expectSame(logits, await onePass(blocks), vocabSize);
          cached.push(logits);
          const { cache } = graph;
          rows.push({
            pairs: cache.layers.map(({ key, value }) => ({ key: key.slice(), value: value.slice() })),
            capacity: cache.capacity,
            blockIds: cache.pastBlockIds(),
            start: cache.length,
            block: cache.blocks.length,
          });
        }
        const capacity = Math.max(...rows.map((row) => row.capacity));
        const past = (layer: number, part: keyof LayerPair) => {
          const data = new Float32Array(BATCH * heads * capacity * headDim);
          rows.forEach((row, r) => {
            for (let h = 0; h < heads; h++) {
              const size = row.capacity * headDim;
              const head = (row.pairs[layer] as LayerPair)[part].subarray(h * size, (h + 1) * size);
              data.set(head, (r * heads + h) * capacity * headDim);
            }
          });
          return session.float32(data, [BATCH, heads, capacity, headDim]);
        };
        const shape = [BATCH, WINDOW.length];
        const pastBlockIds = new Int32Array(BATCH * capacity).fill(NEVER_SEEN);
        rows.forEach((row, r) => pastBlockIds.set(row.blockIds, r * capacity));
        const feeds: Tensors = {
          input_ids: session.int32(
            rows.flatMap(() => WINDOW),
            shape,
          ),
          positions: session.int32(
            rows.flatMap(({ start }) => WINDOW.map((_, i) => start + i)),
            shape,
          ),
          block_ids: session.int32(
            rows.flatMap(({ block }) => WINDOW.map(() => block)),
            shape,
          ),
          past_block_ids: session.int32(pastBlockIds, [BATCH, capacity]),
        };
        for (let i = 0; i < layers; i++) {
          feeds[`past.${i}.key`] = past(i, 'key');
          feeds[`past.${i}.value`] = past(i, 'value');
        }
        const together = await logitsOf(feeds);
        const size = WINDOW.length * vocabSize;
        cached.forEach((one, r) => expectSame(together.subarray(r * size, (r + 1) * size), one, vocabSize));
      }
      await graph.dispose();
    },
    120_000,
  );

  it('MDLM, the graph of chosen places: behind a cache, with the prompt in the same pass, and in batches, as the plain graph', async () => {
    const { config: saved, session } = await open('mdlm');
    const config = { ...saved, causalPrefix: true };
    const { vocabSize } = config;
    const plain = new DiffusionGraph(session, config);
    const graph = new DiffusionGraph(await openDecode('mdlm'), config);
    const asked = { logits: true, statistics: true };
    const expectPass = (got: WindowPass, all: WindowPass, from: number) => {
      expectSame(got.logits as Float32Array, (all.logits as Float32Array).subarray(from * vocabSize), vocabSize);
      expect([...got.best]).toEqual([...all.best.subarray(from)]);
      for (const name of ['confidence', 'margin', 'entropy'] as const) {
        expect(worst(got[name] as Float32Array, (all[name] as Float32Array).subarray(from))).toBeLessThan(TOLERANCE);
      }
    };
    for (const batch of batches) {
      const requests: (PassRequest & { want: WindowPass; from: number })[] = [];
      for (const [r, prompt] of batch.entries()) {
        const tokens = prompt.flat();
        await plain.prefill([tokens]);
        const want = await plain.pass(WINDOW, plain.past(), asked);
        const from = int(0, WINDOW.length, 6, r, tokens.length);
        // All of it as clean tokens in front of the window.
        graph.cache.clear();
        const options = { ...asked, clean: tokens.length, from: tokens.length };
        expectPass(await graph.pass([...tokens, ...WINDOW], graph.past(), options), want, 0);
        await graph.prefill([tokens.slice(0, int(1, tokens.length + 1, 7, r, tokens.length))]);
        await graph.prefill([tokens]);
        expectPass(await graph.pass(WINDOW, graph.past(), { ...asked, from }), want, from);
        requests.push({ tokens: WINDOW, past: graph.past(true), options: { ...asked, from }, want, from });
      }
      const together = await graph.passes(requests);
      requests.forEach(({ want, from }, r) => expectPass(together[r] as WindowPass, want, from));
    }
    await plain.dispose();
    await graph.dispose();
  }, 120_000);

  it('AR: the next token behind a cache, in one pass, and in left-padded batches', async () => {
    const { config, session } = await open('ar');
    const { layers, heads, headDim, vocabSize } = config;
    const graph = new AutoregressiveGraph(session, config);
    for (const batch of batches) {
      const rows = batch.map((blocks) => [...blocks.flat(), RESP]);
      const once: Float32Array[] = [];
      for (const [r, tokens] of rows.entries()) {
        await graph.keepCommon([-1, ...tokens]);
        expect(graph.length).toBe(0);
        const whole = (await graph.run(tokens)).slice();
        // Cut back to some leading tokens, gone on with others, and cut back again: what stayed must still be right.
        const cut = int(1, tokens.length, 5, r, tokens.length);
        await graph.keepCommon([...tokens.slice(0, cut), 500]);
        await graph.run([500, 501]);
        expect(await graph.keepCommon(tokens)).toBe(Math.min(cut, tokens.length - 1));
        const rest = tokens.slice(graph.length);
        const half = Math.floor(rest.length / 2);
        if (half > 0) await graph.run(rest.slice(0, half));
        expectSame((await graph.run(rest.slice(half))).slice(), whole, vocabSize);
        once.push(whole);
      }
      const width = Math.max(...rows.map((tokens) => tokens.length));
      const shape = [BATCH, width];
      const pad = (tokens: number[], filler: number) => [
        ...Array<number>(width - tokens.length).fill(filler),
        ...tokens,
      ];
      const none = () => session.float32(new Float32Array(0), [BATCH, heads, 0, headDim]);
      const suffixes = Array.from({ length: layers }, (_, i) => [`${i}.key`, `${i}.value`]).flat();
      const out = await session.run(
        {
          input_ids: session.int64(
            rows.flatMap((tokens) => pad(tokens, PAD_0)),
            shape,
          ),
          attention_mask: session.int64(
            rows.flatMap((tokens) =>
              pad(
                tokens.map(() => 1),
                0,
              ),
            ),
            shape,
          ),
          position_ids: session.int64(
            rows.flatMap((tokens) =>
              pad(
                tokens.map((_, i) => i),
                0,
              ),
            ),
            shape,
          ),
          ...Object.fromEntries(suffixes.map((suffix) => [`past_key_values.${suffix}`, none()])),
        },
        ['logits'],
      );
      const together = (await out['logits']?.getData(true)) as Float32Array;
      once.forEach((one, r) => {
        const end = (r + 1) * width * vocabSize;
        expectSame(together.subarray(end - vocabSize, end), one, vocabSize);
      });
    }
    await graph.dispose();
  }, 120_000);

  it('AR, the graph for WebAssembly: behind a cache, in one pass, in batches, and where it goes on by itself, as the plain graph', async () => {
    const { config, session } = await open('ar');
    const { vocabSize } = config;
    const plain = new AutoregressiveGraph(session, config);
    const graph = new DecodeGraph(await openDecode('ar'), config);
    const expectChoices = (got: readonly Choice[], want: readonly Choice[]) => {
      expect(got.map(({ token }) => token)).toEqual(want.map(({ token }) => token));
      got.forEach(({ confidence }, i) => {
        expect(Math.abs(confidence - (want[i] as Choice).confidence)).toBeLessThan(TOLERANCE);
      });
    };
    let [longest, ended] = [0, 0];
    for (const batch of batches) {
      const asked: (DecodeRequest & { whole: Float32Array; written: Choice[]; after: Float32Array })[] = [];
      for (const [r, blocks] of batch.entries()) {
        const tokens = [...blocks.flat(), RESP];
        await plain.keepCommon([-1, ...tokens]);
        const whole = (await plain.run(tokens)).slice();
        await graph.keepCommon([-1, ...tokens]);
        expect(graph.length).toBe(0);
        expectSame(await graph.run(tokens), whole, vocabSize);
        const cut = int(1, tokens.length, 8, r, tokens.length);
        const cache = new PrefixCache(config);
        cache.copyFrom(graph.cache, cut);
        // Cut back to some leading tokens, gone on with others, and cut back again: what stayed must still be right.
        await graph.keepCommon([...tokens.slice(0, cut), 500]);
        await graph.run([500, 501]);
        expect(await graph.keepCommon(tokens)).toBe(cut);
        const rest = tokens.slice(cut);
        const half = Math.floor(rest.length / 2);
        if (half > 0) await graph.run(rest.slice(0, half));
        expectSame(await graph.run(rest.slice(half)), whole, vocabSize);

        // One token at a time, up to a limit or to the last `<end>` that is wanted.
        const write = { limit: int(1, 17, 9, r, tokens.length), ends: int(1, 4, 10, r, tokens.length) };
        const written: Choice[] = [];
        for (let logits = whole, left = write.ends; ;) {
          const choice = greedy({ data: logits, start: 0, size: vocabSize }, isBannedInText);
          written.push(choice);
          if (choice.token === END) left--;
          if (left === 0) ended++;
          if (left === 0 || written.length === write.limit) break;
          logits = (await plain.run([choice.token])).slice();
        }
        longest = Math.max(longest, written.length);
        const last = (written.at(-1) as Choice).token;
        const after = (await plain.run([last])).slice();
        expect(await graph.keepCommon([...tokens.slice(0, cut), 500])).toBe(cut);
        expectChoices(await graph.write(rest, write.limit, write.ends), written);
        // All but the last is in the cache.
        expect(graph.length).toBe(tokens.length + written.length - 1);
        expectSame(await graph.run([last]), after, vocabSize);
        asked.push({ cache, tokens: rest, write, whole, written, after });
      }
      // Rows of different lengths behind caches of different lengths: read, written on, and read behind that.
      const rows = asked.map(({ cache, tokens }) => {
        const copy = new PrefixCache(config);
        copy.copyFrom(cache, cache.blocks.length);
        return { cache: copy, tokens };
      });
      const read = await graph.decode(rows);
      asked.forEach(({ whole }, r) => expectSame(read[r]?.logits as Float32Array, whole, vocabSize));
      const together = await graph.decode(asked);
      asked.forEach(({ written }, r) => expectChoices(together[r]?.choices as Choice[], written));
      const next = await graph.decode(
        asked.map(({ cache, written }) => ({ cache, tokens: [(written.at(-1) as Choice).token] })),
      );
      asked.forEach(({ after }, r) => expectSame(next[r]?.logits as Float32Array, after, vocabSize));
    }
    expect(longest).toBe(16);
    expect(ended).toBeGreaterThan(0);
    await plain.dispose();
    await graph.dispose();
  }, 120_000);
});
