/** The IndexedDB database of runs: its layout, its versions and how it is opened. */
import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import type { JsonObject } from '../world/json';
import { isStep, type RunHeader, type RunRecord, type TraceRecord } from './records';
import { branchesOf, type BranchSummary } from './tree';

export const DATABASE = 'terrarium';

/** A run in the store `runs`; small, so that a list of runs reads nothing else. */
export interface RunRow {
  id: string;
  header: RunHeader;
  footer: JsonObject | null;
  /** Number of records that are steps. */
  steps: number;
  /** Absent in rows written before runs had branches in the page. */
  branches?: BranchSummary[];
}

/** A record in the store `steps`, in the order it was made. */
export interface StepRow {
  run: string;
  seq: number;
  record: TraceRecord;
}

export interface Schema extends DBSchema {
  runs: { key: string; value: RunRow; indexes: { createdAt: string } };
  steps: { key: [string, number]; value: StepRow };
}

export type Database = IDBPDatabase<Schema>;

/** Changes of the layout, one after another: entry i leads from version i to i + 1. Never edit one that was published. */
const MIGRATIONS: readonly ((db: Database) => void)[] = [
  (db) => {
    db.createObjectStore('runs', { keyPath: 'id' }).createIndex('createdAt', 'header.createdAt');
    db.createObjectStore('steps', { keyPath: ['run', 'seq'] });
  },
];

export const DATABASE_VERSION = MIGRATIONS.length;

export interface DatabaseEvents {
  /** Another tab holds an older version open; opening goes on once it is closed. */
  blocked(): void;
  /** Another tab wants a newer version: this connection has to go. */
  blocking(): void;
  /** The browser ended the connection. */
  terminated(): void;
}

/** Opens the database and brings it to the current version. Rejects as IndexedDB does (no storage, newer version, ...). */
export function openDatabase(name: string, events: DatabaseEvents): Promise<Database> {
  return openDB<Schema>(name, DATABASE_VERSION, {
    upgrade(db, oldVersion) {
      for (const migrate of MIGRATIONS.slice(oldVersion)) migrate(db);
    },
    blocked: () => events.blocked(),
    blocking: () => events.blocking(),
    terminated: () => events.terminated(),
  });
}

/** Keys of all records of a run. */
export function recordsOf(run: string): IDBKeyRange {
  return IDBKeyRange.bound([run, 0], [run, Infinity]);
}

/** Puts whole runs in place of what was there under their ids, all in one transaction. */
export async function putRuns(db: Database, runs: readonly RunRecord[]): Promise<void> {
  await write(db, (put) => {
    for (const run of runs) {
      put.clear(run.header.id);
      putRows(put, run, 0);
    }
  });
}

/**
 * Writes the header of a run and its records from place `from` on, in one transaction. Gives false, and writes nothing,
 * when not exactly `from` records are there: then another tab went on with the run, or removed it.
 */
export async function appendToRun(db: Database, run: RunRecord, from: number): Promise<boolean> {
  return write(db, (put) => putRows(put, run, from), [run.header.id, from]);
}

/** Removes a run with its records. */
export async function removeRun(db: Database, id: string): Promise<void> {
  await write(db, (put) => {
    put.clear(id);
    put.remove(id);
  });
}

/** A run with all its records, or null. */
export async function readRun(db: Database, id: string): Promise<RunRecord | null> {
  const tx = db.transaction(['runs', 'steps']);
  const [row, rows] = await Promise.all([
    tx.objectStore('runs').get(id),
    tx.objectStore('steps').getAll(recordsOf(id)),
  ]);
  if (!row) return null;
  const run: RunRecord = { header: row.header, records: rows.map(({ record }) => record) };
  return row.footer ? { ...run, footer: row.footer } : run;
}

interface Put {
  run(row: RunRow): void;
  record(row: StepRow): void;
  clear(run: string): void;
  remove(run: string): void;
}

function putRows(put: Put, run: RunRecord, from: number): void {
  const { header, records, footer } = run;
  const steps = records.filter(isStep).length;
  put.run({ id: header.id, header, footer: footer ?? null, steps, branches: branchesOf(records) });
  records.slice(from).forEach((record, i) => put.record({ run: header.id, seq: from + i, record }));
}

/**
 * One read-write transaction. A request that fails aborts it, and its error (not a bare AbortError) is what is thrown.
 * With `expected` the run must have that many records, or nothing is done and the result is false.
 */
async function write(
  db: Database,
  work: (put: Put) => void,
  expected?: [run: string, count: number],
): Promise<boolean> {
  const tx = db.transaction(['runs', 'steps'], 'readwrite');
  if (expected && (await tx.objectStore('steps').count(recordsOf(expected[0]))) !== expected[1]) {
    await tx.done;
    return false;
  }
  const requests: Promise<unknown>[] = [];
  const runs = tx.objectStore('runs');
  const steps = tx.objectStore('steps');
  try {
    work({
      run: (row) => requests.push(runs.put(row)),
      record: (row) => requests.push(steps.put(row)),
      remove: (run) => requests.push(runs.delete(run)),
      clear: (run) => requests.push(steps.delete(recordsOf(run))),
    });
  } catch (error) {
    // A value that cannot be cloned throws at once and would leave the rest to be committed.
    tx.abort();
    requests.push(Promise.reject(error as Error));
  }
  const outcomes = await Promise.allSettled([...requests, tx.done]);
  const failed = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason as Error);
  const cause = failed.find(({ name }) => name !== 'AbortError') ?? failed[0];
  if (cause) throw cause;
  return true;
}
