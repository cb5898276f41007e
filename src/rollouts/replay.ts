/** A recorded run done once more, branch by branch, with what each step was done with. */
import type { StepOptions } from '../world/simulator';
import type { Lane } from './lane';
import { Rollout, type StepCallbacks } from './loop';
import { stepsOf, type RunRecord, type StepRecord } from './records';

/**
 * Does every step of a run again in the order in which they were recorded: same parents, actions, actors, directives,
 * seeds, and for each lane the sampling and the key of draws it had. Lanes the run does not have are left out. With
 * the same simulators the steps are the same to the byte, costs in milliseconds aside, which only models have.
 * @throws RolloutError `no_lanes` when none of the lanes is one of the run's; the signal's reason when aborted
 */
export async function replayRun(
  run: RunRecord,
  lanes: readonly Lane[],
  signal?: AbortSignal,
  callbacks?: StepCallbacks,
): Promise<Rollout> {
  const { header } = run;
  const doing: { step?: StepRecord } = {};
  const again = header.lanes.flatMap(({ id, key }): Lane[] => {
    const lane = lanes.find((candidate) => candidate.id === id);
    if (!lane) return [];
    const { simulator } = lane;
    const recorded = () => doing.step?.results[id];
    return [
      {
        ...lane,
        simulator: {
          id: simulator.id,
          // A lane that was not open in a step has no part in it.
          supports: (world) => recorded() !== undefined && simulator.supports(world),
          step: (...args) => simulator.step(...args),
        },
        // Read anew for each step.
        get options(): Partial<StepOptions> {
          return { ...lane.options, ...recorded()?.sampler, lane: key };
        },
      },
    ];
  });
  const { id, title, createdAt, app, from } = header;
  const rollout = Rollout.start(header.world, again, { id, title, createdAt, app, ...(from ? { from } : {}) });
  /** Ids of the recorded steps, as the new ones are called. */
  const ids = new Map<string, string>();
  for (const step of stepsOf(run)) {
    doing.step = step;
    rollout.goTo(step.parentId === null ? null : (ids.get(step.parentId) ?? null));
    const { actor, directives, seed } = step;
    const made = await rollout.step(step.action, { actor, directives, seed }, signal, callbacks);
    ids.set(step.id, made.id);
  }
  return rollout;
}
