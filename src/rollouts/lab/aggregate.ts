/** From the stream of job records to the tables of a batch. Equal records give equal bytes, in whatever sittings they came. */
import { BOOTSTRAP, resample } from '../../metrics';
import type { ModelInfo } from '../../models/info';
import { Cell, type LabTable, type TimingTable } from './cell';
import { compareAll, consistencyOf, type Comparison, type ConsistencyRatio } from './compare';
import type { JobRecord, JobSource, LabModels } from './records';
import { countJobs, specHash, type LabSpec } from './spec';

/** A simulator's tables: all of it, and by family, agent and difficulty. */
export interface Cut<T> {
  all: T;
  families: { [family: string]: T };
  agents: { [agent: string]: T };
  difficulties: { [difficulty: string]: T };
}

export interface LabResults {
  format: 'terrarium-lab';
  version: 1;
  spec: LabSpec;
  specHash: string;
  /** Rollouts of the batch, and those that are done; the tables are of these. */
  jobs: { total: number; done: number };
  /** Models that answered, by simulator; null for the twin. */
  models: LabModels;
  /** How the intervals were made: resamples of whole worlds. */
  bootstrap: { count: number; seed: number; clusters: 'worlds' };
  simulators: { [simulator: string]: Cut<LabTable> };
  /** Every pair of simulators on the worlds that both have done. */
  comparisons: Comparison[];
  /** Where the twin is in the batch: what actions found in a model do in the twin, over what is done in the twin itself. */
  consistency: { [simulator: string]: ConsistencyRatio };
}

/** Kept apart from the results, which are the same in every sitting and on every machine. */
export interface LabTimings {
  specHash: string;
  simulators: { [simulator: string]: Cut<TimingTable> };
}

/** Sums up records one at a time; holds numbers by world, never a record. */
export class Aggregator {
  #done = 0;
  readonly #cells = new Map<string, Map<string, Cell>>();

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
  }

  results(models: LabModels): LabResults {
    const { spec } = this;
    const known = new Map<number, Uint32Array[]>();
    // Made once for each number of worlds, so that the intervals of all simulators rest on the same draws.
    const resamplesOf = (clusters: number) => {
      const draws = known.get(clusters) ?? resample(clusters, BOOTSTRAP.count, BOOTSTRAP.seed);
      known.set(clusters, draws);
      return draws;
    };
    const cellOf = (simulator: string) => this.#cells.get(simulator)?.get('all');
    return {
      format: 'terrarium-lab',
      version: 1,
      spec,
      specHash: specHash(spec),
      jobs: { total: countJobs(spec), done: this.#done },
      models: Object.fromEntries(spec.simulators.map(({ id }) => [id, models[id] ?? null])) as {
        [simulator: string]: ModelInfo | null;
      },
      bootstrap: { ...BOOTSTRAP, clusters: 'worlds' },
      simulators: this.#cuts((cell) => cell.table(resamplesOf)),
      comparisons: compareAll(spec, cellOf, resamplesOf),
      consistency: consistencyOf(spec, cellOf, resamplesOf),
    };
  }

  timings(): LabTimings {
    return { specHash: specHash(this.spec), simulators: this.#cuts((cell) => cell.timings()) };
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
