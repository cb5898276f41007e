/** The schema constraint in small cases: what may follow what, what is recorded, and that true answers are allowed. */
import { describe, expect, it } from 'vitest';
import { collectSteps } from '../../cli/evaluate';
import { answerSchemaErrors } from '../../metrics';
import type { Pin } from '../../world/anchors';
import { END, answerText, encodeAnswer } from '../../world/codec';
import type { Json } from '../../world/json';
import { DEFAULT_STEP_OPTIONS, finishStep, type Prediction, type StepOptions } from '../../world/simulator';
import type { Context } from '../../world/types';
import { AutoregressiveSimulator } from '../autoregressive/simulator';
import type { CausalModel } from '../autoregressive/writer';
import { StreamConstraint, openConstraint } from '.';
import { action, answerOfAr, answerOfMdlm, constrained, contextOf, tokenizer, toolOf } from './testing';

/** What is wrong with an answer: slots that do not parse, and what breaks the schema. */
function problemsOf(context: Context, { transition, parseErrors }: Pick<Prediction, 'transition' | 'parseErrors'>) {
  return [...parseErrors, ...answerSchemaErrors(toolOf(context), transition)];
}

describe('small cases', () => {
  const order = {
    type: 'object',
    properties: {
      id: { type: 'string', 'x-from': 'orders' },
      state: { enum: ['paid', 'gone'] },
      n: { type: 'integer' },
    },
    required: ['id'],
    additionalProperties: false,
  };
  /** Whether texts are the start of an answer, and the texts of single bytes that may follow. */
  function after(schemaOf: Json, ...slots: string[]): string | null {
    const constraint = openConstraint(constrained, contextOf(schemaOf), action, tokenizer);
    const ids = slots.flatMap((text, i) => [...(i > 0 ? [END] : []), ...tokenizer.encode(text)]);
    try {
      const stream = new StreamConstraint(constraint?.outcomes ?? [], tokenizer.vocabSize, ids, 400);
      const mask = stream.allowed(() => true);
      const bytes = Array.from({ length: 95 }, (_, i) => i + 0x20).filter((byte) => mask[17 + byte]);
      return (
        (bytes.length > 60 ? 'any' : bytes.map((byte) => String.fromCharCode(byte)).join('')) + (mask[END] ? '.' : '')
      );
    } catch {
      return null;
    }
  }

  it.each([
    [['{'], '"'],
    [['{"'], 'i'],
    [['{"id":"'], 'W'],
    // Known ids, the id of the call and the counter; a quote inside of an id is escaped.
    [['{"id":"W'], '1\\'],
    [['{"id":"W1'], '78'],
    [['{"id":"W17"'], ',}'],
    [['{"id":"W17","'], 'ns'],
    [['{"id":"W17","state":'], '"'],
    [['{"id":"W17","state":"'], 'gp'],
    [['{"id":"W17","n":'], '-0123456789'],
    [['{"id":"W17","n":0'], ',}'.slice(1)],
    [['{"id":"W17"}'], '.'],
    [['Error: gone'], 'any.'],
    [['{"id":"W17"}', '{}', 'o'], 'k'],
    [['{"id":"W17"}', '{}', 'ok'], '.'],
    [['Error: gone', '{}', 'ok'], '_abcdefghijklmnopqrstuvwxyz'],
    [['Error: gone', '{}', 'gone'], '_abcdefghijklmnopqrstuvwxyz.'],
    [['{"id":"W17"}', '{"a":'], '"-0123456789fnt{'],
    [['{}'], null],
    [['["'], null],
    [['{"id":"W99'], null],
    [['{"n":1'], null],
    [['{"id":"W17","state":"lost'], null],
    [['{"id":"W17"}', '{"a":['], null],
    [['{"id":"W17"}', '{}', 'gone'], null],
  ])('%j goes on with %j', (slots, next) => {
    const found = after(order, ...slots);
    expect(found === null ? null : [...found].sort().join('')).toBe(next === null ? null : [...next].sort().join(''));
  });

  it('lists keep to their length, and other members are keys of records or of the call', () => {
    const list = { type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: 2 };
    expect([after(list, '['), after(list, '[1,'), after(list, '[1,2')]).toEqual([
      '-0123456789',
      '-0123456789',
      '0123456789]',
    ]);
    const open = { type: 'object', properties: { total: { type: 'number' } } };
    expect(after(open, '{"')).toBe('inst');
    expect(after(open, '{"note":"x","')).toBe('ins');
    expect(after(open, '{"total":1.5,"note":"x"')).toBe(',}');
  });

  it('what the constraint cannot hold to is told', async () => {
    const part = {
      type: 'object',
      properties: { id: { type: 'string', pattern: '^W' } },
      minProperties: 1,
      allOf: [true],
    };
    const { constraint } = await answerOfAr(contextOf(part), constrained, 3);
    expect(constraint?.open.sort()).toEqual(['/allOf', '/minProperties', '/properties/id/pattern']);
  });
});

