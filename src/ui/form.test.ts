import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { callText } from '../world/codec/text';
import { exampleWorld } from './example.fixture';
import { argsOf, exampleValues, fieldsOf, fitsForm, idsIn, rawAction, valuesOf } from './form';

const world = exampleWorld();
const [cancel] = world.tools;
if (!cancel) throw new Error('the fixture has a tool');
const fields = fieldsOf(cancel.inputSchema);

describe('a form from a schema', () => {
  test('each type has its input', () => {
    expect(fields.map(({ name, kind, required }) => [name, kind, required])).toEqual([
      ['id', 'text', true],
      ['reason', 'select', true],
      ['days', 'number', false],
      ['notify', 'checkbox', false],
      ['extra', 'json', false],
    ]);
  });

  test('the example is a valid call with an id that exists, and optional arguments are left out', () => {
    const { args, problems } = argsOf(fields, exampleValues(fields, world.state));
    expect(args).toEqual({ id: 'W17', reason: 'damaged' });
    expect(problems).toEqual({});
  });

  test('ids come from the collection the schema names, otherwise from all of them', () => {
    expect(idsIn(world.state, 'orders')).toEqual(['W17', 'W20']);
    expect(idsIn(world.state)).toEqual(['W17', 'W20', 'ada']);
    expect(idsIn(world.state, 'nothing')).toEqual(['W17', 'W20', 'ada']);
  });

  test('wrong input is sent as it is, with a hint', () => {
    const { args, problems } = argsOf(fields, { id: '', reason: 'bored', days: '99', extra: '{' });
    expect(args).toEqual({ id: '', reason: 'bored', days: 99, extra: '{' });
    expect(Object.keys(problems)).toEqual(['id', 'reason', 'days', 'extra']);
    expect(argsOf(fields, { days: 'many' }).args).toEqual({ days: 'many' });
    expect(argsOf(fields, { days: '1.5' }).problems['days']).toContain('whole');
    expect(argsOf(fields, {}).problems).toHaveProperty('id');
  });

  test('arguments go into the form and come out the same', () => {
    const one = fc.record(
      {
        id: fc.string(),
        reason: fc.constantFrom('damaged', 'late'),
        days: fc.integer(),
        notify: fc.boolean(),
        extra: fc.dictionary(fc.string(), fc.integer()),
      },
      { requiredKeys: ['id', 'reason'] },
    );
    fc.assert(
      fc.property(one, (args) => {
        const read = argsOf(fields, valuesOf(fields, args)).args;
        expect(JSON.parse(JSON.stringify(read))).toEqual(JSON.parse(JSON.stringify(args)));
      }),
    );
  });

  test('what the form cannot show without loss is told apart', () => {
    const fits = (args: object) => fitsForm(world.tools, { tool: 'cancel_order', args: args as never });
    expect(fits({ id: 'W17', reason: 'late' })).toBe(true);
    expect(fits({ id: 'W17', other: 1 })).toBe(false);
    expect(fits({ id: 17, reason: 'late' })).toBe(false);
    expect(fitsForm(world.tools, { tool: 'nothing', args: {} })).toBe(false);
    expect(fitsForm(world.tools, { raw: 'x' })).toBe(false);
  });
});

describe('raw text', () => {
  test('keeps every character that a model reads', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(callText(rawAction(text))).toBe(text);
      }),
    );
    for (const text of ['cancel_order{"id":"W17"}', 'cancel_order{ "id": "W17" }', 'cancel_order(W17)', '{', '']) {
      expect(callText(rawAction(text))).toBe(text);
    }
  });

  test('a call in canonical spelling is a call, anything else stays raw', () => {
    expect(rawAction('cancel_order{"id":"W17"}')).toEqual({ tool: 'cancel_order', args: { id: 'W17' } });
    expect(rawAction('cancel_order{ "id":"W17"}')).toEqual({ raw: 'cancel_order{ "id":"W17"}' });
    expect(rawAction('please cancel')).toEqual({ raw: 'please cancel' });
  });
});
