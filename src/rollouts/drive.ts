/** Letting an agent act in a rollout: the loop of the page and of the command line. */
import type { Agent } from '../world/simulator';
import type { Action } from '../world/types';
import type { OnDraft } from './lane';
import type { OnLane, Rollout, StepRequest } from './rollout';
import type { LockstepRow } from './types';

export interface DriveOptions {
  /** Rows at most. */
  steps: number;
  signal?: AbortSignal;
  /** Lane that the agent sees and whose task ends the loop; `rollout.driver` if it is missing. */
  lane?: string;
  /** Asked before every step, so that directives and sampler parameters may change in mid-run. */
  request?: () => StepRequest;
  onAction?: (action: Action) => void;
  /** Awaited, so that a row is stored before the next one begins. */
  onRow?: (row: LockstepRow) => void | Promise<void>;
  onDraft?: OnDraft;
  onLane?: OnLane;
}

/** Why the loop ended: the task is done, all steps were taken, or the lane the agent acts in failed. */
export type DriveEnd = 'done' | 'steps' | 'failed';

/**
 * Steps a rollout with an agent until its task is done in the agent's lane, `steps` rows are made, or that lane gives no
 * answer (an agent would only repeat itself). Rejects with the signal's reason when aborted; rows made so far stay.
 */
export async function driveRollout(
  rollout: Rollout,
  agent: Agent,
  { steps, signal, lane = rollout.driver, request, onAction, onRow, onDraft, onLane }: DriveOptions,
): Promise<DriveEnd> {
  for (let i = 0; i < steps; i++) {
    if (rollout.outcome(lane).done) return 'done';
    signal?.throwIfAborted();
    const action = await agent.act(rollout.view(lane), signal);
    onAction?.(action);
    const options: StepRequest = { source: { kind: 'agent', id: agent.id }, ...request?.() };
    const row = await rollout.step(action, options, signal, onDraft, onLane);
    await onRow?.(row);
    if (row.lanes[lane]?.kind !== 'answer') return 'failed';
  }
  return rollout.outcome(lane).done ? 'done' : 'steps';
}
