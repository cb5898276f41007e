/**
 * Where runs are kept: IndexedDB, and memory where that is not to be had. A row that cannot be stored stays in memory
 * with a message that says why, and is stored later when that becomes possible; nothing is lost while the page is open.
 */
import { appendToRun, DATABASE, openDatabase, putRuns, readRun, removeRun, type Database } from './database';
import { RolloutError } from './errors';
import { newId } from './id';
import { sortImport } from './importing';
import { KEPT, nameOf, storageProblem } from './problem';
import { newestFirst, plain, renamed, summary } from './runCopy';
import type { DecideConflict, ImportReport, RunSummary, StoreOptions } from './storeTypes';
import { isStep, stepsOf, type RunHeader, type RunRecord, type StepRecord, type TraceRecord } from './records';
import { branchesOf } from './tree';
import { readTrace, writeTrace } from './trace';

export class RunStore {
  #db: Database | null = null;
  /** Whole runs that could not be stored; where one is here, it counts and not what the database has of it. */
  readonly #memory = new Map<string, RunRecord>();
  /**
   * The run written or loaded last, whole, as this tab knows it: nothing of it is lost when the database goes away in the
   * middle, and what another tab does to it is noticed.
   */
  #current: RunRecord | null = null;
  /** Runs that another tab went on with: their rows from here go into a copy, which the map names. */
  readonly #copies = new Map<string, string>();
  #problem: string | null = null;
  #queue: Promise<unknown> = Promise.resolve();
  #closed = false;
  /** Called when `mode` or `problem` change. */
  onChange: (() => void) | null = null;

  private constructor(private readonly name: string) {}

  /** Opens the store. Never rejects: without storage it works in memory and `problem` says why. */
  static async open(options: StoreOptions = {}): Promise<RunStore> {
    const store = new RunStore(options.name ?? DATABASE);
    await store.#connect(options.patience ?? 3000);
    return store;
  }

  /** Where new rows go: `memory` as soon as anything could not be stored. */
  get mode(): 'indexeddb' | 'memory' {
    return this.#db && this.#memory.size === 0 ? 'indexeddb' : 'memory';
  }

  /** Why runs are kept in memory, and what to do about it; null when they are stored. */
  get problem(): string | null {
    return this.#problem;
  }

  /** Writes the header of a run, new or changed (a title). */
  saveRun(header: RunHeader): Promise<void> {
    return this.#inTurn(() => this.#write(header, []));
  }

  /**
   * Writes a step, and the run's header with it, in one transaction. Plain data is expected (no proxies of a framework).
   * @throws RolloutError `not_finite` for values JSON cannot write; `no_run` for a step whose run was deleted meanwhile
   */
  appendStep(header: RunHeader, step: StepRecord): Promise<void> {
    return this.appendRecord(header, step);
  }

  /** As `appendStep`, for a vote, a note or any other record of a run. */
  appendRecord(header: RunHeader, record: TraceRecord): Promise<void> {
    return this.#inTurn(() => this.#write(header, [record]));
  }

  /** All runs, newest first. */
  listRuns(): Promise<RunSummary[]> {
    return this.#inTurn(() => this.#list());
  }

