/** Fields that are pinned without a schema: whatever a model says, they stand in the answer. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pinFrom, pinHolds, type Pin } from '../../world/anchors';
import type { Json } from '../../world/json';
import { DEFAULT_STEP_OPTIONS, type StepOptions } from '../../world/simulator';
import { answerOfMdlm, contextOf } from './testing';

const context = contextOf({});

const answers: [Json, ...string[][]][] = [
  [{ id: 'W17', state: 'paid', total: 40 }, ['/id', '/total']],
  [{ z: 1, 'a "b"': { é: [1, { x: null }] } }, ['/a "b"/é']],
  [{ id: 'a', n: 0 }, ['/n']],
  [[{ id: 'W1', side: 'buy' }, { id: 'W2' }], ['/0/side'], ['/1/id', '/0/side']],
  [{ a: [1, 2, [3, 4]] }, ['/a/2/1']],
  [{ orders: { W17: { state: 'gone', note: '' } } }, ['/orders/W17/note']],
];
const cases = answers.flatMap(([value, ...sets]) => sets.map((pointers) => ({ value, pointers })));

describe('placed fields hold', () => {
  it.each(cases)('$pointers of $value', ({ value, pointers }) => {
    fc.assert(
      fc.property(
        fc.constantFrom<Pin['slot']>(
          'observation',
          ...(JSON.stringify(value).includes('[') ? [] : (['delta'] as const)),
        ),
        fc.constantFrom('threshold', 'confidence', 'remask'),
        fc.constantFrom(0, 1),
        fc.nat(),
        (slot, sampler, temperature, seed) => {
          const pins = pointers.map((pointer) => pinFrom(slot, value, pointer) as Pin);
          const options: StepOptions = { ...DEFAULT_STEP_OPTIONS, temperature, pins, crop: seed % 2 === 0 };
          const answer = answerOfMdlm(context, options, seed, sampler);
          expect(pins.map((pin) => [answer.text[slot], pinHolds(pin, answer.text)])).toEqual(
            pins.map(() => [answer.text[slot], true]),
          );
          expect(answer.constraint).toBeUndefined();
        },
      ),
      { numRuns: 2 },
    );
  });

  it('and slots without them are free', () => {
    const pin = pinFrom('observation', { id: 'W17', n: 4 }, '/n') as Pin;
    const answer = answerOfMdlm(context, { ...DEFAULT_STEP_OPTIONS, pins: [pin] }, 7, 'confidence');
    const free = answerOfMdlm(context, DEFAULT_STEP_OPTIONS, 7, 'confidence');
    expect(pinHolds(pin, answer.text)).toBe(true);
    // A model that says anything writes no delta by itself.
    expect(free.parseErrors.map(({ slot }) => slot)).toContain('delta');
    expect(answer.parseErrors.map(({ slot }) => slot)).toContain('delta');
    expect(answer.parseErrors.map(({ slot }) => slot)).not.toContain('observation');
  });

  it('under the output schema as well, which then holds for all of the answer', () => {
    const properties = { id: { type: 'string' }, n: { type: 'integer' }, state: { enum: ['open', 'gone'] } };
    const schema = { type: 'object', properties, required: ['id', 'n', 'state'], additionalProperties: false };
    const value = { id: 'W17', n: 3, state: 'gone' };
    const options: StepOptions = { ...DEFAULT_STEP_OPTIONS, constraint: 'schema' };
    for (const [seed, pointer] of ['/n', '/state'].entries()) {
      const pin = pinFrom('observation', value, pointer) as Pin;
      const { text, transition } = answerOfMdlm(contextOf(schema), { ...options, pins: [pin] }, seed, 'threshold');
      expect([text.observation, pinHolds(pin, text)]).toEqual([text.observation, true]);
      // Only a success has fields.
      expect(transition).toMatchObject({ status: 'ok', observation: { kind: 'json' } });
      expect(Object.keys(JSON.parse(text.observation) as object)).toEqual(['id', 'n', 'state']);
    }
    const other: Pin = {
      slot: 'observation',
      pointer: '/state',
      value: 'lost',
      path: [{ key: 'state', before: ['id', 'n'] }],
    };
    expect(() => answerOfMdlm(contextOf(schema), { ...options, pins: [other] }, 1, 'threshold')).toThrow();
  });

  it('what leaves no room for the rest is refused, with advice', () => {
    const nested = (n: number): Json => ({ a: { a: { a: { a: { a: { a: 'x'.repeat(n) } } } } } });
    const asked = (n: number) => () => {
      const pin = pinFrom('observation', nested(n), '/a/a/a/a/a/a') as Pin;
      return answerOfMdlm(context, { ...DEFAULT_STEP_OPTIONS, pins: [pin] }, 1, 'confidence');
    };
    // As long as a window takes, but then there is no place for all that has to be closed.
    const most = 127 - [...Array(128).keys()].findIndex((n) => !/largest slot/.test(refusal(asked(127 - n))));
    expect(refusal(asked(most))).toMatch(/No JSON with the pinned fields of the observation/);
    expect(refusal(asked(most - 4))).toBe('');
  });
});

function refusal(work: () => unknown): string {
  try {
    work();
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
}
