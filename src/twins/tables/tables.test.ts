import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Action, Rule, State } from '../../world/types';
import { stepProgram } from '../kit/step';
import { tables } from '.';
import { RULES } from './rules';
import { matches, parseWhere, type Columns } from './where';

const COLUMNS: Columns = new Map([
  ['item', 'text'],
  ['price', 'number'],
  ['qty', 'number'],
]);
const TYPES = { item: { type: 'text' }, price: { type: 'number' }, qty: { type: 'number' } };
const STATE: State = {
  columns: TYPES,
  rows: {
    K7: { item: 'mug', price: 5, qty: 12 },
    K8: { item: 'lamp', price: 30, qty: 4 },
    K9: { item: 'rope', price: 12, qty: 4 },
  },
  views: { few: { where: 'qty < 10' }, bad: { where: 'qty <' } },
  next: 'K10',
};
const PROGRAM = tables.program({ columns: TYPES });

function rule(id: string, params: Rule['params']): Rule {
  return { id, params, enabled: true, text: RULES.find((def) => def.id === id)?.text(params) ?? '' };
}

function call(tool: string, args: Extract<Action, { tool: string }>['args'], rules: Rule[] = []) {
  const { observation, delta, status } = stepProgram(PROGRAM, STATE, rules, { tool, args }, []);
  return { answer: observation.kind === 'json' ? observation.value : observation.text, delta, status };
}

describe('parseWhere', () => {
  test.each([
    ['price > 20', ['K8']],
    ['price>=12', ['K8', 'K9']],
    ['price <= 12 and qty = 4', ['K9']],
    ['item != mug', ['K8', 'K9']],
    ['id = K7', ['K7']],
    ['price < -1', []],
  ])('%s', (text, ids) => {
    const parsed = parseWhere(text, COLUMNS);
    const conditions = parsed.ok ? parsed.conditions : [];
    const rows = Object.entries(STATE.rows as Record<string, never>);
    expect(parsed.ok).toBe(true);
    expect(rows.filter(([id, row]) => matches(id, row, conditions)).map(([id]) => id)).toEqual(ids);
  });

  test.each([
    ['', 'expected a column at 0'],
    ['cost > 3', 'expected a column at 0'],
    ['  prize > 3', 'expected a column at 2'],
    ['price', 'expected an operator at 5'],
    ['price 20', 'expected an operator at 6'],
    ['price => 20', 'expected an operator at 6'],
    ['item < mug', 'expected = or != at 5'],
    ['price > x', 'expected a number at 8'],
    ['price > 12345', 'expected a number at 8'],
    ['price > ', 'expected a number at 8'],
    ['price > 5.5', 'expected and at 9'],
    ['item = ', 'expected a word at 7'],
    ['price > 5 or qty = 4', 'expected and at 10'],
    ['price > 5 and', 'expected a column at 13'],
    ['price > 5 and qty', 'expected an operator at 17'],
  ])('"%s": %s', (text, error) => {
    expect(parseWhere(text, COLUMNS)).toEqual({ ok: false, error });
  });

  test('any text gives conditions or a place inside it', () => {
    const part = fc.constantFrom('price', 'item', 'id', '<', '>=', '=', '!=', '20', 'mug', 'and', ' ', '-', '"');
    const texts = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.array(part).map((all) => all.join(' ')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const parsed = parseWhere(text, COLUMNS);
        if (parsed.ok) return parsed.conditions.length > 0;
        const at = Number(/^expected .+ at (\d+)$/.exec(parsed.error)?.[1]);
        return at >= 0 && at <= text.length && text.charAt(at) !== ' ';
      }),
      { numRuns: 2000 },
    );
  });

  test('any text in any tool gets an answer', () => {
    const tool = fc.constantFrom('select', 'aggregate', 'update', 'delete', 'save_view');
    const texts = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('__proto__', 'few', 'bad'));
    fc.assert(
      fc.property(tool, texts, (name, where) => {
        const needed = Object.keys(PROGRAM.tools.find((def) => def.name === name)?.input ?? {});
        const all = { column: 'qty', fn: 'count', value: '1', name: 'x', where };
        const args = Object.fromEntries(Object.entries(all).filter(([arg]) => needed.includes(arg)));
        expect(['ok', 'syntax', 'invalid_args']).toContain(call(name, args).status);
      }),
      { numRuns: 1000 },
    );
  });

  test('what it reads, written again, reads the same', () => {
    const number = fc.record({
      column: fc.constantFrom('price', 'qty'),
      operator: fc.constantFrom('=', '!=', '<', '<=', '>', '>='),
      value: fc.integer({ min: -9999, max: 9999 }),
    });
    const text = fc.record({
      column: fc.constantFrom('item', 'id'),
      operator: fc.constantFrom('=', '!='),
      value: fc.stringMatching(/^\w[\w-]{0,8}$/),
    });
    const gap = fc.constantFrom(' ', '  ');
    fc.assert(
      fc.property(fc.array(fc.oneof(number, text), { minLength: 1, maxLength: 4 }), gap, (conditions, space) => {
        const written = conditions.map(({ column, operator, value }) => [column, operator, value].join(space));
        expect(parseWhere(written.join(' and '), COLUMNS)).toEqual({ ok: true, conditions });
      }),
    );
  });
});

