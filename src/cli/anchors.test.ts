/** The measurement of anchors: outcomes have a truth, a simulator that ignores pins gains nothing, the micro pair runs. */
import { describe, expect, it } from 'vitest';
import { anchorResult } from '../metrics';
import { loadSimulator } from '../models';
import { FileSource } from '../models/fileSource.node';
import { TwinSimulator } from '../twins';
import { answerText } from '../world/codec';
import { NO_COST } from '../world/simulator';
import { casesOf, outcomesReport, runAnchors, sampleSteps } from '../rollouts/steering';
import { parseAnchorArgs } from './anchorOptions';

const SAMPLING = { seed: 1, temperature: 0, topP: 1, threshold: 0.9 };

describe('cases', () => {
  it('pin values of an answer that the twin gives, and of errors their code', async () => {
    const steps = await sampleSteps('test', 12, 1);
    expect(new Set(steps.map(({ run }) => run)).size).toBe(6);
    expect((await sampleSteps('test', 5, 1)).map(({ index }) => index)).toEqual(
      steps.slice(0, 5).map(({ index }) => index),
    );
    const cases = steps.flatMap((step) => casesOf(step, 1));
    for (const { kind, pins, truth, told } of cases) {
      const answer = { transition: truth, text: answerText(truth), parseErrors: [], cost: NO_COST };
      expect(anchorResult(pins, truth, answer)?.consistent).toBe(true);
      expect(told.some(({ kind: one }) => ['fail', 'stale', 'scarce', 'misleading'].includes(one))).toBe(false);
      if (kind === 'error') expect(truth).toMatchObject({ status: pins[0]?.value, delta: {} });
    }
    expect(cases.filter(({ kind }) => kind === 'error')).toHaveLength(12);
  });
});

describe('the measurement', () => {
  it('gives a simulator that ignores pins exactly what it has without them', async () => {
    const report = outcomesReport(await runAnchors(new TwinSimulator(), await sampleSteps('test', 8, 1), SAMPLING));
    expect(report.error?.pinned).toMatchObject({ n: 8, consistent: { sum: 0, n: 8 }, accepted: { sum: 0, n: 8 } });
    const { pinned, free } = report.same ?? {};
    expect(pinned?.consistent.share).toBe(1);
    expect(pinned?.consistent).toEqual(free?.consistent);
  });

  it('runs the micro MDLM, whose pins of a whole slot hold', async () => {
    const source = new FileSource(new URL('../../test/fixtures/micro/mdlm/', import.meta.url).pathname);
    const simulator = await loadSimulator({ source, provider: 'wasm' });
    try {
      const sampling = { ...SAMPLING, sampler: { name: 'confidence', steps: 2 }, attempts: 1 };
      const answers = await runAnchors(simulator, await sampleSteps('test', 1, 1), sampling, { kinds: ['error'] });
      expect(answers.map(({ pinned }) => pinned)).toEqual([false, true]);
      const { pinned, free } = outcomesReport(answers).error ?? {};
      expect(pinned).toMatchObject({ placed: { sum: 1, n: 1 }, satisfied: { sum: 1, n: 1 }, attempts: 1 });
      expect(free?.n).toBe(1);
    } finally {
      await simulator.dispose();
    }
  });
});

describe('parseAnchorArgs', () => {
  it('has defaults, and refuses what it does not know', () => {
    expect(parseAnchorArgs([])).toMatchObject({ split: 'test', n: 60, seed: 1, names: ['ar', 'mdlm'], attempts: 8 });
    expect(() => parseAnchorArgs(['--kinds', 'error,odd'])).toThrow(/"odd" is none of error, other, same/);
    expect(() => parseAnchorArgs(['--attempts', '0'])).toThrow(/--attempts 0/);
  });
});
