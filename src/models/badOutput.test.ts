/** A device whose reads fail must not leave anything in a cache that a later step would build on. */
import { describe, expect, it } from 'vitest';
import { AutoregressiveGraph } from './autoregressive/graph';
import type { ModelConfig } from './config';
import { DiffusionGraph } from './diffusion/graph';
import type { ModelSession } from './session';

const config = { layers: 1, heads: 1, headDim: 2, vocabSize: 3 } as ModelConfig;
const tensor = (data: number[]) => ({
  getData: () => Promise.resolve(Float32Array.from(data)),
  dispose: () => undefined,
});

/** A session that gives one value everywhere. */
function session(value: number, logits: number): ModelSession {
  return {
    provider: 'wasm',
    int32: (values: unknown) => values,
    int64: (values: unknown) => values,
    float32: (data: Float32Array) => tensor([...data]),
    inputNames: [],
    run: (feeds: { input_ids: ArrayLike<number> }) => {
      const n = feeds.input_ids.length;
      const keys = tensor(Array<number>(n * 2).fill(value));
      const out = { 'present.0.key': keys, 'present.0.value': keys };
      return Promise.resolve({ ...out, logits: tensor(Array.from({ length: n * 3 }, (_, i) => i * logits)) });
    },
  } as unknown as ModelSession;
}

describe('bad output', () => {
  it.each([0, NaN, Infinity])('keys of %d do not enter the cache of the MDLM', async (value) => {
    const graph = new DiffusionGraph(session(value, 0), config);
    await expect(graph.prefill([[1, 2], [3]])).rejects.toMatchObject({ code: 'bad_output' });
    expect(graph.cache.length).toBe(0);
    const good = new DiffusionGraph(session(0.5, 0), config);
    expect(await good.prefill([[1, 2], [3]])).toBe(3);
    expect(good.cache.length).toBe(3);
  });

  it('logits that are no numbers empty the cache of the AR model', async () => {
    const graph = new AutoregressiveGraph(session(0.5, NaN), config);
    await expect(graph.run([1, 2])).rejects.toMatchObject({ code: 'bad_output' });
    expect(await graph.keepCommon([1, 2, 3])).toBe(0);
    const good = new AutoregressiveGraph(session(0.5, 1), config);
    await good.run([1, 2]);
    expect(await good.keepCommon([1, 2, 3])).toBe(2);
  });
});
