/** The schema constraint: whatever a model says, its answer is one that the schema allows. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerSchemaErrors } from '../../metrics';
import type { Json } from '../../world/json';
import type { Prediction } from '../../world/simulator';
import type { Context } from '../../world/types';
import { answerOfAr, answerOfMdlm, constrained, contextOf, toolOf } from './testing';

/** What is wrong with an answer: slots that do not parse, and what breaks the schema. */
function problemsOf(context: Context, { transition, parseErrors }: Pick<Prediction, 'transition' | 'parseErrors'>) {
  return [...parseErrors, ...answerSchemaErrors(toolOf(context), transition)];
}

/** A schema with what the constraint holds to, and nothing else. */
const { schema } = fc.letrec<{ schema: Json; object: Json; list: Json }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 2, depthIdentifier: 'schema' },
    fc.constantFrom<Json>(
      { type: 'string' },
      { type: 'integer' },
      { type: 'number' },
      { type: ['boolean', 'null'] },
      { type: 'string', 'x-from': 'orders' },
      { enum: ['open', 'a "b"', 7, null, 'é'] },
      { type: 'string', enum: ['x', 3, '{"no":1}'] },
      { const: { a: [1] } },
      {},
    ),
    tie('object'),
    tie('list'),
    fc.array(tie('schema'), { minLength: 1, maxLength: 2 }).map((anyOf) => ({ anyOf })),
  ) as fc.Arbitrary<Json>,
  object: fc
    .tuple(
      fc.uniqueArray(fc.constantFrom('id', 'state', 'a b', '"q"', 'é', 'n/~'), { minLength: 1, maxLength: 3 }),
      fc.array(tie('schema'), { minLength: 3, maxLength: 3 }),
      fc.integer({ min: 0, max: 3 }),
      fc.constantFrom<Json>(true, false, { type: 'integer' }),
    )
    .map(([keys, values, required, additionalProperties]) => ({
      ...{ type: 'object', properties: Object.fromEntries(keys.map((key, i) => [key, values[i] as Json])) },
      ...{ required: keys.slice(0, required), additionalProperties },
    })),
  list: fc
    .tuple(tie('schema'), fc.integer({ min: 0, max: 1 }), fc.integer({ min: 1, max: 2 }))
    .map(([items, minItems, maxItems]) => ({ type: 'array', items, minItems, maxItems })),
}));
const answerSchema = fc.oneof(
  schema,
  schema.map((items) => ({ type: 'array', items })),
  schema.map((value) => ({ type: 'object', properties: { id: { type: 'string', 'x-from': 'orders' }, value } })),
);

describe('whatever a model says, its answer parses and is valid', () => {
  it('written left to right', async () => {
    await fc.assert(
      fc.asyncProperty(answerSchema, fc.nat(), fc.constantFrom(0, 1), async (one, seed, temperature) => {
        const context = contextOf(one);
        const answer = await answerOfAr(context, { ...constrained, temperature, topP: 0.9 }, seed);
        expect(problemsOf(context, answer)).toEqual([]);
        // What no observation can be, such as a bare number, leaves only errors.
        const open = answer.constraint?.open ?? [];
        expect(answer.constraint).toMatchObject({ kind: 'schema', applied: true });
        expect(open.filter((path) => path !== '')).toEqual([]);
        if (open.length > 0) expect(answer.transition.status).not.toBe('ok');
      }),
      { numRuns: 30 },
    );
  });

  it.each(['threshold', 'confidence', 'remask'])('filled in by %s', (sampler) => {
    fc.assert(
      fc.property(
        answerSchema,
        fc.nat(),
        fc.constantFrom(0, 1),
        fc.constantFrom(Infinity, 16),
        (one, seed, temperature, blockSize) => {
          const context = contextOf(one);
          const crop = seed % 2 === 0;
          const answer = answerOfMdlm(
            context,
            { ...constrained, temperature, topP: 0.9, blockSize, crop },
            seed,
            sampler,
          );
          expect(problemsOf(context, answer)).toEqual([]);
        },
      ),
      { numRuns: 5 },
    );
  });
});
