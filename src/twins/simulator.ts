/** The executable twin as a simulator: the truth of every world that has one. */
import { currentState, visibleContext } from '../world/codec/fold';
import { answerText } from '../world/codec/answer';
import { equal, type Json } from '../world/json';
import { NO_COST, type Draft, type Prediction, type Simulator, type StepOptions } from '../world/simulator';
import type { Action, Context, Directive, Rule, Transition, World } from '../world/types';
import { stepProgram } from './kit/step';
import type { Program } from './kit/types';
import { publish } from './kit/world';
import { EXECUTABLE } from './registry';

/** Program of a world, or null when nobody knows its truth (no twin, an unknown family, a spec that is none). */
function programOf(world: World): Program | null {
  const { twin } = world;
  const family = twin && EXECUTABLE.find((candidate) => candidate.name === twin.family);
  if (!family) return null;
  try {
    return family.program(twin.spec);
  } catch {
    return null;
  }
}

function textOf(program: Program, rule: Rule): string | null {
  return program.rules.find((def) => def.id === rule.id)?.text(rule.params) ?? null;
}

type Truth = { program: Program } | { reason: string };

/** A world does not change, and comparing its tools takes longer than a step. */
const known = new WeakMap<World, Truth>();

/** The program that knows a world's truth, or why there is none. */
function truthOf(world: World): Truth {
  const before = known.get(world);
  if (before) return before;
  const truth = findTruth(world);
  known.set(world, truth);
  return truth;
}

function findTruth(world: World): Truth {
  if (!world.twin) return { reason: 'This world has no twin.' };
  const program = programOf(world);
  if (!program) return { reason: `No twin can execute the family "${world.twin.family}".` };
  if (!equal(world.tools as unknown as Json, program.tools.map(publish) as unknown as Json)) {
    return { reason: 'The tools were edited, so the twin no longer describes this world.' };
  }
  const edited = world.rules.find((rule) => textOf(program, rule) !== rule.text);
  return edited ? { reason: `The rule "${edited.text}" is not one of the twin's.` } : { program };
}

/** The sentence of a rule with its current parameters, or null when the world has no twin or the rule is not one of its own. */
export function ruleText(world: World, rule: Rule): string | null {
  const program = programOf(world);
  return program && textOf(program, rule);
}

/** Why the twin does not know the truth of a world, or null when it does. */
export function noTruthReason(world: World): string | null {
  const truth = truthOf(world);
  return 'reason' in truth ? truth.reason : null;
}

/**
 * The true transition of an action.
 * @throws Error when the world has no truth; the message says why
 */
export function twinTransition(context: Context, action: Action, directives: readonly Directive[]): Transition {
  const truth = truthOf(context.world);
  if ('reason' in truth) throw new Error(truth.reason);
  const { state: start } = directives.some(({ kind }) => kind === 'stale')
    ? visibleContext(context, action, directives).world
    : context.world;
  return stepProgram(truth.program, currentState(context), context.world.rules, action, directives, start);
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
