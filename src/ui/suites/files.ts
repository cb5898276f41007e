/** Files of a run of a suite. */
import { adversarialTables, kindTable, type ScenarioResult } from '../../rollouts/adversarial';
import { csvText, type Table } from '../../rollouts/lab/pictures';
import { anchorTable, gridTable, type SteeringItem, type SteeringTables } from '../../rollouts/steering';
import type { SuiteRow } from '../../rollouts/suites';
import { fileName } from '../charts/files';

/** A file that is made when it is asked for. */
export interface SuiteFile {
  /** What it is called on the page, and the name it is saved under. */
  label: string;
  name: string;
  make: () => Blob | Promise<Blob>;
}

const csv = (table: Table) => new Blob([csvText(table)], { type: 'text/csv;charset=utf-8' });
const json = (value: object) => new Blob([`${JSON.stringify(value, null, 1)}\n`], { type: 'application/json' });
/** In parts: one text of all lines could be longer than a text may be. */
const lines = (items: readonly object[]) =>
  new Blob(
    items.map((item) => `${JSON.stringify(item)}\n`),
    { type: 'application/jsonl' },
  );
const nameOf = ({ title, createdAt }: SuiteRow) => `${fileName(title)}-${createdAt.slice(0, 10)}`;

/** What a file says of the run it is from. */
function headOf({ suite, title, createdAt, spec, simulators, provider, models, total }: SuiteRow, done: number) {
  return { suite, title, createdAt, spec, simulators, provider, models, parts: { done, total } };
}

/** Counts as CSV, counts and worst scenarios as JSON, every scenario with its answers as JSONL (the command's `--out`). */
export function adversarialFiles(
  row: SuiteRow<'adversarial'>,
  items: readonly ScenarioResult[],
  show: number,
): SuiteFile[] {
  const names = row.simulators.map(({ id }) => id);
  const tables = () => adversarialTables(names, items, {}, show);
  return [
    { label: 'CSV', name: `${nameOf(row)}.csv`, make: () => csv(kindTable(tables().simulators)) },
    { label: 'JSON', name: `${nameOf(row)}.json`, make: () => json({ ...headOf(row, items.length), ...tables() }) },
    { label: 'JSONL', name: `${nameOf(row)}.jsonl`, make: () => lines(items) },
  ];
}

/** Grid and anchors as CSV, both as JSON, every answer as JSONL. @param tables of these items */
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
      name: `${nameOf(row)}.json`,
      make: async () => json({ ...headOf(row, row.done), ...(await tables()) }),
    },
    { label: 'JSONL', name: `${nameOf(row)}.jsonl`, make: () => lines(items) },
  ];
}
