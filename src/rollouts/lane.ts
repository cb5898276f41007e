/** A lane: one simulator in a rollout, and how it is asked. */
import { failureOf } from '../models/errors';
import type { ModelInfo } from '../models/info';
import type { Tokenizer } from '../world/codec';
import { finishStep, type Draft, type Prediction, type Simulator, type StepOptions } from '../world/simulator';
import type { Action, Context } from '../world/types';
import { RolloutError } from './errors';
import { finite } from './finite';
import type { LaneFailure, LaneHeader } from './records';

/** One simulator in a rollout. */
export interface Lane {
  id: string;
  simulator: Simulator;
  /** What this lane sets apart from the others, such as its own threshold, or the key of its draws. */
  options?: Partial<StepOptions>;
  /** Info of the model behind the simulator, once it is loaded; asked after each answer. */
  model?: () => ModelInfo | null;
  /** Tokenizer of the model, for the exact prompt; asked after each answer. */
  tokenizer?: () => Tokenizer | null;
}

/**
 * Failures that the answer itself brings about, so that another try would end alike: they count as wrong answers where
 * answers are judged. All others stop the work, since a lane that is gone would fill it with zeros.
 */
export const COUNTED_FAILURES: ReadonlySet<string> = new Set(['context_too_long', 'bad_output', 'not_finite']);

type Answer = { prediction: Prediction; failure: null } | { prediction: null; failure: LaneFailure };

/** Answer of one lane; null when it cannot answer in this world. Only an abort gets out. */
export async function runLane(
  lane: Lane,
  context: Context,
  action: Action,
  options: StepOptions,
  signal: AbortSignal | undefined,
  onDraft: ((laneId: string, draft: Draft) => void) | undefined,
): Promise<Answer | null> {
  try {
    if (!lane.simulator.supports(context.world)) return null;
    const steps = lane.simulator.step(context, action, options, signal);
    const prediction = await finishStep(steps, onDraft && ((draft) => onDraft(lane.id, draft)));
    return { prediction: finite(prediction), failure: null };
  } catch (error) {
    signal?.throwIfAborted();
    return { prediction: null, failure: laneFailure(error) };
  }
}

/** Any error as a failure with code and advice; errors that bring both (of models, workers, rollouts) keep them. */
function laneFailure(error: unknown): LaneFailure {
  const { code, advice } = (error ?? {}) as { code?: unknown; advice?: unknown };
  if (error instanceof Error && typeof code === 'string' && typeof advice === 'string') {
    return { code, message: error.message, advice };
  }
  return failureOf(error);
}

/** @throws RolloutError `no_lanes` when there are none or two have one id */
export function checkLanes(lanes: readonly Lane[]): void {
  const ids = lanes.map(({ id }) => id);
  if (ids.length > 0 && new Set(ids).size === ids.length) return;
  const what = ids.length === 0 ? 'A run needs at least one lane.' : `Two lanes have one id: ${ids.join(', ')}.`;
  throw new RolloutError('no_lanes', what, 'Give each lane an id of its own.');
}

/** What the header says of the i-th lane. */
export function laneHeader(lane: Lane, i: number): LaneHeader {
  return { id: lane.id, simulator: lane.simulator.id, key: lane.options?.lane ?? i };
}
