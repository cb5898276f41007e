/** The charts of the report as HTML: the very pictures of the page, in colours that follow the reader's theme. */
import { escape } from './markup';
import { COLOUR_NAMES, DARK, LIGHT, svgText, type Figure, type Palette } from './pictures';

const PALETTE = Object.fromEntries(COLOUR_NAMES.map((name) => [name, `var(--${name})`])) as Palette;
const variables = (palette: Palette) =>
  // The ground is the page's.
  Object.entries({ ...palette, panel: 'Canvas' })
    .map(([name, colour]) => `--${name}:${colour}`)
    .join(';');

/** Custom properties that `figureHtml` draws with. */
export const CHART_STYLE = `:root{${variables(LIGHT)}}@media(prefers-color-scheme:dark){:root{${variables(DARK)}}}`;

/** Width of the report's charts in pixels; narrow screens scale them. */
export const CHART_WIDTH = 760;

/** A picture with its title above it. */
export function figureHtml(figure: Figure): string {
  return `<figure><figcaption>${escape(figure.title)}</figcaption>${svgText(figure, PALETTE)}</figure>`;
}
