/** Which steps of a batch keep their texts: a sample drawn beforehand, so that what a batch holds does not grow with it. */
import { hash32, hashText } from '../../world/rng';
import type { LabJob } from './jobs';
import { countJobs, type LabSpec } from './spec';

/** Steps of one simulator whose texts are kept at most, more or less; rollouts that end early leave fewer. */
export const KEPT_TEXTS = 800;

/** Share of the steps of a batch whose texts are kept, in (0, 1]. */
export function textShare(spec: LabSpec): number {
  const steps = (countJobs(spec) / spec.simulators.length) * spec.steps;
  return Math.min(1, KEPT_TEXTS / steps);
}

/**
 * Whether a step's texts are kept. It is drawn from the situation alone, neither from the simulator nor from the seed: all
 * simulators keep the same places, and a place is kept under all of its seeds.
 */
export function keepsTexts(spec: LabSpec, job: LabJob, step: number): boolean {
  const share = textShare(spec);
  if (share === 1) return true;
  const { family, worldSeed, difficulty, agent } = job;
  return hash32(hashText('texts'), hashText(family), worldSeed, difficulty, hashText(agent), step) < share * 2 ** 32;
}
