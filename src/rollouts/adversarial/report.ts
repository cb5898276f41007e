/** What comes out of a run of the suite, for the page's files and the command's alike. */
import { wilson95 } from '../../metrics';
import type { Failure } from '../../models/errors';
import type { Table } from '../lab/pictures/csv';
import { FAILURE_NAMES } from './failures';
import { summarizeSuite, worstOf, type Cell, type SimulatorSummary } from './summary';
import type { ScenarioResult } from './types';

export interface AdversarialTables {
  /** Counts of each simulator, or why there are none. */
  simulators: { [name: string]: SimulatorSummary | { error: Failure } };
  /** The worst scenarios of each simulator. */
  worst: { [name: string]: ScenarioResult[] };
}

/**
 * Counts and worst scenarios of the simulators, in the order of `names`; those without a result are left out.
 * @param errors why simulators did not run
 * @param show worst scenarios of each
 */
export function adversarialTables(
  names: readonly string[],
  results: readonly ScenarioResult[],
  errors: { readonly [name: string]: Failure },
  show: number,
): AdversarialTables {
  const summaries = summarizeSuite(results);
  const tables: AdversarialTables = { simulators: {}, worst: {} };
  for (const name of names) {
    const [summary, error] = [summaries[name], errors[name]];
    if (error) tables.simulators[name] = { error };
    else if (summary) tables.simulators[name] = summary;
    if (!summary) continue;
    const own = results.filter(({ simulator }) => simulator === name);
    tables.worst[name] = worstOf(own, show);
  }
  return tables;
}

/** Kind x simulator as a table for CSV: a row each, `all` for all kinds, with Wilson's 95% interval and every failure's count. */
export function kindTable(simulators: AdversarialTables['simulators']): Table {
  const shares = ['stood', 'stood share', 'stood low', 'stood high', 'exact', 'steps', 'steps exact'];
  const rows = Object.entries(simulators).flatMap(([name, summary]) => {
    if ('error' in summary) return [];
    const row = (kind: string, { n, stood, exact, steps, stepsExact, failures }: Cell) => {
      const [low, high] = wilson95(stood, n);
      const counts = FAILURE_NAMES.map((failure) => failures[failure] ?? 0);
      return [name, kind, n, stood, stood / n, low, high, exact, steps, stepsExact, ...counts];
    };
    return [row('all', summary), ...Object.entries(summary.kinds).map(([kind, cell]) => row(kind, cell))];
  });
  return { head: ['simulator', 'kind', 'scenarios', ...shares, ...FAILURE_NAMES], rows };
}
