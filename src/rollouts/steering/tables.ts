/** What comes out of a measurement of steering, for the page and its files. */
import { anchorInterval, type AnchorShare } from '../../metrics';
import type { Detail } from '../lab/detail';
import type { Cell, Table } from '../lab/pictures/csv';
import type { OutcomeKind } from './anchorCases';
import { outcomesReport, type AnchorPart, type KindReport } from './anchorReport';
import { ALL, steeringGrid, type SteeringGrid, type SteeringVerdict } from './grid';
import type { SteeringItem } from './suite';

export interface SteeringTables {
  grid: SteeringGrid;
  /** By simulator and kind of outcome; simulators without a pinned outcome are left out. */
  anchors: { [simulator: string]: { [kind in OutcomeKind]?: KindReport } };
}

/** What of the records the tables need: little, so that it can be sent to a worker again and again. */
export interface SteeringFacts {
  verdicts: SteeringVerdict[];
  anchors: (AnchorPart & { simulator: string })[];
}

/** What the tables need of records. */
export function factsOf(items: readonly SteeringItem[]): SteeringFacts {
  const facts: SteeringFacts = { verdicts: [], anchors: [] };
  for (const item of items) {
    if (item.type === 'steering') {
      const { simulator, kind, family, worldSeed, difficulty, kept, collateral, exact } = item;
      facts.verdicts.push({ simulator, kind, family, worldSeed, difficulty, kept, collateral, exact });
    } else {
      const { simulator, kind, pinned, refused, episode, result, selection, cost } = item;
      facts.anchors.push({ simulator, kind, pinned, refused, episode, result, selection, cost });
    }
  }
  return facts;
}

/** The tables. @param order names of the simulators in the order they are to stand in */
export function steeringTables({ verdicts, anchors }: SteeringFacts, order: readonly string[]): SteeringTables {
  const tables: SteeringTables = { grid: steeringGrid(verdicts, order), anchors: {} };
  for (const name of order) {
    const own = anchors.filter(({ simulator }) => simulator === name);
    if (own.length > 0) tables.anchors[name] = outcomesReport(own);
  }
  return tables;
}

/**
 * The grid as a table for CSV: a row for each simulator, directive and world, and for each family; `all` stands for all of
 * them, and in the columns of the world for all worlds of the family.
 */
export function gridTable({ cells }: SteeringGrid): Table {
  const names = ['compliance', 'collateral kept', 'exact'];
  return {
    head: [
      'simulator',
      'directive',
      'family',
      'world seed',
      'difficulty',
      'calls',
      'worlds',
      ...names.flatMap((name) => shareHead(name, 'method')),
    ],
    rows: cells.map(({ simulator, directive, family, world, n, worlds, compliance, collateral, exact }) => [
      ...[simulator, directive, family, world?.worldSeed ?? ALL, world?.difficulty ?? ALL, n, worlds],
      ...[compliance, collateral, exact].flatMap(detailRow),
    ]),
  };
}

const ANCHOR_SHARES = ['consistent', 'satisfied', 'rest', 'placed', 'accepted'] as const;
const TRIED: ReadonlySet<string> = new Set(['placed', 'accepted']);
const NO_SHARE: AnchorShare = { sum: 0, n: 0, share: null, wilson: null, bootstrap: null };

/** Anchors as a table for CSV: a row for each simulator and kind of outcome, with the pin and without it. */
export function anchorTable(anchors: SteeringTables['anchors']): Table {
  const rows = Object.entries(anchors).flatMap(([simulator, kinds]) =>
    Object.entries(kinds).flatMap(([kind, { pinned, free, refused }]) =>
      ([true, false] as const).map((pin): Cell[] => {
        const own = pin ? pinned : free;
        return [
          ...[simulator, kind, pin, own.n, own.trajectories, pin ? refused : 0],
          // Without the pin nothing is placed or tried for: zeros would read as failures.
          ...ANCHOR_SHARES.flatMap((name) => (pin || !TRIED.has(name) ? anchorRow(own[name]) : anchorRow(NO_SHARE))),
          ...[own.attempts, own.nfe, own.forwardTokens, own.ms],
        ];
      }),
    ),
  );
  const head = ['simulator', 'outcome', 'pinned', 'answers', 'trajectories', 'refused'];
  const costs = ['attempts', 'nfe', 'forward tokens', 'ms'];
  return { head: [...head, ...ANCHOR_SHARES.flatMap((name) => shareHead(name)), ...costs], rows };
}

function shareHead(name: string, ...more: string[]): string[] {
  return ['sum', 'of', 'share', 'low', 'high', ...more].map((part) => `${name} ${part}`);
}

function detailRow({ sum, n, mean, interval, method }: Detail): Cell[] {
  return [sum, n, mean, interval?.[0] ?? null, interval?.[1] ?? null, method];
}

function anchorRow(part: AnchorShare): Cell[] {
  const { sum, n, share } = part;
  const interval = anchorInterval(part);
  return [sum, n, share, interval?.[0] ?? null, interval?.[1] ?? null];
}
