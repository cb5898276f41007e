/** The grid of directive x family for each simulator, with denominators and intervals. */
import { BOOTSTRAP, resample, type Ratio } from '../../metrics';
import { detailOf, type Detail, type Draws } from '../lab/detail';
import { DIRECTIVES, type DirectiveKind } from './cases';
import type { SteeringRecord } from './run';

/** Name of the row and of the column that hold everything. */
export const ALL = 'all';

/** What of an answer the grid needs. */
export type SteeringVerdict = Pick<
  SteeringRecord,
  'simulator' | 'kind' | 'family' | 'worldSeed' | 'difficulty' | 'kept' | 'collateral' | 'exact'
>;

/** Numbers of one simulator under one directive in the worlds of one family. */
export interface GridCell {
  simulator: string;
  /** `all`: under every directive, or in every family. */
  directive: DirectiveKind | typeof ALL;
  family: string;
  /** Calls that were answered, and the worlds they are from. */
  n: number;
  worlds: number;
  /** Answers that follow the directive, of those on which it has an effect: all of them, by choice of the calls. */
  compliance: Detail;
  /** Leaves that the directive leaves alone and the answer keeps; leaves of its own count against it. 1 is no damage. */
  collateral: Detail;
  /** Answers that are the twin's under the directive. */
  exact: Detail;
}

export interface SteeringGrid {
  simulators: string[];
  families: string[];
  directives: DirectiveKind[];
  /** In the order simulator, directive, family; those of all first. Cells without a call are left out. */
  cells: GridCell[];
}

/**
 * The grid. Intervals are 95%, bootstrap over worlds (calls in one world are no independent evidence), or Wilson's where all
 * worlds agree or there is only one; collateral is graded and has none there.
 * @param order names of the simulators in the order they are to stand in
 */
export function steeringGrid(records: readonly SteeringVerdict[], order: readonly string[]): SteeringGrid {
  const groups = new Map<string, SteeringVerdict[]>();
  for (const record of records) {
    for (const directive of [ALL, record.kind]) {
      for (const family of [ALL, record.family]) {
        const key = keyOf(record.simulator, directive, family);
        const group = groups.get(key);
        if (group) group.push(record);
        else groups.set(key, [record]);
      }
    }
  }
  const families = [...new Set(records.map(({ family }) => family))];
  const directives = DIRECTIVES.filter((kind) => records.some((record) => record.kind === kind));
  const made = new Map<number, Uint32Array[]>();
  const draws: Draws = (clusters) => {
    let known = made.get(clusters);
    if (!known) made.set(clusters, (known = resample(clusters, BOOTSTRAP.count, BOOTSTRAP.seed)));
    return known;
  };
  const cells: GridCell[] = [];
  for (const simulator of order) {
    for (const directive of [ALL, ...directives] as const) {
      for (const family of [ALL, ...families]) {
        const group = groups.get(keyOf(simulator, directive, family));
        if (group) cells.push({ simulator, directive, family, ...numbersOf(group, draws) });
      }
    }
  }
  return { simulators: [...order], families, directives, cells };
}

/** The cell of a grid; undefined where nothing was answered. */
export function cellOf(grid: SteeringGrid, simulator: string, directive: string, family: string): GridCell | undefined {
  return grid.cells.find(
    (cell) => cell.simulator === simulator && cell.directive === directive && cell.family === family,
  );
}

function keyOf(simulator: string, directive: string, family: string): string {
  return `${simulator}\n${directive}\n${family}`;
}

function numbersOf(records: readonly SteeringVerdict[], draws: Draws) {
  const worlds = new Map<string, SteeringVerdict[]>();
  for (const record of records) {
    const world = `${record.family}/${record.worldSeed}/${record.difficulty}`;
    const group = worlds.get(world);
    if (group) group.push(record);
    else worlds.set(world, [record]);
  }
  const detail = (part: (record: SteeringVerdict) => Ratio, graded: boolean): Detail =>
    detailOf(
      [...worlds.values()].map((group) => total(group.map(part))),
      graded,
      draws,
    );
  return {
    n: records.length,
    worlds: worlds.size,
    compliance: detail(({ kept }) => ({ sum: Number(kept), n: 1 }), false),
    collateral: detail(({ collateral }) => collateral, true),
    exact: detail(({ exact }) => ({ sum: Number(exact), n: 1 }), false),
  };
}

function total(parts: readonly Ratio[]): Ratio {
  return parts.reduce((a, b) => ({ sum: a.sum + b.sum, n: a.n + b.n }), { sum: 0, n: 0 });
}
