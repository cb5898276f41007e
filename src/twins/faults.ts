/**
 * Fault presets: which directives a run has at each of its steps, so that an agent meets transient trouble in known doses
 * (after the modes E1 to E3 of Qwen-AgentWorld's harness: explicit errors, implicit ones, both in turn).
 */
import { Rng } from '../world/rng';
import type { Directive } from '../world/types';

export const FAULT_PRESETS = ['explicit', 'implicit', 'mixed'] as const;
export type FaultPreset = (typeof FAULT_PRESETS)[number];

export interface FaultPlan {
  /** `explicit`: calls fail with a code. `implicit`: answers look well and are not. `mixed`: one kind, then the other. */
  preset: FaultPreset;
  /** Faults in the run. */
  count: number;
  /** Consecutive steps each one lasts. */
  duration: number;
}

const IMPLICIT: readonly Directive[] = [
  { kind: 'empty' },
  { kind: 'partial', n: 1 },
  { kind: 'scarce' },
  { kind: 'stale' },
  { kind: 'misleading' },
];

/**
 * Directives of each step of a run. The run is cut into `count` equal parts; in each, one fault begins at a random step,
 * early enough to end inside it, so faults never run into each other.
 * @param codes the family's codes of `fail(code)`
 * @param horizon steps of the run
 * @returns one list of directives a step, `horizon` in all
 * @throws RangeError when the faults do not fit into the run
 */
export function faultSchedule(plan: FaultPlan, codes: readonly string[], horizon: number, seed: number): Directive[][] {
  const { preset, count, duration } = plan;
  const part = Math.floor(horizon / Math.max(count, 1));
  if (!(count >= 0 && duration >= 1 && Number.isInteger(count) && Number.isInteger(duration)))
    throw new RangeError('faults need a whole count from 0 and a whole duration from 1');
  if (count > 0 && duration >= part)
    throw new RangeError(
      `${count} faults of ${duration} ${duration === 1 ? 'step' : 'steps'} do not fit into ${horizon} steps with a pause between them`,
    );
  const rng = Rng.of('faults', seed);
  const steps: Directive[][] = Array.from({ length: horizon }, () => []);
  for (let i = 0; i < count; i++) {
    const explicit = preset === 'explicit' || (preset === 'mixed' && i % 2 === 0);
    const directive: Directive = explicit ? { kind: 'fail', code: rng.pick(codes) } : rng.pick(IMPLICIT);
    const start = i * part + rng.int(0, part - duration - 1);
    for (let step = start; step < start + duration; step++) steps[step] = [directive];
  }
  return steps;
}
