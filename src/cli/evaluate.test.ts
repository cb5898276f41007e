import { beforeAll, describe, expect, it } from 'vitest';
import { copyNothing, summarize } from '../metrics';
import { loadTokenizer, tokenizerFile } from '../models/tokenizer';
import { pieces } from '../models/tokenizer/bpe';
import { TwinSimulator } from '../twins';
import { answerText, contextTokens, FOLD_TOKENS, parseAnswer, type Tokenizer } from '../world/codec';
import { NO_COST, type Simulator, type StepOptions } from '../world/simulator';
import type { EvalStep } from '../rollouts/trajectories';
import { answered, collectSteps, countOverLayout, evaluate } from './evaluate';
import { formatExamples, formatReport, type Report } from './evalReport';

const SAMPLING = { seed: 1, temperature: 0, topP: 1, threshold: 0.9 };
const N = 60;

let tokenizer: Tokenizer;
let steps: EvalStep[];
beforeAll(async () => {
  const bytes = await loadTokenizer(tokenizerFile([]));
  // Words for tokens: as long as a trained tokenizer's texts, so contexts keep their history.
  tokenizer = {
    vocabSize: bytes.vocabSize,
    sha256: 'words',
    encode: (text) => pieces(text).map(() => 17),
    decode: () => '',
  };
  steps = await collectSteps('test', N, 1);
});

describe('collectSteps', () => {
  it('gives exactly n steps of whole trajectories, the same every time', async () => {
    expect(steps).toHaveLength(N);
    expect(await collectSteps('test', N, 1)).toEqual(steps);
    expect((await collectSteps('test', 7, 1)).map(({ truth }) => truth)).toEqual(
      steps.slice(0, 7).map(({ truth }) => truth),
    );
    steps.slice(1).forEach((step, i) => {
      const before = steps[i] as EvalStep;
      expect([before.run, before.index + 1]).toSatisfy(
        ([run, index]: number[]) => (step.run === run && step.index === index) || step.index === 0,
      );
    });
  });

  it('goes on from the twin: what stands in the history is the true answer before', () => {
    const later = steps.filter(({ context }) => context.history.length > 0);
    expect(later.length).toBeGreaterThan(5);
    for (const step of later) {
      const before = steps[steps.indexOf(step) - 1] as EvalStep;
      expect(step.context.history.at(-1)?.text).toEqual(answerText(before.truth));
      expect(contextTokens(step.context, step.action, step.directives)).toBeLessThanOrEqual(FOLD_TOKENS);
    }
  });

  it('refuses a seed the splits do not have', async () => {
    await expect(collectSteps('test', 1, 100)).rejects.toThrow(/seed/);
  });
});

describe('evaluate', () => {
  it('finds the twin right in everything', async () => {
    const all = await evaluate(new TwinSimulator(), steps, SAMPLING);
    const summary = summarize(all.map(({ row }) => row));
    expect(summary).toMatchObject({
      n: N,
      parseOk: 1,
      answerExact: 1,
      leafF1: 1,
      stateExact: 1,
      hallucinatedIds: 0,
    });
    expect(summary.changedN).toBeGreaterThan(5);
    expect(summary.successN).toBeGreaterThan(summary.changedN);
  });

  it('finds the baseline right about deltas exactly where nothing changes', () => {
    const summary = summarize(steps.map((step) => answered(step, copyNothing()).row));
    expect(summary).toMatchObject({ parseOk: 1, deltaExactChanged: 0, deltaExactUnchanged: 1, nfe: 0 });
    expect(summary.deltaExact).toBeCloseTo(1 - summary.changedN / N, 12);
  });

  it('keeps answers that do not parse in every denominator, and passes what a step needs', async () => {
    const seen: StepOptions[] = [];
    const broken: Simulator = {
      id: 'broken',
      supports: () => true,
      async *step(_context, _action, options) {
        seen.push(options);
        const text = { observation: '{"id":"QQ1"', delta: '{}', status: 'ok' };
        await Promise.resolve();
        yield { kind: 'prediction', ...parseAnswer(text), text, tokens: [], cost: NO_COST, seed: options.seed };
      },
    };
    const all = await evaluate(broken, steps, { ...SAMPLING, temperature: 0.5, threshold: 0.7 });
    const summary = summarize(all.map(({ row }) => row));
    expect(summary).toMatchObject({ n: N, parseOk: 0, statusMatch: 0, deltaExactUnchanged: 0, hallucinatedIds: 1 });
    expect(seen[0]).toMatchObject({ temperature: 0.5, threshold: 0.7, topP: 1, lane: 0 });
    expect(seen.map(({ step }) => step)).toEqual(steps.map(({ index }) => index));
    expect(seen.map(({ directives }) => directives)).toEqual(steps.map(({ directives }) => directives));
    // One seed a trajectory, another one for each.
    expect(new Set(seen.map(({ seed }) => seed)).size).toBe(new Set(steps.map(({ run }) => run)).size);
  });

  it('stops when told to, and passes a failure of the machinery on', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const onAnswer = (done: number) => done === 3 && controller.abort(reason);
    const run = evaluate(new TwinSimulator(), steps, SAMPLING, { signal: controller.signal, onAnswer });
    await expect(run).rejects.toBe(reason);
    const lost: Simulator = {
      id: 'lost',
      supports: () => true,
      // eslint-disable-next-line require-yield
      async *step() {
        await Promise.resolve();
        throw new Error('device lost');
      },
    };
    await expect(evaluate(lost, steps, SAMPLING)).rejects.toThrow('device lost');
  });
});

describe('the report', () => {
  it('shows numbers, denominators and what did not run', async () => {
    const all = await evaluate(new TwinSimulator(), steps, SAMPLING);
    const summary = summarize(all.map(({ row }) => row));
    const report: Report = {
      split: 'test',
      n: N,
      ...SAMPLING,
      settings: { temperature: 0, topP: 1, threshold: 0.9 },
      overLayout: countOverLayout(steps, tokenizer),
      tokenizerSha256: tokenizer.sha256,
      models: {
        twin: { ...summary, run: { wallMs: 1 } },
        mdlm: { error: { code: 'not_found', message: 'There is no model.', advice: 'Train one.' } },
      },
    };
    const text = formatReport(report);
    expect(text).toMatch(/observationExactSuccess +1\.000 \[0\.\d+, 1\.000\]w/);
    expect(text).toMatch(/changedN +\d+/);
    expect(text).toContain('mdlm did not run: There is no model. Train one.');
    for (const family of Object.keys(summary.families)) expect(text).toMatch(new RegExp(`^${family} +\\d+`, 'm'));
  });

  it('shows as many examples as asked for, expected beside predicted', () => {
    const all = steps.map((step) => answered(step, copyNothing()));
    const text = formatExamples('copyNothing', all, 4, true);
    expect(text.match(/^copyNothing · /gm)).toHaveLength(4);
    expect(text).toContain('predicted');
    expect(formatExamples('twin', [], 3, false)).toContain('no answers');
  });
});
