/** A tiny program for the tests of the kit. */
import { notFound, recordAnswer } from './answer';
import { shape } from './schema';
import { record, type Program } from './types';

export const TINY: Program = {
  rules: [
    {
      id: 'most',
      code: 'too_high',
      text: ({ max }) => `n is at most ${String(max)}`,
      violated: ({ max }, facts) => Number(facts.n) > Number(max),
    },
  ],
  tools: [
    {
      name: 'set',
      description: 'Sets n',
      input: { id: { type: 'string', from: 'items' }, n: { type: 'integer', min: 1, max: 50 } },
      output: shape('id n:int'),
      of: 'items',
      readOnly: false,
      apply: (call) => {
        const id = String(call.args.id);
        const n = Number(call.args.n);
        if (!record(call.state, 'items', id)) return notFound(id);
        return call.forbidden({ n }, 'most') ?? recordAnswer({ id, n }, { items: { [id]: { n, gone: null } } });
      },
    },
    {
      name: 'sum',
      description: 'Adds up what is there',
      input: {},
      output: shape(''),
      readOnly: false,
      apply: (call) => recordAnswer({}, { items: { a: { n: Number(call.state.x) + 1 } } }),
    },
  ],
};
