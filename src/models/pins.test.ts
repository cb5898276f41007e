/** Pins as tokens: what is fixed in a window or forced at the start is what the true answer has there. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { pinFrom, pinProblem, type Pin } from '../world/anchors';
import { END, SLOT_SIZES, answerText, decodeAnswer, encodeAnswer, isPad } from '../world/codec';
import { clone, isObject, type Json, type JsonObject } from '../world/json';
import { pointerKey } from '../world/checks';
import { SLOTS, type Slot, type Transition } from '../world/types';
import { forcedStart, placeInWindow } from './pins';
import { loadTokenizer, type BpeTokenizer } from './tokenizer';
import { AnswerWindow, type FixedPlace } from './diffusion/window';

let tokenizer: BpeTokenizer;
beforeAll(async () => {
  const path = new URL('../../test/fixtures/micro/mdlm/tokenizer.json', import.meta.url);
  tokenizer = await loadTokenizer(readFileSync(path, 'utf8'));
});

const key = fc.constantFrom('id', 'status', 'total', 'note', 'a b', '"x"');
const scalar = fc.oneof(fc.constantFrom('open', 'W17', '', '"'), fc.integer({ min: 0, max: 9999 }), fc.boolean());
const { object } = fc.letrec<{ value: Json; object: JsonObject }>((tie) => ({
  value: fc.oneof({ maxDepth: 2 }, scalar, tie('object')) as fc.Arbitrary<Json>,
  object: fc
    .dictionary(key, tie('value'), { minKeys: 1, maxKeys: 3, noNullPrototype: true })
    .map((value) => clone(value as JsonObject)),
}));

function pointers(value: Json, at = ''): string[] {
  const below = isObject(value) ? Object.entries(value).flatMap(([k, v]) => pointers(v, `${at}/${pointerKey(k)}`)) : [];
  return [at, ...below];
}

/** An answer with some pins of it that can be asked for together. */
const pinned = fc
  .tuple(object, object, fc.array(fc.tuple(fc.constantFrom(...SLOTS), fc.nat()), { minLength: 1, maxLength: 4 }))
  .map(([observation, delta, picks]) => {
    const transition: Transition = { observation: { kind: 'json', value: observation }, delta, status: 'not_found' };
    const values = { observation, delta, status: 'not_found' };
    const pins: Pin[] = [];
    for (const [slot, n] of picks) {
      const all = slot === 'status' ? [''] : pointers(values[slot]);
      const pin = pinFrom(slot, values[slot], all[n % all.length] as string) as Pin;
      if (pinProblem([...pins, pin]) === null) pins.push(pin);
    }
    return { transition, pins, paths: pins.map(({ path }) => path ?? []) };
  });

describe('forced starts', () => {
  it('start the true answer, which goes on as they say', () => {
    fc.assert(
      fc.property(pinned, ({ transition, pins, paths }) => {
        const { ids, next, placed } = forcedStart(pins, paths, '', tokenizer);
        const truth = encodeAnswer(answerText(transition), tokenizer).slice(1);
        expect(truth.slice(0, ids.length)).toEqual(ids);
        const rest = tokenizer.decode(truth.slice(ids.length, truth.indexOf(END, ids.length)));
        if (next) expect(next.some((start) => rest.startsWith(start))).toBe(true);
        // A whole observation can always be forced, and so can what leads it.
        for (const [i, { slot, pointer, path = [] }] of pins.entries()) {
          const leads = path.every((step) => 'key' in step && step.before.length === 0);
          if (slot === 'observation' && (pointer === '' || leads)) expect(placed[i]).toBe(true);
        }
        if (placed.every((one) => !one)) expect(ids).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

describe('fixed places', () => {
  it('are what the answer starts with, and leave room for the rest of it', () => {
    fc.assert(
      fc.property(pinned, ({ transition, pins, paths }) => {
        const texts = answerText(transition);
        let made;
        try {
          made = placeInWindow(pins, paths, tokenizer);
        } catch {
          // Only what is too long for the largest slot is refused.
          const long = (slot: Slot) => tokenizer.encode(texts[slot]).length > Math.max(...SLOT_SIZES[slot]) - 20;
          expect(pins.some(({ slot }) => long(slot))).toBe(true);
          return;
        }
        const { fixed, sizes, placed } = made;
        expect(placed.every(Boolean)).toBe(true);
        const window = new AnswerWindow(sizes, { fixed });
        for (const [i, slot] of SLOTS.entries()) {
          const places = fixed[slot] ?? [];
          expect(places.length).toBeLessThanOrEqual(sizes[slot]);
          const truth = tokenizer.encode(texts[slot]);
          const whole = pins.some((pin) => pin.slot === slot && pin.pointer === '');
          const known = places.flatMap((place) => (place && 'id' in place ? [place.id] : []));
          if (whole) {
            expect(known.length).toBe(sizes[slot]);
            expect(known.slice(0, truth.length + 1)).toEqual([...truth, END]);
            expect(known.slice(truth.length + 1).every(isPad)).toBe(true);
            expect(Object.values(decodeAnswer([...Array<number>(i).fill(END), ...known], tokenizer))[i]).toBe(
              texts[slot],
            );
          } else {
            let lead = 0;
            while (lead < places.length && isToken(places[lead])) lead++;
            expect(truth.slice(0, lead)).toEqual(known);
            const next = places[lead];
            if (next && 'ban' in next) expect(next.ban(truth[lead] as number)).toBe(false);
          }
        }
        expect(window.done).toBe(SLOTS.every((slot) => pins.some((pin) => pin.slot === slot && pin.pointer === '')));
      }),
      { numRuns: 300 },
    );
  });
});

function isToken(place: FixedPlace | null | undefined): boolean {
  return !!place && 'id' in place;
}
