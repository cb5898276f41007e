import { Ajv2020 } from 'ajv/dist/2020';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../world/json';
import { hallucinatedIds, visibleText } from './ids';
import { conservedFields } from './conservation';
import { contentClass, contentCounts, contentMatch } from './content';
import { deltaLeaves } from './deltaF1';
import { leafScores } from './leaves';
import { createdPaths, leavesOf } from './paths';
import { METRICS, type Metric } from './registry';
import { schemaErrors } from './schema';
import { scoreStep } from './score';
import type { ScoredStep } from './types';
import { shop, shown, stepOf, written } from './testing';

const part = (name: Metric, step: ScoredStep) => METRICS[name].part(scoreStep(step), step);
const record = shown({ id: 'W1', total: 40 });
const change = shown({ id: 'W1' }, { delta: { orders: { W1: { status: 'gone', total: 0 } } } });

describe('schemaErrors', () => {
  const scalar = fc.oneof(
    fc.integer({ min: -3, max: 3 }),
    fc.constantFrom('a', 'ab', 'id', ''),
    fc.boolean(),
    fc.constant(null),
  );
  const { value } = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      scalar,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'id'), tie('value'), { maxKeys: 3 }),
    ),
  }));
  const { schema } = fc.letrec<{ schema: object | boolean }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3 },
      fc.boolean(),
      fc.record(
        {
          type: fc.constantFrom('object', 'array', 'string', 'integer', 'number', 'boolean', 'null'),
          enum: fc.uniqueArray(scalar, { minLength: 1, maxLength: 3 }),
          minimum: fc.integer({ min: -2, max: 2 }),
          exclusiveMaximum: fc.integer({ min: -2, max: 3 }),
          minLength: fc.integer({ min: 0, max: 2 }),
          maxLength: fc.integer({ min: 0, max: 2 }),
          pattern: fc.constantFrom('^a', 'd$'),
          minItems: fc.integer({ min: 0, max: 2 }),
          maxItems: fc.integer({ min: 0, max: 2 }),
          uniqueItems: fc.boolean(),
          required: fc.uniqueArray(fc.constantFrom('a', 'b', 'id'), { maxLength: 2 }),
          maxProperties: fc.integer({ min: 0, max: 2 }),
          properties: fc.dictionary(fc.constantFrom('a', 'b'), tie('schema'), { maxKeys: 2 }),
          additionalProperties: tie('schema'),
          items: tie('schema'),
          contains: tie('schema'),
          anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
          oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
          not: tie('schema'),
          if: tie('schema'),
          then: tie('schema'),
          else: tie('schema'),
        },
        { requiredKeys: [] },
      ),
    ),
  }));

  it('agrees with Ajv on what is valid', () => {
    let valid = 0;
    fc.assert(
      fc.property(schema, value, (wanted, given) => {
        const expected = new Ajv2020({ strict: false, logger: false }).compile(wanted)(given);
        expect(schemaErrors(JSON.parse(JSON.stringify(wanted)) as Json, given).length === 0).toBe(expected);
        valid += Number(expected);
      }),
      { numRuns: 80 },
    );
    expect(valid).toBeGreaterThan(5);
  });

  it('says where and why, follows references, and ends on one that leads to itself', () => {
    const tree = {
      $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' }, n: { type: 'integer' } } } },
      $ref: '#/$defs/node',
    };
    expect(schemaErrors(tree, { next: { next: { n: 'x' } } })).toEqual([{ path: '/next/next/n', keyword: 'type' }]);
    expect(schemaErrors({ $ref: '#' }, 1)).toEqual([{ path: '', keyword: '$ref' }]);
    expect(schemaErrors({ pattern: '(' }, 'a')).toEqual([{ path: '', keyword: 'pattern' }]);
    expect(schemaErrors({ type: 'object', required: ['constructor'] }, {})).toHaveLength(1);
  });
});

describe('schemaOk', () => {
  it('asks for the form that the tool promises, and for text where the answer is an error', () => {
    expect(part('schemaOk', stepOf(record))).toEqual({ sum: 1, n: 1 });
    const wrong = stepOf(record, { answer: written(shown({ id: 3 })) });
    expect(part('schemaOk', wrong)).toEqual({ sum: 0, n: 1 });
    const failing = shown({ kind: 'text', text: 'Error: no' }, { status: 'not_found' });
    expect(part('schemaOk', stepOf(failing))).toEqual({ sum: 1, n: 1 });
    expect(part('schemaOk', stepOf(record, { answer: written(shown({ id: 'W1' }, { status: 'conflict' })) }))).toEqual({
      sum: 0,
      n: 1,
    });
    expect(part('schemaOk', stepOf(record, { answer: written(record, { delta: '{' }) }))).toEqual({ sum: 0, n: 1 });
    expect(part('schemaOk', stepOf(record, { action: { raw: 'get' } }))).toEqual({ sum: 0, n: 0 });
    expect(part('schemaOk', stepOf(record, { action: { tool: 'put', args: {} } }))).toEqual({ sum: 0, n: 0 });
  });
});

