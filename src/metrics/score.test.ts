import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerText, parseAnswer } from '../world/codec/answer';
import { NO_COST } from '../world/simulator';
import { SLOTS, type Context, type SlotTexts, type Transition, type World } from '../world/types';
import { copyNothing } from './baseline';
import { hallucinatedIds, identifiers, visibleText } from './ids';
import { sameObservation, scoreStep } from './score';
import type { Answer, ScoredStep } from './types';

const world: World = {
  id: 'w',
  title: 'Shop',
  twin: null,
  state: { orders: { W17: { status: 'pending', total: 40 } }, next: 'W18' },
  task: { instruction: 'Cancel W17.', checks: [] },
  tools: [{ name: 'cancel', description: 'Cancels', inputSchema: {} }],
  rules: [],
};
const context: Context = { world, history: [] };
const action = { tool: 'cancel', args: { id: 'W17' } };

const truth: Transition = {
  observation: { kind: 'json', value: { id: 'W17', status: 'cancelled' } },
  delta: { orders: { W17: { status: 'cancelled' } } },
  status: 'ok',
};

function answerOf(text: Partial<SlotTexts>): Answer {
  const whole = { ...answerText(truth), ...text };
  return { ...parseAnswer(whole), text: whole, cost: NO_COST };
}

function score(text: Partial<SlotTexts>, other: Partial<ScoredStep> = {}) {
  return scoreStep({
    episode: 'e',
    family: 'f',
    context,
    action,
    directives: [],
    truth,
    answer: answerOf(text),
    ...other,
  });
}

describe('scoreStep', () => {
  it('gives the true answer every point', () => {
    expect(score({})).toEqual({
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
      changed: 1,
    });
  });

  it('does not look at the order of keys or at spaces of JSON', () => {
    const same = score({ observation: '{ "status":"cancelled", "id":"W17" }' });
    expect(same).toMatchObject({ observationExact: 1, answerExact: 1 });
  });

  it('holds slots apart', () => {
    expect(score({ observation: '{"id":"W17","status":"pending"}' })).toMatchObject({
      observationExact: 0,
      deltaExact: 1,
      statusMatch: 1,
      answerExact: 0,
      leafF1: 0.5,
    });
    expect(score({ delta: '{}' })).toMatchObject({ observationExact: 1, deltaExact: 0, stateExact: 0, answerExact: 0 });
    expect(score({ status: 'conflict' })).toMatchObject({ statusMatch: 0, classMatch: 0, observationExact: 1 });
  });

  it('tells the kind of an error from its class', () => {
    const failed = { ...truth, status: 'not_found' };
    expect(score({ status: 'conflict' }, { truth: failed })).toMatchObject({ statusMatch: 0, classMatch: 1 });
  });

  it('takes a patch with a repeated value for the same state but not for the same delta', () => {
    const wordy = score({ delta: '{"orders":{"W17":{"status":"cancelled","total":40}}}' });
    expect(wordy).toMatchObject({ deltaExact: 0, stateExact: 1, answerExact: 0 });
  });

  it.each<[string, Partial<SlotTexts>]>([
    ['observation', { observation: '{"id":"W17"' }],
    ['delta', { delta: '{"orders":' }],
    ['delta that is no object', { delta: '3' }],
    ['delta with a list', { delta: '{"orders":[]}' }],
    ['status', { status: 'OK!' }],
    ['status that is empty', { status: '' }],
  ])('scores 0 everywhere when a slot does not parse: %s', (_, text) => {
    const none = score(text);
    expect(none).toMatchObject({ parseOk: 0, statusMatch: 0, classMatch: 0, observationExact: 0, deltaExact: 0 });
    expect(none).toMatchObject({ stateExact: 0, answerExact: 0, leafPrecision: 0, leafRecall: 0, leafF1: 0 });
    // What the step asked for stays what it is.
    expect(none).toMatchObject({ success: true, changed: 1 });
  });

  it('does not call an unparsable delta right where nothing changes', () => {
    expect(score({ delta: '{' }, { truth: { ...truth, delta: {} } }).deltaExact).toBe(0);
  });

  it('takes whatever a model may write, and stays in [0, 1]', () => {
    const json = fc.json({ maxDepth: 3 });
    const slot = (right: string) => fc.oneof(fc.string({ unit: 'binary' }), json, fc.constant(right));
    const right = answerText(truth);
    const texts = fc.record({
      observation: slot(right.observation),
      delta: slot(right.delta),
      status: slot(right.status),
    });
    fc.assert(
      fc.property(texts, (text) => {
        const { ids, success, changed, ...rest } = score(text);
        for (const value of Object.values(rest)) {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1);
        }
        expect([success, changed]).toEqual([true, 1]);
        expect(ids.hallucinated).toBeLessThanOrEqual(ids.named);
        expect(rest.answerExact).toBeLessThanOrEqual(
          Math.min(rest.observationExact, rest.deltaExact, rest.statusMatch),
        );
        expect(rest.deltaExact).toBeLessThanOrEqual(rest.stateExact);
        expect(rest.observationExact).toBe(Number(rest.leafF1 === 1));
        expect(rest.parseOk).toBeGreaterThanOrEqual(rest.classMatch);
        const exact = SLOTS.every((name) => text[name] === right[name]);
        if (exact) expect(rest.answerExact).toBe(1);
      }),
      { numRuns: 500 },
    );
  });

  it('calls a delta that adds an empty record a change', () => {
    expect(score({}, { truth: { ...truth, delta: { orders: { W18: {} } } } }).changed).toBe(1);
  });
});

