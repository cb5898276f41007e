/** How a run ended, by the checks of its task. */
import { isDone, progress, regret } from '../../world/checks';
import type { Task } from '../../world/types';
import type { LaneStep } from './lane';

export interface Outcome {
  done: boolean;
  /** Share of the checks that hold, in [0, 1]. */
  progress: number;
  /** Calls, calls that changed something, calls that were answered by an error. */
  calls: number;
  changes: number;
  errors: number;
  /** Shortfall against the numeric bounds of the task, 0 or more; null where it has none. */
  regret: number | null;
  /** par over changing calls, at most 1, and 0 for a task that is not done; null where no par is known. */
  efficiency: number | null;
}

/**
 * Outcome of a lane's run on its own state. `par` of a task counts the changing calls of the plan it was made from, so
 * efficiency counts those as well: looking around is free.
 */
export function outcomeOf(task: Task, steps: readonly LaneStep[], start: LaneStep['before']): Outcome {
  const state = steps.at(-1)?.after ?? start;
  const done = isDone(task, state);
  const changes = steps.filter(({ transition }) => Object.keys(transition.delta).length > 0).length;
  const bounded = task.checks.some(
    (check) => 'value' in check && /^[<>]/.test(check.op) && typeof check.value === 'number',
  );
  return {
    done,
    progress: progress(task, state),
    calls: steps.length,
    changes,
    errors: steps.filter(({ transition }) => transition.status !== 'ok').length,
    regret: bounded ? regret(task, state) : null,
    efficiency: task.par === undefined ? null : done ? Math.min(1, task.par / Math.max(1, changes)) : 0,
  };
}

/** Means over runs, each with the number of runs it is about; regret over the runs whose shortfall is finite. */
export function meanOutcome(outcomes: readonly Outcome[]): {
  n: number;
  done: number;
  regret: { mean: number | null; n: number };
  efficiency: { mean: number | null; n: number };
} {
  const mean = (values: readonly (number | null)[]) => {
    const known = values.filter((value) => value !== null && Number.isFinite(value)) as number[];
    return { mean: known.length === 0 ? null : known.reduce((a, b) => a + b, 0) / known.length, n: known.length };
  };
  return {
    n: outcomes.length,
    done: outcomes.filter(({ done }) => done).length,
    regret: mean(outcomes.map((outcome) => outcome.regret)),
    efficiency: mean(outcomes.map((outcome) => outcome.efficiency)),
  };
}
