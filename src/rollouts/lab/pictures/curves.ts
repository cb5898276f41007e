/** Shares over steps, a line a lane with its interval as a band: survival curves with the number at risk, and plain lines. */
import type { Interval } from '../../../metrics';
import type { Table } from './csv';
import { looksOf, markerAt, UNKNOWN_LOOK, type ChartLane, type Look } from './looks';
import { el, hint, label, round, type Figure, type SvgNode } from './node';
import { fitted, legend, widthOf, xAxis, yAxis, type Frame } from './parts';
import { linear, wholeTicks } from './scale';

export interface CurvePoint {
  x: number;
  y: number;
  interval: Interval | null;
  /** What the share is of: rollouts at risk in this step, or answers. */
  n: number;
}

export interface CurveChart {
  title: string;
  /** What the shares are. */
  what: string;
  /** What is counted from left to right, such as `step`. */
  axis: string;
  lanes: readonly ChartLane[];
  curves: readonly { lane: string; points: readonly CurvePoint[] }[];
  /** Survival: the share falls at each step and stands between them, from 1 at 0 on, and `n` is written below. */
  survival?: boolean;
}

const AT_RISK_LINE = 15;

/** The chart, `width` pixels wide. Survival curves have a table of the number at risk below the steps. */
export function curveFigure(chart: CurveChart, width: number): Figure {
  const { title, what, axis, lanes, curves, survival = false } = chart;
  const looks = looksOf(lanes);
  const names = survival ? Math.min(110, Math.max(40, ...curves.map(({ lane }) => widthOf(lane) + 24))) : 40;
  const frame: Frame = { left: names, right: width - 16, top: 24, bottom: 220 };
  const all = curves.flatMap(({ points }) => points.map(({ x }) => x));
  const most = Math.max(1, ...all);
  const least = survival ? 0 : Math.min(most, ...all);
  const ticks = wholeTicks(least, most, Math.max(2, Math.min(11, Math.floor((frame.right - frame.left) / 34))));
  const x = Object.assign(linear([least, most], [frame.left + 8, frame.right - 8]), { ticks });
  const y = linear([0, 1], [frame.bottom, frame.top]);
  const drawn = curves.map(({ lane, points }) => {
    const look = looks.get(lane) ?? UNKNOWN_LOOK;
    const marks = points.map((point) => {
      const { x: at, y: share, interval, n } = point;
      const range = interval ? ` [${interval[0].toFixed(3)}, ${interval[1].toFixed(3)}]` : '';
      const words = hint(`${lane}, ${axis} ${at}: ${share.toFixed(3)}${range}, n = ${n}`);
      // Markers at every point would be a caterpillar where there are many.
      const shown = points.length <= 30 || ticks.includes(at);
      return shown ? [el('g', {}, words, markerAt(x(at), y(share), look, 3.2))] : [];
    });
    return el('g', {}, ...band(points, x, y, look, survival), line(points, x, y, look, survival), ...marks.flat());
  });
  const risk = survival ? atRisk(chart, looks, ticks, x, frame) : { nodes: [], height: 0 };
  const entries = curves.map(({ lane }) => ({ look: looks.get(lane) ?? UNKNOWN_LOOK, name: lane, line: true }));
  const key = legend(entries, 8, frame.bottom + 42 + risk.height, width - 16);
  const told = curves.map(({ lane, points }) => `${lane}: ${points.map((p) => `${p.x} ${p.y.toFixed(3)}`).join(', ')}`);
  return {
    title,
    description: told.join('. '),
    ...{ width, height: frame.bottom + 48 + risk.height + key.height },
    nodes: [
      label(8, 13, `${what}, with 95% intervals`, { fill: '$ink-2' }),
      ...yAxis(y, frame),
      ...xAxis(x, frame, axis),
      ...drawn,
      ...risk.nodes,
      ...key.nodes,
    ],
  };
}

type Place = (value: number) => number;

/** The line of a curve; one of survival falls upright at its steps. */
function line(points: readonly CurvePoint[], x: Place, y: Place, look: Look, survival: boolean): SvgNode {
  const parts = points.map(({ x: at, y: share }, i) => {
    const [px, py] = [round(x(at)), round(y(share))];
    if (survival) return i === 0 ? `M${round(x(0))} ${round(y(1))}H${px}V${py}` : `H${px}V${py}`;
    return `${i === 0 ? 'M' : 'L'}${px} ${py}`;
  });
  const stroke = { stroke: look.colour, 'stroke-width': 2, 'stroke-dasharray': look.dash || undefined };
  return el('path', { d: parts.join('') || 'M0 0', fill: 'none', ...stroke });
}

/** The interval of a curve; of a survival curve it is that of the step before until the next step. */
function band(points: readonly CurvePoint[], x: Place, y: Place, look: Look, survival: boolean): SvgNode[] {
  const known = points.filter((point): point is CurvePoint & { interval: Interval } => point.interval !== null);
  if (known.length < 2) return [];
  const edge = (side: 0 | 1) =>
    known.flatMap(({ x: at, interval }, i) => {
      const here = [round(x(at)), round(y(interval[side]))] as const;
      const before = known[i - 1];
      return survival && before ? [[here[0], round(y(before.interval[side]))] as const, here] : [here];
    });
  const outline = [...edge(1), ...edge(0).reverse()].map((point) => point.join(','));
  return [el('polygon', { points: outline.join(' '), fill: look.colour, opacity: '0.13' })];
}

/** Below the axis: how many rollouts each step of each lane speaks of. */
function atRisk({ curves, axis }: CurveChart, looks: Map<string, Look>, ticks: number[], x: Place, frame: Frame) {
  const top = frame.bottom + 50;
  const nodes = curves.flatMap(({ lane, points }, i) => {
    const middle = top + 12 + i * AT_RISK_LINE;
    const counts = ticks.flatMap((tick) => {
      const point = points.find(({ x: at }) => at === tick);
      return point ? [label(x(tick), middle + 4, String(point.n), { 'text-anchor': 'middle' })] : [];
    });
    const name = fitted(22, middle + 4, lane, frame.left - 22);
    return [markerAt(12, middle, looks.get(lane) ?? UNKNOWN_LOOK, 3.2), name, ...counts];
  });
  const head = label(8, top + 1, `at risk in the ${axis}`, { fill: '$ink-2' });
  return { nodes: [head, ...nodes], height: 20 + curves.length * AT_RISK_LINE };
}

/** The chart's numbers, with all their digits. */
export function curveTable({ axis, curves, survival = false }: CurveChart): Table {
  return {
    head: ['lane', axis, survival ? 'survival' : 'share', 'low95', 'high95', survival ? 'atRisk' : 'n'],
    rows: curves.flatMap(({ lane, points }) =>
      points.map(({ x, y, interval, n }) => [lane, x, y, interval?.[0] ?? null, interval?.[1] ?? null, n]),
    ),
  };
}