describe('sameObservation', () => {
  const text = (line: string) => ({ kind: 'text' as const, text: line });
  it('compares text letter by letter and never with JSON', () => {
    expect(sameObservation(text('a'), text('a'))).toBe(true);
    expect(sameObservation(text('a'), text('a '))).toBe(false);
    expect(sameObservation(text('{}'), { kind: 'json', value: {} })).toBe(false);
    expect(sameObservation({ kind: 'json', value: [] }, { kind: 'json', value: {} })).toBe(false);
    expect(sameObservation(text('\ud800'), text('\ufffd'))).toBe(true);
  });
});

describe('copyNothing', () => {
  it('is right about deltas exactly where nothing changes', () => {
    const answer = copyNothing();
    expect(score({}, { answer })).toMatchObject({ parseOk: 1, statusMatch: 1, observationExact: 0, deltaExact: 0 });
    expect(score({}, { answer, truth: { ...truth, delta: {} } })).toMatchObject({ deltaExact: 1, stateExact: 1 });
    expect(answer.text).toEqual({ observation: '{}', delta: '{}', status: 'ok' });
  });
});

describe('hallucinated identifiers', () => {
  it('are found by their shape', () => {
    expect([...identifiers('W17, zx-33 Yv.546. plan62.cfg ab_1! 12 word no-number {"HJ738":1} é5')]).toEqual([
      'W17',
      'zx-33',
      'Yv.546',
      'plan62.cfg',
      'ab_1',
      'HJ738',
      'é5',
    ]);
    expect([...identifiers('"a\\n5 \\u002cW1"')]).toEqual(['W1']);
  });

  it('are those that nothing visible and no true answer holds', () => {
    const visible = visibleText(context, action, []);
    const text = { observation: '[{"id":"W17"},{"id":"W99"},{"id":"W18"},{"id":"W19"}]', delta: '{}', status: 'ok' };
    expect(hallucinatedIds(visible, text, truth)).toEqual({ named: 4, hallucinated: 2 });
    const made = { ...truth, delta: { orders: { W19: {} } } };
    expect(hallucinatedIds(visible, text, made)).toEqual({ named: 4, hallucinated: 1 });
    expect(hallucinatedIds(visible, text, null)).toEqual({ named: 4, hallucinated: 2 });
  });

  it('are counted in answers that do not parse, and may be known from the history', () => {
    const turn = { directives: [], action, text: { observation: 'see Q5', delta: '{}', status: 'ok' }, delta: {} };
    const later = visibleText({ world, history: [turn] }, action, []);
    const broken = { observation: '{"id":"Q5","x":"Q6', delta: '', status: '' };
    expect(hallucinatedIds(later, broken, truth)).toEqual({ named: 2, hallucinated: 1 });
  });
});
