import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadSimulator } from '../../models';
import { FileSource } from '../../models/fileSource.node';
import { TwinSimulator } from '../../twins';
import type { Simulator } from '../../world/simulator';
import { FailSimulator } from '../testing';
import { runSuite, type SuiteProgress } from './suite';
import { summarizeSuite, worstOf } from './summary';
import type { ScenarioResult } from './types';

const twin = { id: 'twin', simulator: new TwinSimulator() };

describe('runSuite', () => {
  it('runs every scenario in every lane and tells how far it is', async () => {
    const seen: SuiteProgress[] = [];
    const broken = { id: 'broken', simulator: new FailSimulator(new Error('device lost')) };
    const kinds = ['stale_read', 'unknown_tool'];
    const results = await runSuite([twin, broken], { kinds, seeds: 2, onProgress: (one) => seen.push(one) });
    expect(results.map(({ kind, seed, simulator }) => `${kind} ${seed} ${simulator}`)).toEqual(
      kinds.flatMap((kind) => [1, 2].flatMap((seed) => ['twin', 'broken'].map((id) => `${kind} ${seed} ${id}`))),
    );
    expect(seen.map(({ done, total }) => [done, total])).toEqual(results.map((_, i) => [i + 1, 8]));
    const failed = results.filter(({ simulator }) => simulator === 'broken');
    expect(failed.every(({ failures, verdict }) => verdict === 'failed' && failures.join() === 'no_answer')).toBe(true);
    expect(failed[0]?.steps[0]?.breakdown?.message).toContain('device lost');
  });

  it('is teacher-forced: what a lane answers does not reach its next context', async () => {
    const histories: number[][] = [];
    const wrong: Simulator = {
      id: 'wrong',
      supports: () => true,
      async *step(context, action, options) {
        histories.push([options.step, context.history.length]);
        for await (const item of twin.simulator.step(context, action, options)) {
          if (item.kind === 'prediction') yield { ...item, text: { observation: 'x', delta: '{}', status: 'ok' } };
        }
      },
    };
    await runSuite([{ id: 'wrong', simulator: wrong }], { kinds: ['double_delete'], seeds: 1 });
    expect(histories.every(([step, turns]) => step === turns)).toBe(true);
  });

  it('counts a world that a simulator does not know as no answer', async () => {
    const shy: Simulator = { id: 'shy', supports: () => false, step: twin.simulator.step };
    const [result] = await runSuite([{ id: 'shy', simulator: shy }], { kinds: ['unknown_tool'], seeds: 1 });
    expect(result).toMatchObject({ verdict: 'failed', failures: ['no_answer'] });
    expect(result?.steps[0]?.breakdown?.code).toBe('unsupported');
  });

  it('stops when told to', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const run = runSuite([twin], {
      ...{ kinds: ['unknown_tool'], seeds: 50, signal: controller.signal },
      onProgress: ({ done }) => done === 2 && controller.abort(reason),
    });
    await expect(run).rejects.toBe(reason);
  });
});

describe('counts', () => {
  const result = (kind: string, seed: number, failures: ScenarioResult['failures'], wrong = failures.length > 0) =>
    ({
      ...{ kind, seed, family: 'support', simulator: 'ar', failures },
      verdict: failures.length === 0 ? 'exact' : failures.every((name) => name === 'other') ? 'held' : 'failed',
      steps: [{ failures: wrong ? failures : [] }, { failures: [] }],
    }) as unknown as ScenarioResult;
  const results = [
    result('a', 1, []),
    result('a', 2, ['other']),
    result('a', 3, ['wrong_record', 'other']),
    result('a', 4, ['wrong_status']),
    result('b', 5, ['unparsable']),
  ];

  it('have denominators', () => {
    const { ar } = summarizeSuite(results);
    expect(ar).toMatchObject({ n: 5, exact: 1, stood: 2, steps: 10, stepsExact: 6 });
    expect(ar?.kinds['a']).toMatchObject({ n: 4, exact: 1, stood: 2 });
    expect(ar?.failures).toEqual({ other: 2, wrong_record: 1, wrong_status: 1, unparsable: 1 });
  });

  it('have the worst first, one of each kind before a second', () => {
    expect(worstOf(results, 9).map(({ seed }) => seed)).toEqual([5, 3, 4]);
    expect(worstOf(results, 1)).toHaveLength(1);
  });
});

it('a real model answers in every step', { timeout: 120_000 }, async () => {
  const folder = resolve(import.meta.dirname, '../../../test/fixtures/micro/ar');
  const simulator = await loadSimulator({ source: new FileSource(folder), provider: 'wasm' });
  const results = await runSuite([{ id: 'ar', simulator }], { kinds: ['stale_read', 'empty_world'], seeds: 1 });
  await simulator.dispose();
  expect(results).toHaveLength(2);
  for (const { steps } of results) {
    for (const { answer, breakdown } of steps) expect([answer === null, breakdown]).toEqual([false, null]);
  }
});
