/** View-model of a suite: what it is to run, the runs that are kept, the one at work and the one on show. */
import type { LabSimulator } from '../../rollouts/lab';
import {
  newRow,
  SuiteStore,
  type SuiteItem,
  type SuiteName,
  type SuitePart,
  type SuiteRow,
  type SuiteSpec,
} from '../../rollouts/suites';
import { LabClient } from '../lab/client';
import type { AtWork } from '../lab/lab.svelte';
import { locked } from '../lab/lock';
import type { SuiteNews } from '../lab/protocol';
import type { ProviderChoice } from '../limits';
import type { Notices } from '../notices.svelte';

export interface SuiteSettings<N extends SuiteName> {
  suite: N;
  /** What the form begins with. */
  spec: SuiteSpec<N>;
  simulators: LabSimulator[];
  /** Title of a run. */
  title: (spec: SuiteSpec<N>, simulators: readonly LabSimulator[]) => string;
  /** Absolute URL of the folder with the models. */
  models: string;
  /** Database; tests take one of their own. */
  database?: string | undefined;
}

/** A run in the list. */
export interface SuiteEntry<N extends SuiteName> {
  row: SuiteRow<N>;
  done: number;
}

/** The run at work. */
export type SuiteAtWork<N extends SuiteName> = Omit<AtWork, 'row'> & { row: SuiteRow<N> };

export class SuiteModel<N extends SuiteName> {
  spec = $state.raw<SuiteSpec<N>>(undefined as never);
  simulators = $state.raw<LabSimulator[]>([]);
  provider = $state<ProviderChoice>('auto');
  runs = $state.raw<readonly SuiteEntry<N>[]>([]);
  work = $state.raw<SuiteAtWork<N> | null>(null);
  /** The run on show and all it has so far. */
  shown = $state.raw<{ row: SuiteRow<N>; items: readonly SuiteItem<N>[] } | null>(null);
  readonly client: LabClient;
  readonly #store: Promise<SuiteStore | null>;
  #cancel: AbortController | null = null;
  /** Writes under way, one after another. */
  #writes: Promise<void> = Promise.resolve();
  /** Parts that are not in the store yet: those of a write that failed go with the next one. */
  #unwritten: readonly SuitePart[] = [];

