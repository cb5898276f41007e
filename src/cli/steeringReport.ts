/** What `npm run steering` prints. */
import { anchorInterval, type AnchorShare } from '../metrics';
import type { Failure } from '../models';
import type { LabModels } from '../rollouts/lab';
import {
  ALL,
  cellOf,
  type GridCell,
  type SteeringGrid,
  type SteeringSuite,
  type SteeringTables,
} from '../rollouts/steering';
import { grid as columns } from './adversarialReport';

export interface SteeringReport extends SteeringTables {
  spec: SteeringSuite;
  temperature: number;
  threshold: number;
  /** What answered, by simulator; null for the twin. */
  models: LabModels;
  /** Why simulators did not run. */
  errors: { [simulator: string]: Failure };
}

/** Worlds beside each other in one table. */
const WORLDS_WIDE = 10;

/**
 * Directive x family for each simulator and directive x world for each family, then pinned outcomes, then what did not run.
 * @param by `families` leaves out the tables of worlds, for runs with many
 */
export function formatSteering(
  { grid, anchors, errors }: SteeringReport,
  by: 'worlds' | 'families' = 'worlds',
): string {
  const parts: string[] = [];
  const asked = grid.simulators.filter((id) => grid.cells.some(({ simulator }) => simulator === id));
  if (asked.length > 0) {
    parts.push(
      'Answers that follow the directive, of the calls on which it changes the twin\u2019s answer; behind the bar the share of\n' +
        'leaves it leaves alone that are kept. The last row and column are of all, with 95% intervals (bootstrap over worlds,\n' +
        'Wilson where all worlds agree).',
    );
  }
  for (const simulator of asked) {
    const rows = [...grid.directives, ALL] as const;
    const families = [...grid.families, ALL];
    parts.push(
      simulator,
      columns([
        ['', ...families],
        ...rows.map((directive) => [
          directive,
          ...families.map((family) => cellText(cellOf(grid, simulator, directive, family), family === ALL)),
        ]),
      ]),
    );
    if (by === 'worlds') for (const family of grid.families) parts.push(...worldTables(grid, simulator, family));
  }
  for (const [simulator, kinds] of Object.entries(anchors)) {
    const rows = Object.entries(kinds).map(([kind, { pinned, free, refused }]) => [
      kind,
      ...[pinned.consistent, free.consistent, pinned.satisfied, pinned.rest, pinned.accepted].map(shareText),
      String(refused),
    ]);
    const head = ['', 'consistent', 'without the pin', 'pin holds', 'rest right', 'accepted', 'refused'];
    parts.push(`${simulator}: a value pinned before generation`, columns([head, ...rows]));
  }
  for (const [name, { message, advice }] of Object.entries(errors)) {
    parts.push(`${name} did not run: ${message} ${advice}`);
  }
  return `${parts.join('\n\n')}\n`;
}

/** Directive x world for one family; many worlds make several tables. */
function worldTables(grid: SteeringGrid, simulator: string, family: string): string[] {
  const worlds = grid.worlds.filter((world) => world.family === family);
  const several = new Set(grid.worlds.map(({ difficulty }) => difficulty)).size > 1;
  const tables: string[] = [];
  for (let from = 0; from < worlds.length; from += WORLDS_WIDE) {
    const some = worlds.slice(from, from + WORLDS_WIDE);
    tables.push(
      columns([
        [`${family} world`, ...some.map((one) => `${one.worldSeed}${several ? `, d${one.difficulty}` : ''}`)],
        ...[...grid.directives, ALL].map((directive) => [
          directive,
          ...some.map((world) => cellText(cellOf(grid, simulator, directive, family, world), false)),
        ]),
      ]),
    );
  }
  return tables;
}

function cellText(cell: GridCell | undefined, wide: boolean): string {
  if (!cell) return '-';
  const { compliance, collateral } = cell;
  const interval = wide && compliance.interval ? ` ${range(compliance.interval)}` : '';
  const kept = collateral.mean === null ? 'none' : collateral.mean.toFixed(2);
  return `${compliance.sum}/${compliance.n}${interval} | ${kept}`;
}

function shareText(part: AnchorShare): string {
  const interval = anchorInterval(part);
  return part.share === null ? 'none' : `${part.sum}/${part.n}${interval ? ` ${range(interval)}` : ''}`;
}

function range([low, high]: readonly [number, number]): string {
  return `[${low.toFixed(2)}, ${high.toFixed(2)}]`;
}