describe('true answers', () => {
  it('of all families are allowed, with and without directives', async () => {
    const steps = await collectSteps('test', 48, 1);
    let held = 0;
    for (const { context, action: call, directives, truth } of steps) {
      const constraint = openConstraint({ ...constrained, directives }, context, call, tokenizer);
      if (!constraint?.outcomes) continue;
      held++;
      const ids = encodeAnswer(answerText(truth), tokenizer).slice(1);
      expect(
        () => new StreamConstraint(constraint.outcomes ?? [], tokenizer.vocabSize, ids, 1000),
        JSON.stringify(truth),
      ).not.toThrow();
    }
    expect(held).toBeGreaterThan(35);
  });
});

describe('what fired', () => {
  it('nothing, and nothing is changed, where a model says what is allowed; off, nothing is recorded', async () => {
    const text = { observation: '{"id":"W17"}', delta: '{"orders":{"W17":{"state":"gone"}}}', status: 'ok' };
    const ids = encodeAnswer(text, tokenizer);
    let at = 0;
    const model: CausalModel = {
      length: 0,
      keepCommon: () => Promise.resolve((at = 0)),
      run: () => {
        at++;
        return Promise.resolve(Float32Array.from({ length: tokenizer.vocabSize }, (_, id) => (id === ids[at] ? 9 : 0)));
      },
      dispose: () => Promise.resolve(),
    };
    const config = { maxPositions: 4096, vocabSize: tokenizer.vocabSize } as never;
    const context = contextOf({ type: 'object', properties: { id: { type: 'string', 'x-from': 'orders' } } });
    const run = (options: StepOptions) =>
      finishStep(
        new AutoregressiveSimulator(model, config, tokenizer, { id: 'x' } as never).step(context, action, options),
      );
    const free = await run(DEFAULT_STEP_OPTIONS);
    const held = await run(constrained);
    expect(free.text).toEqual(text);
    expect('constraint' in free).toBe(false);
    // Confidence is a share of what may stand there.
    expect(held.tokens.map(({ id }) => id)).toEqual(free.tokens.map(({ id }) => id));
    expect(held.constraint).toMatchObject({ applied: true, fired: { observation: 0, delta: 0, status: 0 } });
    const written = held.constraint?.written ?? { observation: 0, delta: 0, status: 0 };
    expect(written.observation + written.delta + written.status).toBe(ids.length - 1);
  });

  it('tokens that would have been others, slot by slot; nothing where there is no schema', async () => {
    const context = contextOf({ type: 'object', properties: { n: { type: 'integer' } } });
    for (const answer of [
      await answerOfAr(context, constrained, 5),
      answerOfMdlm(context, constrained, 5, 'confidence'),
    ]) {
      const { fired, written } = answer.constraint as NonNullable<Prediction['constraint']>;
      for (const slot of ['observation', 'delta', 'status'] as const) {
        expect(written[slot]).toBeGreaterThan(0);
        expect(fired[slot]).toBeLessThanOrEqual(written[slot]);
      }
      expect(fired.delta).toBeGreaterThan(0);
    }
    const tool = { name: 'look', description: '', inputSchema: {} };
    const without = { ...context, world: { ...context.world, tools: [tool] } };
    const answer = await answerOfAr(without, constrained, 5);
    expect(answer.constraint).toMatchObject({ applied: false, fired: { observation: 0 } });
    expect(answer.tokens).toEqual((await answerOfAr(without, DEFAULT_STEP_OPTIONS, 5)).tokens);
  });
});

describe('pins', () => {
  const context = contextOf({ type: 'object', properties: { id: { type: 'string', 'x-from': 'orders' }, state: {} } });
  const pin: Pin = { slot: 'observation', pointer: '/id', value: 'W17', path: [{ key: 'id', before: [] }] };
  const status: Pin = { slot: 'status', pointer: '', value: 'gone' };

  it('stay, and the rest is still held to the schema', async () => {
    for (let seed = 0; seed < 4; seed++) {
      const options = { ...constrained, pins: [pin] };
      for (const answer of [
        await answerOfAr(context, options, seed),
        answerOfMdlm(context, options, seed, 'threshold'),
      ]) {
        expect(problemsOf(context, answer)).toEqual([]);
        expect(answer.transition.observation).toMatchObject({ kind: 'json', value: { id: 'W17' } });
      }
      const failed = answerOfMdlm(context, { ...constrained, pins: [status] }, seed, 'threshold');
      expect(problemsOf(context, failed)).toEqual([]);
      expect(failed.transition).toMatchObject({ status: 'gone', observation: { kind: 'text' } });
    }
  });

  it('that the schema excludes are refused, with advice', async () => {
    const options = { ...constrained, pins: [{ ...pin, value: 'W99' }] };
    const refusal = { code: 'bad_options', message: expect.stringMatching(/output schema/) as string };
    await expect(answerOfAr(context, options, 1)).rejects.toMatchObject(refusal);
    expect(() => answerOfMdlm(context, options, 1, 'threshold')).toThrow(/output schema/);
    const other = { ...DEFAULT_STEP_OPTIONS, constraint: 'grammar' as never };
    await expect(answerOfAr(context, other, 1)).rejects.toMatchObject({ code: 'bad_options' });
  });
});
