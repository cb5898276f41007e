/** What an import does with each run: added, already there, or in conflict with another run of its id. */
import { newId } from './id';
import type { RunRecord } from './records';
import { renamed } from './runCopy';
import type { DecideConflict, ImportReport } from './storeTypes';
import { sameRun } from './trace';

/**
 * Sorts the runs of a file by what is there already; nothing is written.
 * @param find the run that is kept under an id, or null
 * @param decide what to do with a run whose id is taken by a different one
 * @returns the report of the import, and the runs to write
 * @throws what `find` and `decide` throw
 */
export async function sortImport(
  runs: readonly RunRecord[],
  find: (id: string) => Promise<RunRecord | null>,
  decide: DecideConflict,
): Promise<{ report: ImportReport; write: RunRecord[] }> {
  const report: ImportReport = { added: [], identical: [], skipped: [], replaced: [], copied: [], warnings: [] };
  const write: RunRecord[] = [];
  for (const run of runs) {
    const { id } = run.header;
    const existing = await find(id);
    if (!existing) {
      report.added.push(id);
      write.push(run);
      continue;
    }
    if (sameRun(run, existing)) {
      report.identical.push(id);
      continue;
    }
    const choice = await decide(run, existing);
    if (choice === 'skip') report.skipped.push(id);
    if (choice === 'replace') {
      report.replaced.push(id);
      write.push(run);
    }
    if (choice === 'copy') {
      const copy = renamed(run, newId());
      report.copied.push({ from: id, to: copy.header.id });
      write.push(copy);
    }
  }
  return { report, write };
}
