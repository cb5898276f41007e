/** The charts of a batch, from its results. */
import { METRICS, type Metric } from '../../../metrics';
import type { LabResults, LabTimings } from '../aggregate';
import type { BarChart } from './bars';
import type { CurveChart } from './curves';
import type { ChartLane } from './looks';
import type { ParetoChart } from './pareto';
import type { Share } from './parts';

/** What the quality of a lane can be held against, means per step; `ms` is a matter of the machine and of what ran before. */
export const COSTS = {
  ms: 'ms a step',
  nfe: 'passes a step',
  generatedTokens: 'tokens a step',
} as const;
export type CostName = keyof typeof COSTS;

const NONE: Share = { mean: null, interval: null, sum: 0, n: 0 };

/** The simulators of a batch, in the order of its spec. */
export function lanesOfResults({ spec }: Pick<LabResults, 'spec'>): ChartLane[] {
  return spec.simulators.map(({ id, kind }) => ({ id, kind }));
}

/**
 * Quality against cost. Simulators whose cost is not known, or is none (the twin's passes), have no point.
 * @param timings of the same batch; without them nothing stands against `ms`
 */
export function paretoOfResults(
  results: Pick<LabResults, 'spec' | 'simulators'>,
  timings: LabTimings | null,
  metric: Metric,
  cost: CostName,
): ParetoChart {
  const lanes = lanesOfResults(results);
  return {
    title: `${metric} against ${COSTS[cost]}`,
    ...{ quality: metric, cost: COSTS[cost], lanes, lowerIsBetter: lowerIsBetter(metric) },
    points: lanes.flatMap(({ id }) => {
      const table = results.simulators[id]?.all;
      const spent = cost === 'ms' ? timings?.simulators[id]?.all.ms : table?.cost[cost];
      if (!table || !spent) return [];
      return [{ lane: id, cost: spent, share: table.metrics[metric] ?? NONE }];
    }),
  };
}

/** How long rollouts stay exactly the twin's (Kaplan and Meier 1958). */
export function survivalOfResults(results: Pick<LabResults, 'spec' | 'simulators'>): CurveChart {
  const lanes = lanesOfResults(results);
  return {
    title: 'Rollouts that are still exact after k steps',
    ...{ what: 'share that is still exact', axis: 'step', lanes, survival: true },
    curves: lanes.flatMap(({ id }) => {
      const points = results.simulators[id]?.all.survival ?? [];
      const drawn = points.map(({ step, share, interval, atRisk }) => ({ x: step, y: share, interval, n: atRisk }));
      return drawn.length === 0 ? [] : [{ lane: id, points: drawn }];
    }),
  };
}

/** Exact answers at each step. */
export function exactByStepOfResults(results: Pick<LabResults, 'spec' | 'simulators'>): CurveChart {
  const lanes = lanesOfResults(results);
  return {
    title: 'Answers that are exact, by step',
    ...{ what: 'answerExact', axis: 'step', lanes },
    curves: lanes.map(({ id }) => ({
      lane: id,
      points: (results.simulators[id]?.all.exactByStep ?? []).flatMap(({ step, mean, interval, n }) =>
        mean === null ? [] : [{ x: step, y: mean, interval, n }],
      ),
    })),
  };
}

/** A metric by family, a bar a simulator; families in the order of the spec. */
export function familiesOfResults(results: Pick<LabResults, 'spec' | 'simulators'>, metric: Metric): BarChart {
  const lanes = lanesOfResults(results);
  return {
    title: `${metric} by family`,
    ...{ what: `${metric}${lowerIsBetter(metric) ? ' (less is better)' : ''}`, group: 'family', lanes },
    groups: results.spec.worlds.families.map((name) => ({
      name,
      shares: lanes.flatMap(({ id }) => {
        const table = results.simulators[id]?.families[name];
        return table ? [{ lane: id, share: table.metrics[metric] ?? NONE }] : [];
      }),
    })),
  };
}

function lowerIsBetter(metric: Metric): boolean {
  const definition: { lowerIsBetter?: boolean } = METRICS[metric];
  return definition.lowerIsBetter ?? false;
}
