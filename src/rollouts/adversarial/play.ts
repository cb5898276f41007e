/** From a scenario to what a simulator is shown at each step, and the truth. Teacher-forced: the history is the twin's. */
import { noTruthReason, twinTransition } from '../../twins';
import { answerText, currentState } from '../../world/codec';
import { applyDelta } from '../../world/mergePatch';
import type { Action, Context, Directive, Transition } from '../../world/types';
import type { Edit, PlayedStep, Scenario } from './types';

/** The context after an edit: a patched state begins a new context, changed rules stand above the same history. */
export function edited(context: Context, edit: Edit | undefined): Context {
  if (!edit) return context;
  const world = edit.rules ? { ...context.world, rules: edit.rules } : context.world;
  if (!edit.state) return { world, history: context.history };
  return { world: { ...world, state: applyDelta(currentState(context), edit.state) }, history: [] };
}

/** The context after a true answer. */
export function advanced(
  context: Context,
  action: Action,
  directives: Directive[],
  { delta, ...rest }: Transition,
): Context {
  const text = answerText({ delta, ...rest });
  return { world: context.world, history: [...context.history, { directives, action, text, delta }] };
}

/**
 * All steps of a scenario with their contexts and true answers.
 * @throws Error when the twin does not know the truth of the world, also after an edit
 */
export function play(scenario: Scenario): PlayedStep[] {
  let context: Context = { world: scenario.world, history: [] };
  return scenario.steps.map(({ edit, action, directives, traps }) => {
    context = edited(context, edit);
    const reason = noTruthReason(context.world);
    if (reason !== null) throw new Error(`${scenario.kind} ${scenario.seed}: ${reason}`);
    const truth = twinTransition(context, action, directives);
    const step = { context, state: currentState(context), action, directives, truth, traps };
    context = advanced(context, action, directives, truth);
    return step;
  });
}