  /**
   * A run with its records, to look at or to go on with.
   * @throws RolloutError `no_run`, `storage`
   */
  loadRun(id: string): Promise<RunRecord> {
    return this.#inTurn(async () => {
      this.#copies.delete(id);
      const run = await this.#need(id);
      // Rows that come next stand on these; what another tab adds from now on is noticed when they do.
      this.#current = { ...run, records: [...run.records] };
      return run;
    });
  }

  /** Removes a run; one that is not there is no error. */
  deleteRun(id: string): Promise<void> {
    return this.#inTurn(async () => {
      const db = this.#db;
      if (db) await this.#reading(() => removeRun(db, id));
      this.#memory.delete(id);
      this.#copies.delete(id);
      if (this.#current?.header.id === id) this.#current = null;
      // Room may be there now for what could not be stored.
      await this.#flush();
    });
  }

  /**
   * Runs as `wmtrace` text, in the order given (all: oldest first).
   * @throws RolloutError `no_run`, `storage`
   */
  exportRuns(ids: readonly string[] | 'all'): Promise<string> {
    return this.#inTurn(async () => {
      const chosen = ids === 'all' ? (await this.#list()).map(({ id }) => id).reverse() : ids;
      const runs: RunRecord[] = [];
      for (const id of chosen) runs.push(await this.#need(id));
      return writeTrace(runs);
    });
  }

  /**
   * Imports all runs of a `wmtrace` text or, if anything in it is wrong, none.
   * @param decide what to do with a run whose id is taken by a different one; it is skipped unless told
   * @throws RolloutError of the reader, with the line; what `decide` throws
   */
  async importText(text: string, decide: DecideConflict = () => 'skip'): Promise<ImportReport> {
    const { runs, warnings } = await readTrace(text);
    const { report, write } = await sortImport(runs, (id) => this.#inTurn(() => this.#find(id)), decide);
    report.warnings.push(...warnings);
    await this.#inTurn(() => this.#replace(write));
    return report;
  }

  /** Closes the database. What is in memory only is lost; a second call does nothing. */
  close(): void {
    this.#closed = true;
    this.#db?.close();
    this.#db = null;
  }

  async #connect(patience: number): Promise<void> {
    let settle: () => void = () => undefined;
    const settled = new Promise<void>((resolve) => (settle = resolve));
    const wait = (problem: string) => {
      this.#report(`${problem} ${KEPT}`);
      settle();
    };
    const timer = setTimeout(() => wait('The browser does not open its storage.'), patience);
    void this.#open(wait)
      .catch((error: unknown) => this.#report(storageProblem(error)))
      .finally(() => {
        clearTimeout(timer);
        settle();
      });
    await settled;
  }

  async #open(wait: (problem: string) => void): Promise<void> {
    const db = await openDatabase(this.name, {
      blocked: () => wait('Another tab with an older Terrarium blocks the storage: close that tab.'),
      blocking: () => this.#drop('Another tab runs a newer Terrarium: reload this page.'),
      terminated: () => this.#drop('The browser closed its storage: reload this page.'),
    });
    if (this.#closed) return db.close();
    // What was recorded before a late connection goes in now.
    await this.#inTurn(() => {
      this.#db = db;
      return this.#flush();
    });
  }

  /** Goes on in memory, with the run that is being recorded. */
  #drop(problem: string): void {
    this.#db?.close();
    this.#db = null;
    if (this.#current) this.#memory.set(this.#current.header.id, this.#current);
    this.#report(`${problem} ${KEPT}`);
  }

  #report(problem: string | null): void {
    if (this.#problem === problem) return;
    this.#problem = problem;
    this.onChange?.();
  }

  /** One operation after another: a list asked for while a row is written has the row. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#queue.then(work);
    this.#queue = run.catch(() => undefined);
    return run;
  }

  async #write(header: RunHeader, records: readonly TraceRecord[]): Promise<void> {
    const copy = this.#copies.get(header.id);
    if (copy !== undefined) ({ header, records } = renamed({ header, records: [...records] }, copy));
    const { id } = header;
    // What is kept is a copy of plain data, and checked to be writable as JSON before anything is changed.
    const head = plain(header);
    const added = records.map(plain);
    const known = this.#current?.header.id === id ? this.#current : this.#db && (await this.#find(id));
    const run = known ?? this.#memory.get(id) ?? { header: head, records: [] };
    if (this.#db && run.records.length === 0 && added.some((record) => isStep(record) && record.parentId !== null)) {
      const what = `The run "${header.title}" is not in the store any more, so its step cannot be added.`;
      throw new RolloutError('no_run', what, 'Start a new run.');
    }
    const from = run.records.length;
    run.header = head;
    run.records.push(...added);
    this.#current = run;
    if (this.#db && !this.#memory.has(id)) {
      try {
        if (!(await appendToRun(this.#db, run, from))) await this.#fork(this.#db, run);
        return;
      } catch (error) {
        this.#memory.set(id, run);
        this.#report(storageProblem(error));
        return;
      }
    }
    this.#memory.set(id, run);
    await this.#flush();
  }

  /**
   * Two tabs went on with one run. Theirs stays as it is; the one of this tab is kept whole as a copy, to which its
   * later rows are added.
   */
  async #fork(db: Database, run: RunRecord): Promise<void> {
    const copy = renamed(run, newId());
    this.#copies.set(run.header.id, copy.header.id);
    this.#current = copy;
    await putRuns(db, [copy]);
    const { title } = copy.header;
    this.#report(
      `Another tab changed this run. What is done here is stored as "${title}": open that to go on with it.`,
    );
  }

  /** Puts whole runs in place of what was there, all in one transaction. */
  async #replace(runs: readonly RunRecord[]): Promise<void> {
    if (runs.length === 0) return;
    for (const { header } of runs) if (this.#current?.header.id === header.id) this.#current = null;
    try {
      if (this.#db) {
        await putRuns(this.#db, runs);
        for (const { header } of runs) this.#memory.delete(header.id);
        return;
      }
    } catch (error) {
      this.#report(storageProblem(error));
    }
    for (const run of runs) this.#memory.set(run.header.id, run);
  }

  /** Tries to store what is in memory only. */
  async #flush(): Promise<void> {
    const db = this.#db;
    if (!db) return;
    for (const [id, run] of this.#memory) {
      try {
        await putRuns(db, [run]);
        this.#memory.delete(id);
      } catch (error) {
        return this.#report(storageProblem(error));
      }
    }
    this.#report(null);
  }

  async #list(): Promise<RunSummary[]> {
    const db = this.#db;
    const rows = db ? await this.#reading(() => db.getAll('runs')) : [];
    const stored = rows
      .filter(({ id }) => !this.#memory.has(id))
      .map(({ header, steps, branches = [] }) => summary(header, steps, branches, false));
    const kept = [...this.#memory.values()].map((run) =>
      summary(run.header, stepsOf(run).length, branchesOf(run.records), true),
    );
    return newestFirst([...stored, ...kept]);
  }

  async #find(id: string): Promise<RunRecord | null> {
    const kept = this.#memory.get(id);
    if (kept) return { ...kept, records: [...kept.records] };
    const db = this.#db;
    return db ? this.#reading(() => readRun(db, id)) : null;
  }

  async #need(id: string): Promise<RunRecord> {
    const run = await this.#find(id);
    if (run) return run;
    throw new RolloutError('no_run', `There is no run "${id}" in this browser.`, 'Choose one from the list of runs.');
  }

  async #reading<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const what = `The browser's storage failed: ${nameOf(error)}.`;
      throw new RolloutError('storage', what, 'Reload the page and try again.', { cause: error });
    }
  }
}
