import { describe, expect, test } from 'vitest';
import { NO_COST, type DraftToken, type Prediction } from '../world/simulator';
import { END, MASK, padId } from '../world/codec/special';
import type { Transition } from '../world/types';
import { agreement, deltaDiff, deltaLines, indented, jsonDiff, observationDiff } from './compare';
import { exampleWorld } from './example.fixture';
import { compactPrompt, readable } from './prompt';
import { publishedMessages } from './published';
import { confidenceSummary, lastPass, tokensAt } from './replay';
import { readableCheck, readablePath } from './readable';
import { changedPointers, changingCalls, describeRow, originOf, type RowView } from './view';

const world = exampleWorld();

function prediction(transition: Partial<Transition>): Prediction {
  return {
    kind: 'prediction',
    transition: { observation: { kind: 'text', text: '' }, delta: {}, status: 'ok', ...transition },
    text: { observation: 'seen', delta: '{}', status: 'ok' },
    parseErrors: [],
    tokens: [],
    cost: NO_COST,
    seed: 1,
  };
}

const cancelled = { orders: { W17: { status: 'cancelled' } } };
const action = { tool: 'cancel_order', args: { id: 'W17' } };
const row: RowView = {
  index: 0,
  action,
  directives: [{ kind: 'partial', n: 2 }],
  results: {
    twin: { prediction: prediction({ delta: cancelled }), failure: null },
    ar: { prediction: prediction({ status: 'not_found' }), failure: null },
    mdlm: { prediction: null, failure: { code: 'crash', message: 'gone', advice: 'Restart.' } },
  },
};

describe('a row', () => {
  test('a row in a sentence', () => {
    expect(describeRow(row)).toBe('Step 1: Twin ok; AR not_found, differs from the twin; MDLM failed.');
  });

  test('pointers of a delta escape what JSON Pointer escapes', () => {
    expect([...changedPointers({ 'a/b': { 'c~': null } })]).toEqual(['/a~1b', '/a~1b/c~0']);
  });
});

describe('paths and checks', () => {
  test('are unescaped in the right order, and say what they ask for', () => {
    expect(readablePath('/files/bin~1report1.log/l1')).toBe('files › bin/report1.log › l1');
    // ~01 is the key "~1", not "/".
    expect(readablePath('/a~01/~0')).toBe('a~1 › ~');
    expect(readableCheck({ path: '/files/bin~1r.log/l1', op: '==', value: 'x' })).toBe('files › bin/r.log › l1 = "x"');
    expect(readableCheck({ path: '/orders/W20', op: 'absent' })).toBe('orders › W20 is not there');
    expect(readableCheck({ path: '/orders/W20', op: 'exists' })).toBe('orders › W20 is there');
    expect(readableCheck({ path: '/stock/a/n', op: '>=', value: 3 })).toBe('stock › a › n ≥ 3');
  });

  test('calls that may change something are those of tools without readOnlyHint', () => {
    const read = { name: 'look', description: '', inputSchema: {}, annotations: { readOnlyHint: true } };
    const write = { name: 'do', description: '', inputSchema: {}, annotations: { readOnlyHint: false } };
    const calls = [{ tool: 'look', args: {} }, { tool: 'do', args: {} }, { tool: 'none', args: {} }, { raw: 'do' }];
    expect(
      changingCalls(
        calls.map((action) => ({ action })),
        [read, write],
      ),
    ).toBe(1);
  });
});

describe('diff to the twin', () => {
  const json = (value: object): Transition['observation'] => ({ kind: 'json', value: value as never });

  test('key order is no difference, values are, and text is not JSON', () => {
    const truth = { observation: json({ a: 1, b: 2 }), delta: {}, status: 'ok' };
    expect(agreement({ ...truth, observation: json({ b: 2, a: 1 }) }, truth).all).toBe(true);
    expect(agreement({ ...truth, observation: json({ a: 1, b: 3 }) }, truth)).toEqual({
      status: true,
      observation: false,
      delta: true,
      all: false,
    });
    expect(agreement({ ...truth, observation: { kind: 'text', text: '{"a":1,"b":2}' } }, truth).observation).toBe(
      false,
    );
  });

  test('parts that are left out and added rebuild both sides', () => {
    const a = json({ id: 'W17', status: 'pending', total: 40, name: 'a long enough name to break the line' });
    const b = json({ id: 'W17', status: 'sent', total: 40, name: 'a long enough name to break the line' });
    const { lines, parts } = observationDiff(prediction({ observation: a }), prediction({ observation: b }));
    expect(lines).toBe(true);
    const side = (kind: string) =>
      parts
        .filter((part) => part.kind === 'same' || part.kind === kind)
        .map((part) => part.text)
        .join('');
    expect(JSON.parse(side('extra'))).toEqual((a as { value: object }).value);
    expect(JSON.parse(side('missing'))).toEqual((b as { value: object }).value);
    expect(parts.some((part) => part.kind === 'extra' && part.text.includes('pending'))).toBe(true);
    expect(jsonDiff({ x: 1 }, { x: 1 }).every((part) => part.kind === 'same')).toBe(true);
  });

  test('an answer that does not parse is compared as it is written', () => {
    const broken = {
      ...prediction({ observation: { kind: 'text', text: '{"id' } }),
      text: { observation: '{"id', delta: '{}', status: 'ok' },
    };
    const { lines, parts } = observationDiff(broken, prediction({ observation: json({ id: 1 }) }));
    expect(lines).toBe(false);
    expect(
      parts
        .filter(({ kind }) => kind !== 'missing')
        .map(({ text }) => text)
        .join(''),
    ).toBe('{"id');
  });

  test('a delta in lines, and its differences by leaf', () => {
    const truth = { orders: { W17: { status: 'cancelled', days: 3 }, W20: null } };
    expect(deltaLines(truth)).toEqual([
      'orders › W17 › status = "cancelled"',
      'orders › W17 › days = 3',
      'orders › W20 removed',
    ]);
    const parts = deltaDiff({ orders: { W17: { days: 3, status: 'late' } }, new: {} }, truth);
    const of = (kind: string) => parts.filter((part) => part.kind === kind).map((part) => part.text.trim());
    expect(of('same')).toEqual(['orders › W17 › days = 3']);
    expect(of('missing').join('\n')).toBe('orders › W17 › status = "cancelled"\norders › W20 removed');
    expect(of('extra').join('\n').split('\n').sort()).toEqual(['new = {}', 'orders › W17 › status = "late"']);
  });

  test('indented JSON is JSON', () => {
    for (const value of [world.state, [], {}, [[1, 2], 'x'], 'text', null]) {
      expect(JSON.parse(indented(value))).toEqual(value);
    }
  });
});

