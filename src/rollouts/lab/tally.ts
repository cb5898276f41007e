/** Sums of a job's steps while it runs: numbers only, whatever the steps hold. */
import type { LaneResult } from '../records';
import type { LabJob } from './jobs';
import type { Judged } from './judge';
import type { JobRecord, Sum } from './records';

export class Tally {
  #steps = 0;
  #exact = '';
  #stateExact = '';
  readonly #sums: { [metric: string]: Sum } = {};
  readonly #failures: { [code: string]: number } = {};
  readonly #cost = { nfe: 0, generatedTokens: 0, answerTokens: 0 };
  readonly #timings = { ms: 0, prefillMs: 0, forwardTokens: 0, prefillTokens: 0 };

  constructor(private readonly job: LabJob) {}

  add({ row }: Judged, { prediction, failure }: LaneResult): void {
    this.#steps++;
    this.#exact += row ? String(row.score.answerExact) : '-';
    this.#stateExact += row ? String(row.score.stateExact) : '-';
    for (const [name, { sum, n }] of Object.entries(row?.parts ?? {})) {
      const sums = (this.#sums[name] ??= [0, 0]);
      sums[0] += sum;
      sums[1] += n;
    }
    if (failure) this.#failures[failure.code] = (this.#failures[failure.code] ?? 0) + 1;
    if (!prediction) return;
    const { nfe, generatedTokens, forwardTokens, prefillTokens, ms, prefillMs } = prediction.cost;
    this.#cost.nfe += nfe;
    this.#cost.generatedTokens += generatedTokens;
    this.#cost.answerTokens += forwardTokens - prefillTokens;
    this.#timings.ms += ms;
    this.#timings.prefillMs += prefillMs;
    this.#timings.forwardTokens += forwardTokens;
    this.#timings.prefillTokens += prefillTokens;
  }

  /** The record of the job; how it ended is null when the lane was teacher-forced. */
  record(end: { done: boolean; progress: number; real: boolean } | null): JobRecord {
    return {
      type: 'job',
      job: this.job,
      steps: this.#steps,
      done: end?.done ?? null,
      progress: end?.progress ?? null,
      real: end?.real ?? null,
      exact: this.#exact,
      stateExact: this.#stateExact,
      sums: this.#sums,
      cost: this.#cost,
      failures: this.#failures,
      timings: this.#timings,
    };
  }
}
