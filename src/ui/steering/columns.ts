/** Columns of the grid of steering: a column for each family, and behind it one for each of its worlds that is on show. */
import type { GridWorld, SteeringGrid } from '../../rollouts/steering';

/** Worlds of a family that are on show at once. */
export const PER_FAMILY = 12;
/** With no more worlds than these, all families are open from the beginning. */
const OPEN_AT_FIRST = 24;

/** A family with the worlds of it that are on show. */
export interface ColumnGroup {
  family: string;
  /** Worlds of the family, and the number of the first on show, from 0. */
  all: number;
  from: number;
  worlds: GridWorld[];
}

/** Whether the worlds of a family are on show: as it was set by hand, otherwise where there are few in all. */
export function isOpen(grid: SteeringGrid, opened: { readonly [family: string]: boolean }, family: string): boolean {
  return opened[family] ?? grid.worlds.length <= OPEN_AT_FIRST;
}

/**
 * The columns behind `all`, by family in the order of the grid.
 * @param opened families set by hand; @param first the first world wanted of each; what is beyond the last shows the last ones
 */
export function columnsOf(
  grid: SteeringGrid,
  opened: { readonly [family: string]: boolean },
  first: { readonly [family: string]: number },
): ColumnGroup[] {
  return grid.families.map((family) => {
    const own = grid.worlds.filter((world) => world.family === family);
    const last = Math.max(0, Math.ceil(own.length / PER_FAMILY) - 1) * PER_FAMILY;
    const from = Math.min(Math.max(first[family] ?? 0, 0), last);
    const worlds = isOpen(grid, opened, family) ? own.slice(from, from + PER_FAMILY) : [];
    return { family, all: own.length, from, worlds };
  });
}

/** A world within its family. @param several whether there is more than one difficulty to tell apart */
export function worldName({ worldSeed, difficulty }: Omit<GridWorld, 'family'>, several: boolean): string {
  return several ? `seed ${worldSeed}, d${difficulty}` : `seed ${worldSeed}`;
}
