import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerText } from '../world/codec/answer';
import { NO_COST } from '../world/simulator';
import type { Transition } from '../world/types';
import type { Score } from './score';
import { METRIC_NAMES } from './registry';
import { partsOf, summarize, toRow, type Row } from './summary';
import type { ScoredStep } from './types';

const RIGHT: Score = {
  parseOk: 1,
  statusMatch: 1,
  classMatch: 1,
  observationExact: 1,
  deltaExact: 1,
  stateExact: 1,
  answerExact: 1,
  leafPrecision: 1,
  leafRecall: 1,
  leafF1: 1,
  ids: { named: 1, hallucinated: 0 },
  success: true,
  changed: 0,
};
const truth: Transition = { observation: { kind: 'json', value: { id: 'W1' } }, delta: {}, status: 'ok' };
const step: ScoredStep = {
  episode: 'e',
  family: 'a',
  context: {
    world: {
      id: 'w',
      title: 'Shop',
      twin: null,
      state: { orders: { W1: {} } },
      task: { instruction: '', checks: [] },
      tools: [],
      rules: [],
    },
    history: [],
  },
  action: { tool: 'get', args: { id: 'W1' } },
  directives: [],
  truth,
  answer: { transition: truth, text: answerText(truth), parseErrors: [], cost: NO_COST },
};
const row = (episode: string, score: Partial<Score>, rest: Partial<Row> = {}): Row => {
  const whole = { ...RIGHT, ...score };
  return { episode, family: 'a', cost: NO_COST, score: whole, parts: partsOf(whole, step), ...rest };
};

describe('toRow', () => {
  it('scores a step and asks every metric about it', () => {
    const { score, parts } = toRow(step);
    expect(score).toEqual(RIGHT);
    expect(Object.keys(parts)).toEqual(METRIC_NAMES);
    expect(parts.answerExact).toEqual({ sum: 1, n: 1 });
    expect(parts.deltaExactChanged).toEqual({ sum: 0, n: 0 });
    expect(toRow({ ...step, truth: { ...truth, status: 'not_found' } }).parts.statusMatch).toEqual({ sum: 0, n: 1 });
  });
});

describe('summarize', () => {
  it('divides by the steps a metric is about, and says by how many', () => {
    const rows = [
      row('1', { changed: 1 }),
      row('1', { changed: 2, deltaExact: 0 }),
      row('2', { success: false, observationExact: 0 }),
      row('2', { observationExact: 0, deltaExact: 0, ids: { named: 3, hallucinated: 2 } }),
    ];
    const summary = summarize(rows);
    expect(summary).toMatchObject({ n: 4, episodes: 2, successN: 3, changedN: 2 });
    expect(summary.observationExact).toBe(2 / 4);
    expect(summary.observationExactSuccess).toBe(2 / 3);
    expect(summary.observationExactError).toBe(0);
    expect(summary.deltaExact).toBe(2 / 4);
    expect(summary.deltaExactChanged).toBe(1 / 2);
    expect(summary.deltaExactUnchanged).toBe(1 / 2);
    expect(summary.hallucinatedIds).toBe(2 / 6);
    expect(summary.intervals.observationExactSuccess).toMatchObject({ sum: 2, n: 3 });
    expect(summary.intervals.hallucinatedIds.wilson).toBeNull();
    expect(summary.byChangedFields).toEqual({ 1: { n: 1, exact: 1 }, 2: { n: 1, exact: 0 } });
  });

  it('gives null, not a number, where nothing counts', () => {
    const none = summarize([]);
    for (const name of METRIC_NAMES) expect(none[name]).toBeNull();
    expect(none).toMatchObject({ n: 0, successN: 0, changedN: 0, ms: null, families: {}, byChangedFields: {} });
    const failures = summarize([row('1', { success: false })]);
    expect(failures.observationExactSuccess).toBeNull();
    expect(failures.intervals.observationExactSuccess).toEqual({ sum: 0, n: 0, wilson: null, bootstrap: null });
  });

  it('averages costs over all steps', () => {
    const costs = [2, 4].map((nfe) => row('1', {}, { cost: { ...NO_COST, nfe, ms: nfe * 10 } }));
    expect(summarize(costs)).toMatchObject({ nfe: 3, ms: 30, forwardTokens: 0 });
  });

  it('has families whose parts add up to the whole, with intervals that hold the mean', () => {
    const rows = fc.array(
      fc.record({
        episode: fc.integer({ min: 0, max: 5 }),
        family: fc.constantFrom('a', 'b', 'c'),
        right: fc.boolean(),
      }),
      { minLength: 1, maxLength: 40 },
    );
    fc.assert(
      fc.property(rows, (items) => {
        const summary = summarize(
          items.map(({ episode, family, right }) =>
            row(`${family}${episode}`, { observationExact: Number(right) }, { family }),
          ),
          { count: 100, seed: 1 },
        );
        const parts = Object.values(summary.families);
        expect(parts.reduce((sum, part) => sum + part.n, 0)).toBe(summary.n);
        expect(parts.reduce((sum, part) => sum + part.intervals.observationExact.sum, 0)).toBe(
          summary.intervals.observationExact.sum,
        );
        const { wilson, bootstrap } = summary.intervals.observationExact;
        const mean = summary.observationExact as number;
        expect(wilson?.[0]).toBeLessThanOrEqual(mean);
        expect(wilson?.[1]).toBeGreaterThanOrEqual(mean);
        if (bootstrap) expect(bootstrap[0]).toBeLessThanOrEqual(bootstrap[1]);
        if (summary.episodes === 1) expect(bootstrap).toBeNull();
      }),
      { numRuns: 50 },
    );
  });
});
