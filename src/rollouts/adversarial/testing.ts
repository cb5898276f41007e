/** What broken simulators are made of, for the tests: the twin's answer distorted, or given to something misread. */
import { twinTransition } from '../../twins';
import { answerText, currentState, parseAnswer } from '../../world/codec';
import { type JsonObject } from '../../world/json';
import { NO_COST, type Draft, type Prediction, type Simulator, type StepOptions } from '../../world/simulator';
import type { Action, Context, Directive, SlotTexts, State, Transition, World } from '../../world/types';
import { collections } from './script';

export interface Asked {
  context: Context;
  state: State;
  action: Action;
  directives: Directive[];
  step: number;
}

/** What a broken simulator answers: a transition, or raw text. Made anew for each scenario, so it may remember. */
export type Liar = () => (asked: Asked) => Transition | SlotTexts;

/** A simulator that answers as a liar does. */
export function liarSimulator(liar: Liar): Simulator {
  let answer = liar();
  return {
    id: 'liar',
    supports: () => true,
    async *step(context: Context, action: Action, options: StepOptions): AsyncIterable<Draft | Prediction> {
      if (options.step === 0) answer = liar();
      const { directives, step } = options;
      const said = answer({ context, state: currentState(context), action, directives, step });
      const text = typeof said.observation === 'string' ? (said as SlotTexts) : answerText(said as Transition);
      yield { kind: 'prediction', ...parseAnswer(text), text, tokens: [], cost: NO_COST, seed: options.seed };
    },
  };
}

export const twin = ({ context, action, directives }: Asked): Transition => twinTransition(context, action, directives);

/** The twin's answer in another state or world. */
export const twinIn = (world: World, { action, directives }: Asked): Transition =>
  twinTransition({ world, history: [] }, action, directives);

/** Distorts the twin's answer. */
export const distort =
  (change: (truth: Transition, asked: Asked) => Transition | SlotTexts): Liar =>
  () =>
  (asked) =>
    change(twin(asked), asked);

/** Lets the twin answer something else than what was asked. */
export const misread =
  (change: (asked: Asked) => Partial<Asked>): Liar =>
  () =>
  (asked) =>
    twin({ ...asked, ...change(asked) });

export const withState = (asked: Asked, state: State): Transition => twinIn({ ...asked.context.world, state }, asked);

export function ruleless(world: World): World {
  return { ...world, rules: world.rules.map((rule) => ({ ...rule, enabled: false })) };
}

/** A change of some record. */
export function someChange(state: State): JsonObject {
  const [collection, records] = collections(state)[0] ?? ['things', { t1: {} }];
  return { [collection]: { [Object.keys(records)[0] ?? 't1']: { touched: 1 } } };
}