describe('tables', () => {
  test('looks', () => {
    expect(call('select', { column: 'price', where: 'few' }).answer).toEqual([
      { id: 'K8', price: 30 },
      { id: 'K9', price: 12 },
    ]);
    expect(call('top', { column: 'qty', n: 2 }).answer).toEqual([
      { id: 'K7', qty: 12 },
      { id: 'K8', qty: 4 },
    ]);
    expect(call('aggregate', { fn: 'sum', column: 'price', where: 'qty = 4' }).answer).toEqual({ value: 42 });
    expect(call('aggregate', { fn: 'min', column: 'price', where: 'qty > 50' }).status).toBe('no_rows');
    expect(call('aggregate', { fn: 'sum', column: 'item' }).answer).toBe('Error: item is text');
    expect(call('select', { column: 'price', where: 'bad' })).toMatchObject({
      answer: 'Error: expected a number at 5',
      status: 'syntax',
    });
  });

  test('changes', () => {
    expect(call('update', { where: 'few', column: 'price', value: '-2' })).toEqual({
      answer: { updated: 2 },
      delta: { rows: { K8: { price: 28 }, K9: { price: 10 } } },
      status: 'ok',
    });
    expect(call('update', { where: 'id = K7', column: 'qty', value: '0' }).delta).toEqual({ rows: { K7: { qty: 0 } } });
    expect(call('update', { where: 'few', column: 'qty', value: 'ten' }).answer).toBe('Error: qty is a number');
    expect(call('insert', { qty: 1, price: 2, item: 'fan' }).delta).toEqual({
      rows: { K10: { item: 'fan', price: 2, qty: 1 } },
      next: 'K11',
    });
    expect(call('delete', { where: 'price < 20' }).delta).toEqual({ rows: { K7: null, K9: null } });
    expect(call('save_view', { name: 'bad', where: 'qty < 5' }).delta).toEqual({
      views: { bad: { where: 'qty < 5' } },
    });
    expect(call('save_view', { name: 'x', where: 'few' }).status).toBe('syntax');
  });

  test.each<[string, Rule['params'], string, Extract<Action, { tool: string }>['args'], string]>([
    [
      'range',
      { column: 'qty', low: 3, high: 12 },
      'update',
      { where: 'few', column: 'qty', value: '-2' },
      'out_of_range',
    ],
    ['range', { column: 'qty', low: 3, high: 12 }, 'update', { where: 'few', column: 'qty', value: '+8' }, 'ok'],
    ['unique', { column: 'item' }, 'update', { where: 'few', column: 'item', value: 'cup' }, 'duplicate'],
    ['unique', { column: 'item' }, 'update', { where: 'id = K7', column: 'item', value: 'cup' }, 'ok'],
    ['unique', { column: 'item' }, 'insert', { item: 'rope', price: 1, qty: 1 }, 'duplicate'],
    ['max_rows', { max: 3 }, 'insert', { item: 'cup', price: 1, qty: 1 }, 'full'],
    ['at_once', { max: 1 }, 'delete', { where: 'few' }, 'too_many'],
    ['keep', { column: 'qty', value: '4' }, 'delete', { where: 'id = K9' }, 'not_allowed'],
    ['read_only', { column: 'qty' }, 'update', { where: 'few', column: 'qty', value: '1' }, 'read_only'],
    ['max_views', { max: 2 }, 'save_view', { name: 'x', where: 'qty = 4' }, 'full'],
    ['max_views', { max: 2 }, 'save_view', { name: 'few', where: 'qty = 4' }, 'ok'],
  ])('rule %s %j: %s%j %s', (id, params, tool, args, status) => {
    expect(call(tool, args, [rule(id, params)]).status).toBe(status);
    expect(call(tool, args).status).toBe('ok');
  });

  test('a limit on what select shows', () => {
    expect(call('select', { column: 'qty' }, [rule('shown', { max: 1 })]).answer).toEqual([{ id: 'K7', qty: 12 }]);
  });
});
