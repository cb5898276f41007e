/** Counts over many scenarios, with denominators, and the worst examples. */
import { FAILURE_NAMES, type FailureName } from './failures';
import type { ScenarioResult } from './types';

export interface Cell {
  /** Scenarios. */
  n: number;
  /** Those in which every answer is the twin's, and those in which no invariant broke (the exact ones among them). */
  exact: number;
  stood: number;
  /** Scenarios in which a failure occurs; one scenario may count under several. */
  failures: { [name in FailureName]?: number };
  /** Single answers, and those without any failure. */
  steps: number;
  stepsExact: number;
}

export interface SimulatorSummary extends Cell {
  kinds: { [kind: string]: Cell };
}

/** Counts of each simulator, in all and by kind. */
export function summarizeSuite(results: readonly ScenarioResult[]): { [simulator: string]: SimulatorSummary } {
  const out: { [simulator: string]: SimulatorSummary } = {};
  for (const result of results) {
    const summary = (out[result.simulator] ??= { ...emptyCell(), kinds: {} });
    count(summary, result);
    count((summary.kinds[result.kind] ??= emptyCell()), result);
  }
  return out;
}

function emptyCell(): Cell {
  return { n: 0, exact: 0, stood: 0, failures: {}, steps: 0, stepsExact: 0 };
}

function count(cell: Cell, { verdict, failures, steps }: ScenarioResult): void {
  cell.n++;
  if (verdict === 'exact') cell.exact++;
  if (verdict !== 'failed') cell.stood++;
  for (const name of failures) cell.failures[name] = (cell.failures[name] ?? 0) + 1;
  cell.steps += steps.length;
  cell.stepsExact += steps.filter((step) => step.failures.length === 0).length;
}

/**
 * The worst scenarios of one simulator's results: failed ones, those with the largest share of wrong answers first, then by
 * the weight of their first failure; one of each kind before a second of any.
 */
export function worstOf(results: readonly ScenarioResult[], n: number): ScenarioResult[] {
  const share = ({ steps }: ScenarioResult) =>
    steps.filter(({ failures }) => failures.length > 0).length / steps.length;
  const weight = ({ failures }: ScenarioResult) => FAILURE_NAMES.indexOf(failures[0] ?? 'other');
  const failed = results
    .filter(({ verdict }) => verdict === 'failed')
    .sort((a, b) => share(b) - share(a) || weight(a) - weight(b) || a.seed - b.seed);
  const seen = new Map<string, number>();
  const ranked = failed.map((result) => {
    const rank = seen.get(result.kind) ?? 0;
    seen.set(result.kind, rank + 1);
    return [rank, result] as const;
  });
  return ranked
    .sort(([a], [b]) => a - b)
    .slice(0, n)
    .map(([, result]) => result);
}
