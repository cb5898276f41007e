/** A sink in memory: for small batches, tests, and a page without storage. It holds everything it is given. */
import type { LabJob } from './jobs';
import type { JobRecord, LabHeader, LabSink, LabStep } from './records';

export class MemorySink implements LabSink {
  /** Finished jobs in the order they ended. */
  readonly records: JobRecord[] = [];
  readonly runs = new Map<string, { header: LabHeader; steps: LabStep[] }>();
  readonly #done = new Set<string>();

  has({ id }: LabJob): boolean {
    return this.#done.has(id);
  }

  begin({ id }: LabJob, header: LabHeader): void {
    this.runs.set(id, { header, steps: [] });
  }

  step({ id }: LabJob, step: LabStep): void {
    this.runs.get(id)?.steps.push(step);
  }

  end(record: JobRecord, header: LabHeader): void {
    const { id } = record.job;
    const run = this.runs.get(id);
    if (run) run.header = header;
    this.#done.add(id);
    this.records.push(record);
  }
}
