/** The lab's view-model: the draft of a batch, the batches that are kept, the one at work and the one on show. */
import { LabStore, specText, type BatchRow, type LabJob, type LabProgress, type LabSpec } from '../../rollouts/lab';
import type { LaneStatus } from '../../../workers/client';
import type { ProviderChoice } from '../limits';
import type { Notices } from '../notices.svelte';
import { LabClient } from './client';
import { checkDraft, checkText, FIRST_DRAFT } from './draft';
import { locked } from './lock';
import type { FileName, Filter, LabTables, RolloutList } from './protocol';

/** Tables of a batch at work are read anew at most this often, and take at most this share of the time. */
const TABLES_MS = 2000;
const TABLES_SHARE = 1 / 20;

/** A batch in the list, with the rollouts that are done. */
export interface BatchEntry {
  row: BatchRow;
  done: number;
}

/** The batch at work. */
export interface AtWork {
  row: BatchRow;
  /** `cancelling` until the step under way has ended. */
  phase: 'loading' | 'running' | 'paused' | 'cancelling';
  progress: LabProgress | null;
  /** Models by simulator, while they load. */
  models: { [simulator: string]: LaneStatus };
}

/** The batch whose tables are on show; `tables` is null until they are there. */
export interface Shown {
  row: BatchRow;
  tables: LabTables | null;
}

export interface LabSettings {
  /** Absolute URL of the folder with the models. */
  models: string;
  /** Database; tests take one of their own. */
  database?: string;
  client?: LabClient;
}

export class LabModel {
  draft = $state.raw<LabSpec>(FIRST_DRAFT);
  provider = $state<ProviderChoice>('auto');
  batches = $state.raw<readonly BatchEntry[]>([]);
  work = $state.raw<AtWork | null>(null);
  shown = $state.raw<Shown | null>(null);
  /** What is being done that takes a while: tables or a file. */
  waiting = $state.raw<string | null>(null);
  readonly checked = $derived(checkDraft(this.draft));
  readonly #client: LabClient;
  readonly #store: Promise<LabStore>;
  #cancel: AbortController | null = null;
  /** Between a press of Start and the batch at work, so that a second press makes no second batch. */
  #starting = false;
  /** The read of tables under way, when the last one ended, and how long it took. */
  #looking: Promise<void> | null = null;
  #lookedAt = -Infinity;
  #lookTook = 0;

  constructor(
    private readonly settings: LabSettings,
    private readonly notices: Notices,
  ) {
    this.#client = settings.client ?? new LabClient();
    this.#store = LabStore.open(settings.database);
    // Looked at by whoever asks first; not to be told as unhandled before that.
    this.#store.catch(() => undefined);
  }

  /** Asks the store for the list of batches again. */
  async refresh(): Promise<void> {
    await this.notices.tell(async () => {
      const store = await this.#store;
      const rows = await store.list();
      this.batches = await Promise.all(rows.map(async (row) => ({ row, done: await store.done(row.id) })));
    });
  }

  /** Changes the draft. */
  edit(change: Partial<LabSpec>): void {
    this.draft = { ...this.draft, ...change };
  }

  /** Takes the text of a spec (or of a results.json) for the draft; gives what is wrong with it, empty when nothing is. */
  open(text: string): string[] {
    const read = checkText(text);
    if (!read.ok) return read.problems;
    this.draft = read.spec;
    return [];
  }

  /** The draft as a file. */
  get text(): string {
    return specText(this.checked.ok ? this.checked.spec : this.draft);
  }

