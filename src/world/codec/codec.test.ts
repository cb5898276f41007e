import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadTokenizer, tokenizerFile, trainMerges, type BpeTokenizer } from '../../models/tokenizer';
import { pieces } from '../../models/tokenizer/bpe';
import { makeWorld, twinTransition } from '../../twins';
import { randomAgent } from '../../agents';
import { clone, equal, stringify, type Json } from '../json';
import type { Action, Context, Observation, Transition } from '../types';
import {
  answerText,
  blockIds,
  callText,
  codecJson,
  contextTokens,
  currentState,
  decodeAnswer,
  encodeAnswer,
  encodeContext,
  END,
  fillSlot,
  FOLD_TOKENS,
  FOLD_TURNS,
  insertElastic,
  isPad,
  largerSize,
  MASK,
  maskedWindow,
  padId,
  parseAnswer,
  parseCall,
  RESP,
  slotSpans,
  START_SIZES,
  toolLine,
  visibleContext,
  worldText,
} from '.';

let tokenizer: BpeTokenizer;

beforeAll(async () => {
  const counts = new Map<string, number>();
  for (let seed = 0; seed < 40; seed++) {
    for (const family of ['support', 'terminal', 'universe']) {
      for (const text of Object.values(worldText(makeWorld(family, seed)))) {
        for (const piece of pieces(text)) counts.set(piece, (counts.get(piece) ?? 0) + 1);
      }
    }
  }
  tokenizer = await loadTokenizer(tokenizerFile(trainMerges(counts, 900)));
});

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom(
    '\ufeffx',
    '\ud800',
    '"',
    '}',
    '","',
    '\\',
    '\\"',
    '\u2028',
    '12',
    'W17',
    '',
    ' ',
    '{"a":1}',
    '[',
    '\ufeff',
  ),
);
const wellFormed = (text: string) => text.replace(/\p{Surrogate}/gu, '\ufffd');
const anyJson = fc.jsonValue({ maxDepth: 3 }).map((value) => clone(value as Json));

describe('tokens', () => {
  test('any string is encodable and comes back, made well-formed', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(tokenizer.decode(tokenizer.encode(text))).toBe(wellFormed(text));
      }),
      { numRuns: 500 },
    );
  });

  test('a transition goes through tokens and back', () => {
    const observation: fc.Arbitrary<Observation> = fc.oneof(
      anyText.map((text): Observation => ({ kind: 'text', text: wellFormed(text) })),
      anyJson
        .filter((value) => typeof value === 'object' && value !== null)
        .map((value) => ({ kind: 'json', value }) as Observation),
    );
    fc.assert(
      fc.property(
        observation,
        fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.constant(null))),
        (seen, delta) => {
          const transition: Transition = { observation: seen, delta: clone(delta as never), status: 'not_found' };
          const back = parseAnswer(decodeAnswer(encodeAnswer(answerText(transition), tokenizer), tokenizer));
          expect(back.parseErrors).toEqual([]);
          expect(back.transition.status).toBe('not_found');
          expect(equal(plain(back.transition.delta), plain(delta as never))).toBe(true);
          expect(equal(plain(back.transition.observation as never), plain(seen as never))).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('a pinned value has one tokenization wherever it stands', () => {
    fc.assert(
      fc.property(anyJson, fc.constantFrom('a', 'status', '"', 'é'), anyJson, (value, key, other) => {
        const own = tokenizer.encode(inner(value));
        for (const whole of [{ [key]: value }, { x: other, [key]: value, y: 'z' }, [other, value, 1]] as Json[]) {
          expect(contains(tokenizer.encode(codecJson(whole)), own)).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('lone surrogates inside JSON stay escapes, so the value is kept', () => {
    const text = codecJson({ a: '\ud800', '\udc00': 1 });
    expect(text).toBe('{"a":"\\ud800","\\udc00":1}');
    expect(tokenizer.decode(tokenizer.encode(text))).toBe(text);
  });

  test('codec JSON is ordinary JSON of the same value', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        expect(stringify(JSON.parse(codecJson(value)) as Json)).toBe(stringify(value));
      }),
      { numRuns: 300 },
    );
  });
});

describe('calls', () => {
  test('a call is read back from its text', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_.-]{0,8}$/),
        fc.dictionary(fc.string(), anyJson),
        (tool, args) => {
          const call = parseCall(callText({ tool, args: clone(args as never) }));
          expect('tool' in call && call.tool === tool && equal(plain(call.args), plain(args as never))).toBe(true);
        },
      ),
    );
  });

  test.each(['', 'get', '{}', 'get{', 'get[1]', 'get{"a":1}x', '1get{}', 'get null'])('%o is malformed', (raw) => {
    expect(parseCall(callText({ raw }))).toHaveProperty('malformed');
  });

  test('a tool line shows types, enumerations, optional arguments and the shape of the answer', () => {
    expect(
      toolLine({
        name: 'cancel_order',
        description: 'Cancels it.',
        inputSchema: {
          type: 'object',
          properties: { id: { type: 'string' }, reason: { enum: ['late', 'lost'] } },
          required: ['id'],
        },
        outputSchema: { type: 'object', properties: { id: {}, status: {} } },
      }),
    ).toBe('cancel_order(id:str,reason?:late|lost)->{id,status}; Cancels it.');
  });
});

