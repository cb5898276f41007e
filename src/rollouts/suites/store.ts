/** Runs of suites in IndexedDB, in a database of their own: they can be looked at and gone on with after a reload. */
import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import type { ProviderName } from '../../models/session';
import { newId } from '../id';
import { guarded } from '../lab/store';
import { LabError } from '../lab/errors';
import type { LabModels } from '../lab/records';
import type { LabSimulator } from '../lab/spec';
import { suiteSize, type SuiteItem, type SuiteName, type SuitePart, type SuiteSpec } from './suites';

export const SUITES_DATABASE = 'terrarium-suites';

/** A run in the list. */
export interface SuiteRow<N extends SuiteName = SuiteName> {
  id: string;
  suite: N;
  title: string;
  /** ISO 8601. */
  createdAt: string;
  spec: SuiteSpec<N>;
  simulators: LabSimulator[];
  provider: ProviderName | 'auto';
  /** The models it was begun with; null until they are known. */
  models: LabModels | null;
  /** Parts, and those that are done. */
  total: number;
  done: number;
}

interface PartRow {
  run: string;
  /** The part's number, from 1. */
  index: number;
  items: SuiteItem[];
}

interface Schema extends DBSchema {
  runs: { key: string; value: SuiteRow; indexes: { createdAt: string } };
  parts: { key: [string, number]; value: PartRow };
}

type Database = IDBPDatabase<Schema>;

/** Changes of the layout, one after another: entry i leads from version i to i + 1. Never edit one that was published. */
const MIGRATIONS: readonly ((db: Database) => void)[] = [
  (db) => {
    db.createObjectStore('runs', { keyPath: 'id' }).createIndex('createdAt', 'createdAt');
    db.createObjectStore('parts', { keyPath: ['run', 'index'] });
  },
];

/** A run that is not kept yet. */
export function newRow<N extends SuiteName>(
  row: Pick<SuiteRow<N>, 'suite' | 'title' | 'spec' | 'simulators' | 'provider'>,
  createdAt = new Date().toISOString(),
): SuiteRow<N> {
  const ids = row.simulators.map(({ id }) => id);
  return { ...row, id: newId(), createdAt, models: null, total: suiteSize(row.suite, row.spec, ids), done: 0 };
}

export class SuiteStore {
  private constructor(private readonly db: Database) {}

  /** @throws LabError `storage` where the browser gives no storage */
  static async open(name = SUITES_DATABASE): Promise<SuiteStore> {
    const db: Database = await guarded(() =>
      openDB<Schema>(name, MIGRATIONS.length, {
        upgrade(open, oldVersion) {
          for (const migrate of MIGRATIONS.slice(oldVersion)) migrate(open);
        },
        blocking: () => db.close(),
      }),
    );
    return new SuiteStore(db);
  }

  /** Keeps a run, or what changed of it. */
  async put(row: SuiteRow): Promise<void> {
    await guarded(() => this.db.put('runs', row));
  }

  /** Runs of a suite, newest first. */
  async list<N extends SuiteName>(suite: N): Promise<SuiteRow<N>[]> {
    const rows = await guarded(() => this.db.getAllFromIndex('runs', 'createdAt'));
    return rows.filter((row): row is SuiteRow<N> => row.suite === suite).reverse();
  }

  /**
   * Keeps parts and how far the run is, in one transaction. Parts come in their order.
   * @throws LabError `bad_record` for a run that was deleted meanwhile; `storage`
   */
  async append(id: string, parts: readonly SuitePart[]): Promise<void> {
    const known = await guarded(async () => {
      const tx = this.db.transaction(['runs', 'parts'], 'readwrite');
      const row = await tx.objectStore('runs').get(id);
      if (row) {
        // No further than without a gap: a part that could not be written is done again when the run goes on.
        const done = parts.reduce((at, part) => (part.done === at + 1 ? part.done : at), row.done);
        void tx.objectStore('runs').put({ ...row, done });
        for (const part of parts) void tx.objectStore('parts').put({ run: id, index: part.done, items: part.items });
      }
      await tx.done;
      return row !== undefined;
    });
    if (!known) throw new LabError('bad_record', 'This run was deleted.', 'Start a new one.');
  }

  /** The items of a run in their order, of as many parts as are done: what stands behind a gap is done again. */
  async items<N extends SuiteName>({ id }: Pick<SuiteRow<N>, 'id'>): Promise<SuiteItem<N>[]> {
    const rows = await guarded(async () => {
      const tx = this.db.transaction(['runs', 'parts']);
      const done = (await tx.objectStore('runs').get(id))?.done ?? 0;
      return tx.objectStore('parts').getAll(within(id, done));
    });
    return rows.flatMap(({ items }) => items as SuiteItem<N>[]);
  }

  /** Removes a run with its items; one that is not there is no error. */
  async remove(id: string): Promise<void> {
    await guarded(async () => {
      const tx = this.db.transaction(['runs', 'parts'], 'readwrite');
      await Promise.all([tx.objectStore('runs').delete(id), tx.objectStore('parts').delete(within(id)), tx.done]);
    });
  }

  close(): void {
    this.db.close();
  }
}

function within(id: string, last = Infinity): IDBKeyRange {
  return IDBKeyRange.bound([id, 0], [id, last]);
}
