/** Two simulators on the same situations: the difference with its interval, a test, and how far a world can be trusted. */
import { bootstrap95, holm, pairedBootstrap, ratioOf, signTest, type Interval, type Ratio } from '../../metrics';
import type { Cell } from './cell';
import type { LabSpec } from './spec';

/** What is compared: two metrics of steps, and success in the lane and of its actions in the twin. */
export const COMPARED = ['metric answerExact', 'metric leafF1', 'success', 'real'] as const;

export interface Comparison {
  first: string;
  second: string;
  metric: string;
  /** First minus second, over the worlds that both have done; null where either counts nothing. */
  difference: number | null;
  /** 95%, paired bootstrap over worlds; null with fewer than two. */
  interval: Interval | null;
  worlds: number;
  /** Worlds in which the first is better, and the second; the others are ties. */
  firstBetter: number;
  secondBetter: number;
  /** Sign test over worlds, two-sided, and the same adjusted for all comparisons of the batch (Holm). */
  p: number;
  pHolm: number;
}

/** W2R over Real: what actions found in the model do in the twin, over what is done by acting in the twin (arXiv 2512.18832). */
export interface ConsistencyRatio extends Ratio {
  ratio: number | null;
  interval: Interval | null;
  worlds: number;
}

type Draws = (clusters: number) => readonly Uint32Array[];

/** Every pair of simulators, in the order of the spec, by every compared metric that either of them has. */
export function compareAll(spec: LabSpec, cellOf: (simulator: string) => Cell | undefined, draws: Draws): Comparison[] {
  const ids = spec.simulators.map(({ id }) => id);
  const out: Comparison[] = [];
  for (const [i, first] of ids.entries()) {
    for (const second of ids.slice(i + 1)) {
      const pair = [cellOf(first), cellOf(second)] as const;
      if (!pair[0] || !pair[1]) continue;
      for (const name of COMPARED) {
        const worlds = pairsOf(pair[0], pair[1], name).filter(([a, b]) => a.n > 0 && b.n > 0);
        if (worlds.length > 0) out.push({ first, second, ...compare(name, worlds, draws) });
      }
    }
  }
  const adjusted = holm(out.map(({ p }) => p));
  return out.map((comparison, i) => ({ ...comparison, pHolm: adjusted[i] as number }));
}

function compare(name: string, worlds: readonly (readonly [Ratio, Ratio])[], draws: Draws) {
  const [first, second] = [worlds.map(([a]) => a), worlds.map(([, b]) => b)];
  const { difference, interval } = pairedBootstrap(first, second, draws(worlds.length));
  const mean = ({ sum, n }: Ratio) => sum / n;
  const test = signTest(first.map(mean), second.map(mean));
  return {
    metric: name.replace('metric ', ''),
    difference,
    interval,
    worlds: worlds.length,
    firstBetter: test.first,
    secondBetter: test.second,
    p: test.p,
    pHolm: 1,
  };
}

/** The consistency ratio of every simulator beside the twin; empty where the twin is not in the batch or nothing ran free. */
export function consistencyOf(
  spec: LabSpec,
  cellOf: (simulator: string) => Cell | undefined,
  draws: Draws,
): { [simulator: string]: ConsistencyRatio } {
  const twin = spec.simulators.find(({ kind }) => kind === 'twin');
  const real = twin && cellOf(twin.id);
  const out: { [simulator: string]: ConsistencyRatio } = {};
  for (const { id, kind } of spec.simulators) {
    const model = cellOf(id);
    if (!real || !model || kind === 'twin' || spec.history === 'teacher') continue;
    const worlds = pairsOf(model, real, 'real').map(([found, done]) => ({ sum: found.sum, n: done.sum }));
    const sum = worlds.reduce((total, part) => total + part.sum, 0);
    const n = worlds.reduce((total, part) => total + part.n, 0);
    const interval = bootstrap95(worlds, draws(worlds.length));
    out[id] = { sum, n, ratio: ratioOf(worlds), interval, worlds: worlds.length };
  }
  return out;
}

/** What both have in each world; a world in which one lacks a rollout (the batch stopped there) is left out. */
function pairsOf(first: Cell, second: Cell, name: string): (readonly [Ratio, Ratio])[] {
  const there = second.byWorld(name);
  return [...first.byWorld(name)].flatMap(([world, a]) => {
    const b = there.get(world);
    return b && a.jobs === b.jobs ? [[a, b] as const] : [];
  });
}
