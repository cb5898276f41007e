/** What the page can run beside batches: measurements that end in a list of judged answers. Plain data, for workers and stores. */
import { SCENARIO_KINDS, suiteResults, type ScenarioResult } from '../adversarial';
import type { Lane } from '../lane';
import { countParts, steeringParts, type SteeringItem, type SteeringSuite } from '../steering';

/** Scenarios of the adversarial suite; samplers are set in the simulators. */
export interface AdversarialSuite {
  /** Names of kinds. */
  kinds: readonly string[];
  /** Scenarios of each kind, and the seed of the first. */
  seeds: number;
  first: number;
  /** Families they may be set in. */
  families: readonly string[];
  /** Of the draws, where the temperature is above 0. */
  seed: number;
}

/** The specs of the suites by name, and what their parts bring. */
export interface Suites {
  adversarial: { spec: AdversarialSuite; item: ScenarioResult };
  steering: { spec: SteeringSuite; item: SteeringItem };
}
export type SuiteName = keyof Suites;
export type SuiteSpec<N extends SuiteName = SuiteName> = Suites[N]['spec'];
export type SuiteItem<N extends SuiteName = SuiteName> = Suites[N]['item'];

/** A part that was done, counted from 1; a run that is gone on with skips those it has. */
export interface SuitePart {
  done: number;
  total: number;
  items: SuiteItem[];
}

/** Parts of a suite for these simulators. */
export function suiteSize<N extends SuiteName>(name: N, spec: SuiteSpec<N>, ids: readonly string[]): number {
  if (name === 'steering') return countParts(spec as SteeringSuite, ids);
  const { kinds, seeds } = spec as AdversarialSuite;
  return kinds.length * seeds * ids.length;
}

/**
 * A suite, part by part.
 * @param options `skip` leaves out as many parts from the beginning, those of an earlier sitting
 * @throws LabError, RangeError as the suites do; the signal's reason when aborted
 */
export async function* suiteParts<N extends SuiteName>(
  name: N,
  spec: SuiteSpec<N>,
  lanes: readonly Lane[],
  { signal, skip = 0 }: { signal?: AbortSignal; skip?: number } = {},
): AsyncGenerator<SuitePart> {
  const control = { skip, ...(signal ? { signal } : {}) };
  if (name === 'steering') {
    for await (const { records, ...part } of steeringParts(spec as SteeringSuite, lanes, control)) {
      yield { ...part, items: records };
    }
    return;
  }
  const { kinds, seeds, first, families, seed } = spec as AdversarialSuite;
  const options = { kinds, seeds, firstSeed: first, families, sampling: { seed }, ...control };
  for await (const { done, total, last } of suiteResults(lanes, options)) yield { done, total, items: [last] };
}

/** All kinds of scenarios by name. */
export const KIND_NAMES: readonly string[] = SCENARIO_KINDS.map(({ name }) => name);
