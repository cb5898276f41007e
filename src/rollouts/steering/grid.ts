/** The grid of directive x world for each simulator, worlds grouped by family, with denominators and intervals. */
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

/** A world of a family: what it is made from. */
export interface GridWorld {
  family: string;
  worldSeed: number;
  difficulty: number;
}

/** Numbers of one simulator under one directive in one world, or in the worlds of one family. */
export interface GridCell {
  simulator: string;
  /** `all`: under every directive, or in every family. */
  directive: DirectiveKind | typeof ALL;
  family: string;
  /** The one world; null for all of the family. */
  world: Pick<GridWorld, 'worldSeed' | 'difficulty'> | null;
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
  /** Worlds in which something was answered, those of a family together, in the order of the run. */
  worlds: GridWorld[];
  directives: DirectiveKind[];
  /** In the order simulator, directive, family, those of all first; worlds behind their family. None without a call. */
  cells: GridCell[];
}

/**
 * The grid. Intervals are 95%, bootstrap over worlds (calls in one world are no independent evidence), or Wilson's where all
 * worlds agree or there is only one; collateral is graded and has none there.
 * @param order names of the simulators in the order they are to stand in
 */
export function steeringGrid(records: readonly SteeringVerdict[], order: readonly string[]): SteeringGrid {
  const groups = new Map<string, SteeringVerdict[]>();
  const worlds = new Map<string, GridWorld>();
  for (const record of records) {
    const { simulator, kind, family, worldSeed, difficulty } = record;
    worlds.set(worldKey(record), { family, worldSeed, difficulty });
    for (const directive of [ALL, kind]) {
      for (const column of [columnKey(ALL, null), columnKey(family, null), columnKey(family, record)]) {
        const key = keyOf(simulator, directive, column);
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
  const sorted = families.flatMap((family) => [...worlds.values()].filter((world) => world.family === family));
  const columns: Pick<GridCell, 'family' | 'world'>[] = [
    { family: ALL, world: null },
    ...families.flatMap((family) => [
      { family, world: null },
      ...sorted
        .filter((world) => world.family === family)
        .map(({ worldSeed, difficulty }) => ({ family, world: { worldSeed, difficulty } })),
    ]),
  ];
  const cells: GridCell[] = [];
  for (const simulator of order) {
    for (const directive of [ALL, ...directives] as const) {
      for (const { family, world } of columns) {
        const group = groups.get(keyOf(simulator, directive, columnKey(family, world)));
        if (group) cells.push({ simulator, directive, family, world, ...numbersOf(group, draws) });
      }
    }
  }
  return { simulators: [...order], families, worlds: sorted, directives, cells };
}

/** Cells by where they stand, for each grid once: a page looks up every cell it draws. */
const INDEX = new WeakMap<SteeringGrid, Map<string, GridCell>>();

/** The cell of a grid, of a family or of one world of it; undefined where nothing was answered. */
export function cellOf(
  grid: SteeringGrid,
  simulator: string,
  directive: string,
  family: string,
  world: GridCell['world'] = null,
): GridCell | undefined {
  let index = INDEX.get(grid);
  if (!index) {
    index = new Map(
      grid.cells.map((cell) => [keyOf(cell.simulator, cell.directive, columnKey(cell.family, cell.world)), cell]),
    );
    INDEX.set(grid, index);
  }
  return index.get(keyOf(simulator, directive, columnKey(family, world)));
}

function keyOf(simulator: string, directive: string, column: string): string {
  return `${simulator}\n${directive}\n${column}`;
}

function columnKey(family: string, world: GridCell['world']): string {
  return world ? worldKey({ ...world, family }) : family;
}

function worldKey({ family, worldSeed, difficulty }: GridWorld): string {
  return `${family}/${worldSeed}/${difficulty}`;
}

function numbersOf(records: readonly SteeringVerdict[], draws: Draws) {
  const worlds = new Map<string, SteeringVerdict[]>();
  for (const record of records) {
    const world = worldKey(record);
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
