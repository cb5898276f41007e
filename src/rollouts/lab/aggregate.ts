/** From the stream of job records to the tables of a batch. Equal records give equal bytes, in whatever sittings they came. */
import { BOOTSTRAP, resample } from '../../metrics';
import type { ModelInfo } from '../../models/info';
import { Cell, type LabTable, type TimingTable } from './cell';
import { compareAll, consistencyOf, type Comparison, type ConsistencyRatio } from './compare';
import type { Draws } from './detail';
import { fairComparisons, type Fair } from './fair';
import type { JobRecord, JobSource, LabModels } from './records';
import { regimeOf, type Regime } from './regime';
import { textShare } from './sample';
import { Seeds, type SeedTable } from './seeds';
import { countJobs, seedsOf, specHash, type LabSpec } from './spec';
import { Surenesses, type SurenessTable } from './sureness';
import { Texts, type TextTable } from './texts';

/** A simulator's tables: all of it, and by family, agent and difficulty. */
export interface Cut<T> {
  all: T;
  families: { [family: string]: T };
  agents: { [agent: string]: T };
  difficulties: { [difficulty: string]: T };
}

/**
 * Version of the results: 2 added texts, seeds, calibration and comparisons on fair terms; 3 counts differences that are equal
 * but for rounding as ties (Wilcoxon, sign test), takes a survival of one half as the median, and has no interval without width.
 */
export const RESULTS_VERSION = 3;

export interface LabResults {
  format: 'terrarium-lab';
  version: typeof RESULTS_VERSION;
  spec: LabSpec;
  specHash: string;
  /** Rollouts of the batch, and those that are done; the tables are of these. */
  jobs: { total: number; done: number };
  /** Models that answered, by simulator; null for the twin. */
  models: LabModels;
  /** How the intervals were made: resamples of whole worlds. */
  bootstrap: { count: number; seed: number; clusters: 'worlds' };
  simulators: { [simulator: string]: Cut<LabTable> };
  /** How each draws its answers: what its numbers are meant for stands in `regime.ts`. */
  regimes: { [simulator: string]: Regime };
  /** What differs from seed to seed. */
  seeds: { [simulator: string]: SeedTable };
  /** Diversity and distribution of observations, from a sample of the steps (`share` of them). */
  texts: { share: number; simulators: { [simulator: string]: TextTable } };
  /** Whether models are right as often as they are sure. */
  calibration: { [simulator: string]: SurenessTable };
  /** Every pair of simulators on the worlds that both have done. */
  comparisons: Comparison[];
  /** Every pair of models, each at its best and at equal passes; at equal time stands in the timings. */
  fair: Fair[];
  /** Where the twin is in the batch: what actions found in a model do in the twin, over what is done in the twin itself. */
  consistency: { [simulator: string]: ConsistencyRatio };
}

/** Kept apart from the results, which are the same in every sitting and on every machine. */
export interface LabTimings {
  specHash: string;
  simulators: { [simulator: string]: Cut<TimingTable> };
  /** Every pair of models at equal time. */
  fair: Fair[];
}

/** Sums up records one at a time; holds numbers by world, never a record. */
export class Aggregator {
  #done = 0;
  readonly #cells = new Map<string, Map<string, Cell>>();
  readonly #wholes = new Map<string, { seeds: Seeds; texts: Texts; sureness: Surenesses }>();
  /** Made once for each number of clusters, so that the intervals of all simulators rest on the same draws. */
  readonly #draws: Draws = cachedDraws();

  constructor(private readonly spec: LabSpec) {}

  add(record: JobRecord): void {
    const { simulator, family, agent, difficulty } = record.job;
    this.#done++;
    let cells = this.#cells.get(simulator);
    if (!cells) this.#cells.set(simulator, (cells = new Map()));
    for (const name of ['all', `families/${family}`, `agents/${agent}`, `difficulties/${difficulty}`]) {
      let cell = cells.get(name);
      if (!cell) cells.set(name, (cell = new Cell()));
      cell.add(record);
    }
    const whole = this.#wholeOf(simulator);
    whole.seeds.add(record);
    whole.texts.add(record);
    whole.sureness.add(record);
  }

