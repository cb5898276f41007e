/** The film of a step as pictures: one window with its tokens, all windows below one another, and the map of passes. */
import { between, el, hint, label, type Figure, type SvgNode } from '../../rollouts/lab/pictures';
import type { Tokenizer } from '../../world/codec/special';
import type { DraftToken } from '../../world/simulator';
import { SLOTS } from '../../world/types';
import { changesOf, frameWords, placed, tokenText, type Change, type FilmFrame } from './film';

const MONO = 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace';
const SIZE = 12;
const LETTER = 7.2;
const BOX = 20;
const LINE = 25;
const NAME = 88;

/** Colour of a confidence in [0, 1]: low to mid to high. */
export function confidenceColour(confidence: number): string {
  return confidence < 0.5 ? between('low', 'mid', confidence * 2) : between('mid', 'high', confidence * 2 - 1);
}

/** Widths of boxes by slot and place: as wide as the widest token that ever stands there, so that nothing moves. */
export function boxWidths(frames: readonly FilmFrame[], tokenizer: Tokenizer | null): Map<string, number> {
  const out = new Map<string, number>();
  for (const { tokens } of frames) {
    for (const { key, token } of placed(tokens)) {
      const wide = Math.max(11, [...tokenText(token, tokenizer)].length * LETTER + 4);
      if (wide > (out.get(key) ?? 0)) out.set(key, wide);
    }
  }
  return out;
}

interface Drawn {
  nodes: SvgNode[];
  height: number;
}

function windowAt(
  frames: readonly FilmFrame[],
  i: number,
  widths: ReadonlyMap<string, number>,
  tokenizer: Tokenizer | null,
  width: number,
  top: number,
): Drawn {
  const frame = frames[i];
  if (!frame) return { nodes: [], height: 0 };
  const changes = changesOf(frame, frames[i - 1]);
  let y = top;
  const nodes: SvgNode[] = [];
  for (const slot of SLOTS) {
    const places = placed(frame.tokens).map((one, at) => ({ ...one, change: changes[at] as Change }));
    const own = places.filter(({ token }) => token.slot === slot);
    if (own.length === 0) continue;
    nodes.push(label(8, y + 14, slot, { fill: '$ink-2', 'font-weight': 600 }));
    let x = NAME;
    for (const { key, place, token, change } of own) {
      const wide = widths.get(key) ?? 11;
      if (x > NAME && x + wide > width - 8) [x, y] = [NAME, y + LINE];
      nodes.push(box(token, change, tokenText(token, tokenizer), `${slot} ${place}`, x, y, wide));
      x += wide + 1.5;
    }
    y += LINE + 5;
  }
  return { nodes, height: y - top };
}

/** A place: coloured by its confidence, which the bar below says as well; new ones are framed, masks are hatched. */
function box(
  token: DraftToken,
  change: Change,
  text: string,
  where: string,
  x: number,
  y: number,
  wide: number,
): SvgNode {
  const { masked, confidence, pass } = token;
  const percent = `${(confidence * 100).toFixed(1)}%`;
  const edge = change === 'same' ? '$line' : '$accent';
  const frame = {
    ...{ x, y, width: wide, height: BOX, rx: 2 },
    ...{ stroke: edge, 'stroke-width': change === 'same' ? 0.6 : 1.8 },
    'stroke-dasharray': change === 'again' ? '3 2' : undefined,
  };
  const told = masked
    ? `${where}: masked${change === 'again' ? ' again' : ''}${confidence > 0 ? `, its guess has ${percent}` : ''}`
    : `${where}: ${text}, ${percent}${pass > 0 ? ` in pass ${pass}` : ', fixed before generation'}`;
  const fixed = { 'font-family': MONO, 'font-size': SIZE, textLength: Math.max(1, [...text].length * LETTER) };
  const strokes = Array.from({ length: Math.ceil((wide + BOX) / 6) }, (_, i) => hatchLine(x, y, wide, i * 6 + 3));
  return el(
    'g',
    {},
    hint(told),
    el('rect', { ...frame, fill: masked ? '$panel' : confidenceColour(confidence) }),
    ...(masked ? [el('path', { d: strokes.join(''), stroke: '$mask', 'stroke-width': 1.2, fill: 'none' })] : []),
    ...(masked ? [] : [label(x + 2, y + 14, text, { ...fixed, lengthAdjust: 'spacingAndGlyphs' })]),
    el('rect', {
      x: x + 1,
      y: y + BOX - 3,
      width: (wide - 2) * confidence,
      height: 2,
      fill: masked ? '$mask' : '$ink-2',
    }),
  );
}

/** One stroke at 45 degrees through a box, `at` from its upper left corner along the top and on. */
function hatchLine(x: number, y: number, wide: number, at: number): string {
  const [fromX, fromY] = at <= wide ? [at, 0] : [wide, at - wide];
  const [toX, toY] = at <= BOX ? [0, at] : [at - BOX, BOX];
  if (fromY > BOX || toX > wide) return '';
  const p = (value: number) => Math.round(value * 10) / 10;
  return `M${p(x + fromX)} ${p(y + fromY)}L${p(x + toX)} ${p(y + toY)}`;
}

