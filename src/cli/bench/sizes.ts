/** How much of everything a bench does. */
import type { BenchOptions } from './options';

export interface Sizes {
  /** Openings of the page, each in a fresh browser and profile. */
  openings: number;
  /** Transitions answered before the clock starts. */
  warmup: number;
  /** Transitions each setting is timed on, the first of those of exactness. */
  timed: number;
  /** Answers generated from a cold prompt by our AR runtime and by transformers.js, in turns. */
  generated: number;
  /** Lanes at once, and the worlds each number of lanes goes through. */
  lanes: { lanes: number; worlds: number }[];
  /** Steps in each world of the lanes. */
  laneSteps: number;
  /** Steps of the endurance run; 0: none. */
  endurance: number;
  /** Worlds of each family that the twins are timed in. */
  twinWorlds: number;
}

/** Worlds of lanes there are; each number of lanes takes some that lie evenly among them. */
export const LANE_WORLDS = 100;

/** Counts from the options. With fewer than ten runs everything that has no option of its own shrinks as well. */
export function sizesOf({ exact, runs, openings, lanes, endurance }: BenchOptions): Sizes {
  const full = runs >= 10;
  const worlds = (count: number) => (full ? Math.ceil(16 / count) * count : count);
  return {
    openings,
    warmup: full ? 8 : 1,
    timed: Math.min(exact, runs),
    generated: Math.min(runs, 30),
    lanes: lanes.map((count) => ({ lanes: count, worlds: worlds(count) })),
    laneSteps: full ? 2 : 1,
    endurance,
    twinWorlds: full ? 30 : 1,
  };
}
