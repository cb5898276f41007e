/** A measurement of steering, piece by piece: directives in worlds, then pinned outcomes. One loop for whoever runs it. */
import { pause } from '../../models/pause';
import { failureOf } from '../../models/errors';
import { DEFAULT_STEP_OPTIONS } from '../../world/simulator';
import { LabError } from '../lab/errors';
import type { Lane } from '../lane';
import { TWIN_LANE } from '../loop';
import type { Split } from '../trajectories';
import { sampleSteps } from './anchorCases';
import { anchorRecord, type AnchorRecord } from './anchorReport';
import { answerStep } from './anchorRun';
import { steeringCases, type SteeringSpec } from './cases';
import { answerCase, type SteeringRecord } from './run';

/** Directives in worlds, and outcomes to pin; plain data. */
export interface SteeringSuite extends SteeringSpec {
  /** Of the measurement: draws where the temperature is above 0, and which outcomes are pinned. 0 to 99. */
  seed: number;
  /** Transitions of a split on which outcomes are pinned (0: none), and answers tried at most where a pin cannot be placed. */
  anchors: { split: Split; n: number; attempts: number };
}

export type SteeringItem = SteeringRecord | AnchorRecord;

/** What was done since the part before; a part is one world, or one transition, in one simulator. */
export interface SteeringPart {
  done: number;
  total: number;
  records: SteeringItem[];
}

/** Parts of a measurement. The twin executes, whatever is pinned: it has no part in anchors. */
export function countParts({ families, seeds, difficulties, anchors }: SteeringSuite, ids: readonly string[]): number {
  return families.length * seeds.length * difficulties.length * ids.length + anchors.n * pinnable(ids).length;
}

/** The simulators that have a part in anchors: all but the twin. */
export function pinnable(ids: readonly string[]): string[] {
  return ids.filter((id) => id !== TWIN_LANE);
}

/**
 * Every world in every lane, then every transition of the anchors. Who does not ask for the next part lets it pause.
 * @param options `skip` leaves out as many parts from the beginning, those of an earlier sitting
 * @throws LabError `lane_failed`, `no_simulator`; RangeError for an unknown family; the signal's reason when aborted
 */
export async function* steeringParts(
  spec: SteeringSuite,
  lanes: readonly Lane[],
  { signal, skip = 0 }: { signal?: AbortSignal; skip?: number } = {},
): AsyncGenerator<SteeringPart> {
  const total = countParts(
    spec,
    lanes.map(({ id }) => id),
  );
  let done = 0;
  for (const family of spec.families) {
    for (const seed of spec.seeds) {
      for (const difficulty of spec.difficulties) {
        if (done + lanes.length <= skip) {
          done += lanes.length;
          continue;
        }
        await pause(signal);
        const cases = await steeringCases(spec, family, seed, difficulty);
        for (const lane of lanes) {
          if (++done <= skip) continue;
          const records: SteeringItem[] = [];
          for (const one of cases) records.push(await answerCase(one, lane, spec.seed, signal));
          yield { done, total, records };
        }
      }
    }
  }
  const { split, n, attempts } = spec.anchors;
  const own = lanes.filter(({ id }) => pinnable([id]).length > 0);
  if (n === 0 || own.length === 0) return;
  for (const step of await sampleSteps(split, n, spec.seed)) {
    for (const lane of own) {
      if (++done <= skip) continue;
      await pause(signal);
      const sampling = { ...DEFAULT_STEP_OPTIONS, attempts, ...lane.options, seed: spec.seed };
      try {
        const answers = await answerStep(lane.simulator, step, sampling, undefined, signal);
        yield { done, total, records: answers.map((answer) => anchorRecord(lane.id, answer)) };
      } catch (error) {
        signal?.throwIfAborted();
        const { code, message, advice } = failureOf(error);
        const what = `${lane.id} failed at a pinned outcome in ${step.family} (${code}): ${message}`;
        throw new LabError('lane_failed', what, `${advice} What is done is kept.`, { cause: error });
      }
    }
  }
}
