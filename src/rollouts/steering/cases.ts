/** Calls to steer: in each world, steps of a walk on which a directive changes the true answer. */
import { verdicts } from '../../metrics';
import { noisyAgent, randomAgent } from '../../agents';
import { createExpert, failCodesOf, makeWorld, twinTransition } from '../../twins';
import { isDone } from '../../world/checks';
import { answerText } from '../../world/codec';
import { currentState, FOLD_TURNS, foldIfNeeded } from '../../world/codec/fold';
import { DIRECTIVE_KINDS } from '../../world/directives';
import { Rng } from '../../world/rng';
import type { AgentView } from '../../world/simulator';
import type { Action, Context, Directive, Transition } from '../../world/types';

export type DirectiveKind = Directive['kind'];

/** All kinds of directives, in the order in which they apply. */
export const DIRECTIVES = Object.keys(DIRECTIVE_KINDS) as DirectiveKind[];

/** What a grid is made of: plain data. */
export interface SteeringSpec {
  families: readonly string[];
  /** World seeds of each family. */
  seeds: readonly number[];
  difficulties: readonly number[];
  directives: readonly DirectiveKind[];
  /** Calls of each world that are tried under each directive, at most: a world may have fewer on which it has an effect. */
  calls: number;
}

/** One call with one directive that has an effect on it. */
export interface SteeringCase {
  family: string;
  worldSeed: number;
  difficulty: number;
  /** Number of the step in the walk, from 0. */
  index: number;
  directive: Directive;
  action: Action;
  /** What a simulator is shown before the call: the twin's history, in which nothing was steered. */
  context: Context;
  /** The twin's answers under the directive and without it. */
  directed: Transition;
  undirected: Transition;
}

/** Share of the expert's turns in which the walk calls a random tool, so that look-ups of all sorts occur. */
const NOISE = 0.4;

/**
 * The cases of one world, in the order of the walk, so that what they share of a prompt stays cached. Which calls are drawn
 * for a directive does not depend on the others. Equal arguments give equal cases.
 * @throws RangeError for an unknown family
 */
export async function steeringCases(
  { directives, calls }: Pick<SteeringSpec, 'directives' | 'calls'>,
  family: string,
  worldSeed: number,
  difficulty: number,
): Promise<SteeringCase[]> {
  const walk = await walkOf(family, worldSeed, difficulty);
  const codes = failCodesOf(family);
  const out: SteeringCase[] = [];
  for (const kind of DIRECTIVES.filter((one) => directives.includes(one))) {
    const rng = Rng.of('steering', family, worldSeed, difficulty, kind);
    const found = walk.flatMap(({ context: before, action }, index) => {
      for (const directive of candidates(kind, codes, rng.fork(index))) {
        const context = foldIfNeeded(before, action, [directive]);
        const directed = twinTransition(context, action, [directive]);
        const undirected = twinTransition(context, action, []);
        // Only where it asks for something: fail(code) of a call that fails with this code anyway would be followed by all.
        const same = directed.status === undirected.status;
        const asked = verdicts({ directives: [directive], directed, undirected, answer: directed }).length > 0;
        if (!asked || (kind === 'fail' && same)) continue;
        return [{ family, worldSeed, difficulty, index, directive, action, context, directed, undirected }];
      }
      return [];
    });
    out.push(...rng.fork('calls').sample(found, Math.min(calls, found.length)));
  }
  return out.sort((a, b) => a.index - b.index);
}

/** Directives of a kind to try on a call, the first that has an effect is taken. */
function candidates(kind: DirectiveKind, codes: readonly string[], rng: Rng): Directive[] {
  switch (kind) {
    case 'fail':
      return rng.shuffle(codes).map((code) => ({ kind, code }));
    case 'partial':
      return rng.shuffle([1, 2, 3]).map((n) => ({ kind, n }));
    default:
      return [{ kind }];
  }
}

/** Calls of a noisy expert in the twin, as many as a context holds, each with the context before it. */
async function walkOf(
  family: string,
  seed: number,
  difficulty: number,
): Promise<{ context: Context; action: Action }[]> {
  const world = makeWorld(family, seed, difficulty);
  const [expert, random] = [noisyAgent(createExpert(world), NOISE, seed), randomAgent(seed)];
  const view: AgentView = { world, state: world.state, steps: [] };
  const out: { context: Context; action: Action }[] = [];
  let context: Context = { world, history: [] };
  for (let i = 0; i < FOLD_TURNS; i++) {
    const action = await (isDone(world.task, view.state) ? random : expert).act(view);
    context = foldIfNeeded(context, action, []);
    const transition = twinTransition(context, action, []);
    out.push({ context, action });
    const turn = { directives: [], action, text: answerText(transition), delta: transition.delta };
    context = { world: context.world, history: [...context.history, turn] };
    view.steps = [...view.steps, { action, transition }];
    view.state = currentState(context);
  }
  return out;
}
