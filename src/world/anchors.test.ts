/** Pins: what holds, what contradicts itself, and starts of slots, whose tokens are those of the whole answer. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadTokenizer, type BpeTokenizer } from '../models/tokenizer';
import { pathInSchema, pinFrom, pinHolds, pinProblem, slotValue, wholeText, type Pin } from './anchors';
import { pointerKey } from './checks';
import { answerText, codecJson } from './codec';
import { clone, isObject, type Json, type JsonObject } from './json';
import { leadOf, leadingPins } from './skeleton';
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

describe('starts of slots with pins', () => {
  it('have the tokens of the whole answer, and what follows starts as they say', () => {
    fc.assert(
      fc.property(object, fc.array(fc.nat(), { minLength: 1, maxLength: 3 }), (value, picks) => {
        const all = pointers(value);
        const chosen = picks.map((n) => pinFrom('observation', value, all[n % all.length] as string) as Pin);
        const pins = chosen.filter((pin, i) => pinProblem([...chosen.slice(0, i), pin]) === null);
        if (pinProblem(pins) !== null) return;
        const lead = leadOf(
          pins,
          pins.map(({ path }) => path ?? []),
        );
        if (!lead) return expect.fail(`no start for ${codecJson(value)}`);
        const text = codecJson(value);
        const own = tokenizer.encode(lead.text);
        expect(tokenizer.encode(text).slice(0, own.length)).toEqual(own);
        const rest = text.slice(lead.text.length);
        expect(text.startsWith(lead.text) && lead.next.some((start) => rest.startsWith(start))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('are written as far as is known', () => {
    const answer = {
      id: 'W11',
      at: { day: 3, hour: 4 },
      items: [
        { n: 1, k: 2 },
        { n: 3, k: 4 },
      ],
      note: '',
    };
    const lead = (...pointers: string[]) => {
      const pins = pointers.map((pointer) => pinFrom('observation', answer, pointer) as Pin);
      return leadOf(
        pins,
        pins.map(({ path }) => path ?? []),
      );
    };
    const behind = [',', '}', ']'];
    expect(lead('/id')).toEqual({ text: '{"id":"W11', next: ['"'], whole: true });
    expect(lead('/at/day', '/id')).toEqual({ text: '{"id":"W11","at":{"day":3', next: behind, whole: true });
    expect(lead('/items')).toEqual({ text: '{"id', next: ['":'], whole: false });
    // What may follow in the object before is not known, and neither are the items before.
    expect(lead('/at/day', '/id', '/note')).toEqual({ text: '{"id":"W11","at":{"day":3', next: behind, whole: false });
    expect(lead('/id', '/at', '/items/1/n')).toMatchObject({ next: ['":['], whole: false });
    expect(lead('/id', '/at', '/items/0/n')).toMatchObject({ next: behind, whole: true });
  });

  it('are refused where the place is not known', () => {
    const pin = (pointer: string): Pin => ({ slot: 'observation', pointer, value: 1 });
    const path = (k: string, ...before: string[]) => [{ key: k, before }];
    expect(leadOf([pin('/1/a')], [[{ index: 1 }, { key: 'a', before: [] }]])).toEqual({
      text: '',
      next: ['['],
      whole: false,
    });
    expect(leadOf([pin('/a'), pin('/b')], [path('a'), path('b')])).toBeNull();
    expect(leadOf([pin('/a'), pin('/0')], [path('a'), [{ index: 0 }]])).toBeNull();
    expect(leadOf([pin('/a')], [path('a', '')])).toBeNull();
    expect(leadOf([], [])).toBeNull();
    expect(
      leadingPins(
        [pin('/c'), pin('/b'), pin('/a'), pin('/x')],
        [path('c', 'a', 'b', 'q'), path('b', 'a'), path('a'), null],
      ),
    ).toEqual([2, 1]);
  });
});