  /** Makes a batch of the draft and works at it. */
  async start(): Promise<void> {
    const { checked } = this;
    if (!checked.ok || this.work || this.#starting) return;
    this.#starting = true;
    await this.notices.tell(async () => {
      const store = await this.#store;
      const row = await store
        .create(checked.spec, null, undefined, this.provider)
        .finally(() => (this.#starting = false));
      await this.#run(row, 0);
    });
    this.#starting = false;
  }

  /** Goes on with a batch where it stopped. */
  async goOn({ row, done }: BatchEntry): Promise<void> {
    if (!this.work) await this.notices.tell(() => this.#run(row, done));
  }

  async pause(): Promise<void> {
    await this.#client.pause();
  }

  async resume(): Promise<void> {
    await this.#client.resume();
  }

  /** Stops the batch at work; what is done is kept, and it can be gone on with. */
  cancel(): void {
    if (!this.work || !this.#cancel) return;
    this.work = { ...this.work, phase: 'cancelling' };
    this.#cancel.abort();
  }

  /** Removes a batch with all its records; the one at work has to be cancelled first. */
  async remove(id: string): Promise<void> {
    if (this.work?.row.id === id) return;
    await this.notices.tell(async () => {
      const store = await this.#store;
      await locked(id, () => store.remove(id));
      if (this.shown?.row.id === id) this.shown = null;
    });
    await this.refresh();
  }

  /** Shows the tables of a batch as far as it is. */
  async show({ row }: Pick<BatchEntry, 'row'>): Promise<void> {
    if (this.shown?.row.id !== row.id) this.shown = { row, tables: null };
    await this.#wait('tables', () => this.#tables(row));
  }

  /** The first finished rollouts of a batch that a filter lets through; null where that failed, which is told. */
  async rollouts({ id }: BatchRow, filter: Filter): Promise<RolloutList | null> {
    let list: RolloutList | null = null;
    await this.#wait('rollouts', async () => void (list = await this.#client.rollouts(id, filter)));
    return list;
  }

  /** Hands a finished rollout over, as wmtrace and under the id of its run. */
  async rollout({ id }: BatchRow, job: LabJob, take: (text: string) => Promise<void>): Promise<void> {
    await this.#wait('rollout', async () => take(await this.#client.rollout(id, job)));
  }

  /** Hands a file of a batch over. */
  async save(row: BatchRow, name: FileName, take: (file: Blob, name: string) => void): Promise<void> {
    await this.#wait(name, async () => take(await this.#client.file(row.id, name), `${slug(row)}-${name}`));
  }

  /** Ends the worker; a batch at work stops with its last finished rollout. */
  dispose(): void {
    this.#cancel?.abort();
    this.#client.dispose();
    void this.#store.then(
      (store) => store.close(),
      () => undefined,
    );
  }

  async #wait(what: string, work: () => Promise<void>): Promise<void> {
    this.waiting = what;
    await this.notices.tell(work);
    if (this.waiting === what) this.waiting = null;
  }

  async #run(row: BatchRow, done: number): Promise<void> {
    const cancel = (this.#cancel = new AbortController());
    const none = { total: row.total, done, kept: done, job: null, workedMs: 0, leftMs: null, paused: false };
    this.work = { row, phase: 'loading', progress: none, models: {} };
    if (this.shown?.row.id !== row.id) this.shown = { row, tables: null };
    this.#lookedAt = performance.now();
    await this.refresh();
    const provider = row.provider ?? this.provider;
    try {
      const request = { batch: row.id, models: this.settings.models, provider };
      for await (const message of this.#client.run(request, cancel.signal)) {
        if (message.type === 'model') this.#at({ models: { [message.simulator]: message.status } });
        else {
          const phase = message.progress.paused ? 'paused' : 'running';
          this.#at({ progress: message.progress, ...(cancel.signal.aborted ? {} : { phase }) });
          void this.#look(row, message.progress.paused);
        }
      }
    } catch (error) {
      const failed = error as { code?: unknown };
      // A worker that does not answer would hold the batch for good.
      if (failed.code === 'no_answer') this.#client.endRun();
      throw error;
    } finally {
      // The list first: until it is read again it does not know what was done, and going on would begin from there.
      await this.refresh();
      this.work = null;
      this.#cancel = null;
      await this.#looking;
      if (this.shown?.row.id === row.id) await this.show({ row });
    }
  }

  #at(change: Partial<AtWork>): void {
    if (!this.work) return;
    const models = { ...this.work.models, ...change.models };
    this.work = { ...this.work, ...change, models };
  }

  /** Tables of the batch at work, if they are on show: not too often, and at most one read at a time. */
  #look(row: BatchRow, now: boolean): Promise<void> | null {
    const wait = Math.max(TABLES_MS, this.#lookTook / TABLES_SHARE);
    if (this.#looking || this.shown?.row.id !== row.id || (!now && performance.now() - this.#lookedAt < wait))
      return null;
    const began = performance.now();
    // What fails here fails again at the end, and is told then.
    this.#looking = this.#tables(row)
      .catch(() => undefined)
      .finally(() => {
        this.#looking = null;
        this.#lookedAt = performance.now();
        this.#lookTook = this.#lookedAt - began;
      });
    return this.#looking;
  }

  async #tables(row: BatchRow): Promise<void> {
    const tables = await this.#client.tables(row.id);
    if (this.shown?.row.id === row.id) this.shown = { row, tables };
  }
}

/** A batch's title as the beginning of a file's name. */
function slug({ title, createdAt }: BatchRow): string {
  const words = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return `${words.slice(0, 40) || 'batch'}-${createdAt.slice(0, 10)}`;
}
