import { describe, expect, test } from 'vitest';
import type { Directive } from '../../world/types';
import { echo, errorAnswer, listAnswer, notFound, recordAnswer, steer, textAnswer, type Answer } from './answer';

const record = () => recordAnswer({ id: 'A1', n: 2, tag: 'x' }, { items: { A1: { n: 2 } } });
const list = () => listAnswer([{ id: 'A1', n: 2 }, 'B2', { id: 'C3', n: 4 }]);
const text = () => textAnswer(['one', 'two', 'three']);
const empty: Directive = { kind: 'empty' };
const terse: Directive = { kind: 'terse' };
const partial = (n: number): Directive => ({ kind: 'partial', n });
const value = (answer: () => Answer, ...directives: Directive[]) => {
  const { observation } = steer(answer, directives);
  return observation.kind === 'json' ? observation.value : observation.text;
};

describe('steer', () => {
  test('without directives the answer is shown whole', () => {
    expect(steer(record, [])).toEqual({
      observation: { kind: 'json', value: { id: 'A1', n: 2, tag: 'x' } },
      delta: { items: { A1: { n: 2 } } },
      status: 'ok',
    });
    expect(value(text)).toBe('one\ntwo\nthree');
  });

  test.each<[string, () => Answer, Directive[], unknown]>([
    ['empty record', record, [empty], {}],
    ['empty list', list, [empty], []],
    ['empty text', text, [empty], ''],
    ['partial record', record, [partial(2)], { id: 'A1', n: 2 }],
    ['partial list', list, [partial(2)], [{ id: 'A1', n: 2 }, 'B2']],
    ['partial text', text, [partial(2)], 'one\ntwo'],
    ['partial beyond the end', list, [partial(9)], [{ id: 'A1', n: 2 }, 'B2', { id: 'C3', n: 4 }]],
    ['terse record', record, [terse], { id: 'A1' }],
    ['terse list', list, [terse], [{ id: 'A1' }, 'B2', { id: 'C3' }]],
    ['terse text', text, [terse], 'one'],
    ['terse and partial', list, [terse, partial(1)], [{ id: 'A1' }]],
    ['empty before partial', list, [partial(2), empty], []],
    ['empty before terse', text, [terse, empty], ''],
  ])('%s', (_, answer, directives, shown) => {
    expect(value(answer, ...directives)).toEqual(shown);
  });

  test('showing less changes no less', () => {
    for (const directive of [empty, terse, partial(1)]) {
      expect(steer(record, [directive])).toMatchObject({ delta: { items: { A1: { n: 2 } } }, status: 'ok' });
    }
  });

  test('fail comes first and the call is not executed', () => {
    let executed = false;
    const answer = () => {
      executed = true;
      return record();
    };
    expect(steer(answer, [empty, { kind: 'fail', code: 'timeout' }, terse])).toEqual({
      observation: { kind: 'text', text: 'Error: timeout' },
      delta: {},
      status: 'timeout',
    });
    expect(executed).toBe(false);
  });

  test('errors of their own are not touched', () => {
    const plain = steer(() => errorAnswer('full', 'no room'), []);
    expect(plain).toEqual({ observation: { kind: 'text', text: 'Error: no room' }, delta: {}, status: 'full' });
    expect(steer(() => errorAnswer('full', 'no room'), [empty, terse, partial(1)])).toEqual(plain);
  });
});

describe('echo', () => {
  test('repeats what is short and plain only', () => {
    expect(echo('W17')).toBe('W17');
    expect(echo('a'.repeat(24))).toBe('a'.repeat(24));
    for (const long of ['a'.repeat(25), 'two words', '\u00e9', '', '\ud800', 'a\nb']) expect(echo(long)).toBe('');
    expect(notFound('W17')).toEqual({ shape: 'error', code: 'not_found', message: 'W17 not found' });
    expect(notFound('two words')).toEqual({ shape: 'error', code: 'not_found', message: 'not found' });
  });
});
