/**
 * Two models held against each other on fair terms: each at its best, at equal passes, at equal time. The lanes of a batch that
 * run one model with different settings (and best-of-n, see `presets.ts`) are what is chosen from; how equal the cost came out
 * is measured and stated, never assumed.
 */
import { hashText } from '../../world/rng';
import type { Cell } from './cell';
import { differenceOf, type Difference } from './compare';
import type { Draws } from './detail';
import { regimeOf } from './regime';
import type { LabSimulator, LabSpec } from './spec';

/** What the choice of settings, and the comparison, go by. */
const FAIR_METRIC = 'metric answerExact';

export type FairMode = 'best' | 'nfe' | 'ms';

/** One comparison on fair terms. `first` and `second` are the lanes that stand for their models. */
export interface Fair extends Difference {
  mode: FairMode;
  first: string;
  second: string;
  /** Lanes of either model that were there to choose from, the first of each being the model as it comes. */
  among: [first: string[], second: string[]];
  /** Passes (`nfe`) or milliseconds a step of both lanes, and first over second: 1 is equal. Null where nothing was measured. */
  cost: { of: 'nfe' | 'ms'; first: number; second: number; ratio: number | null };
  /** Cost ratio of the two models as they come, before anything was made equal. */
  before: number | null;
  /**
   * `best`: worlds the lanes were chosen on, those that every lane of both models has done; the comparison is on the other
   * half. 0 where there was nothing to choose.
   */
  chosenOn: number;
}

/** Lanes that run one model, the same kind from the same folder; those under the regime for diversity are left out. */
export function modelsOf({ simulators }: LabSpec): LabSimulator[][] {
  const models = new Map<string, LabSimulator[]>();
  for (const simulator of simulators) {
    // A lane for diversity is no candidate for quality.
    if (simulator.kind === 'twin' || regimeOf(simulator).for === 'diversity') continue;
    const key = `${simulator.kind} ${simulator.models ?? ''}`;
    models.set(key, [...(models.get(key) ?? []), simulator]);
  }
  return [...models.values()];
}

/**
 * The comparisons of every pair of models under one mode.
 * @param costOf passes or milliseconds a step of a lane; null where it has none
 */
export function fairComparisons(
  mode: FairMode,
  spec: LabSpec,
  cellOf: (simulator: string) => Cell | undefined,
  costOf: (simulator: string) => number | null,
  draws: Draws,
): Fair[] {
  const models = modelsOf(spec).map((lanes) => lanes.map(({ id }) => id).filter((id) => cellOf(id)));
  const out: Fair[] = [];
  for (const [i, first] of models.entries()) {
    for (const second of models.slice(i + 1)) {
      if (first.length === 0 || second.length === 0) continue;
      const fair = fairPair(mode, first, second, (id) => cellOf(id) as Cell, costOf, draws);
      if (fair) out.push(fair);
    }
  }
  return out;
}

function fairPair(
  mode: FairMode,
  first: string[],
  second: string[],
  cellOf: (id: string) => Cell,
  costOf: (id: string) => number | null,
  draws: Draws,
): Fair | null {
  const choice = first.length > 1 || second.length > 1;
  const split = mode === 'best' && choice;
  const worlds = split ? doneByAll([...first, ...second], cellOf).filter(choosing) : [];
  // Lanes that were tried on nothing yet cannot be chosen from.
  if (split && worlds.length === 0) return null;
  const bestOf = (lanes: readonly string[]) => best(lanes, worlds, cellOf, costOf);
  const picked = mode === 'best' ? ([bestOf(first), bestOf(second)] as const) : equal(first, second, costOf);
  if (!picked) return null;
  const [a, b] = picked;
  const only = split ? (world: string) => !choosing(world) : () => true;
  const difference = differenceOf(cellOf(a), cellOf(b), FAIR_METRIC, draws, only);
  if (!difference) return null;
  const ratio = (x: string, y: string) => {
    const [p, q] = [costOf(x), costOf(y)];
    return p === null || q === null || q === 0 ? null : p / q;
  };
  return {
    mode,
    first: a,
    second: b,
    ...difference,
    among: [first, second],
    cost: { of: mode === 'ms' ? 'ms' : 'nfe', first: costOf(a) ?? 0, second: costOf(b) ?? 0, ratio: ratio(a, b) },
    before: ratio(first[0] as string, second[0] as string),
    chosenOn: worlds.length,
  };
}

/** Half of the worlds: settings are chosen on these and judged on the others, so that choosing does not flatter. */
function choosing(world: string): boolean {
  return hashText(`choose ${world}`) % 2 === 0;
}

/** Worlds in which all lanes have done equally many rollouts: a batch that stops leaves the last of them ahead of others. */
function doneByAll(lanes: readonly string[], cellOf: (id: string) => Cell): string[] {
  const [one, ...others] = lanes.map((id) => cellOf(id).byWorld(FAIR_METRIC));
  return [...(one ?? [])].flatMap(([world, { jobs, n }]) =>
    n > 0 && others.every((other) => other.get(world)?.jobs === jobs) ? [world] : [],
  );
}

/** The lane with the best share of exact answers on the worlds for choosing; of equals the cheapest, then the first. */
function best(
  lanes: readonly string[],
  worlds: readonly string[],
  cellOf: (id: string) => Cell,
  costOf: (id: string) => number | null,
): string {
  const scored = lanes.map((id) => {
    const byWorld = cellOf(id).byWorld(FAIR_METRIC);
    let [sum, n] = [0, 0];
    for (const world of worlds) {
      const ratio = byWorld.get(world);
      if (ratio) [sum, n] = [sum + ratio.sum, n + ratio.n];
    }
    return { id, score: n === 0 ? -1 : sum / n, cost: costOf(id) ?? Infinity };
  });
  return scored.reduce((top, one) =>
    one.score > top.score || (one.score === top.score && one.cost < top.cost) ? one : top,
  ).id;
}

/**
 * The dearer model as it comes, and the lane of the cheaper one whose cost is nearest to it (in ratio); null where a cost is
 * not known. What is chosen by cost alone is chosen blind to quality, so all worlds count.
 */
function equal(
  first: readonly string[],
  second: readonly string[],
  costOf: (id: string) => number | null,
): readonly [string, string] | null {
  const [a, b] = [first[0] as string, second[0] as string];
  const [x, y] = [costOf(a), costOf(b)];
  if (!x || !y) return null;
  const nearest = (lanes: readonly string[], target: number) => {
    const far = (id: string) => Math.abs(Math.log((costOf(id) || Infinity) / target));
    return lanes.reduce((top, id) => (far(id) < far(top) ? id : top));
  };
  return x >= y ? [a, nearest(second, x)] : [nearest(first, y), b];
}
