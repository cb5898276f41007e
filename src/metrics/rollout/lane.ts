/** A lane of a rollout as metrics over whole runs read it. */
import type { LaneResult, StepRecord } from '../../rollouts';
import { applyDelta } from '../../world/mergePatch';
import type { Action, Directive, State, Transition, World } from '../../world/types';

/** One answer of a lane that runs on its own deltas. */
export interface LaneStep {
  action: Action;
  directives: readonly Directive[];
  transition: Transition;
  /** False for an answer of which a slot does not parse; its delta is then empty or as far as it was read. */
  parsed: boolean;
  /** The lane's own state before and after the answer. */
  before: State;
  after: State;
}

/** The steps of a lane from its answers in order. */
export function laneSteps(
  world: World,
  answers: readonly Pick<LaneStep, 'action' | 'directives' | 'transition' | 'parsed'>[],
): LaneStep[] {
  let state = world.state;
  return answers.map((answer) => {
    const before = state;
    state = applyDelta(state, answer.transition.delta);
    return { ...answer, before, after: state };
  });
}

/** The steps of a lane on a recorded branch; steps in which it failed left no answer and are passed over. */
export function recordedLane(world: World, branch: readonly StepRecord[], lane: string): LaneStep[] {
  return laneSteps(
    world,
    branch.flatMap(({ action, directives, results }) => {
      const result: LaneResult | undefined = Object.hasOwn(results, lane) ? results[lane] : undefined;
      if (!result?.prediction) return [];
      const { transition, parseErrors } = result.prediction;
      return [{ action, directives, transition, parsed: parseErrors.length === 0 }];
    }),
  );
}
