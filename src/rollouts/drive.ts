/** Agents in a rollout: the loop of the page and of the command line. */
import type { Agent } from '../world/simulator';
import type { Action, Directive } from '../world/types';
import type { Rollout, RowOptions, StepCallbacks } from './loop';
import type { RunHeader, StepRecord } from './records';

/** Settings of a drive: how many steps at most, and what each of them sets. */
export interface DriveOptions extends RowOptions {
  steps: number;
  /** Lane the agent acts in: it sees that lane's answers, and the drive ends when the task is done there. */
  lane?: string;
  /** Directives of the row with this index in its branch; `directives` for every row unless told. */
  directivesAt?: (index: number) => readonly Directive[];
  /** Whether a done task ends the drive; it does unless told. */
  untilDone?: boolean;
  signal?: AbortSignal;
  /** Waited for before each step: here a drive is paused and slowed down. */
  gate?: (signal: AbortSignal | undefined) => Promise<void>;
  /** Called with the action before it is taken. */
  onAction?: (action: Action) => void;
  /** Called with each row; a promise is waited for, so that a row is stored before the next one begins. */
  onRow?: (row: StepRecord, header: RunHeader) => unknown;
  callbacks?: StepCallbacks;
}

/** A person who has made up their mind: manual mode is a drive of one step. */
export function oneAction(action: Action): Agent {
  return { id: 'human', act: () => Promise.resolve(action) };
}

/**
 * Lets an agent act in a rollout until the task is done in its lane (the leading one unless told) or the steps are used up.
 * @returns the rows that were made
 * @throws what the agent or `onRow` throws; the signal's reason when aborted (rows made so far stay)
 */
export async function driveRollout(rollout: Rollout, agent: Agent, options: DriveOptions): Promise<StepRecord[]> {
  const { steps, lane = rollout.leader(), untilDone = true, gate, ...more } = options;
  const { directivesAt, signal, onAction, onRow, callbacks, ...row } = more;
  const rows: StepRecord[] = [];
  while (rows.length < steps && !(untilDone && rollout.isDone(lane))) {
    await gate?.(signal);
    signal?.throwIfAborted();
    const action = await agent.act(rollout.view(lane), signal);
    onAction?.(action);
    const steered = directivesAt ? { ...row, directives: directivesAt(rollout.branch.length) } : row;
    const made = await rollout.step(action, { actor: agent.id, ...steered }, signal, callbacks);
    rows.push(made);
    await onRow?.(made, rollout.header);
  }
  return rows;
}
