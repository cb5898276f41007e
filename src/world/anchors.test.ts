/** Pins: what holds, what contradicts itself, and skeletons whose tokens are those of the whole answer. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadTokenizer, type BpeTokenizer } from '../models/tokenizer';
import { pathInSchema, pinFrom, pinHolds, pinProblem, slotValue, wholeText, type Pin } from './anchors';
import { pointerKey } from './checks';
import { answerText, codecJson } from './codec';
import { clone, isObject, type Json, type JsonObject } from './json';
import { leadingPins, skeletonOf } from './skeleton';
import { SLOTS, type SlotTexts, type Transition } from './types';

let tokenizer: BpeTokenizer;
beforeAll(async () => {
  const path = new URL('../../test/fixtures/micro/mdlm/tokenizer.json', import.meta.url);
  tokenizer = await loadTokenizer(readFileSync(path, 'utf8'));
});

const key = fc.oneof(
  fc.constantFrom('id', 'status', 'a b', '"', '{x', 'é', 'total', '~/'),
  fc.string({ minLength: 1 }),
);
const scalar = fc.oneof(fc.constantFrom('open', 'W17', '', '"', '12'), fc.string(), fc.integer(), fc.boolean());
const { object } = fc.letrec<{ value: Json; object: JsonObject }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, scalar, tie('object'), fc.array(scalar, { maxLength: 2 })) as fc.Arbitrary<Json>,
  object: fc
    .dictionary(key, tie('value'), { minKeys: 1, maxKeys: 4, noNullPrototype: true })
    .map((value) => clone(value as JsonObject)),
}));

function pointers(value: Json, at = ''): string[] {
  if (!isObject(value)) return at === '' ? [] : [at];
  return [
    ...(at === '' ? [] : [at]),
    ...Object.entries(value).flatMap(([k, v]) => pointers(v, `${at}/${pointerKey(k)}`)),
  ];
}

const textsOf = (observation: JsonObject, delta: JsonObject = {}): SlotTexts =>
  answerText({ observation: { kind: 'json', value: observation }, delta, status: 'ok' });

describe('pins', () => {
  it('of an answer hold in it, and no more when the value is another', () => {
    fc.assert(
      fc.property(object, fc.nat(), (value, n) => {
        const all = pointers(value);
        const pin = pinFrom('observation', value, all[n % all.length] as string) as Pin;
        expect(pinProblem([pin])).toBeNull();
        expect(pinHolds(pin, textsOf(value))).toBe(true);
        expect(pinHolds({ ...pin, value: { other: 1 } }, textsOf(value))).toBe(false);
        expect(pinHolds({ ...pin, slot: 'delta' }, textsOf({}, {}))).toBe(false);
        expect(pinHolds(pin, { ...textsOf(value), observation: '{"' })).toBe(false);
        const whole: Pin = { slot: 'observation', pointer: '', value };
        expect(pinHolds(whole, { ...textsOf(value), observation: wholeText(whole) })).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it('of whole slots: texts, deltas and codes', () => {
    const text: Pin = { slot: 'observation', pointer: '', value: '{not json' };
    expect(wholeText(text)).toBe(' {not json');
    expect(pinHolds(text, { observation: ' {not json', delta: '{}', status: 'ok' })).toBe(true);
    expect(pinHolds({ slot: 'status', pointer: '', value: 'ok' }, textsOf({}))).toBe(true);
    const delta: Pin = { slot: 'delta', pointer: '', value: { a: { b: 1 } } };
    expect(pinHolds(delta, { observation: '', delta: '{"a":{"b":1}}', status: '' })).toBe(true);
    expect(pinHolds(delta, { observation: '', delta: '{"a":{"b":1,"c":2}}', status: '' })).toBe(false);
    expect(pinFrom('delta', { a: 1 }, '/b')).toBeNull();
    const transition: Transition = { observation: { kind: 'text', text: ' {x' }, delta: { a: 1 }, status: 'gone' };
    const pins = SLOTS.map((slot) => pinFrom(slot, slotValue(transition, slot), '') as Pin);
    expect(pinProblem(pins)).toBeNull();
    expect(pins.every((pin) => pinHolds(pin, answerText(transition)))).toBe(true);
    expect(pins.map(({ value }) => value)).toEqual([' {x', { a: 1 }, 'gone']);
  });

  it.each([
    [[{ slot: 'status', pointer: '/x', value: 'ok' }], /only be pinned whole/],
    [[{ slot: 'status', pointer: '', value: 'Not Found' }], /no status code/],
    [[{ slot: 'delta', pointer: '', value: [1] }], /holds a list/],
    [[{ slot: 'delta', pointer: '', value: 3 }], /no object/],
    [[{ slot: 'observation', pointer: '', value: 3 }], /an object, a list or a text/],
    [[{ slot: 'observation', pointer: 'id', value: 3 }], /starts with "\/"/],
    [[{ slot: 'observation', pointer: '/id', value: 3, path: [] }], /another length/],
    [
      [
        { slot: 'delta', pointer: '/a', value: 1 },
        { slot: 'delta', pointer: '/a/b', value: 1 },
      ],
      /overlap/,
    ],
    [
      [
        { slot: 'delta', pointer: '', value: {} },
        { slot: 'delta', pointer: '/a', value: 1 },
      ],
      /overlap/,
    ],
  ] as [Pin[], RegExp][])('%j are refused', (pins, message) => {
    expect(pinProblem(pins)).toMatch(message);
  });

  it('that only look alike do not overlap', () => {
    const pins: Pin[] = ['/a', '/ab', '/b/a'].map((pointer) => ({ slot: 'delta', pointer, value: 1 }));
    expect(pinProblem([...pins, { slot: 'observation', pointer: '/a', value: 2 }])).toBeNull();
  });

  it('find their place in a schema', () => {
    const schema = {
      type: 'object',
      properties: { id: {}, items: { items: { properties: { sku: {}, n: {} } } }, note: {}, end: {} },
      required: ['id', 'items'],
    };
    expect(pathInSchema(schema, '/items/0/n')).toEqual([
      { key: 'items', before: ['id'] },
      { index: 0 },
      { key: 'n', before: ['sku'] },
    ]);
    expect(pathInSchema(schema, '/note')).toEqual([{ key: 'note', before: ['id', 'items'] }]);
    for (const pointer of ['/end', '/other', '/id/x', '/items/x']) expect(pathInSchema(schema, pointer)).toBeNull();
    expect(pathInSchema(undefined, '/id')).toBeNull();
  });
});

describe('skeletons', () => {
  it('have the tokens of the whole answer, and what follows starts as they say', () => {
    fc.assert(
      fc.property(object, fc.array(fc.nat(), { minLength: 1, maxLength: 3 }), (value, picks) => {
        const all = pointers(value);
        const chosen = picks.map((n) => pinFrom('observation', value, all[n % all.length] as string) as Pin);
        const pins = chosen.filter((pin, i) => pinProblem([...chosen.slice(0, i), pin]) === null);
        if (pinProblem(pins) !== null) return;
        const skeleton = skeletonOf(
          pins,
          pins.map(({ path }) => path ?? []),
        );
        if (!skeleton) return expect.fail(`no skeleton for ${codecJson(value)}`);
        const text = codecJson(value);
        const tokens = tokenizer.encode(text);
        const escape = (part: string) => part.replace(/[^A-Za-z0-9]/gu, '\\$&');
        const shape = skeleton.map(({ text: part, next }) => `${escape(part)}(?:${next.map(escape).join('|')})`);
        expect(new RegExp(`^${shape.join('.*"')}`, 's').test(text)).toBe(true);
        let from = 0;
        for (const [i, { text: part }] of skeleton.entries()) {
          const own = tokenizer.encode(part);
          const found = tokens.findIndex((_, t) => t >= from && own.every((id, j) => tokens[t + j] === id));
          expect(found).toBeGreaterThanOrEqual(0);
          if (i === 0) expect(found).toBe(0);
          from = found + own.length;
        }
      }),
      { numRuns: 300 },
    );
  });

  it('are written as far as is known', () => {
    const answer = { id: 'W11', at: { day: 3, hour: 4 }, open: true, note: '' };
    const texts = (...pointers: string[]) => {
      const pins = pointers.map((pointer) => pinFrom('observation', answer, pointer) as Pin);
      return skeletonOf(
        pins,
        pins.map(({ path }) => path ?? []),
      );
    };
    expect(texts('/id')).toEqual([{ text: '{"id":"W11', next: ['"'] }]);
    expect(texts('/at/day', '/id')).toEqual([{ text: '{"id":"W11","at":{"day":3', next: [',', '}', ']'] }]);
    expect(texts('/open')).toEqual([
      { text: '{"id', next: ['":'] },
      { text: 'at', next: ['":'] },
      { text: 'open":true', next: [',', '}', ']'] },
    ]);
    expect(texts('/at/day', '/note')).toEqual([
      { text: '{"id', next: ['":'] },
      { text: 'at":{"day":3', next: [',', '}', ']'] },
      { text: 'open', next: ['":'] },
      { text: 'note', next: ['":""'] },
    ]);
  });

  it('are refused where the place is not known', () => {
    const pin = (pointer: string): Pin => ({ slot: 'observation', pointer, value: 1 });
    const path = (k: string, ...before: string[]) => [{ key: k, before }];
    expect(skeletonOf([pin('/1/a')], [[{ index: 1 }, { key: 'a', before: [] }]])).toBeNull();
    expect(skeletonOf([pin('/a'), pin('/b')], [path('a'), path('b')])).toBeNull();
    expect(skeletonOf([pin('/a'), pin('/0')], [path('a'), [{ index: 0 }]])).toBeNull();
    expect(skeletonOf([pin('/a')], [path('a', '')])).toBeNull();
    expect(skeletonOf([], [])).toBeNull();
    expect(
      leadingPins(
        [pin('/c'), pin('/b'), pin('/a'), pin('/x')],
        [path('c', 'a', 'b', 'q'), path('b', 'a'), path('a'), null],
      ),
    ).toEqual([2, 1]);
  });
});
