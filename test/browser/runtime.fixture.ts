/** A small world with one finished turn, for tests of local models. */
import { makeWorld } from '../../src/twins';
import type { Action, Context } from '../../src/world/types';

const world = makeWorld('support', 3);
const tool = world.tools[0]?.name ?? '';

export const ACTION: Action = { tool, args: { id: 'W11' } };
export const NEXT_ACTION: Action = { tool, args: { id: 'W12' } };
export const CONTEXT: Context = { world, history: [] };
export const NEXT_CONTEXT: Context = {
  world,
  history: [
    {
      directives: [],
      action: ACTION,
      text: { observation: '{"id":"W11","status":"open"}', delta: '{}', status: 'ok' },
      delta: {},
    },
  ],
};

/** A graph of one float16 matrix product, whole and sound, but of a number format that nothing here feeds or reads. */
export const HALF_GRAPH = Uint8Array.from(
  atob(
    'CAkSADpcChEKAXgKAXgSAW0iBk1hdE11bAoVCgFtEgZsb2dpdHMiCElkZW50aXR5EgFnWhMKAXgSDgoMCAoSCAoCCAIKAggCYhgK' +
      'BmxvZ2l0cxIOCgwIChIICgIIAgoCCAJCBAoAEBM=',
  ),
  (char) => char.charCodeAt(0),
);
