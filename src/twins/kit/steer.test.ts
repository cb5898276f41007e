import { describe, expect, test } from 'vitest';
import type { Directive, State } from '../../world/types';
import { errorAnswer, listAnswer, notFound, recordAnswer, textAnswer, type Answer } from './answer';
import { listOf, TEXT } from './schema';
import { stepProgram } from './step';
import { record, records, type Program } from './types';

const STATE: State = {
  items: { A1: { n: 2, tag: 'x' }, B2: { n: 3, tag: 'y' }, C3: { n: 4, tag: 'z' } },
  agent: { place: 'yard' },
  count: 3,
};

/** One tool of each shape, one that changes something, one that fails. */
const tool = (name: string, readOnly: boolean, apply: (state: State, id: string) => Answer) => ({
  name,
  description: '',
  input: { id: { type: 'string', from: 'items' } as const },
  output: TEXT,
  of: 'items',
  readOnly,
  apply: ({ state, args }: { state: State; args: { [arg: string]: unknown } }) => apply(state, String(args.id)),
});
const PROGRAM: Program = {
  rules: [],
  tools: [
    tool('get', true, (state, id) => {
      const item = record(state, 'items', id);
      return item ? recordAnswer({ id, n: item.n ?? 0 }) : notFound(id);
    }),
    {
      ...tool('list', true, (state) => listAnswer(Object.keys(records(state, 'items')).map((id) => ({ id })))),
      output: listOf('id'),
    },
    tool('ids', true, (state) => listAnswer(Object.keys(records(state, 'items')))),
    tool('where', true, (state) =>
      textAnswer(['one', 'two', 'three'], {}, [String(record(state, 'agent', 'x') ?? state.count)]),
    ),
    tool('set', false, (_, id) => recordAnswer({ id, n: 9 }, { items: { [id]: { n: 9 } } })),
    tool('full', false, () => errorAnswer('full', 'no room')),
  ],
};

const step = (name: string, directives: Directive[], id = 'A1', start: State = STATE) =>
  stepProgram(PROGRAM, STATE, [], { tool: name, args: { id } }, directives, start);
const value = (name: string, directives: Directive[], id = 'A1', start: State = STATE) => {
  const { observation } = step(name, directives, id, start);
  return observation.kind === 'json' ? observation.value : observation.text;
};
const empty: Directive = { kind: 'empty' };
const terse: Directive = { kind: 'terse' };
const verbose: Directive = { kind: 'verbose' };
const scarce: Directive = { kind: 'scarce' };
const stale: Directive = { kind: 'stale' };
const misleading: Directive = { kind: 'misleading' };
const partial = (n: number): Directive => ({ kind: 'partial', n });

describe('steer', () => {
  test.each<[string, string, Directive[], unknown]>([
    ['a record as it is', 'get', [], { id: 'A1', n: 2 }],
    ['a text as it is', 'where', [], 'one\ntwo\nthree'],
    ['empty record', 'get', [empty], {}],
    ['empty list', 'list', [empty], []],
    ['empty text', 'where', [empty], ''],
    ['partial record', 'get', [partial(1)], { id: 'A1' }],
    ['partial list', 'list', [partial(2)], [{ id: 'A1' }, { id: 'B2' }]],
    ['partial text', 'where', [partial(2)], 'one\ntwo'],
    ['partial beyond the end', 'ids', [partial(9)], ['A1', 'B2', 'C3']],
    ['terse record', 'get', [terse], { id: 'A1' }],
    ['terse list', 'list', [terse], [{ id: 'A1' }, { id: 'B2' }, { id: 'C3' }]],
    ['terse text', 'where', [terse], 'one'],
    ['terse and partial', 'list', [terse, partial(1)], [{ id: 'A1' }]],
    ['empty before partial', 'list', [partial(2), empty], []],
    ['empty before terse', 'where', [terse, empty], ''],
    ['verbose record', 'get', [verbose], { id: 'A1', n: 2, tag: 'x' }],
    ['verbose receipt shows the state after', 'set', [verbose], { id: 'A1', n: 9, tag: 'x' }],
    [
      'verbose list: the first two',
      'list',
      [verbose],
      [{ id: 'A1', n: 2, tag: 'x' }, { id: 'B2', n: 3, tag: 'y' }, { id: 'C3' }],
    ],
    ['verbose text', 'where', [verbose], 'one\ntwo\nthree\n3'],
    ['terse wins over verbose', 'where', [verbose, terse], 'one'],
    ['empty verbose', 'get', [verbose, empty], {}],
    ['partial verbose', 'get', [verbose, partial(2)], { id: 'A1', n: 2 }],
    ['scarce list', 'ids', [scarce], ['A1', 'B2']],
    ['misleading look-up', 'get', [misleading], { id: 'B2', n: 3 }],
    ['misleading and scarce: the last is gone', 'get', [misleading, scarce], { id: 'B2', n: 3 }],
  ])('%s', (_, name, directives, shown) => {
    expect(value(name, directives)).toEqual(shown);
  });

  test('scarce touches collections only, and look-ups only', () => {
    expect(step('get', [scarce], 'C3')).toMatchObject({ status: 'not_found', delta: {} });
    expect(value('where', [scarce, verbose])).toBe('one\ntwo\nthree\n3');
    expect(step('set', [scarce], 'C3')).toEqual(step('set', [], 'C3'));
  });

  test('stale answers from the start of the visible context; changes are made on the state of now', () => {
    const start: State = { items: { A1: { n: 7, tag: 'old' } } };
    expect(value('get', [stale], 'A1', start)).toEqual({ id: 'A1', n: 7 });
    expect(value('get', [stale, verbose], 'A1', start)).toEqual({ id: 'A1', n: 7, tag: 'old' });
    expect(step('get', [stale], 'B2', start).status).toBe('not_found');
    expect(step('set', [stale, verbose], 'A1', start)).toEqual(step('set', [verbose]));
  });

  test('misleading: after the last record comes the first, unknown ids stay, changes are not made', () => {
    expect(value('get', [misleading], 'C3')).toEqual({ id: 'A1', n: 2 });
    expect(step('get', [misleading], 'zz')).toEqual(step('get', [], 'zz'));
    expect(step('set', [misleading])).toEqual({ ...step('set', []), delta: {} });
    expect(step('set', []).delta).toEqual({ items: { A1: { n: 9 } } });
  });

  test('showing less changes no less', () => {
    for (const directive of [empty, terse, verbose, partial(1)])
      expect(step('set', [directive])).toMatchObject({ delta: { items: { A1: { n: 9 } } }, status: 'ok' });
  });

  test('fail comes first and the call is not executed, whatever it is', () => {
    const failed = { observation: { kind: 'text', text: 'Error: timeout' }, delta: {}, status: 'timeout' };
    for (const name of ['set', 'get', 'no_such_tool'])
      expect(step(name, [empty, { kind: 'fail', code: 'timeout' }, misleading])).toEqual(failed);
  });

  test('errors of their own are not touched', () => {
    const plain = { observation: { kind: 'text', text: 'Error: no room' }, delta: {}, status: 'full' };
    for (const directives of [[], [empty], [terse], [verbose], [partial(1)], [misleading]])
      expect(step('full', directives)).toEqual(plain);
  });
});
