/** What can be rated beside recorded runs: the finished rollouts of the lab's batches. */
import type { RunRecord } from '../../rollouts';
import { LabStore, type LabJob } from '../../rollouts/lab';

/** A batch with rollouts that are done. */
export interface BatchSource {
  id: string;
  title: string;
  /** ISO 8601. */
  createdAt: string;
  done: number;
  /** Simulators of its spec; under a teacher the twin stands beside each. */
  lanes: string[];
}

/** Rollouts of a batch that are read at most: many more than a person rates. */
export const MOST_ROLLOUTS = 2000;

/**
 * The batches that have a finished rollout, newest first.
 * @param database name; tests take one of their own
 * @throws LabError `storage`
 */
export async function batchSources(database?: string): Promise<BatchSource[]> {
  const store = await LabStore.open(database);
  try {
    const all = await Promise.all(
      (await store.list()).map(async ({ id, title, createdAt, spec }): Promise<BatchSource> => {
        const lanes = spec.simulators.map((simulator) => simulator.id);
        const beside = spec.history === 'teacher' && !lanes.includes('twin') ? ['twin'] : [];
        return { id, title, createdAt, done: await store.done(id), lanes: [...lanes, ...beside] };
      }),
    );
    return all.filter(({ done }) => done > 0);
  } finally {
    store.close();
  }
}

/**
 * The finished rollouts of a batch, one at a time: all, or of a longer batch whole situations spread evenly over it, since
 * only rollouts of one situation can be held against one another.
 * @throws LabError `storage`, `bad_record` for a batch that was deleted meanwhile
 */
export async function* rolloutsOf(batch: string, database?: string, most = MOST_ROLLOUTS): AsyncGenerator<RunRecord> {
  const store = await LabStore.open(database);
  try {
    const { spec } = await store.get(batch);
    const jobs: LabJob[] = [];
    for await (const { job } of store.records(batch)) jobs.push(job);
    for (const job of spread(jobs, spec.simulators.length, most)) yield await store.run(batch, job);
  } finally {
    store.close();
  }
}

/** Jobs of whole situations, at most so many: the simulators of one situation stand side by side in the batch. */
export function spread(jobs: readonly LabJob[], simulators: number, most: number): LabJob[] {
  if (jobs.length <= most) return [...jobs];
  const situations = new Map<number, LabJob[]>();
  for (const job of jobs) {
    const situation = Math.floor(job.index / simulators);
    situations.set(situation, [...(situations.get(situation) ?? []), job]);
  }
  const all = [...situations.values()];
  const room = Math.max(1, Math.floor(most / simulators));
  return Array.from({ length: room }, (_, i) => all[Math.floor((i * all.length) / room)] ?? []).flat();
}
