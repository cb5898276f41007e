/** Teacher forcing in the lock-step loop: a lane that answers from the twin's history instead of its own. */
import { holds, isDone, progress } from '../../world/checks';
import { currentState } from '../../world/codec/fold';
import { applyDelta } from '../../world/mergePatch';
import type { Draft, Prediction, Simulator, StepOptions } from '../../world/simulator';
import type { Action, Context, World } from '../../world/types';
import type { LaneResult } from '../records';

/** A simulator that is shown the teacher's context, whatever context it is given. */
export class ForcedSimulator implements Simulator {
  constructor(
    private readonly inner: Simulator,
    private readonly teacher: () => Context,
  ) {}

  get id(): string {
    return this.inner.id;
  }

  supports(world: World): boolean {
    return this.inner.supports(world);
  }

  step(
    _context: Context,
    action: Action,
    options: StepOptions,
    signal?: AbortSignal,
  ): AsyncIterable<Draft | Prediction> {
    return this.inner.step(this.teacher(), action, options, signal);
  }
}

/**
 * The result of a forced lane with its checks on the state that its answer leads to from the teacher's: the loop took the
 * lane's answers for a history of its own, which they are not.
 */
export function forcedResult(result: LaneResult, context: Context): LaneResult {
  const { task } = context.world;
  const before = currentState(context);
  const state = result.prediction ? applyDelta(before, result.prediction.transition.delta) : before;
  const checks = task.checks.map((check) => holds(check, state));
  return { ...result, checks, progress: progress(task, state), done: isDone(task, state) };
}
