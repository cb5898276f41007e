/**
 * The worker's side of the lab: a batch at work with its models, and tables and files of batches. The page has a worker for
 * each of the two, so that tables of many worlds, which take their time, hold nothing up.
 */
import type { LaneStatus } from '../../../workers/client';
import {
  aggregate,
  LabRunner,
  LabStore,
  runText,
  steady,
  tableFiles,
  writeResult,
  type BatchRow,
  type LabJob,
  type LabLane,
  type LabModels,
} from '../../rollouts/lab';
import { steeringTables, type SteeringFacts, type SteeringTables } from '../../rollouts/steering';
import { failureIn } from './failure';
import { locked } from './lock';
import { checkModels, openLanes, type OpenModel } from './openLanes';
import { overPort } from './overPort';
import { SuiteWork } from './suiteWork';
import type {
  FileName,
  Filter,
  LabApi,
  LabTables,
  Outcome,
  RolloutList,
  RolloutRow,
  RunMessage,
  RunRequest,
  SuiteMessage,
  SuiteRequest,
} from './protocol';

/** Between two notes on progress. */
const PROGRESS_MS = 100;
/** Rollouts in a list at most: the list draws those in sight alone, but a batch has up to a million and memory has an end. */
const LISTED = 20_000;

type Send = (message: RunMessage) => void;

export class LabService implements LabApi {
  #store: Promise<LabStore> | null = null;
  #runner: LabRunner | null = null;
  #suite: SuiteWork | null = null;

  /** @param database name; tests take one of their own */
  constructor(private readonly database?: string) {}

  /** Works at a batch until it is done, cancelled or failed; all of it is told over the port. */
  async run(request: RunRequest, port: MessagePort): Promise<void> {
    await overPort<RunMessage>(port, (send, signal) => locked(request.batch, () => this.#run(request, send, signal)));
  }

  /** Runs a suite until it is done, cancelled or failed; all of it is told over the port. */
  async suite(request: SuiteRequest, port: MessagePort): Promise<void> {
    await overPort<SuiteMessage>(port, async (send, signal) => {
      const suite = (this.#suite = new SuiteWork(request, send, signal));
      await suite.run().finally(() => (this.#suite = null));
    });
  }

  steering(facts: SteeringFacts, order: readonly string[]): Outcome<SteeringTables> {
    try {
      return { ok: true, value: steeringTables(facts, order) };
    } catch (error) {
      return { ok: false, failure: failureIn(error) };
    }
  }

  pause(): void {
    this.#runner?.pause();
    this.#suite?.pause();
  }

  resume(): void {
    this.#runner?.resume();
    this.#suite?.resume();
  }

  async tables(batch: string): Promise<Outcome<LabTables>> {
    return outcome(async () => {
      const store = await this.#open();
      const row = await store.get(batch);
      const { results, timings } = await aggregate(row.spec, store.records(batch), row.models ?? {});
      // The page shows the numbers that the files have.
      return { results: steady(results), timings };
    });
  }

  async rollouts(batch: string, filter: Filter): Promise<Outcome<RolloutList>> {
    return outcome(async () => {
      const rows: RolloutRow[] = [];
      let total = 0;
      for await (const { job, steps, exact, done, real } of (await this.#open()).records(batch)) {
        const row = { job, steps, exact, done, real };
        if (passes(row, filter) && ++total <= LISTED) rows.push(row);
      }
      return { rows, total };
    });
  }

  async rollout(batch: string, job: LabJob): Promise<Outcome<string>> {
    return outcome(async () => runText(await (await this.#open()).run(batch, job)));
  }

  async file(batch: string, name: FileName): Promise<Outcome<Blob>> {
    return outcome(async () => {
      const store = await this.#open();
      const row = await store.get(batch);
      if (name === 'steps.jsonl') {
        // In parts of some megabytes: a blob is kept outside of this worker's memory, on the disk if need be.
        let parts: Blob[] = [];
        let texts: string[] = [];
        let length = 0;
        const close = () => {
          parts = [...parts, new Blob(texts)];
          [texts, length] = [[], 0];
        };
        for await (const text of store.texts(batch)) {
          texts.push(text);
          if ((length += text.length) > 4e6) close();
        }
        close();
        return new Blob(parts, { type: 'application/jsonl' });
      }
      if (name === 'results.wmresult.json') {
        return new Blob([await writeResult(row.spec, store.records(batch), row.models ?? {})], {
          type: 'application/json',
        });
      }
      const { results, timings } = await aggregate(row.spec, store.records(batch), row.models ?? {});
      const type = name === 'report.html' ? 'text/html' : 'application/json';
      return new Blob([tableFiles(results, timings)[name]], { type });
    });
  }

  #open(): Promise<LabStore> {
    // A store that another tab closed for a newer page is opened again by the next call.
    this.#store ??= LabStore.open(this.database).catch((error: unknown) => {
      this.#store = null;
      throw error;
    });
    return this.#store;
  }

  async #run(request: RunRequest, send: Send, signal: AbortSignal): Promise<void> {
    const store = await this.#open();
    const row = await store.get(request.batch);
    const opened = new Map<string, OpenModel>();
    const onStatus = (simulator: string, status: LaneStatus) => send({ type: 'model', simulator, status });
    try {
      const { lanes, models } = await openLanes(row.spec.simulators, request, opened, onStatus, signal);
      if (row.models === null) await store.setModels(row.id, models);
      else checkModels(row.models, models);
      await this.#work(store, row, lanes, models, send, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      const total = row.total;
      const done = await store.done(row.id);
      const progress = { total, done, kept: done, job: null, workedMs: 0, leftMs: null, paused: false };
      send({ type: 'ended', done: false, progress: this.#runner?.progress ?? progress });
    } finally {
      this.#runner = null;
      for (const { simulator } of opened.values()) simulator.dispose();
    }
  }

  async #work(
    store: LabStore,
    row: BatchRow,
    lanes: { [simulator: string]: LabLane },
    models: LabModels,
    send: Send,
    signal: AbortSignal,
  ): Promise<void> {
    const kept = await store.done(row.id);
    let noted = -Infinity;
    const runner = new LabRunner(row.spec, lanes, store.sink(row.id), {
      signal,
      onProgress: (progress) => {
        const now = performance.now();
        if (now - noted < PROGRESS_MS && !progress.paused && progress.done < progress.total) return;
        noted = now;
        send({ type: 'progress', progress });
      },
    });
    this.#runner = runner;
    // The runner comes to know of the earlier sittings' jobs one by one.
    send({ type: 'progress', progress: { ...runner.progress, done: kept, kept } });
    await runner.run();
    send({ type: 'ended', done: true, progress: runner.progress });
  }
}

function passes({ exact, done, real }: RolloutRow, filter: Filter): boolean {
  switch (filter) {
    case 'all':
      return true;
    case 'diverged':
      return exact.includes('0');
    case 'failed':
      return done === false;
    case 'only in the lane':
      return done === true && real === false;
    default:
      return filter satisfies never;
  }
}

async function outcome<T>(work: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    return { ok: false, failure: failureIn(error) };
  }
}
