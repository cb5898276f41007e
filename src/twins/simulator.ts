/** The executable twin as a simulator: the truth of every world that has one. */
import { currentState } from '../world/codec/fold';
import { answerText } from '../world/codec/answer';
import { equal, type Json } from '../world/json';
import { NO_COST, type Draft, type Prediction, type Simulator, type StepOptions } from '../world/simulator';
import type { Action, Context, Directive, Rule, Transition, World } from '../world/types';
import { stepProgram } from './kit/step';
import type { Program } from './kit/types';
import { publish } from './kit/world';
import { REGISTRY } from './registry';

/** Program of a world, or null when nobody knows its truth (no twin, an unknown family, a spec that is none). */
function programOf(world: World): Program | null {
  const { twin } = world;
  const family = twin && REGISTRY.find((candidate) => candidate.name === twin.family);
  if (!family) return null;
  try {
    return family.program(twin.spec);
  } catch {
    return null;
  }
}

/** The sentence of a rule with its current parameters, or null when the world has no twin or the rule is not one of its own. */
export function ruleText(world: World, rule: Rule): string | null {
  return (
    programOf(world)
      ?.rules.find((def) => def.id === rule.id)
      ?.text(rule.params) ?? null
  );
}

/** Why the twin does not know the truth of a world, or null when it does. */
export function noTruthReason(world: World): string | null {
  if (!world.twin) return 'This world has no twin.';
  const program = programOf(world);
  if (!program) return `No twin can execute the family "${world.twin.family}".`;
  if (!equal(world.tools as unknown as Json, program.tools.map(publish) as unknown as Json)) {
    return 'The tools were edited, so the twin no longer describes this world.';
  }
  const edited = world.rules.find((rule) => ruleText(world, rule) !== rule.text);
  return edited ? `The rule "${edited.text}" is not one of the twin's.` : null;
}

/**
 * The true transition of an action.
 * @throws Error when the world has no truth; the message says why
 */
export function twinTransition(context: Context, action: Action, directives: readonly Directive[]): Transition {
  const { world } = context;
  const program = programOf(world);
  const reason = noTruthReason(world);
  if (!program || reason !== null) throw new Error(reason ?? 'This world has no twin.');
  return stepProgram(program, currentState(context), world.rules, action, directives);
}

export class TwinSimulator implements Simulator {
  readonly id = 'twin';

  supports(world: World): boolean {
    return noTruthReason(world) === null;
  }

  async *step(
    context: Context,
    action: Action,
    options: StepOptions,
    signal?: AbortSignal,
  ): AsyncIterable<Draft | Prediction> {
    signal?.throwIfAborted();
    const transition = twinTransition(context, action, options.directives);
    yield {
      kind: 'prediction',
      transition,
      text: answerText(transition),
      parseErrors: [],
      tokens: [],
      cost: NO_COST,
      seed: options.seed,
    };
  }
}
