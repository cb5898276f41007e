/** What the page is set to when a recorded run is opened. */
import type { RunHeader, StepRecord } from '../rollouts';
import { FAMILIES, makeWorld, noTruthReason } from '../twins';
import type { World } from '../world/types';
import { editsBetween } from './edits';
import type { Settings } from './hash';
import { lanesOfRun } from './lanes';

/**
 * The world a run began from, before edits, and the settings with which the page goes on: those it has, with the run's
 * world and its lanes as far as the page knows them. A world that no family makes stands for itself.
 */
export function openedWorld(
  { world, lanes }: Pick<RunHeader, 'world' | 'lanes'>,
  settings: Settings,
  last?: StepRecord,
): { base: World; settings: Settings } {
  const wanted = lanesOfRun({ lanes }, last, settings);
  const { family, seed: worldSeed, difficulty } = world.twin ?? {};
  const generated = FAMILIES.some((candidate) => candidate.name === family) && noTruthReason(world) === null;
  if (!generated || family === undefined || worldSeed === undefined || difficulty === undefined) {
    return { base: world, settings: { ...settings, lanes: wanted } };
  }
  const base = makeWorld(family, worldSeed, difficulty);
  const edits = editsBetween(base, world);
  return { base, settings: { ...settings, lanes: wanted, family, worldSeed, difficulty, edits } };
}
