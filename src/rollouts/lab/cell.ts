/** One cell of the tables while records come in: numbers by cluster, and the finished table. */
import {
  addRollout,
  bleuOf,
  divergenceKnown,
  firstDivergence,
  medianSurvival,
  METRIC_NAMES,
  METRICS,
  percentiles95,
  survivalOf,
  TEMPORAL_CHECKS,
  type Hazard,
  type Interval,
  type Mark,
  type Ratio,
  type SurvivalPoint,
} from '../../metrics';
import { detailOf, type Detail, type Draws } from './detail';
import type { JobCost, JobDetail, JobRecord, JobTimings } from './records';
import { changedName } from './tally';

/** Corpus BLEU-1 with its counts: matches, and tokens of what was written and of what was expected. */
export interface BleuDetail {
  /** In [0, 100]; null without texts. */
  score: number | null;
  interval: Interval | null;
  matched: number;
  written: number;
  expected: number;
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
  /** Exact deltas of the steps whose true delta changes so many fields. */
  byChangedFields: { [fields: string]: Detail };
  /** Whether a lane agrees with itself over time (no twin is asked): passed over asked; none under `teacher`. */
  temporal: { [check: string]: Detail };
  /** Published text metrics; they rate `"ok"` against `"error"` at 0.95, so they never stand alone. */
  bleu1: BleuDetail;
  rougeL: Detail;
  /** Exact answers at each step, from 1. */
  exactByStep: ({ step: number } & Detail)[];
  /**
   * Rollouts with an answer that is not exact, and with one that leads to another state; those whose truth ends before are in
   * neither denominator.
   */
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
  bleu1: JobDetail['bleu1'];
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
    if (!cluster) this.#clusters.set(world, (cluster = newCluster()));
    cluster.jobs++;
    addRollout(cluster, marksOf(exact));
    for (const [name, [sum, n]] of Object.entries(record.sums)) count(cluster, `metric ${name}`, sum, n);
    for (const [i, n] of (record.detail?.bleu1 ?? []).entries()) cluster.bleu1[i] = (cluster.bleu1[i] ?? 0) + n;
    for (const [i, mark] of [...exact].entries()) if (mark !== '-') count(cluster, `step ${i}`, Number(mark), 1);
    countDiverged(cluster, 'diverged', marksOf(exact));
    countDiverged(cluster, 'stateDiverged', marksOf(stateExact));
    if (done !== null) count(cluster, 'success', Number(done), 1);
    if (real !== null) count(cluster, 'real', Number(real), 1);
    if (done !== null && real !== null) {
      count(cluster, 'confirmed', Number(done && real), Number(done));
      count(cluster, 'agreement', Number(done === real), 1);
    }
    if (progress !== null) count(cluster, 'progress', progress, 1);
  }

  table(draws: Draws): LabTable {
    const clusters = [...this.#clusters.values()];
    const resamples = draws(clusters.length);
    const of = (name: string, graded = false): Detail =>
      detailOf(
        clusters.map(({ ratios }) => ratios.get(name) ?? { sum: 0, n: 0 }),
        graded,
        draws,
      );
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
      byChangedFields: Object.fromEntries(
        [1, 2, 3, 4, 5].map((fields) => [changedName(fields).slice(8), of(`metric ${changedName(fields)}`)]),
      ),
      temporal: Object.fromEntries(TEMPORAL_CHECKS.map((name) => [name, of(`metric temporal ${name}`)])),
      bleu1: bleuDetail(clusters, resamples),
      rougeL: of('metric rougeL', true),
      exactByStep: Array.from({ length: this.#longest }, (_, i) => ({ step: i + 1, ...of(`step ${i}`) })),
      diverged: of('diverged'),
      stateDiverged: of('stateDiverged'),
      medianSurvival: medianSurvival(survival),
      survival,
      cost: this.meanCost,
    };
  }

  /** Means per step of the costs that do not depend on the machine. */
  get meanCost(): LabTable['cost'] {
    return meansOf(this.#cost, this.#steps);
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

/** As in the survival curve: a rollout whose truth ends before it diverges is censored, and counts neither way. */
function countDiverged(cluster: Cluster, name: string, marks: readonly Mark[]): void {
  if (divergenceKnown(marks)) count(cluster, name, Number(firstDivergence(marks) !== null), 1);
}

function newCluster(): Cluster {
  return { jobs: 0, ratios: new Map(), atRisk: [], diverged: [], bleu1: [0, 0, 0] };
}

/** The steps of a rollout, told by a character each. */
function marksOf(exact: string): Mark[] {
  return [...exact].map((mark) => (mark === '-' ? null : mark === '1'));
}

function bleuDetail(clusters: readonly Cluster[], resamples: readonly Uint32Array[]): BleuDetail {
  const scoreOf = ([matched, written, expected]: JobDetail['bleu1']) =>
    expected === 0 && written === 0
      ? null
      : bleuOf({ counts: [matched], totals: [written], hypothesisLength: written, referenceLength: expected }, false)
          .score;
  const sum = (draw: Iterable<number>): JobDetail['bleu1'] => {
    const total: JobDetail['bleu1'] = [0, 0, 0];
    for (const i of draw) clusters[i]?.bleu1.forEach((n, part) => (total[part] = (total[part] ?? 0) + n));
    return total;
  };
  const total = sum(clusters.keys());
  const [matched, written, expected] = total;
  const spread = clusters.filter(({ bleu1 }) => scoreOf(bleu1) !== null).length > 1;
  const draws = spread ? resamples.flatMap((draw) => scoreOf(sum(draw)) ?? []) : [];
  return { score: scoreOf(total), interval: percentiles95(draws), matched, written, expected };
}

function addAll<K extends string>(total: { [key in K]: number }, more: { [key in K]: number }): void {
  for (const key of Object.keys(total) as K[]) total[key] += more[key];
}

function meansOf<K extends string>(total: { [key in K]: number }, n: number): { [key in K]: number | null } {
  const entries = Object.entries<number>(total).map(([key, sum]) => [key, n === 0 ? null : sum / n]);
  return Object.fromEntries(entries) as { [key in K]: number | null };
}