  constructor(
    private readonly settings: SuiteSettings<N>,
    private readonly notices: Notices,
    client = new LabClient(),
  ) {
    this.client = client;
    this.spec = settings.spec;
    this.simulators = settings.simulators;
    this.#store = SuiteStore.open(settings.database).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      notices.add('warn', `${reason} Runs are gone when the page is closed: save what you want to keep.`);
      return null;
    });
  }

  get runSuite(): N {
    return this.settings.suite;
  }

  /** Why the run cannot begin; empty when it can. */
  get problem(): string {
    if (this.simulators.length === 0) return 'Add at least one simulator.';
    const ids = this.simulators.map(({ id }) => id);
    const twice = ids.find((id, i) => ids.indexOf(id) !== i);
    if (twice !== undefined) return `Two simulators have the name "${twice}": rename one.`;
    const strange = this.simulators.find(({ id, kind }) => (id === 'twin') !== (kind === 'twin'));
    return strange ? `"${strange.id}": the twin is called twin, and nothing else is. Rename it.` : '';
  }

  /** Changes what is to run. */
  edit(change: Partial<SuiteSpec<N>>): void {
    this.spec = { ...this.spec, ...change };
  }

  /** Asks the store for the list of runs again. */
  async refresh(): Promise<void> {
    await this.notices.tell(async () => {
      const rows = (await (await this.#store)?.list(this.settings.suite)) ?? [];
      this.runs = rows.map((row) => ({ row, done: row.done }));
    });
  }

  /** Begins a run of the form as it is. */
  async start(): Promise<void> {
    if (this.work || this.problem !== '') return;
    const { suite, title } = this.settings;
    const { spec, simulators, provider } = this;
    const row = newRow<N>({ suite, title: title(spec, simulators), spec, simulators, provider });
    await this.notices.tell(async () => {
      this.work = { row, phase: 'loading', progress: null, models: {} };
      this.shown = { row, items: [] };
      await this.#run(row, async () => (await this.#store)?.put(row));
    });
  }

  /** Goes on with a run where it stopped. */
  async goOn(entry: SuiteEntry<N>): Promise<void> {
    if (this.work) return;
    await this.show(entry);
    if (this.shown?.row.id === entry.row.id) await this.notices.tell(() => this.#run(entry.row));
  }

  pause(): Promise<void> {
    return this.client.pause();
  }

  resume(): Promise<void> {
    return this.client.resume();
  }

  /** Stops the run at work; what is done is kept, and it can be gone on with. */
  cancel(): void {
    if (!this.work || !this.#cancel) return;
    this.work = { ...this.work, phase: 'cancelling' };
    this.#cancel.abort();
  }

  /** Shows a run of the list. */
  async show({ row }: SuiteEntry<N>): Promise<void> {
    await this.notices.tell(async () => {
      let items: readonly SuiteItem<N>[];
      let writes: Promise<void>;
      do {
        // The one at work is on the way to the store still; parts that come while it is read are not in what was read.
        writes = this.#writes;
        await writes;
        items = (await (await this.#store)?.items<N>(row)) ?? [];
      } while (writes !== this.#writes);
      this.shown = { row: this.work?.row.id === row.id ? this.work.row : row, items };
    });
  }

  /** Takes the form's settings from a run. */
  take({ row }: SuiteEntry<N>): void {
    this.spec = row.spec;
    this.simulators = row.simulators;
    this.provider = row.provider;
  }

  /** Removes a run with all its answers; the one at work has to be cancelled first. */
  async remove(id: string): Promise<void> {
    if (this.work?.row.id === id) return;
    await this.notices.tell(async () => {
      await locked(id, async () => (await this.#store)?.remove(id));
      if (this.shown?.row.id === id) this.shown = null;
    });
    await this.refresh();
  }

  /** Ends the worker; a run at work stops, and what is done is kept. */
  dispose(): void {
    this.#cancel?.abort();
    this.client.dispose();
    void this.#writes.then(async () => (await this.#store)?.close());
  }

  async #run(row: SuiteRow<N>, begin: () => Promise<void> = async () => undefined): Promise<void> {
    const cancel = (this.#cancel = new AbortController());
    const skip = row.done;
    this.#unwritten = [];
    const progress = { total: row.total, done: skip, kept: skip, job: null, workedMs: 0, leftMs: null, paused: false };
    this.work = { row, phase: 'loading', progress, models: {} };
    try {
      await locked(row.id, async () => {
        await begin();
        await this.refresh();
        const { suite, spec, simulators, provider, models: before } = row;
        const request = { suite, spec, simulators, provider, before, skip, models: this.settings.models };
        for await (const news of this.client.suite(request, cancel.signal)) this.#hear(news);
        await this.#writes;
      });
    } catch (error) {
      if ((error as { code?: unknown }).code === 'no_answer') this.client.endRun();
      throw error;
    } finally {
      await this.#writes;
      // What could not be written before, once more: behind a gap nothing counts, and it would all be done again.
      if (this.#unwritten.length > 0) this.#writeParts(row.id);
      await this.#writes;
      // The list first: until it is read again it does not know what was done, and going on would begin from there.
      await this.refresh();
      this.work = null;
      this.#cancel = null;
    }
  }

  #hear(news: SuiteNews): void {
    const { work } = this;
    if (!work?.progress) return;
    const cancelling = this.#cancel?.signal.aborted === true;
    switch (news.type) {
      case 'model':
        this.work = { ...work, models: { ...work.models, [news.simulator]: news.status } };
        return;
      case 'models': {
        const row = { ...work.row, models: news.models };
        this.work = { ...work, row, phase: cancelling ? 'cancelling' : 'running' };
        if (this.shown?.row.id === row.id) this.shown = { ...this.shown, row };
        this.#write((store) => store.put(row));
        return;
      }
      case 'paused': {
        const phase = cancelling ? 'cancelling' : news.paused ? 'paused' : 'running';
        this.work = { ...work, phase, progress: { ...work.progress, paused: news.paused } };
        return;
      }
      case 'parts': {
        const done = news.parts.at(-1)?.done ?? work.progress.done;
        const { workedMs, leftMs } = news;
        // So that a later row of models does not set it back.
        const row = { ...work.row, done };
        this.work = { ...work, row, progress: { ...work.progress, done, workedMs, leftMs } };
        if (this.shown?.row.id === row.id) {
          const items = [...this.shown.items, ...news.parts.flatMap((part) => part.items as SuiteItem<N>[])];
          this.shown = { row, items };
        }
        this.#unwritten = [...this.#unwritten, ...news.parts];
        this.#writeParts(row.id);
        return;
      }
      case 'ended':
        return;
      default:
        news satisfies never;
    }
  }

  #writeParts(id: string): void {
    this.#write(async (store) => {
      const parts = this.#unwritten;
      if (parts.length === 0) return;
      await store.append(id, parts);
      this.#unwritten = this.#unwritten.slice(parts.length);
    });
  }

  /** Writes one after another; what fails is told, and the run goes on: all of it is on the page still. */
  #write(work: (store: SuiteStore) => Promise<void>): void {
    this.#writes = this.#writes.then(() =>
      this.notices.tell(async () => {
        const store = await this.#store;
        if (store) await work(store);
      }),
    );
  }
}
