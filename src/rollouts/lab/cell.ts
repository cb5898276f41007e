/** One cell of the tables while records come in: numbers by cluster, and the finished table. */
import { bootstrap95, METRIC_NAMES, METRICS, ratioOf, wilson95, type Interval, type Ratio } from '../../metrics';
import type { JobCost, JobRecord, JobTimings } from './records';
import { addRollout, divergedAt, medianSurvival, survivalOf, type Hazard, type SurvivalPoint } from './survival';

/** A share with its denominator. */
export interface Detail extends Ratio {
  /** Null where nothing counts. */
  mean: number | null;
  /** 95%; null where it cannot be had. */
  interval: Interval | null;
  /** Wilson's where the clusters all agree or are fewer than two, and the parts are yes or no. */
  method: 'bootstrap' | 'wilson' | null;
}

export interface LabTable {
  /** Rollouts, worlds they are in (the clusters of the bootstrap), and steps. */
  n: number;
  worlds: number;
  steps: number;
  /** Steps in which the twin had no answer, and which no metric counts. */
  noTruth: number;
  /** Steps in which the machinery failed, by code; they count as wrong. */
  failures: { [code: string]: number };
  /** Rollouts whose task is done in the lane's own state; n is 0 under `teacher`. */
  success: Detail;
  /** Rollouts whose actions do the task in the twin (WM2Real). */
  real: Detail;
  /** Of the rollouts whose lane says that the task is done, those whose actions do it in the twin as well. */
  confirmed: Detail;
  /** Rollouts in which lane and twin agree whether the actions do the task. */
  agreement: Detail;
  /** Share of the checks that hold at the end. */
  progress: Detail;
  /** Every metric of the registry over steps. */
  metrics: { [metric: string]: Detail };
  /** Exact answers at each step, from 1. */
  exactByStep: ({ step: number } & Detail)[];
  /** Rollouts with an answer that is not exact, and with one that leads to another state. */
  diverged: Detail;
  stateDiverged: Detail;
  /** First number of steps after which at most half of the rollouts are exact; null when it is never seen. */
  medianSurvival: number | null;
  survival: SurvivalPoint[];
  /** Means per step of what does not depend on the machine. */
  cost: { [K in keyof JobCost]: number | null };
}

/** Means per step of what depends on the machine and on what ran before. */
export type TimingTable = { steps: number } & { [K in keyof JobTimings]: number | null };

/** All rollouts in one world: they have much in common, so intervals resample whole worlds. */
interface Cluster extends Hazard {
  jobs: number;
  ratios: Map<string, Ratio>;
}

export class Cell {
  #n = 0;
  #steps = 0;
  #noTruth = 0;
  readonly #failures = new Map<string, number>();
  readonly #cost: JobCost = { nfe: 0, generatedTokens: 0, answerTokens: 0 };
  readonly #timings: JobTimings = { ms: 0, prefillMs: 0, forwardTokens: 0, prefillTokens: 0 };
  readonly #clusters = new Map<string, Cluster>();
  #longest = 0;

