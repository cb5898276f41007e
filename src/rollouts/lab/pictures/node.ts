/**
 * A picture as a small tree of SVG elements, made by pure code. The page draws the tree as elements of its own, files and
 * reports get it as text; both from the same numbers. Colours stand in it by name (`$ink`) and a palette gives them.
 */
import { escape } from '../markup';

export interface SvgNode {
  tag: string;
  attrs: { [name: string]: string | number };
  children: readonly SvgNode[];
  /** Text of the element; a `<title>` with text is what a pointer over its parent shows. */
  text?: string;
}

export interface Figure {
  title: string;
  /** The numbers in a sentence, for people who hear the page. */
  description: string;
  width: number;
  height: number;
  nodes: readonly SvgNode[];
}

/** Names of colours. `other` is for lanes that are neither twin nor of the pair. */
export const COLOUR_NAMES = [
  ...['ink', 'ink-2', 'line', 'panel', 'accent'],
  ...['twin', 'mdlm', 'ar', 'other', 'low', 'mid', 'high', 'mask'],
] as const;
export type ColourName = (typeof COLOUR_NAMES)[number];
export type Colour = `$${ColourName}`;
export type Palette = Record<ColourName, string>;

/** The page's colours (src/ui/styles.css), for files that have to bring their own. */
export const LIGHT: Palette = {
  ...{ ink: '#1a2024', 'ink-2': '#56616a', line: '#dde2e4', panel: '#ffffff', accent: '#0a6b52' },
  ...{ twin: '#5b6770', mdlm: '#0b7285', ar: '#7a3fb0', other: '#a34d00' },
  ...{ low: '#ffc9ae', mid: '#fdf0c4', high: '#d4f0df', mask: '#cfd6d9' },
};
export const DARK: Palette = {
  ...{ ink: '#e3e8ea', 'ink-2': '#9fabb2', line: '#2a3236', panel: '#171c1e', accent: '#4cc6a1' },
  ...{ twin: '#9aa7b0', mdlm: '#58c4d8', ar: '#c79bf0', other: '#f0a860' },
  ...{ low: '#74341a', mid: '#5a4a17', high: '#174230', mask: '#3a454a' },
};

/** Font of all text in pictures, with the width of a letter (of 1 px height) that layouts count with. */
export const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
export const FONT_SIZE = 11;
export const LETTER = 0.56;

/** An element; attributes that are undefined are left out. */
export function el(
  tag: string,
  attrs: { [name: string]: string | number | undefined },
  ...children: readonly SvgNode[]
): SvgNode {
  const set = Object.entries(attrs).filter((entry): entry is [string, string | number] => entry[1] !== undefined);
  return { tag, attrs: Object.fromEntries(set.map(([k, v]) => [k, typeof v === 'number' ? round(v) : v])), children };
}

/** A `<text>`; ink unless told. */
export function label(x: number, y: number, text: string, attrs: { [name: string]: string | number } = {}): SvgNode {
  return { ...el('text', { x, y, fill: '$ink', ...attrs }), text };
}

/** What a pointer over the parent shows. */
export function hint(text: string): SvgNode {
  return { ...el('title', {}), text };
}

/** A coordinate to a tenth of a pixel, without a minus before zero. */
export function round(x: number): number {
  return Math.round(x * 10) / 10 + 0;
}

/** The colour that lies `share` of the way from one to another, as a name that palettes understand. */
export function between(from: ColourName, to: ColourName, share: number): string {
  return `$${from}+${to}+${Math.round(Math.min(1, Math.max(0, share)) * 100)}`;
}

/** Attributes with the palette's colours in place of their names. */
export function painted(attrs: SvgNode['attrs'], palette: Palette): { [name: string]: string | number } {
  const value = (text: string | number) => {
    if (typeof text !== 'string' || !text.startsWith('$')) return text;
    const [from, to, percent] = text.slice(1).split('+');
    const colour = palette[from as ColourName];
    return to === undefined ? (colour ?? text) : mixed(colour, palette[to as ColourName], Number(percent));
  };
  return Object.fromEntries(Object.entries(attrs).map(([name, text]) => [name, value(text)]));
}

/** Plain colours are mixed here, as `color-mix` in sRGB does it; custom properties by the browser. */
function mixed(from: string, to: string, percent: number): string {
  if (!from.startsWith('#') || !to.startsWith('#')) return `color-mix(in srgb, ${to} ${percent}%, ${from})`;
  const part = (colour: string, i: number) => parseInt(colour.slice(1 + 2 * i, 3 + 2 * i), 16);
  const channel = (i: number) => Math.round(part(from, i) + ((part(to, i) - part(from, i)) * percent) / 100);
  return `#${[0, 1, 2].map((i) => channel(i).toString(16).padStart(2, '0')).join('')}`;
}

/**
 * The figure as the text of an SVG: everything inline, and a ground of its own unless the palette's panel is `none`, so that
 * it can be read on any paper.
 */
export function svgText(figure: Figure, palette: Palette): string {
  const { width, height, title, description, nodes } = figure;
  const words = [
    { ...el('title', {}), text: title },
    ...(description ? [{ ...el('desc', {}), text: description }] : []),
  ];
  const ground = palette.panel === 'none' ? [] : [el('rect', { width, height, fill: '$panel' })];
  const root = el(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      ...{ viewBox: `0 0 ${round(width)} ${round(height)}`, width, height, role: 'img' },
      ...{ 'font-family': FONT, 'font-size': FONT_SIZE },
    },
    ...words,
    ...ground,
    ...nodes,
  );
  return written(root, palette);
}

function written({ tag, attrs, children, text }: SvgNode, palette: Palette): string {
  const list = Object.entries(painted(attrs, palette)).map(([name, value]) => ` ${name}="${escape(String(value))}"`);
  const inside =
    (text === undefined ? '' : escape(legal(text))) + children.map((child) => written(child, palette)).join('');
  return inside === '' ? `<${tag}${list.join('')}/>` : `<${tag}${list.join('')}>${inside}</${tag}>`;
}

/** Text without what XML cannot hold: control characters, and halves of surrogate pairs; each becomes U+FFFD. */
function legal(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '\ufffd');
}
