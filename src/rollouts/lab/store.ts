/** Batches in IndexedDB, in a database of their own: what a page needs to go on with a batch after a reload. */
import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import type { ProviderName } from '../../models/session';
import { newId } from '../id';
import { nameOf } from '../problem';
import type { RunRecord } from '../records';
import { LabError } from './errors';
import { runText } from './files';
import type { LabJob } from './jobs';
import type { JobRecord, LabHeader, LabModels, LabSink, LabStep } from './records';
import { countJobs, type LabSpec } from './spec';

export const LAB_DATABASE = 'terrarium-lab';

/** A batch in the list. */
export interface BatchRow {
  id: string;
  title: string;
  /** ISO 8601. */
  createdAt: string;
  spec: LabSpec;
  /** The models it was begun with; going on with others would mix two batches. Null until they are known. */
  models: LabModels | null;
  total: number;
  /** Where its models run; absent in batches of before this was kept. */
  provider?: ProviderName | 'auto';
}

/** A finished job, and a step of a job, finished or not. Keys count, so records come back in the order of the batch. */
interface JobRow {
  batch: string;
  index: number;
  header: LabHeader;
  record: JobRecord;
}

interface StepRow {
  batch: string;
  job: number;
  index: number;
  step: LabStep;
}

interface Schema extends DBSchema {
  batches: { key: string; value: BatchRow; indexes: { createdAt: string } };
  jobs: { key: [string, number]; value: JobRow };
  steps: { key: [string, number, number]; value: StepRow };
}

type Database = IDBPDatabase<Schema>;

/** Changes of the layout, one after another: entry i leads from version i to i + 1. Never edit one that was published. */
const MIGRATIONS: readonly ((db: Database) => void)[] = [
  (db) => {
    db.createObjectStore('batches', { keyPath: 'id' }).createIndex('createdAt', 'createdAt');
    db.createObjectStore('jobs', { keyPath: ['batch', 'index'] });
    db.createObjectStore('steps', { keyPath: ['batch', 'job', 'index'] });
  },
];

/** Records read at a time: few enough to hold, enough to be quick. */
const PAGE = 64;
/** Steps of a job that are held before they are written: one transaction a job, as long as the job is no giant. */
const HELD = 64;

export class LabStore {
  private constructor(private readonly db: Database) {}

  /** @throws LabError `storage` where the browser gives no storage; a `MemorySink` works there, until the page is closed */
  static async open(name = LAB_DATABASE): Promise<LabStore> {
    const db: Database = await guarded(() =>
      openDB<Schema>(name, MIGRATIONS.length, {
        upgrade(open, oldVersion) {
          for (const migrate of MIGRATIONS.slice(oldVersion)) migrate(open);
        },
        // Another tab with a newer Terrarium waits for this connection; what comes next fails and says so.
        blocking: () => db.close(),
      }),
    );
    return new LabStore(db);
  }

  /** Keeps a new batch. */
  async create(
    spec: LabSpec,
    models: LabModels | null = null,
    createdAt = new Date().toISOString(),
    provider?: ProviderName | 'auto',
  ): Promise<BatchRow> {
    const row: BatchRow = { id: newId(), title: spec.title, createdAt, spec, models, total: countJobs(spec) };
    if (provider !== undefined) row.provider = provider;
    await guarded(() => this.db.add('batches', row));
    return row;
  }

  /** Keeps the models of a batch once they are known. @throws LabError `bad_record` for a batch that is not there */
  async setModels(id: string, models: LabModels): Promise<void> {
    const row = await this.get(id);
    await guarded(() => this.db.put('batches', { ...row, models }));
  }

  /** All batches, newest first. */
  async list(): Promise<BatchRow[]> {
    return (await guarded(() => this.db.getAllFromIndex('batches', 'createdAt'))).reverse();
  }

  /** @throws LabError `bad_record` for a batch that is not there */
  async get(id: string): Promise<BatchRow> {
    const row = await guarded(() => this.db.get('batches', id));
    if (row) return row;
    throw new LabError('bad_record', 'This batch is not in the store any more.', 'Start a new one.');
  }

  /** Jobs of a batch that are done. */
  done(id: string): Promise<number> {
    return guarded(() => this.db.count('jobs', within(id)));
  }