/** One window of the film, `width` pixels wide. */
export function frameFigure(
  title: string,
  frames: readonly FilmFrame[],
  i: number,
  tokenizer: Tokenizer | null,
  width: number,
): Figure {
  const drawn = windowAt(frames, i, boxWidths(frames, tokenizer), tokenizer, width, 22);
  const words = frameWords(frames, i);
  return {
    ...{ title: `${title}, ${words}`, description: spokenFrame(frames[i], tokenizer), width },
    height: 30 + drawn.height,
    nodes: [label(8, 13, words, { fill: '$ink-2' }), ...drawn.nodes, ...scaleKey(width)],
  };
}

/** All windows of the film, one below the other. */
export function sheetFigure(
  title: string,
  frames: readonly FilmFrame[],
  tokenizer: Tokenizer | null,
  width: number,
): Figure {
  const widths = boxWidths(frames, tokenizer);
  let y = 30;
  const nodes = frames.flatMap((_, i) => {
    const words = label(8, y + 3, frameWords(frames, i), { fill: '$ink-2' });
    const drawn = windowAt(frames, i, widths, tokenizer, width, y + 11);
    y += drawn.height + 26;
    return [words, ...drawn.nodes];
  });
  const all = `${frames.length} pictures`;
  return { title, description: all, width, height: y, nodes: [...nodes, ...scaleKey(width)] };
}

const CELL = 9;

/** The map of the film: a row a pass, a column a place, coloured by confidence; what is new in a pass has a dot. */
export function mapFigure(title: string, frames: readonly FilmFrame[], shown: number | null, width: number): Figure {
  const columns = [...new Set(frames.flatMap(({ tokens }) => placed(tokens).map(({ key }) => key)))].sort(bySlot);
  const at = new Map(columns.map((key, i) => [key, i]));
  const [left, top] = [34, 30];
  const cell = Math.max(1.5, Math.min(CELL + 3, (width - left - 10) / Math.max(columns.length, 1)));
  const rows = frames.flatMap((frame, i) => {
    const y = top + i * CELL;
    const changes = changesOf(frame, frames[i - 1]);
    const cells = placed(frame.tokens).flatMap(({ key, token }, n) => {
      const x = left + (at.get(key) ?? 0) * cell;
      const size = { x, y, width: cell - 0.4, height: CELL - 0.8 };
      const fill = token.masked ? '$mask' : confidenceColour(token.confidence);
      const fresh = changes[n] === 'fresh';
      return [
        el('rect', { ...size, fill, ...(token.masked ? { 'fill-opacity': '0.45' } : {}) }),
        ...(fresh
          ? [el('circle', { cx: x + cell / 2, cy: y + CELL / 2, r: Math.min(1.8, cell / 2.5), fill: '$ink' })]
          : []),
      ];
    });
    // Numbers of rows would run into one another where there are many.
    const number = frames.length <= 12 || i % 5 === 0 || i === frames.length - 1;
    const name = number ? [label(left - 5, y + 8, String(frame.pass), { 'text-anchor': 'end', 'font-size': 9 })] : [];
    const here = { x: left - 1, y: y - 0.5, width: columns.length * cell + 2, height: CELL, fill: 'none' };
    return [
      ...name,
      ...cells,
      ...(i === shown ? [el('rect', { ...here, stroke: '$accent', 'stroke-width': 1.6 })] : []),
    ];
  });
  const names = SLOTS.flatMap((slot) => {
    const first = columns.findIndex((key) => key.startsWith(slot));
    if (first < 0) return [];
    const line = { x1: left + first * cell - 0.4, x2: left + first * cell - 0.4, stroke: '$ink-2', 'stroke-width': 1 };
    const wide = columns.filter((key) => key.startsWith(slot)).length * cell;
    const short = wide < 60;
    // Short slots are named to their left; the status, which is the last, one line up.
    const y = short && slot === 'status' ? top - 17 : top - 4;
    const x = left + first * cell + (short ? wide : 3);
    return [
      el('line', { ...line, y1: top - 8, y2: top + frames.length * CELL }),
      label(x, y, slot, { fill: '$ink-2', 'font-size': 10, 'text-anchor': short ? 'end' : 'start' }),
    ];
  });
  const words = label(8, 11, 'pass (down) and place (across)', { fill: '$ink-2' });
  const height = top + frames.length * CELL + 8;
  return { title, description: 'when each place was written', width, height, nodes: [words, ...rows, ...names] };
}

function bySlot(a: string, b: string): number {
  const [slotA = '', placeA] = a.split(' ');
  const [slotB = '', placeB] = b.split(' ');
  return SLOTS.indexOf(slotA as never) - SLOTS.indexOf(slotB as never) || Number(placeA) - Number(placeB);
}

/** What the colours say, in the upper right corner where there is room. */
function scaleKey(width: number): SvgNode[] {
  if (width < 560) return [];
  const left = width - 200;
  const steps = Array.from({ length: 20 }, (_, i) =>
    el('rect', { x: left + 92 + i * 3, y: 5, width: 3, height: 9, fill: confidenceColour((i + 0.5) / 20) }),
  );
  const end = { 'font-size': 10, fill: '$ink-2' };
  return [
    label(left + 6, 13, 'confidence 0', { ...end, 'font-size': 10 }),
    ...steps,
    label(left + 156, 13, '100%', end),
  ];
}

/** The window in words: what is written, with masks as blanks. */
function spokenFrame(frame: FilmFrame | undefined, tokenizer: Tokenizer | null): string {
  if (!frame) return '';
  return SLOTS.map((slot) => {
    const own = frame.tokens.filter((token) => token.slot === slot);
    return `${slot}: ${own.map((token) => (token.masked ? '_' : tokenText(token, tokenizer))).join('')}`;
  }).join('; ');
}