describe('replay', () => {
  const token = (id: number, pass: number, confidence = 0.5): DraftToken => ({
    slot: 'observation',
    id,
    masked: pass === 0,
    confidence,
    pass,
  });
  const tokens = [token(40, 2), token(41, 1, 0.9), token(END, 1, 1), token(padId(0), 1), token(MASK, 0)];

  test('at each pass the tokens committed so far are shown, all others are masked', () => {
    const kinds = (pass: number) => tokensAt(tokens, pass, null)[0]?.tokens.map((one) => one.kind);
    expect(lastPass(tokens)).toBe(2);
    expect(kinds(0)).toEqual(['mask', 'mask', 'mask', 'mask', 'mask']);
    expect(kinds(1)).toEqual(['mask', 'text', 'end', 'pad', 'mask']);
    expect(kinds(2)).toEqual(['text', 'text', 'end', 'pad', 'mask']);
    expect(tokensAt(tokens, 2, null)[0]?.tokens.map((one) => one.fresh)).toEqual([true, false, false, false, false]);
  });

  test('the summary counts what was written, pads and masks left out', () => {
    expect(confidenceSummary(tokens)).toEqual({ count: 3, mean: expect.closeTo(0.8, 9), least: 0.5 });
    expect(confidenceSummary([])).toEqual({ count: 0, mean: 0, least: 0 });
  });
});

describe('prompts', () => {
  const turn = { directives: row.directives, action, text: prediction({}).text, delta: {} };
  const context = { world, history: [turn] };

  test('compact: the codec’s blocks in order, with the lane’s own words', () => {
    const { text, tokens } = compactPrompt(context, action, [{ kind: 'terse' }], null);
    const tags = [...text.matchAll(/<(\w+)>/g)].map((match) => match[1]);
    expect(tags).toEqual('rules tools state task turn call resp end end end turn call resp'.split(' '));
    expect(text).toContain('<turn>partial(2)<call>cancel_order{"id":"W17"}<resp>seen<end>{}<end>ok<end>');
    expect(text).toContain('<turn>terse<call>');
    expect(tokens).toBeNull();
    expect([...readable(text).matchAll(/^<(\w+)>/gm)].map((match) => match[1])).toEqual(
      'rules tools state task turn resp turn resp'.split(' '),
    );
    expect(readable(text).replaceAll('\n', '')).toBe(text.replaceAll('\n', ''));
  });

  test('published: the headers in their order, the history in the user message', () => {
    const [system, user] = publishedMessages(context, action, [{ kind: 'fail', code: 'late' }]);
    const at = [
      '## ENVIRONMENT STATE',
      '## TASK CONTEXT',
      '## TOOL SCHEMAS',
      '## DOMAIN RULES',
      '## STEERING DIRECTIVES',
      'PREDICTION TARGET:',
    ].map((header) => system?.content.indexOf(header) ?? -1);
    expect(at.every((place) => place >= 0)).toBe(true);
    expect([...at].sort((a, b) => a - b)).toEqual(at);
    expect(system?.content).toContain('fail(late)');
    const [, history = '', call = ''] = /^State: (.*)\n\nAction: (.*)$/s.exec(user?.content ?? '') ?? [];
    expect(JSON.parse(history)).toHaveLength(2);
    expect(JSON.parse(call)).toEqual({ name: 'cancel_order', arguments: { id: 'W17' } });
  });

  test('a rule that is off and a malformed call are shown as they are', () => {
    const off = { ...world, rules: world.rules.map((rule) => ({ ...rule, enabled: false })) };
    const [system, user] = publishedMessages({ world: off, history: [] }, { raw: 'cancel(' }, []);
    expect(system?.content).not.toContain('Sentence for');
    expect(user?.content).toBe('State: []\n\nAction: cancel(');
  });
});

test('a run that goes on from an edited world says which, also where that is not here or had no step', () => {
  const from = { run: 'r1', step: 's2', index: 2, lane: 'twin' };
  expect(originOf(undefined, [])).toBeNull();
  expect(originOf(from, [{ id: 'r1', title: 'Orders' }])).toEqual({
    ...{ id: 'r1', step: 's2', title: 'Orders', text: 'edited after step 2 of Orders' },
  });
  expect(originOf({ ...from, step: null, index: 0 }, [])).toEqual({
    ...{ id: 'r1', title: null, text: 'edited after step 0 of a run that is not here' },
  });
});
