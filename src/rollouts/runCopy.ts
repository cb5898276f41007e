/** Copies and summaries of runs, for the store. */
import type { RunHeader, RunRecord } from './records';
import type { RunSummary } from './storeTypes';
import { traceLine } from './trace';
import type { BranchSummary } from './tree';

/** A line of the list of runs. @param unsaved whether (part of) it is in memory only */
export function summary(header: RunHeader, steps: number, branches: BranchSummary[], unsaved: boolean): RunSummary {
  return { id: header.id, title: header.title, createdAt: header.createdAt, steps, branches, header, unsaved };
}

/** The list in the order in which it is shown. */
export function newestFirst(runs: readonly RunSummary[]): RunSummary[] {
  const key = ({ createdAt, id }: RunSummary) => `${createdAt} ${id}`;
  return runs.toSorted((a, b) => (key(a) < key(b) ? 1 : -1));
}

/** A copy as the file would bring it back. @throws RolloutError `not_finite` for values JSON cannot write */
export function plain<T extends object>(record: T): T {
  return JSON.parse(traceLine(record)) as T;
}

/** The same run under another id, which every record that names its run follows. */
export function renamed(run: RunRecord, id: string): RunRecord {
  const records = run.records.map((record) => (record['runId'] === run.header.id ? { ...record, runId: id } : record));
  return { ...run, header: { ...run.header, id, title: `${run.header.title} (copy)` }, records };
}
