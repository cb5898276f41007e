/** Colours of pictures on the page, which follow its theme, and those that a file takes with it. */
import { COLOUR_NAMES, DARK, LIGHT, type Palette } from '../../rollouts/lab/pictures';

/** The custom properties of src/ui/styles.css; `--other` is that of Chart.svelte. */
export const PAGE = Object.fromEntries(COLOUR_NAMES.map((name) => [name, `var(--${name})`])) as Palette;

/** What the page looks like at the moment, in plain colours. */
export function pagePalette(): Palette {
  return matchMedia('(prefers-color-scheme: dark)').matches ? DARK : LIGHT;
}
