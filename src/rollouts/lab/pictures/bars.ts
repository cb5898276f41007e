/** Shares by group (a family, an agent), a bar a lane: lying, so that names and denominators can be read beside them. */
import type { Table } from './csv';
import { looksOf, markerAt, UNKNOWN_LOOK, type ChartLane } from './looks';
import { el, hint, label, type Figure, type SvgNode } from './node';
import { amount, fitted, legend, shareText, whisker, widthOf, xAxis, type Frame, type Share } from './parts';
import { linear } from './scale';

export interface BarChart {
  title: string;
  what: string;
  /** What the groups are, such as `family`. */
  group: string;
  lanes: readonly ChartLane[];
  groups: readonly { name: string; shares: readonly { lane: string; share: Share }[] }[];
}

const BAR = 15;
const GAP = 10;

/** The chart, `width` pixels wide and as high as it takes: groups in the order given, shares from 0 to 1. */
export function barFigure({ title, what, lanes, groups }: BarChart, width: number): Figure {
  const looks = looksOf(lanes);
  const counts = groups.flatMap(({ shares }) => shares.map(({ share }) => `${amount(share.sum)} of ${share.n}`));
  const left = Math.min(Math.max(50, ...groups.map(({ name }) => widthOf(name) + 14)), width * 0.3);
  const right = width - 12 - Math.max(30, ...counts.map((text) => widthOf(text)));
  const top = 24;
  const tall = groups.reduce((sum, { shares }) => sum + shares.length * BAR + GAP, 0);
  const frame: Frame = { left, right, top, bottom: top + tall };
  const x = linear([0, 1], [left, right], width < 480 ? 2 : 5);
  const grid = x.ticks.map((tick) =>
    el('line', { x1: x(tick), x2: x(tick), y1: top, y2: frame.bottom, stroke: '$line' }),
  );
  let y = top + GAP / 2;
  const rows = groups.flatMap(({ name, shares }): SvgNode[] => {
    const middle = y + (shares.length * BAR) / 2;
    const bars = shares.map(({ lane, share }, i) => bar(lane, share, y + i * BAR, x, right, name));
    y += shares.length * BAR + GAP;
    return [fitted(left - 6, middle + 4, name, left - 10, { 'text-anchor': 'end' }), ...bars];
  });
  const used = lanes.filter(({ id }) => groups.some(({ shares }) => shares.some(({ lane }) => lane === id)));
  const entries = used.map(({ id }) => ({ look: looks.get(id) ?? UNKNOWN_LOOK, name: id }));
  const key = legend(entries, 8, frame.bottom + 42, width - 16);
  const told = groups.map(({ name, shares }) => {
    return `${name}: ${shares.map(({ lane, share }) => `${lane} ${shareText(share)}`).join('; ')}`;
  });
  return {
    title,
    description: told.join('. '),
    ...{ width, height: frame.bottom + 48 + key.height },
    nodes: [
      label(8, 13, `${what}, with 95% intervals and denominators`, { fill: '$ink-2' }),
      ...grid,
      ...xAxis(x, frame, 'share'),
      ...rows,
      ...key.nodes,
    ],
  };

  function bar(
    lane: string,
    share: Share,
    at: number,
    scale: (v: number) => number,
    end: number,
    group: string,
  ): SvgNode {
    const look = looks.get(lane) ?? UNKNOWN_LOOK;
    const middle = at + BAR / 2;
    const told = label(end + 8, middle + 4, share.mean === null ? 'none' : `${amount(share.sum)} of ${share.n}`, {
      fill: '$ink-2',
    });
    const words = hint(`${group}, ${lane}: ${shareText(share)}`);
    if (share.mean === null) return el('g', {}, words, told);
    const wide = scale(share.mean) - scale(0);
    const size = { x: scale(0), y: at + 2, width: wide, height: BAR - 4 };
    return el(
      'g',
      {},
      words,
      el('rect', { ...size, fill: look.colour, 'fill-opacity': '0.3', stroke: look.colour, 'stroke-width': 0.8 }),
      ...(share.interval ? [whisker(middle, scale(share.interval[0]), scale(share.interval[1]), 'across')] : []),
      markerAt(scale(share.mean), middle, look, 3.6),
      told,
    );
  }
}

/** The chart's numbers, with all their digits. */
export function barTable({ group, what, groups }: BarChart): Table {
  return {
    head: [group, 'lane', what, 'low95', 'high95', 'sum', 'n'],
    rows: groups.flatMap(({ name, shares }) =>
      shares.map(({ lane, share: { mean, interval, sum, n } }) => {
        return [name, lane, mean, interval?.[0] ?? null, interval?.[1] ?? null, sum, n];
      }),
    ),
  };
}
