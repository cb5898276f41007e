import { Ajv2020 } from 'ajv/dist/2020';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../world/json';
import type { Action, Rule, State } from '../../world/types';
import { checkArgs, inputSchema } from './args';
import { textAnswer } from './answer';
import { TINY } from './fixture';
import { stepProgram } from './step';
import { freshId } from './ids';
import { TEXT } from './schema';
import { record, records, type ToolDef } from './types';

const STATE: State = { items: { a: { n: 3 }, b: { n: 7 } } };
const most = (max: number | string, enabled = true): Rule => ({ id: 'most', text: '', enabled, params: { max } });
const step = (action: Action, rules: Rule[] = [], state: State = STATE) => stepProgram(TINY, state, rules, action, []);
const set = (id: Json, n: Json): Action => ({ tool: 'set', args: { id, n } });
const nested = (depth: number): JsonObject => {
  let value: JsonObject = {};
  for (let i = 0; i < depth; i++) value = { a: value };
  return value;
};

describe('stepProgram', () => {
  test('a delta is what changed and nothing else', () => {
    expect(step(set('a', 5)).delta).toEqual({ items: { a: { n: 5 } } });
    expect(step(set('a', 3))).toMatchObject({ delta: {}, status: 'ok' });
  });

  test.each<[string, Action, string, string]>([
    ['no call', { raw: 'help' }, 'malformed', 'Error: malformed call'],
    ['broken JSON', { raw: 'set{"id"' }, 'malformed', 'Error: malformed call'],
    ['a list of arguments', { raw: 'set[1]' }, 'malformed', 'Error: malformed call'],
    ['nested too deep', { tool: 'set', args: nested(50_000) }, 'malformed', 'Error: malformed call'],
    ['an unknown tool', { tool: 'drop', args: {} }, 'unknown_tool', 'Error: unknown tool drop'],
    ['a long tool name', { tool: 'x'.repeat(99), args: {} }, 'unknown_tool', 'Error: unknown tool'],
    ['a name of Object.prototype', { tool: 'toString', args: {} }, 'unknown_tool', 'Error: unknown tool toString'],
    ['a missing argument', { tool: 'set', args: { id: 'a' } }, 'invalid_args', 'Error: missing n'],
    ['a wrong type', set('a', '5'), 'invalid_args', 'Error: invalid n'],
    ['a fraction', set('a', 0.5), 'invalid_args', 'Error: invalid n'],
    ['out of range', set('a', 51), 'invalid_args', 'Error: invalid n'],
    ['not finite', set('a', NaN), 'invalid_args', 'Error: invalid n'],
    ['an empty text', set('', 5), 'invalid_args', 'Error: invalid id'],
    ['too long a text', set('x'.repeat(41), 5), 'invalid_args', 'Error: invalid id'],
    ['one argument more', { tool: 'set', args: { id: 'a', n: 5, x: 1 } }, 'invalid_args', 'Error: unexpected x'],
    ['no such id', set('zz', 5), 'not_found', 'Error: zz not found'],
    ['a key of Object.prototype', set('constructor', 5), 'not_found', 'Error: constructor not found'],
    ['__proto__', set('__proto__', 5), 'not_found', 'Error: __proto__ not found'],
  ])('%s', (_, action, status, text) => {
    expect(step(action)).toEqual({ observation: { kind: 'text', text }, delta: {}, status });
  });

  test('rules bite while they are switched on, and say their parameters', () => {
    const refused = { observation: { kind: 'text', text: 'Error: n is at most 4' }, delta: {}, status: 'too_high' };
    expect(step(set('a', 5), [most(4)])).toEqual(refused);
    expect(step(set('a', 4), [most(4)]).status).toBe('ok');
    expect(step(set('a', 5), [most(4, false)]).status).toBe('ok');
    expect(step(set('a', 5), [most(4, false), most(9), most(4)])).toEqual(refused);
  });

  test('a parameter means what its sentence shows, whatever its type', () => {
    for (const n of [4, 5]) expect(step(set('a', n), [most('4')])).toEqual(step(set('a', n), [most(4)]));
  });

  test('a rule that forbids nothing is read by its parameters', () => {
    const seen: unknown[] = [];
    const look: ToolDef = {
      name: 'look',
      description: '',
      input: {},
      output: TEXT,
      readOnly: true,
      apply: (call) => textAnswer([JSON.stringify(call.rule('most') ?? null)]),
    };
    for (const rules of [[most(4)], [most(4, false)], [most(4, false), most(7)], []]) {
      const { observation } = stepProgram({ ...TINY, tools: [look] }, STATE, rules, { tool: 'look', args: {} }, []);
      seen.push(observation.kind === 'text' && observation.text);
    }
    expect(seen).toEqual(['{"max":"4"}', 'null', '{"max":"7"}', 'null']);
  });

  test('a number a state cannot hold is refused', () => {
    expect(step({ tool: 'sum', args: {} }, [], { ...STATE, x: 'text' })).toMatchObject({
      delta: {},
      status: 'invalid_state',
    });
    expect(step({ tool: 'sum', args: {} }, [], { ...STATE, x: 4 })).toMatchObject({ status: 'ok' });
  });
});

describe('arguments', () => {
  const tool: ToolDef = {
    name: 't',
    description: '',
    readOnly: true,
    input: {
      id: { type: 'string', maxLength: 3 },
      kind: { type: 'string', enum: ['x', 'y'] },
      n: { type: 'integer', min: 2, optional: true },
    },
    output: TEXT,
    apply: () => textAnswer([]),
  };
  const ajv = new Ajv2020({ strict: false });
  const valid = ajv.compile(inputSchema(tool.input));

  test('the check and the published schema agree', () => {
    const values: (Json | undefined)[] = [undefined, 'x', 'abcd', '', 1, 2, 9999, 10000, 2.5, true, null, [], {}];
    for (const id of values)
      for (const kind of values)
        for (const n of values) {
          const args: JsonObject = {};
          for (const [name, value] of Object.entries({ id, kind, n })) if (value !== undefined) args[name] = value;
          expect(checkArgs(tool, args) === undefined, JSON.stringify(args)).toBe(valid(args));
        }
    expect(valid({ id: 'a', kind: 'x', other: 1 })).toBe(false);
    expect(checkArgs(tool, { id: 'a', kind: 'x', other: 1 })).toMatchObject({ message: 'unexpected other' });
  });

  test('the first fault in the order of the schema is named', () => {
    expect(checkArgs(tool, { kind: 'z', n: 1 })).toMatchObject({ message: 'missing id' });
    expect(checkArgs(tool, { n: 1, kind: 'z', id: 'a' })).toMatchObject({ message: 'invalid kind' });
  });
});

describe('records', () => {
  test('only what is a record of scalars', () => {
    const state = { items: { a: { n: 1, deep: { x: 1 } }, b: 'text' }, n: 3 };
    expect(records(state, 'items')).toEqual({ a: { n: 1 } });
    expect(record(state, 'items', 'a')).toEqual({ n: 1 });
    for (const id of ['b', 'zz', '__proto__', 'toString', undefined])
      expect(record(state, 'items', id)).toBeUndefined();
    for (const name of ['n', 'zz', '__proto__']) {
      expect(records(state, name)).toEqual({});
      expect(record(state, name, 'a')).toBeUndefined();
    }
  });

  test('the id after one', () => {
    expect(freshId('W9')).toBe('W10');
    expect(freshId('Q7-99')).toBe('Q7-100');
    expect(freshId('x')).toBe('x');
  });
});
