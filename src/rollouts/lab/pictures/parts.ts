/** What all charts of shares have in common: the frame with its axes, whiskers, and the legend that names every lane. */
import type { Interval } from '../../../metrics';
import { markerAt, type Look } from './looks';
import { el, FONT_SIZE, hint, label, LETTER, round, type SvgNode } from './node';
import type { Scale } from './scale';

/** A share with its denominator, as the tables have it. */
export interface Share {
  mean: number | null;
  /** 95%. */
  interval: Interval | null;
  sum: number;
  n: number;
}

/** Edges of a plot in pixels. */
export interface Frame {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** `0.620 [0.480, 0.744], 31 of 50`; `none` where nothing counts. */
export function shareText({ mean, interval, sum, n }: Share): string {
  if (mean === null) return 'none';
  const range = interval ? ` [${interval[0].toFixed(3)}, ${interval[1].toFixed(3)}]` : '';
  return `${mean.toFixed(3)}${range}, ${amount(sum)} of ${n}`;
}

/** A number as people read it: whole ones as they are, others with three digits at most. */
export function amount(x: number): string {
  return Number.isInteger(x) ? String(x) : String(Number(x.toPrecision(3)));
}

/** Width in pixels that a text takes at most, more or less. */
export function widthOf(text: string, size = FONT_SIZE): number {
  return text.length * size * LETTER;
}

/** A text cut to a width, with an ellipsis where something is gone; the whole of it stays under the pointer. */
export function fitted(x: number, y: number, text: string, width: number, attrs: SvgNode['attrs'] = {}): SvgNode {
  const room = Math.max(3, Math.floor(width / (FONT_SIZE * LETTER)));
  const letters = [...text];
  if (letters.length <= room) return label(x, y, text, attrs);
  const short = label(x, y, `${letters.slice(0, room - 1).join('')}…`, attrs);
  return el('g', {}, hint(text), short);
}

/** Lines and numbers of a vertical axis. */
export function yAxis(y: Scale, { left, right }: Frame): SvgNode[] {
  return y.ticks.flatMap((tick) => [
    el('line', { x1: left, x2: right, y1: y(tick), y2: y(tick), stroke: '$line' }),
    label(left - 6, y(tick) + 4, String(tick), { 'text-anchor': 'end', fill: '$ink-2' }),
  ]);
}

/** Numbers of a horizontal axis, and what it counts. Numbers that would run into one another are left out. */
export function xAxis(x: Scale, { left, right, bottom }: Frame, what: string): SvgNode[] {
  let free = -Infinity;
  const ticks = x.ticks.flatMap((tick) => {
    const [at, text] = [x(tick), String(tick)];
    const half = widthOf(text) / 2 + 3;
    const short = el('line', { x1: at, x2: at, y1: bottom, y2: bottom + 4, stroke: '$ink-2' });
    if (at - half < free) return [short];
    free = at + half;
    return [short, label(at, bottom + 16, text, { 'text-anchor': 'middle', fill: '$ink-2' })];
  });
  const line = el('line', { x1: left, x2: right, y1: bottom, y2: bottom, stroke: '$ink-2' });
  return [line, ...ticks, label((left + right) / 2, bottom + 31, what, { 'text-anchor': 'middle' })];
}

/** A 95% interval: a line with a foot at each end, upright or lying. */
export function whisker(at: number, from: number, to: number, direction: 'up' | 'across', colour = '$ink'): SvgNode {
  const [a, low, high] = [round(at), round(Math.min(from, to)), round(Math.max(from, to))];
  const up = `M${a} ${low}V${high}M${round(a - 3)} ${low}h6M${round(a - 3)} ${high}h6`;
  const across = `M${low} ${a}H${high}M${low} ${round(a - 3)}v6M${high} ${round(a - 3)}v6`;
  return el('path', { d: direction === 'up' ? up : across, stroke: colour, fill: 'none', 'stroke-width': 1.2 });
}

export interface LegendEntry {
  look: Look;
  name: string;
  /** Numbers of the lane, beside its name or below it. */
  detail?: string;
  /** Draws the lane's line beside its marker. */
  line?: boolean;
}

const ENTRY_MARK = 34;
const ENTRY_GAP = 16;
const ENTRY_LINE = 17;

/** The names of lanes with their marks, in rows as wide as there is room. `height` is what it takes. */
export function legend(
  entries: readonly LegendEntry[],
  left: number,
  top: number,
  width: number,
): { nodes: SvgNode[]; height: number } {
  let [x, y] = [left, top];
  const nodes = entries.flatMap(({ look, name, detail = '', line = false }): SvgNode[] => {
    // Bold letters, an m above all, are wider.
    const nameWidth = widthOf(name) * 1.25;
    const whole = ENTRY_MARK + nameWidth + (detail ? 8 + widthOf(detail) : 0);
    if (x > left && x + whole > left + width) [x, y] = [left, y + ENTRY_LINE];
    const apart = detail !== '' && whole > width;
    const stroke = { stroke: look.colour, 'stroke-width': 2, 'stroke-dasharray': look.dash || undefined };
    const out = [
      ...(line ? [el('line', { x1: x, x2: x + 28, y1: y + 8, y2: y + 8, ...stroke })] : []),
      markerAt(x + 14, y + 8, look),
      fitted(x + ENTRY_MARK, y + 12, name, width - ENTRY_MARK, { 'font-weight': 600 }),
    ];
    if (detail !== '') {
      const place = apart ? [x + ENTRY_MARK, y + 12 + ENTRY_LINE] : [x + ENTRY_MARK + nameWidth + 8, y + 12];
      out.push(fitted(place[0] as number, place[1] as number, detail, width - ENTRY_MARK, { fill: '$ink-2' }));
    }
    if (apart) [x, y] = [left, y + 2 * ENTRY_LINE];
    else x += whole + ENTRY_GAP;
    return out;
  });
  return { nodes, height: entries.length === 0 ? 0 : y - top + (x > left ? ENTRY_LINE : 0) };
}
