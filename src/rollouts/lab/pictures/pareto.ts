/** Quality against what it costs: a point a lane, and the frontier of those that no other lane beats in both. */
import { looksOf, markerAt, UNKNOWN_LOOK, type ChartLane } from './looks';
import { el, hint, label, round, type Figure, type SvgNode } from './node';
import { amount, legend, shareText, whisker, xAxis, yAxis, type Frame, type Share } from './parts';
import { linear, logarithmic } from './scale';
import type { Table } from './csv';

export interface ParetoPoint {
  lane: string;
  /** Mean cost of a step, above 0. */
  cost: number;
  share: Share;
}

export interface ParetoChart {
  title: string;
  quality: string;
  lowerIsBetter?: boolean;
  /** What the cost is, such as `ms a step`. */
  cost: string;
  /** All lanes, also those without a point, so that each looks the same in every chart. */
  lanes: readonly ChartLane[];
  points: readonly ParetoPoint[];
}

/**
 * The points no other beats: none has as good a quality at less cost, nor a better one at as much. Cheapest first. Those
 * without a quality, and the twin, which is the measure itself, take no part.
 */
export function frontierOf({ points, lanes, lowerIsBetter = false }: ParetoChart): ParetoPoint[] {
  const twins = new Set(lanes.filter(({ kind }) => kind === 'twin').map(({ id }) => id));
  const quality = ({ share }: ParetoPoint) => (share.mean as number) * (lowerIsBetter ? -1 : 1);
  const sorted = points
    .filter(({ lane, share, cost }) => share.mean !== null && Number.isFinite(cost) && !twins.has(lane))
    .sort((a, b) => a.cost - b.cost || quality(b) - quality(a));
  const out: ParetoPoint[] = [];
  let [best, at] = [-Infinity, -Infinity];
  for (const point of sorted) {
    const same = quality(point) === best && point.cost === at;
    if (quality(point) <= best && !same) continue;
    out.push(point);
    [best, at] = [quality(point), point.cost];
  }
  return out;
}

/** The chart, `width` pixels wide: cost on a logarithmic axis, shares from 0 to 1 with their intervals. */
export function paretoFigure(chart: ParetoChart, width: number): Figure {
  const { title, quality, cost, lanes, points, lowerIsBetter = false } = chart;
  const frame: Frame = { left: 40, right: width - 12, top: 24, bottom: 250 };
  const looks = looksOf(lanes);
  const drawn = points.filter(({ share }) => share.mean !== null);
  const x = logarithmic(
    drawn.map((point) => point.cost),
    [frame.left, frame.right],
  );
  const y = linear([0, 1], [frame.bottom, frame.top]);
  const marks = drawn.map(({ lane, cost: spent, share }) => {
    const look = looks.get(lane) ?? UNKNOWN_LOOK;
    const [at, up] = [x(spent), y(share.mean as number)];
    const range = share.interval ? [whisker(at, y(share.interval[0]), y(share.interval[1]), 'up', look.colour)] : [];
    const words = hint(`${lane}: ${quality} ${shareText(share)}, ${amount(spent)} ${cost}`);
    return el('g', {}, words, ...range, markerAt(at, up, look, 5));
  });
  const entries = points.map(({ lane, cost: spent, share }) => ({
    look: looks.get(lane) ?? UNKNOWN_LOOK,
    name: lane,
    detail: `${shareText(share)}; ${amount(spent)} ${cost}`,
  }));
  const key = legend(entries, 8, frame.bottom + 42, width - 16);
  return {
    title,
    description: entries.map(({ name, detail }) => `${name}: ${detail}`).join('. '),
    ...{ width, height: frame.bottom + 48 + key.height },
    nodes: [
      label(8, 13, `${quality}${lowerIsBetter ? ' (less is better)' : ''}, with 95% intervals`, { fill: '$ink-2' }),
      ...yAxis(y, frame),
      ...xAxis(x, frame, `${cost}, logarithmic`),
      ...frontierLine(chart, x, y, frame),
      ...marks,
      ...key.nodes,
    ],
  };
}

/** Steps through the frontier: what the cheapest lane that is good enough costs. */
function frontierLine(
  chart: ParetoChart,
  x: (value: number) => number,
  y: (value: number) => number,
  { right }: Frame,
): SvgNode[] {
  const points = frontierOf(chart).map(({ cost, share }) => [round(x(cost)), round(y(share.mean as number))] as const);
  const [first] = points;
  if (!first) return [];
  const steps = points.slice(1).map(([px, py]) => `H${px}V${py}`);
  const line = { fill: 'none', stroke: '$accent', 'stroke-width': 1.5, 'stroke-dasharray': '5 4' };
  const [, level] = points.at(-1) as readonly [number, number];
  // Above the line, or below where that is the top of the plot.
  const name = label(right, level < 40 ? level + 14 : level - 5, 'frontier', { 'text-anchor': 'end', fill: '$accent' });
  return [el('path', { d: `M${first[0]} ${first[1]}${steps.join('')}H${right}`, ...line }), name];
}

/** The chart's numbers, with all their digits. */
export function paretoTable(chart: ParetoChart): Table {
  const front = new Set(frontierOf(chart));
  return {
    head: ['lane', chart.cost, chart.quality, 'low95', 'high95', 'sum', 'n', 'frontier'],
    rows: chart.points.map((point) => {
      const { mean, interval, sum, n } = point.share;
      return [point.lane, point.cost, mean, interval?.[0] ?? null, interval?.[1] ?? null, sum, n, front.has(point)];
    }),
  };
}
