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