describe('errorKindMatch', () => {
  it('counts where the twin fails', () => {
    const failing = shown({ kind: 'text', text: 'Error: no' }, { status: 'not_found' });
    expect(part('errorKindMatch', stepOf(record))).toEqual({ sum: 0, n: 0 });
    expect(part('errorKindMatch', stepOf(failing))).toEqual({ sum: 1, n: 1 });
    expect(part('errorKindMatch', stepOf(failing, { answer: written(failing, { status: 'conflict' }) }))).toEqual({
      sum: 0,
      n: 1,
    });
  });
});

describe('deltaF1', () => {
  it('counts missing and extra leaves, and splits changed from unchanged', () => {
    const half = written(change, { delta: '{"orders":{"W1":{"status":"gone"},"W2":{"total":1}}}' });
    expect(part('deltaF1', stepOf(change, { answer: half }))).toEqual({ sum: 0.5, n: 1 });
    expect(part('deltaF1Changed', stepOf(change, { answer: half }))).toEqual({ sum: 0.5, n: 1 });
    expect(part('deltaF1Unchanged', stepOf(change))).toEqual({ sum: 0, n: 0 });
    expect(part('deltaF1Unchanged', stepOf(record))).toEqual({ sum: 1, n: 1 });
    expect(part('deltaF1Unchanged', stepOf(record, { answer: written(change) }))).toEqual({ sum: 0, n: 1 });
    expect(part('deltaF1', stepOf(change, { answer: written(change, { status: '?' }) }))).toEqual({ sum: 0, n: 1 });
  });

  it('is symmetric, and 1 exactly for equal deltas', () => {
    const delta = fc.dictionary(
      fc.constantFrom('a', 'b'),
      fc.dictionary(fc.constantFrom('x', 'y'), fc.integer({ max: 2, min: 0 })),
    );
    fc.assert(
      fc.property(delta, delta, (a, b) => {
        const [one, other] = [leafScores(deltaLeaves(a, b)), leafScores(deltaLeaves(b, a))];
        expect(one.f1).toBe(other.f1);
        expect(one.precision).toBe(other.recall);
        expect(leafScores(deltaLeaves(a, a)).f1).toBe(1);
      }),
    );
  });
});

describe('leaves by path', () => {
  it('name records of a list by their first member, and others by their place', () => {
    expect(leavesOf([{ id: 'W1', n: { a: 1 } }, { id: 'W2' }]).map(({ path }) => path)).toEqual([
      '/@W1/id',
      '/@W1/n/a',
      '/@W2/id',
    ]);
    expect(leavesOf([{ id: 'W1' }, { id: 'W1' }]).map(({ path }) => path)).toEqual(['/0/id', '/1/id']);
    expect(leavesOf(['a/b', []]).map(({ path }) => path)).toEqual(['/0', '/1']);
    expect(leavesOf({})).toEqual([{ path: '', value: {} }]);
  });

  it('of a delta: what it creates', () => {
    const state = shop().state;
    expect(
      createdPaths(state, { orders: { W1: { total: 3, note: 'x' }, W4: { total: 1 }, W2: null }, log: { a: 1 } }),
    ).toEqual(['/orders/W1/note', '/orders/W4', '/log']);
  });
});

