/** Executable twins: families of worlds whose true answers are known. */
import type { Agent } from '../world/simulator';
import type { World } from '../world/types';
import { planAgent } from './kit/expert';
import { makeScenario } from './kit/world';
import { EXECUTABLE, familyOf, REGISTRY } from './registry';

export { noTruthReason, ruleText, TwinSimulator, twinTransition } from './simulator';

/** What people see of a family. */
export interface FamilyInfo {
  name: string;
  title: string;
  line: string;
  heldOut: boolean;
  failCodes: readonly string[];
}

export const FAMILIES: readonly FamilyInfo[] = REGISTRY.map(({ name, title, line, heldOut, failCodes }) => ({
  name,
  title,
  line,
  heldOut,
  failCodes,
}));

/** Statuses that a directive can make a tool of this family fail with; none for a family that is not known. */
export function failCodesOf(family: string | undefined): readonly string[] {
  return EXECUTABLE.find(({ name }) => name === family)?.failCodes ?? [];
}

/**
 * The world of a seed; equal arguments give equal bytes.
 * @param difficulty 1 to 3
 * @throws RangeError for an unknown family
 */
export function makeWorld(family: string, seed: number, difficulty = 1): World {
  return makeScenario(familyOf(family), seed, difficulty).world;
}

/**
 * The scripted expert of a world made by `makeWorld`. It acts on the plan of the seed, so edits of the world may defeat it.
 * @throws Error for a world without a twin
 */
export function createExpert(world: World): Agent {
  if (!world.twin) throw new Error('This world has no twin, so there is no expert for it.');
  return planAgent(makeScenario(familyOf(world.twin.family), world.twin.seed, world.twin.difficulty).plan);
}