  add(record: JobRecord): void {
    const { job, steps, exact, stateExact, done, real, progress } = record;
    this.#n++;
    this.#steps += steps;
    this.#noTruth += exact.split('-').length - 1;
    this.#longest = Math.max(this.#longest, exact.length);
    for (const [code, n] of Object.entries(record.failures)) {
      this.#failures.set(code, (this.#failures.get(code) ?? 0) + n);
    }
    addAll(this.#cost, record.cost);
    addAll(this.#timings, record.timings);
    const world = `${job.family}/${job.worldSeed}/${job.difficulty}`;
    let cluster = this.#clusters.get(world);
    if (!cluster) this.#clusters.set(world, (cluster = { jobs: 0, ratios: new Map(), atRisk: [], diverged: [] }));
    cluster.jobs++;
    addRollout(cluster, exact);
    for (const [name, [sum, n]] of Object.entries(record.sums)) count(cluster, `metric ${name}`, sum, n);
    for (const [i, mark] of [...exact].entries()) if (mark !== '-') count(cluster, `step ${i}`, Number(mark), 1);
    count(cluster, 'diverged', Number(divergedAt(exact) !== null), 1);
    count(cluster, 'stateDiverged', Number(divergedAt(stateExact) !== null), 1);
    if (done !== null) count(cluster, 'success', Number(done), 1);
    if (real !== null) count(cluster, 'real', Number(real), 1);
    if (done !== null && real !== null) {
      count(cluster, 'confirmed', Number(done && real), Number(done));
      count(cluster, 'agreement', Number(done === real), 1);
    }
    if (progress !== null) count(cluster, 'progress', progress, 1);
  }

  table(resamplesOf: (clusters: number) => readonly Uint32Array[]): LabTable {
    const clusters = [...this.#clusters.values()];
    const resamples = resamplesOf(clusters.length);
    const of = (name: string, graded = false): Detail => detail(clusters, name, graded, resamples);
    const survival = survivalOf(clusters, resamples);
    return {
      n: this.#n,
      worlds: clusters.length,
      steps: this.#steps,
      noTruth: this.#noTruth,
      failures: Object.fromEntries([...this.#failures].sort(([a], [b]) => (a < b ? -1 : 1))),
      success: of('success'),
      real: of('real'),
      confirmed: of('confirmed'),
      agreement: of('agreement'),
      progress: of('progress', true),
      metrics: Object.fromEntries(METRIC_NAMES.map((name) => [name, of(`metric ${name}`, METRICS[name].graded)])),
      exactByStep: Array.from({ length: this.#longest }, (_, i) => ({ step: i + 1, ...of(`step ${i}`) })),
      diverged: of('diverged'),
      stateDiverged: of('stateDiverged'),
      medianSurvival: medianSurvival(survival),
      survival,
      cost: meansOf(this.#cost, this.#steps),
    };
  }

  /** A ratio in each world, with the number of rollouts there. */
  byWorld(name: string): Map<string, Ratio & { jobs: number }> {
    const part = ({ jobs, ratios }: Cluster) => ({ ...(ratios.get(name) ?? { sum: 0, n: 0 }), jobs });
    return new Map([...this.#clusters].map(([world, cluster]) => [world, part(cluster)]));
  }

  timings(): TimingTable {
    return { steps: this.#steps, ...meansOf(this.#timings, this.#steps) };
  }
}

function count({ ratios }: Cluster, name: string, sum: number, n: number): void {
  const ratio = ratios.get(name);
  if (ratio) {
    ratio.sum += sum;
    ratio.n += n;
  } else ratios.set(name, { sum, n });
}

function detail(
  clusters: readonly Cluster[],
  name: string,
  graded: boolean,
  resamples: readonly Uint32Array[],
): Detail {
  const parts = clusters.map(({ ratios }) => ratios.get(name) ?? { sum: 0, n: 0 });
  const mean = ratioOf(parts);
  const sum = parts.reduce((total, part) => total + part.sum, 0);
  const n = parts.reduce((total, part) => total + part.n, 0);
  const bootstrap = bootstrap95(parts, resamples);
  if (bootstrap && bootstrap[0] < bootstrap[1]) return { sum, n, mean, interval: bootstrap, method: 'bootstrap' };
  if (n > 0 && !graded) return { sum, n, mean, interval: wilson95(sum, n), method: 'wilson' };
  return { sum, n, mean, interval: bootstrap, method: bootstrap && 'bootstrap' };
}

function addAll<K extends string>(total: { [key in K]: number }, more: { [key in K]: number }): void {
  for (const key of Object.keys(total) as K[]) total[key] += more[key];
}

function meansOf<K extends string>(total: { [key in K]: number }, n: number): { [key in K]: number | null } {
  const entries = Object.entries<number>(total).map(([key, sum]) => [key, n === 0 ? null : sum / n]);
  return Object.fromEntries(entries) as { [key in K]: number | null };
}
