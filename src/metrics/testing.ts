/** Worlds and steps for the tests of this folder. */
import { answerText, parseAnswer } from '../world/codec/answer';
import { NO_COST } from '../world/simulator';
import type { Context, SlotTexts, Tool, Transition, World } from '../world/types';
import type { Answer, ScoredStep } from './types';

export const TOOLS: Tool[] = [
  {
    name: 'get',
    description: 'One order',
    inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
    outputSchema: {
      type: 'object',
      properties: { id: { type: 'string' }, total: { type: 'integer' }, mood: { enum: ['Z9', 'calm'] } },
    },
    annotations: { readOnlyHint: true },
  },
  { name: 'put', description: 'Changes', inputSchema: { type: 'object' } },
];

/** A shop of three orders. */
export function shop(other: Partial<World> = {}): World {
  return {
    id: 'w',
    title: 'Shop',
    twin: null,
    state: {
      orders: { W1: { status: 'paid', total: 40 }, W2: { status: 'sent', total: 7 }, W3: { status: 'paid', total: 3 } },
      next: 'W4',
    },
    task: { instruction: 'Cancel W1.', checks: [] },
    tools: TOOLS,
    rules: [],
    ...other,
  };
}

/** A transition with a record, by default successful and without effect. */
export function shown(value: Transition['observation'] | object, other: Partial<Transition> = {}): Transition {
  const observation = 'kind' in value ? value : { kind: 'json', value };
  return { observation, delta: {}, status: 'ok', ...other } as Transition;
}

/** The answer that writes these slots, the others as the transition has them. */
export function written(transition: Transition, texts: Partial<SlotTexts> = {}): Answer {
  const text = { ...answerText(transition), ...texts };
  return { ...parseAnswer(text), text, cost: NO_COST };
}

/** A step whose answer is right unless told otherwise. */
export function stepOf(truth: Transition, other: Partial<ScoredStep> = {}): ScoredStep {
  const context: Context = { world: shop(), history: [] };
  return {
    episode: 'e',
    family: 'f',
    context,
    action: { tool: 'get', args: { id: 'W1' } },
    directives: [],
    truth,
    answer: written(truth),
    ...other,
  };
}
