/** The tasks of a batch: each world has one, which its seed makes. */
import { seedsOf, type LabSpec } from '../../rollouts/lab';
import { makeWorld } from '../../twins';

/** Tasks in a list at most; a batch may have a million worlds. */
export const LISTED_TASKS = 2000;

/** A world of a batch. */
export interface TaskWorld {
  family: string;
  worldSeed: number;
  difficulty: number;
}

/** Worlds of a batch, the first ones, by family, seed and difficulty, and how many there are. */
export function tasksOf({ families, seeds, difficulties }: LabSpec['worlds']): { listed: TaskWorld[]; all: number } {
  const own = seedsOf(seeds);
  const listed: TaskWorld[] = [];
  for (const family of families) {
    for (const worldSeed of own) {
      for (const difficulty of difficulties) {
        if (listed.length < LISTED_TASKS) listed.push({ family, worldSeed, difficulty });
      }
    }
  }
  return { listed, all: families.length * own.length * difficulties.length };
}

/** What the task of a world asks for. Making a world takes a millisecond or so, thus it is asked for what is in sight alone. */
export function taskOf({ family, worldSeed, difficulty }: TaskWorld): string {
  return makeWorld(family, worldSeed, difficulty).task.instruction;
}

/** The worlds without those of a seed. */
export function without(worlds: LabSpec['worlds'], seed: number): LabSpec['worlds'] {
  return { ...worlds, seeds: seedsOf(worlds.seeds).filter((one) => one !== seed) };
}
