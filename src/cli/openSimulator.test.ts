import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { summarize } from '../metrics';
import { collectSteps, evaluate } from './evaluate';
import { explain, openSimulator } from './openSimulator';

const micro = resolve(import.meta.dirname, '../../test/fixtures/micro');
const SAMPLING = { seed: 1, temperature: 0, topP: 1, threshold: 0.5 };

it(
  'real models answer every step, and transformers.js answers as our own runtime does',
  { timeout: 240_000 },
  async () => {
    const steps = await collectSteps('test', 3, 1);
    const texts: { [name: string]: unknown[] } = {};
    for (const name of ['ar', 'transformers', 'mdlm'] as const) {
      const { simulator, info, dispose } = await openSimulator(name, micro);
      expect(info).toMatchObject({ provider: 'wasm', kind: name === 'mdlm' ? 'mdlm' : 'ar' });
      expect(info?.runtime).toBe(name === 'transformers' ? 'transformers.js' : 'terrarium');
      const all = await evaluate(simulator, steps, SAMPLING);
      texts[name] = all.map(({ answer }) => answer.text);
      const summary = summarize(all.map(({ row }) => row));
      expect(summary.nfe).toBeGreaterThan(0);
      expect(summary.forwardTokens).toBeGreaterThan(summary.prefillTokens as number);
      // Later steps of a trajectory find most of their prefix in the cache, which transformers.js cannot cut to it.
      const [first, ...later] = all.map(({ answer }) => answer.cost.prefillTokens) as [number, ...number[]];
      if (name !== 'transformers') for (const tokens of later) expect(tokens).toBeLessThan(first / 2);
      await dispose();
    }
    expect(texts['transformers']).toEqual(texts['ar']);
  },
);

it('a folder without weights is told in words that help', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'models-'));
  try {
    for (const name of ['ar', 'mdlm', 'transformers'] as const) {
      const error = await openSimulator(name, folder).catch((reason: unknown) => reason);
      const failure = explain(name, folder, error);
      expect(failure).toMatchObject({ code: 'not_found' });
      expect(failure.message).toContain(join(folder, name === 'mdlm' ? 'mdlm' : 'ar'));
      expect(failure.advice).toContain('--models DIR');
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