describe('hallucinated identifiers', () => {
  const visible = visibleText({ world: shop(), history: [] }, { raw: '' }, []);
  const makes = (id: string) => ({
    observation: `{"id":"${id}"}`,
    delta: `{"orders":{"${id}":{"total":1}}}`,
    status: 'ok',
  });
  const state = shop().state;

  it('may be made where the twin makes something, and nowhere else', () => {
    const truth = shown({ id: 'W4' }, { delta: { orders: { W4: { total: 1 } } } });
    expect(hallucinatedIds(visible, makes('W77'), truth, state)).toEqual({ named: 1, hallucinated: 0 });
    expect(hallucinatedIds(visible, makes('W77'), record, state)).toEqual({ named: 1, hallucinated: 1 });
    const elsewhere = { ...makes('W77'), delta: '{"log":{"W77":1}}' };
    expect(hallucinatedIds(visible, elsewhere, truth, state)).toEqual({ named: 1, hallucinated: 1 });
    expect(hallucinatedIds(visible, { ...makes('W77'), delta: '{}' }, truth, state).hallucinated).toBe(1);
    expect(hallucinatedIds(visible, { ...makes('W77'), delta: '{' }, truth, state).hallucinated).toBe(1);
  });

  it('may be made in any collection where nobody knows the truth, but not as a value', () => {
    expect(hallucinatedIds(visible, makes('W77'), null, state).hallucinated).toBe(0);
    const value = { observation: '{}', delta: '{"orders":{"W1":{"status":"Q8"}}}', status: 'ok' };
    expect(hallucinatedIds(visible, value, null, state)).toEqual({ named: 2, hallucinated: 1 });
  });

  it('are known from enums of the tools', () => {
    expect(hallucinatedIds(visible, { observation: 'Z9', delta: '{}', status: 'ok' }, null)).toEqual({
      named: 1,
      hallucinated: 0,
    });
  });
});

describe('content classes', () => {
  const seen = new Set(['W1']);
  it.each<[string, Json, Json | undefined, string]>([
    ['a number', 40, undefined, 'numeric'],
    ['a known identifier', 'W1', undefined, 'objective'],
    ['an identifier from nowhere', 'tk-91', undefined, 'generatedId'],
    ['a date', '2026-12-02', undefined, 'timestamp'],
    ['a time by its schema', 'noon', { format: 'time' }, 'timestamp'],
    ['one of a list', 'a b c d', { enum: ['a b c d'] }, 'objective'],
    ['a sentence', 'not in the shop today', undefined, 'freeText'],
    ['a truth value', true, undefined, 'objective'],
  ])('%s', (_, value, schema, expected) => {
    expect(contentClass(value, schema, seen)).toBe(expected);
  });

  it('have measures of their own', () => {
    expect(contentMatch('numeric', 100, 110)).toBe(1);
    expect(contentMatch('numeric', 100, 111)).toBe(0);
    expect(contentMatch('numeric', 100, '100')).toBe(0);
    expect(contentMatch('generatedId', 'tk-91', 'ab-17')).toBe(1);
    expect(contentMatch('generatedId', 'tk-91', 'AB-17')).toBe(0);
    expect(contentMatch('timestamp', '10:30', '11:45')).toBe(1);
    expect(contentMatch('objective', 'paid', 'Paid')).toBe(0);
    expect(contentMatch('freeText', 'the red book', 'the blue book')).toBeCloseTo(2 / 3, 12);
  });

  it('count true leaves by class and extra ones apart', () => {
    const truth = shown({ id: 'W1', total: 40, note: 'left at the door' });
    const answer = written(shown({ id: 'W2', total: 41, extra: 1 }));
    const step = stepOf(truth, { answer });
    expect(contentCounts(step)).toMatchObject({
      objective: { sum: 0, n: 1 },
      numeric: { sum: 1, n: 1 },
      freeText: { sum: 0, n: 1 },
      extra: 1,
    });
    expect(part('contentScore', step)).toEqual({ sum: 1, n: 4 });
    expect(part('contentNumeric', step)).toEqual({ sum: 1, n: 1 });
    const broken = stepOf(truth, { answer: written(truth, { delta: '{' }) });
    expect(part('contentScore', broken)).toEqual({ sum: 0, n: 3 });
    expect(part('contentScore', stepOf(truth))).toEqual({ sum: 3, n: 3 });
  });
});

describe('conservation', () => {
  const move = shown({}, { delta: { orders: { W1: { total: 35 }, W2: { total: 12 } } } });
  it('is asked where the true delta moves something between records', () => {
    expect(conservedFields(shop().state, move.delta)).toEqual([{ collection: 'orders', field: 'total' }]);
    expect(part('conservation', stepOf(move))).toEqual({ sum: 1, n: 1 });
    const lost = written(move, { delta: '{"orders":{"W1":{"total":35}}}' });
    expect(part('conservation', stepOf(move, { answer: lost }))).toEqual({ sum: 0, n: 1 });
    const other = written(move, { delta: '{"orders":{"W1":{"total":30},"W2":{"total":17}}}' });
    expect(part('conservation', stepOf(move, { answer: other }))).toEqual({ sum: 1, n: 1 });
    expect(part('conservation', stepOf(change))).toEqual({ sum: 0, n: 0 });
  });
});
