/** How lanes look: the colour says what kind of simulator it is, dash and marker which lane; none rests on colour alone. */
import { el, type Colour, type SvgNode } from './node';

export interface ChartLane {
  id: string;
  /** What answers in it: `twin`, `mdlm`, `ar`, `transformers`, or anything else. */
  kind: string;
}

export const MARKERS = ['circle', 'square', 'triangle', 'diamond', 'down', 'cross'] as const;
export type Marker = (typeof MARKERS)[number];
const DASHES = ['', '7 3', '2 3', '9 3 2 3', '4 2', '12 4'];

export interface Look {
  colour: Colour;
  /** `stroke-dasharray`, empty for a solid line. */
  dash: string;
  marker: Marker;
  /** From the seventh lane on markers come a second time, as outlines. */
  hollow: boolean;
}

/** Looks of lanes, by their places in the list: up to twelve differ in marker, and six in dash. */
export function looksOf(lanes: readonly ChartLane[]): Map<string, Look> {
  return new Map(
    lanes.map(({ id, kind }, i) => [
      id,
      {
        colour: colourOf(kind),
        dash: DASHES[i % DASHES.length] as string,
        marker: MARKERS[i % MARKERS.length] as Marker,
        hollow: Math.floor(i / MARKERS.length) % 2 === 1,
      },
    ]),
  );
}

/** Look of a lane that is not in the list. */
export const UNKNOWN_LOOK: Look = { colour: '$other', dash: '', marker: 'circle', hollow: false };

function colourOf(kind: string): Colour {
  if (kind === 'twin' || kind === 'mdlm') return `$${kind}`;
  return kind === 'ar' || kind === 'transformers' || kind === 'ar-transformers' ? '$ar' : '$other';
}

/** A lane's marker about a point, of the same area for every shape; `r` is the radius of the circle. */
export function markerAt(x: number, y: number, { marker, colour, hollow }: Look, r = 4): SvgNode {
  // Hollow markers hide what lies below, so that the line does not run through them.
  const ink = { fill: hollow ? '$panel' : colour, stroke: colour, 'stroke-width': hollow ? 1.6 : 1 };
  const path = (...points: (readonly [number, number])[]) =>
    el('path', {
      d: `${points.map(([dx, dy], i) => `${i ? 'L' : 'M'}${fix(x + dx)} ${fix(y + dy)}`).join('')}Z`,
      ...ink,
    });
  switch (marker) {
    case 'circle':
      return el('circle', { cx: x, cy: y, r, ...ink });
    case 'square': {
      const half = r * 0.89;
      return el('rect', { x: x - half, y: y - half, width: 2 * half, height: 2 * half, ...ink });
    }
    case 'triangle':
      return path([0, -r * 1.35], [r * 1.2, r * 0.85], [-r * 1.2, r * 0.85]);
    case 'down':
      return path([0, r * 1.35], [r * 1.2, -r * 0.85], [-r * 1.2, -r * 0.85]);
    case 'diamond':
      return path([0, -r * 1.3], [r * 1.3, 0], [0, r * 1.3], [-r * 1.3, 0]);
    case 'cross': {
      const [a, b] = [r * 1.2, r * 0.45];
      return path(
        ...([
          [-b, -a],
          [b, -a],
          [b, -b],
          [a, -b],
          [a, b],
          [b, b],
          [b, a],
          [-b, a],
          [-b, b],
          [-a, b],
          [-a, -b],
          [-b, -b],
        ] as const),
      );
    }
    default:
      return marker satisfies never;
  }
}

function fix(x: number): number {
  return Math.round(x * 10) / 10 + 0;
}