  /** Removes a batch with all its records; one that is not there is no error. */
  async remove(id: string): Promise<void> {
    await guarded(async () => {
      const tx = this.db.transaction(['batches', 'jobs', 'steps'], 'readwrite');
      await Promise.all([
        tx.objectStore('batches').delete(id),
        tx.objectStore('jobs').delete(within(id)),
        tx.objectStore('steps').delete(within(id)),
        tx.done,
      ]);
    });
  }

  /**
   * Where a runner puts the batch's records; a new sink on the same batch has what an earlier one ended. A job's steps are
   * written with its end, in one transaction: a job that did not end leaves nothing that counts.
   */
  sink(batch: string): LabSink {
    const { db } = this;
    let held: StepRow[] = [];
    /** Whether an earlier try of the job under way may have left steps. */
    let fresh = true;
    const write = (index: number, end: JobRow | null) =>
      guarded(async () => {
        const tx = db.transaction(['jobs', 'steps'], 'readwrite');
        const steps = tx.objectStore('steps');
        let refused: unknown = null;
        const puts: Promise<unknown>[] = fresh ? [steps.delete(within(batch, index))] : [];
        try {
          for (const step of held) puts.push(steps.put(step));
          if (end) puts.push(tx.objectStore('jobs').put(end));
        } catch (error) {
          // Without this the part before the failure would be kept.
          refused = error;
          tx.abort();
        }
        const failed = (await Promise.allSettled([...puts, tx.done])).find(({ status }) => status === 'rejected');
        // A transaction knows why it ended (no room); its requests say only that it did.
        if (failed) throw refused ?? tx.error ?? (failed as PromiseRejectedResult).reason;
        fresh = false;
        held = [];
      });
    return {
      has: async ({ index }) => (await guarded(() => db.count('jobs', [batch, index]))) > 0,
      begin: () => {
        held = [];
        fresh = true;
      },
      step: async (job, step) => {
        held.push({ batch, job: job.index, index: step.index, step });
        if (held.length >= HELD) await write(job.index, null);
      },
      end: (record, header) => write(record.job.index, { batch, index: record.job.index, header, record }),
    };
  }

  /** The records of the finished jobs in the order of the batch, a few at a time. */
  async *records(batch: string): AsyncGenerator<JobRecord> {
    for (let from = 0; ;) {
      const rows = await guarded(() => this.db.getAll('jobs', within(batch, from, Infinity), PAGE));
      for (const { record } of rows) yield record;
      const last = rows.at(-1);
      if (rows.length < PAGE || !last) return;
      from = last.index + 1;
    }
  }

  /** A finished job as a run, to look at or to export. @throws LabError `bad_record` for one that is not done */
  async run(batch: string, job: LabJob): Promise<RunRecord> {
    const row = await guarded(() => this.db.get('jobs', [batch, job.index]));
    if (!row) throw new LabError('bad_record', `The rollout ${job.id} is not done.`, 'Let the batch run to its end.');
    const steps = await guarded(() => this.db.getAll('steps', within(batch, job.index)));
    return { header: row.header, records: steps.map(({ step }) => step) };
  }

  /** The finished jobs as wmtrace, a text for each, in the order of the batch: the lines of the command's `steps.jsonl`. */
  async *texts(batch: string): AsyncGenerator<string> {
    for await (const { job } of this.records(batch)) yield await runText(await this.run(batch, job));
  }

  close(): void {
    this.db.close();
  }
}

/** Keys of a batch, of one job in it, or of the jobs from one place to another. */
function within(batch: string, from?: number, to = from): IDBKeyRange {
  // An array sorts after every number, and a shorter list before a longer one that it begins.
  if (from === undefined || to === undefined) return IDBKeyRange.bound([batch], [batch, []]);
  return IDBKeyRange.bound([batch, from], [batch, to, []]);
}

/** What IndexedDB throws, as a sentence that says what to do. */
export async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const name = (error as { name?: unknown } | null)?.name;
    const full = name === 'QuotaExceededError';
    const what = full ? "The browser's storage is full." : `The browser's storage failed (${nameOf(error)}).`;
    const advice = full
      ? 'Delete batches or runs you do not need, then go on with this one.'
      : 'Reload the page and go on with the batch; what is done is kept. In private windows there may be no storage.';
    throw new LabError('storage', what, advice, { cause: error });
  }
}