describe('answers that do not parse', () => {
  test.each([
    [{ observation: '{"a":', delta: '{}', status: 'ok' }, ['observation']],
    [{ observation: 'fine', delta: '[]', status: 'ok' }, ['delta']],
    [{ observation: 'fine', delta: '{"a":[1]}', status: 'ok' }, ['delta']],
    [{ observation: 'fine', delta: '{', status: 'Not OK' }, ['delta', 'status']],
  ])('%o', (text, slots) => {
    const { transition, parseErrors } = parseAnswer(text);
    expect(parseErrors.map(({ slot }) => slot)).toEqual(slots);
    if (slots.includes('delta')) expect(transition.delta).toEqual({});
  });
});

describe('layout', () => {
  test('slots follow <resp> without gaps', () => {
    const spans = slotSpans(START_SIZES);
    expect(spans.map(({ start, end }) => [start, end])).toEqual([
      [1, 17],
      [17, 21],
      [21, 29],
    ]);
    const window = maskedWindow(START_SIZES);
    expect([window[0], window.length, new Set(window.slice(1))]).toEqual([RESP, 29, new Set([MASK])]);
    expect([largerSize('observation', 32), largerSize('observation', 128), largerSize('status', 8)]).toEqual([
      64,
      undefined,
      undefined,
    ]);
  });

  test('a filled slot ends in <end> and pads in their cycle, and reads back', () => {
    const content = tokenizer.encode('{"id":"W17"}');
    const slot = fillSlot(content, 16);
    expect(slot).toHaveLength(16);
    expect(slot[content.length]).toBe(END);
    expect(slot.slice(content.length + 1)).toEqual(Array.from({ length: 15 - content.length }, (_, i) => padId(i)));
    expect(decodeAnswer([RESP, ...slot], tokenizer).observation).toBe('{"id":"W17"}');
    expect(() => fillSlot(content, content.length)).toThrow(RangeError);
  });

  test('elastic pads stand at punctuation only and drop out', () => {
    const content = tokenizer.encode('{"id":"W17","status":"open"}');
    let allowed = 0;
    for (let i = 0; i <= content.length; i++) {
      const beside = [content[i], content[i - 1]].some(
        (id) => id !== undefined && /^[{}[\]:,"]+$/.test(tokenizer.decode([id])),
      );
      if (!beside) {
        expect(() => insertElastic(content, i, 2, tokenizer)).toThrow(RangeError);
        continue;
      }
      allowed++;
      const stretched = insertElastic(content, i, 3, tokenizer);
      expect(stretched.filter((id) => !isPad(id))).toEqual(content);
      expect(decodeAnswer([RESP, ...stretched, END], tokenizer).observation).toBe('{"id":"W17","status":"open"}');
    }
    expect(allowed).toBeGreaterThan(4);
  });
});

describe('folding', () => {
  test('keeps the state, keeps to the bounds, and leaves the prefix alone between two folds', async () => {
    for (const family of ['support', 'terminal', 'universe']) {
      const world = makeWorld(family, 5, 3);
      let context: Context = { world, history: [] };
      let last: number[] = [];
      let folds = 0;
      for (let i = 0; i < 14; i++) {
        const action: Action = await randomAgent(5).act({
          world,
          state: currentState(context),
          steps: Array(i).fill(null) as never,
        });
        const visible = visibleContext(context, action, []);
        expect(equal(currentState(visible), currentState(context))).toBe(true);
        expect(twinTransition(visible, action, [])).toEqual(twinTransition(context, action, []));
        const blocks = encodeContext(visible, action, [], tokenizer);
        expect(visible.history.length).toBeLessThanOrEqual(FOLD_TURNS - 1);
        if (visible.history.length > 0) {
          expect(contextTokens(visible, action, [])).toBeLessThanOrEqual(FOLD_TOKENS);
          expect(blocks.flat().slice(0, last.length)).toEqual(last);
        } else folds++;
        expect(blockIds(blocks)).toHaveLength(blocks.flat().length);
        last = blocks.flat();
        const transition = twinTransition(context, action, []);
        context = {
          world,
          history: [
            ...context.history,
            { directives: [], action, text: answerText(transition), delta: transition.delta },
          ],
        };
      }
      expect(folds).toBeGreaterThan(1);
    }
  });
});

/** JSON text read anew, so that prototypes and -0 do not matter. */
function plain(value: Json): Json {
  return JSON.parse(wellFormed(JSON.stringify(value)).replace(/\\ud[89a-f]../gi, '\ufffd')) as Json;
}

/** Codec text of a value without the quotes or braces that may merge with what stands around it. */
function inner(value: Json): string {
  return codecJson(value).replace(/^["{}[\]:,]+|["{}[\]:,]+$/g, '');
}

function contains(ids: number[], part: number[]): boolean {
  return ids.some((_, at) => part.every((id, i) => ids[at + i] === id)) || part.length === 0;
}