  results(models: LabModels): LabResults {
    const { spec } = this;
    const draws = this.#draws;
    const cellOf = this.#cellOf;
    const ids = spec.simulators.map(({ id }) => id);
    const each = <T>(of: (id: string) => T) => Object.fromEntries(ids.map((id) => [id, of(id)]));
    const nfe = (id: string) => cellOf(id)?.meanCost.nfe ?? null;
    return {
      format: 'terrarium-lab',
      version: RESULTS_VERSION,
      spec,
      specHash: specHash(spec),
      jobs: { total: countJobs(spec), done: this.#done },
      models: Object.fromEntries(spec.simulators.map(({ id }) => [id, models[id] ?? null])) as {
        [simulator: string]: ModelInfo | null;
      },
      bootstrap: { ...BOOTSTRAP, clusters: 'worlds' },
      simulators: this.#cuts((cell) => cell.table(draws)),
      regimes: Object.fromEntries(spec.simulators.map((simulator) => [simulator.id, regimeOf(simulator)])),
      seeds: each((id) => this.#wholeOf(id).seeds.table(seedsOf(spec.seeds), draws)),
      texts: { share: textShare(spec), simulators: each((id) => this.#wholeOf(id).texts.table()) },
      calibration: each((id) => this.#wholeOf(id).sureness.table(draws)),
      comparisons: compareAll(spec, cellOf, draws),
      fair: (['best', 'nfe'] as const).flatMap((mode) => fairComparisons(mode, spec, cellOf, nfe, draws)),
      consistency: consistencyOf(spec, cellOf, draws),
    };
  }

  timings(): LabTimings {
    const ms = (id: string) => this.#cellOf(id)?.timings().ms ?? null;
    return {
      specHash: specHash(this.spec),
      simulators: this.#cuts((cell) => cell.timings()),
      fair: fairComparisons('ms', this.spec, this.#cellOf, ms, this.#draws),
    };
  }

  readonly #cellOf = (simulator: string): Cell | undefined => this.#cells.get(simulator)?.get('all');

  #wholeOf(simulator: string) {
    let whole = this.#wholes.get(simulator);
    if (!whole)
      this.#wholes.set(simulator, (whole = { seeds: new Seeds(), texts: new Texts(), sureness: new Surenesses() }));
    return whole;
  }

  /** Simulators, families, agents and difficulties in the order of the spec; those without a record are left out. */
  #cuts<T>(tableOf: (cell: Cell) => T): { [simulator: string]: Cut<T> } {
    const { spec } = this;
    const out: { [simulator: string]: Cut<T> } = {};
    for (const { id } of spec.simulators) {
      const cells = this.#cells.get(id) ?? new Map<string, Cell>();
      const part = (name: string, keys: readonly (string | number)[]) =>
        Object.fromEntries(
          keys.flatMap((key) => {
            const cell = cells.get(`${name}/${key}`);
            return cell ? [[String(key), tableOf(cell)]] : [];
          }),
        );
      out[id] = {
        all: tableOf(cells.get('all') ?? new Cell()),
        families: part('families', spec.worlds.families),
        agents: part(
          'agents',
          spec.agents.map((agent) => agent.id),
        ),
        difficulties: part('difficulties', spec.worlds.difficulties),
      };
    }
    return out;
  }
}

function cachedDraws(): Draws {
  const known = new Map<number, readonly Uint32Array[]>();
  return (clusters) => {
    const draws = known.get(clusters) ?? resample(clusters, BOOTSTRAP.count, BOOTSTRAP.seed);
    known.set(clusters, draws);
    return draws;
  };
}

/** The tables of a batch from all of its records. */
export async function aggregate(
  spec: LabSpec,
  records: JobSource,
  models: LabModels = {},
): Promise<{ results: LabResults; timings: LabTimings }> {
  const aggregator = new Aggregator(spec);
  for await (const record of records) aggregator.add(record);
  return { results: aggregator.results(models), timings: aggregator.timings() };
}
