/** The recorded runs of this browser: the list, and what can be done with it. */
import {
  readTrace,
  RunStore,
  stepsOf,
  type ConflictChoice,
  type ImportReport,
  type RunHeader,
  type RunRecord,
  type RunSummary,
  type StepRecord,
} from '../rollouts';
import { count } from './text';

/** A question to the person at the page: an imported run whose id is taken by a different one. */
export interface Conflict {
  title: string;
  imported: number;
  existing: number;
  answer(choice: ConflictChoice): void;
}

export class Runs {
  list = $state.raw<readonly RunSummary[]>([]);
  /** Why runs are in memory only, or null. */
  problem = $state.raw<string | null>(null);
  conflict = $state.raw<Conflict | null>(null);
  readonly #store: Promise<RunStore>;

  /** @param name of the database; tests take one of their own */
  constructor(name?: string) {
    this.#store = RunStore.open(name === undefined ? {} : { name }).then((store) => {
      const look = () => (this.problem = store.problem);
      store.onChange = look;
      look();
      return store;
    });
  }

  /** Asks the store for the list again. */
  async refresh(): Promise<void> {
    this.list = await (await this.#store).listRuns();
  }

  /** Keeps a step. Plain data only: rows and headers never hold proxies. */
  async record(header: RunHeader, step: StepRecord): Promise<void> {
    await (await this.#store).appendStep(header, step);
    await this.refresh();
  }

  async load(id: string): Promise<RunRecord> {
    return (await this.#store).loadRun(id);
  }

  /** A run as it is kept, to read from only: the run that is being recorded stays the one that is watched. */
  async peek(id: string): Promise<RunRecord> {
    const { runs } = await readTrace(await (await this.#store).exportRuns([id]));
    return runs[0] as RunRecord;
  }

  async delete(id: string): Promise<void> {
    await (await this.#store).deleteRun(id);
    await this.refresh();
  }

  /** The wmtrace text of one run or of all, and a name for its file. */
  async export(id: string | 'all'): Promise<{ text: string; name: string }> {
    const text = await (await this.#store).exportRuns(id === 'all' ? 'all' : [id]);
    return { text, name: `terrarium-${id === 'all' ? 'runs' : id}.wmtrace.jsonl` };
  }

  /** Imports a wmtrace text; asks about runs that are there already and differ. */
  async import(text: string): Promise<ImportReport> {
    const report = await (await this.#store).importText(text, (imported, existing) => this.#ask(imported, existing));
    await this.refresh();
    return report;
  }

  #ask(imported: RunRecord, existing: RunRecord): Promise<ConflictChoice> {
    return new Promise((resolve) => {
      this.conflict = {
        title: imported.header.title,
        imported: stepsOf(imported).length,
        existing: stepsOf(existing).length,
        answer: (choice) => {
          this.conflict = null;
          resolve(choice);
        },
      };
    });
  }
}

/** What an import did, in a sentence. */
export function describeImport(report: ImportReport): string {
  const parts = [
    [report.added.length, 'imported'],
    [report.identical.length, 'already here'],
    [report.replaced.length, 'replaced'],
    [report.copied.length, 'imported as a copy'],
    [report.skipped.length, 'left as it was'],
  ] as const;
  const done = parts.filter(([n]) => n > 0).map(([n, what]) => `${count(n, 'run')} ${what}`);
  return `${done.join(', ') || 'The file holds no run'}.`;
}
