/** Files of a run of a suite. */
import { adversarialTables, kindTable, type ScenarioResult } from '../../rollouts/adversarial';
import { csvText, type Table } from '../../rollouts/lab/pictures';
import { anchorTable, gridTable, type SteeringItem, type SteeringTables } from '../../rollouts/steering';
import { SUITE_ENDING, writeSuite, type SuiteItem, type SuiteRow } from '../../rollouts/suites';
import { fileName } from '../charts/files';

/** A file that is made when it is asked for. */
export interface SuiteFile {
  /** What it is called on the page, and the name it is saved under. */
  label: string;
  name: string;
  make: () => Blob | Promise<Blob>;
}

const csv = (table: Table) => new Blob([csvText(table)], { type: 'text/csv;charset=utf-8' });
/** In parts: one text of all lines could be longer than a text may be. */
const lines = (items: readonly object[]) =>
  new Blob(
    items.map((item) => `${JSON.stringify(item)}\n`),
    { type: 'application/jsonl' },
  );
const nameOf = ({ title, createdAt }: SuiteRow) => `${fileName(title)}-${createdAt.slice(0, 10)}`;

/** The run as one file, which the view Results opens. */
const whole = (row: SuiteRow, items: readonly SuiteItem[], tables?: object) =>
  new Blob(writeSuite(row, items, tables), { type: 'application/json' });

/** Counts as CSV, the whole run as JSON, every scenario with its answers as JSONL (the command's `--out`). */
export function adversarialFiles(row: SuiteRow<'adversarial'>, items: readonly ScenarioResult[]): SuiteFile[] {
  const names = row.simulators.map(({ id }) => id);
  const tables = () => adversarialTables(names, items, {}, 0);
  return [
    { label: 'CSV', name: `${nameOf(row)}.csv`, make: () => csv(kindTable(tables().simulators)) },
    { label: 'JSON', name: `${nameOf(row)}${SUITE_ENDING}`, make: () => whole(row, items) },
    { label: 'JSONL', name: `${nameOf(row)}.jsonl`, make: () => lines(items) },
  ];
}

/** Grid and anchors as CSV, the whole run as JSON, every answer as JSONL. @param tables of these items */
export function steeringFiles(
  row: SuiteRow<'steering'>,
  items: readonly SteeringItem[],
  tables: () => Promise<SteeringTables>,
): SuiteFile[] {
  return [
    { label: 'grid CSV', name: `${nameOf(row)}-grid.csv`, make: async () => csv(gridTable((await tables()).grid)) },
    {
      label: 'anchors CSV',
      name: `${nameOf(row)}-anchors.csv`,
      make: async () => csv(anchorTable((await tables()).anchors)),
    },
    {
      label: 'JSON',
      name: `${nameOf(row)}${SUITE_ENDING}`,
      make: async () => whole(row, items, await tables()),
    },
    { label: 'JSONL', name: `${nameOf(row)}.jsonl`, make: () => lines(items) },
  ];
}
