/** Simple charts as inline SVG: bars, lines and points, each with its 95% interval, drawn without any library. */
import type { Interval } from '../../metrics';
import { escape, fixed } from './markup';

const WIDTH = 640;
const LEFT = 48;
const RIGHT = 16;
const TOP = 16;
const BOTTOM = 36;
const COLOURS = ['#5b6770', '#0b7285', '#7a3fb0', '#b25e00', '#14693a', '#a8261b'];
/** Lines differ in more than colour. */
const DASHES = ['', '6 3', '2 3', '8 3 2 3', '1 4', '10 4'];

export interface Point {
  x: number;
  y: number;
  interval: Interval | null;
}

export interface Series {
  name: string;
  points: Point[];
}

export function colourOf(i: number): string {
  return COLOURS[i % COLOURS.length] as string;
}

/** Shares in [0, 1] over whole numbers, one line a series, intervals as bands. */
export function lineChart(title: string, xLabel: string, series: readonly Series[]): string {
  const most = Math.max(1, ...series.flatMap(({ points }) => points.map(({ x }) => x)));
  const low = Math.min(most, ...series.flatMap(({ points }) => points.map(({ x }) => x)));
  const height = 240;
  const x = (value: number) => LEFT + ((value - low) / Math.max(most - low, 1)) * (WIDTH - LEFT - RIGHT);
  const y = (share: number) => TOP + (1 - share) * (height - TOP - BOTTOM);
  const ticks = ticksOf(low, most).map((tick) => xTick(x(tick), height, String(tick)));
  const lines = series.map(({ points }, i) => {
    const colour = colourOf(i);
    const band = points.filter((point): point is Point & { interval: Interval } => point.interval !== null);
    const edge = [
      ...band.map(({ x: at, interval }) => `${px(x(at))},${px(y(interval[1]))}`),
      ...band.toReversed().map(({ x: at, interval }) => `${px(x(at))},${px(y(interval[0]))}`),
    ];
    const path = points.map(({ x: at, y: share }) => `${px(x(at))},${px(y(share))}`).join(' ');
    const dots = points.map((point) => dot(x(point.x), y(point.y), colour));
    const area = band.length > 1 ? `<polygon points="${edge.join(' ')}" fill="${colour}" opacity="0.14"/>` : '';
    const dash = DASHES[i % DASHES.length];
    const line = `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2" stroke-dasharray="${dash}"/>`;
    return `${area}${line}${dots.join('')}`;
  });
  return figure(title, height, series, [...shareAxis(y), ...ticks, label(xLabel, height), ...lines]);
}

/** Groups of bars, one bar a series, shares in [0, 1] with intervals as whiskers. */
export function barChart(title: string, groups: readonly string[], series: readonly Series[]): string {
  const height = 260;
  const y = (share: number) => TOP + (1 - share) * (height - TOP - BOTTOM);
  const room = (WIDTH - LEFT - RIGHT) / Math.max(groups.length, 1);
  const wide = Math.min(28, (room * 0.8) / Math.max(series.length, 1));
  const at = (group: number, i: number) => LEFT + room * (group + 0.5) + wide * (i - (series.length - 1) / 2);
  const bars = series.flatMap(({ points }, i) =>
    points.map(({ x, y: share, interval }) => {
      const middle = at(x, i);
      const [left, top] = [px(middle - wide * 0.45), px(y(share))];
      const size = `width="${px(wide * 0.9)}" height="${px(y(0) - y(share))}"`;
      const bar = `<rect x="${left}" y="${top}" ${size} fill="${colourOf(i)}" opacity="0.8"/>`;
      return bar + (interval ? whisker(middle, y(interval[0]), y(interval[1])) : '');
    }),
  );
  const names = groups.map((name, i) => {
    const shown = name.length * 6.5 > room ? `${name.slice(0, Math.max(3, Math.floor(room / 6.5) - 1))}.` : name;
    return xTick(LEFT + room * (i + 0.5), height, shown);
  });
  return figure(title, height, series, [...shareAxis(y), ...bars, ...names]);
}

/** Shares over an amount such as milliseconds on a logarithmic scale, one point a series. */
export function pointChart(title: string, xLabel: string, series: readonly Series[]): string {
  const height = 240;
  const values = series.flatMap(({ points }) => points.map(({ x }) => x));
  const low = Math.floor(Math.log10(Math.min(1, ...values.filter((x) => x > 0))));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(1, ...values))));
  const y = (share: number) => TOP + (1 - share) * (height - TOP - BOTTOM);
  const x = (value: number) =>
    LEFT + 12 + ((Math.log10(Math.max(value, 10 ** low)) - low) / (high - low)) * (WIDTH - LEFT - RIGHT - 24);
  const ticks = Array.from({ length: high - low + 1 }, (_, i) => low + i).map((power) =>
    xTick(x(10 ** power), height, power < 0 ? (10 ** power).toFixed(-power) : String(10 ** power)),
  );
  const points = series.flatMap(({ points: all }, i) =>
    all.map((point) => {
      const range = point.interval ? whisker(x(point.x), y(point.interval[0]), y(point.interval[1])) : '';
      return `${range}${dot(x(point.x), y(point.y), colourOf(i), 5)}`;
    }),
  );
  return figure(title, height, series, [...shareAxis(y), ...ticks, label(xLabel, height), ...points]);
}

function figure(title: string, height: number, series: readonly Series[], inside: readonly string[]): string {
  const told = series.map(({ name, points }) => `${name}: ${points.map((p) => `${p.x} ${fixed(p.y)}`).join(', ')}`);
  const box = `viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}"`;
  const words = `<title>${escape(title)}</title><desc>${escape(told.join('; '))}</desc>`;
  const keys = series.map(({ name }, i) => `<span><i style="background:${colourOf(i)}"></i>${escape(name)}</span>`);
  const svg = `<svg ${box} role="img" xmlns="http://www.w3.org/2000/svg">${words}${inside.join('')}</svg>`;
  return `<figure><figcaption>${escape(title)}</figcaption>${svg}<p class="key">${keys.join(' ')}</p></figure>`;
}

function shareAxis(y: (share: number) => number): string[] {
  return [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const at = px(y(share));
    const line = `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at}" y2="${at}" class="grid"/>`;
    return `${line}<text x="${LEFT - 6}" y="${px(y(share) + 4)}" text-anchor="end">${share}</text>`;
  });
}

function xTick(x: number, height: number, text: string): string {
  return `<text x="${px(x)}" y="${height - BOTTOM + 16}" text-anchor="middle">${escape(text)}</text>`;
}

function label(text: string, height: number): string {
  return `<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${height - 4}" text-anchor="middle">${escape(text)}</text>`;
}

function dot(x: number, y: number, colour: string, r = 3): string {
  return `<circle cx="${px(x)}" cy="${px(y)}" r="${r}" fill="${colour}"/>`;
}

function whisker(x: number, low: number, high: number): string {
  const line = `M${px(x)} ${px(low)}V${px(high)}M${px(x - 4)} ${px(low)}h8M${px(x - 4)} ${px(high)}h8`;
  return `<path d="${line}" class="whisker"/>`;
}

/** At most ten whole numbers from low to high. */
function ticksOf(low: number, high: number): number[] {
  const step = Math.max(1, Math.ceil((high - low) / 9));
  return Array.from({ length: Math.floor((high - low) / step) + 1 }, (_, i) => low + i * step);
}

function px(x: number): string {
  return String(Math.round(x * 10) / 10);
}
