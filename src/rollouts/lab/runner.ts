/** A batch at work: its jobs one after another, with progress, pause, cancel, and going on where it stopped. */
import { pause } from '../../models/pause';
import { LabError } from './errors';
import { runJob, type LabLane } from './job';
import { expandJobs, type LabJob } from './jobs';
import type { LabSink } from './records';
import { countJobs, type LabSpec } from './spec';

export interface LabProgress {
  total: number;
  /** Jobs that are done, those of earlier sittings included. */
  done: number;
  /** Of these, jobs that an earlier sitting had done. */
  kept: number;
  /** The job under way, or null. */
  job: LabJob | null;
  /** Milliseconds this sitting has worked, pauses left out. */
  workedMs: number;
  /** Estimate of the milliseconds left; null until a job was done in this sitting. */
  leftMs: number | null;
  paused: boolean;
}

export interface LabOptions {
  signal?: AbortSignal;
  /** Called after each job, and when the batch pauses or goes on. */
  onProgress?: (progress: LabProgress) => void;
  /** Clock in milliseconds; `performance.now` unless told. */
  now?: () => number;
  /** Time for the headers, ISO 8601; the present unless told. */
  createdAt?: () => string;
  /** Milliseconds after which other tasks get their turn. */
  slice?: number;
}

/** Runs a batch once. What it holds does not grow with the batch: counters, and the job under way. */
export class LabRunner {
  #done = 0;
  #kept = 0;
  #job: LabJob | null = null;
  #pausedAt: number | null = null;
  #goOn: (() => void) | null = null;
  #started: number | null = null;
  #rested = 0;
  #turn = 0;
  /** Jobs done in this sitting and their milliseconds, by simulator. */
  readonly #pace = new Map<string, { jobs: number; ms: number; left: number }>();
  readonly #now: () => number;
  readonly total: number;

  /** @throws LabError `no_simulator` when a simulator of the spec is not among the lanes */
  constructor(
    private readonly spec: LabSpec,
    private readonly lanes: { readonly [simulator: string]: LabLane },
    private readonly sink: LabSink,
    private readonly options: LabOptions = {},
  ) {
    this.#now = options.now ?? (() => performance.now());
    this.total = countJobs(spec);
    for (const { id } of spec.simulators) {
      if (!Object.hasOwn(lanes, id)) {
        throw new LabError('no_simulator', `The batch needs the simulator "${id}".`, 'Load its model first.');
      }
      this.#pace.set(id, { jobs: 0, ms: 0, left: this.total / spec.simulators.length });
    }
  }

  get progress(): LabProgress {
    const worked = this.#started === null ? 0 : (this.#pausedAt ?? this.#now()) - this.#started - this.#rested;
    return {
      total: this.total,
      done: this.#done,
      kept: this.#kept,
      job: this.#job,
      workedMs: worked,
      leftMs: this.#left(),
      paused: this.#pausedAt !== null,
    };
  }

  /** Stops before the next step. The step under way is finished. */
  pause(): void {
    if (this.#pausedAt !== null) return;
    this.#pausedAt = this.#now();
    this.#tell();
  }

  /** Goes on after a pause. */
  resume(): void {
    if (this.#pausedAt === null) return;
    if (this.#started !== null) this.#rested += this.#now() - Math.max(this.#pausedAt, this.#started);
    this.#pausedAt = null;
    this.#goOn?.();
    this.#goOn = null;
    this.#tell();
  }

  /**
   * Does the jobs that the sink does not have yet.
   * @returns the final progress
   * @throws LabError `lane_failed` and the like; what the sink throws; the signal's reason when aborted. The jobs done so
   * far stay in the sink, and a new runner on it goes on after them.
   */
  async run(): Promise<LabProgress> {
    const { signal } = this.options;
    this.#started = this.#now();
    if (this.#pausedAt !== null) this.#pausedAt = this.#started;
    this.#turn = this.#started;
    try {
      for (const job of expandJobs(this.spec)) {
        signal?.throwIfAborted();
        const pace = this.#pace.get(job.simulator);
        if (await this.sink.has(job)) {
          this.#kept++;
          this.#done++;
          if (pace) pace.left--;
          await this.#gate();
          continue;
        }
        this.#job = job;
        const [began, rested] = [this.#now(), this.#rested];
        await runJob(job, {
          spec: this.spec,
          lane: this.lanes[job.simulator] as LabLane,
          sink: this.sink,
          signal,
          gate: () => this.#gate(),
          createdAt: this.options.createdAt?.() ?? new Date().toISOString(),
        });
        this.#done++;
        this.#job = null;
        if (pace) {
          pace.jobs++;
          pace.left--;
          pace.ms += this.#now() - began - (this.#rested - rested);
        }
        this.#tell();
      }
    } finally {
      this.#job = null;
    }
    return this.progress;
  }

  /** Waits while the batch pauses; every few milliseconds lets others run. Twins answer without ever giving way. */
  async #gate(): Promise<void> {
    const { signal, slice = 12 } = this.options;
    while (this.#pausedAt !== null) {
      await new Promise<void>((resolve, reject) => {
        const stop = () => reject(signal?.reason as Error);
        if (signal?.aborted) return stop();
        signal?.addEventListener('abort', stop, { once: true });
        this.#goOn = () => {
          signal?.removeEventListener('abort', stop);
          resolve();
        };
      });
    }
    if (this.#now() - this.#turn >= slice) {
      await pause(signal);
      this.#turn = this.#now();
    }
    signal?.throwIfAborted();
  }

  #left(): number | null {
    const paces = [...this.#pace.values()];
    const jobs = paces.reduce((sum, pace) => sum + pace.jobs, 0);
    if (this.#done === this.total) return 0;
    if (jobs === 0) return null;
    const mean = paces.reduce((sum, pace) => sum + pace.ms, 0) / jobs;
    return paces.reduce((sum, { jobs: n, ms, left }) => sum + left * (n > 0 ? ms / n : mean), 0);
  }

  #tell(): void {
    this.options.onProgress?.(this.progress);
  }
}
