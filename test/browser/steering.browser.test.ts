/** Steered answers through a worker: guidance, pins and cropped windows give the same on WebGPU as on WASM. */
import { expect, test } from 'vitest';
import type { Pin } from '../../src/world/anchors';
import { DEFAULT_STEP_OPTIONS, finishStep, type StepOptions } from '../../src/world/simulator';
import { WorkerSimulator } from '../../workers/client';
import { ACTION, CONTEXT } from './runtime.fixture';

const observation: Pin = { slot: 'observation', pointer: '', value: { error: 'rate_limited' } };
const delta: Pin = { slot: 'delta', pointer: '', value: {} };
const STEERED: StepOptions = {
  ...DEFAULT_STEP_OPTIONS,
  ...{ directives: [{ kind: 'fail', code: 'rate_limited' }], guidance: 2, crop: true },
  ...{ sampler: { name: 'confidence', steps: 3, order: 'margin' }, blockSize: 16 },
};

test.each([
  // Of the micro AR model only the status is short.
  ['ar', [observation, delta]],
  ['mdlm', [delta]],
] as const)(
  '%s',
  async (id, pins) => {
    const answers = [];
    for (const provider of ['wasm', 'webgpu'] as const) {
      const simulator = new WorkerSimulator({ id, baseUrl: `/micro/${id}/`, provider, onStatus: () => undefined });
      const { tokens, cost, selection } = await finishStep(simulator.step(CONTEXT, ACTION, { ...STEERED, pins }));
      expect(selection).toMatchObject({ attempts: 1, pins: pins.map(() => ({ placed: true, held: true })) });
      expect(simulator.status.info?.provider).toBe(provider);
      answers.push({ ids: tokens.map((token) => token.id), nfe: cost.nfe, forwardTokens: cost.forwardTokens });
      simulator.dispose();
    }
    expect(answers[1]).toEqual(answers[0]);
  },
  120_000,
);

test('what is not possible is said by the worker', async () => {
  const simulator = new WorkerSimulator({
    id: 'mdlm',
    baseUrl: '/micro/mdlm/',
    provider: 'wasm',
    onStatus: () => undefined,
  });
  const step = finishStep(simulator.step(CONTEXT, ACTION, { ...STEERED, sampler: { name: 'best' } }));
  await expect(step).rejects.toMatchObject({ code: 'bad_options', advice: expect.stringContaining('entropy-budget') });
  expect((await finishStep(simulator.step(CONTEXT, ACTION, STEERED))).cost.nfe).toBeGreaterThan(0);
  simulator.dispose();
});
