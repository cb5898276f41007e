/** All families. Adding one is a folder and a line here. */
import type { Family } from './kit/types';
import { apps } from './apps';
import { code } from './code';
import { household } from './household';
import { research } from './research';
import { mechanism } from './mechanism';
import { office } from './office';
import { grid } from './grid';
import { lab } from './lab';
import { support } from './support';
import { tables } from './tables';
import { terminal } from './terminal';
import { trading } from './trading';
import { frontier, universe, wild } from './universe';
import { webshop } from './webshop';

export const REGISTRY: readonly Family[] = [
  support,
  code,
  tables,
  terminal,
  universe,
  wild,
  frontier,
  webshop,
  research,
  office,
  household,
  mechanism,
  lab,
  grid,
  apps,
  trading,
];

/**
 * A family by its name.
 * @throws RangeError for a name that is not registered; the message lists those that are
 */
export function familyOf(name: string): Family {
  const family = REGISTRY.find((candidate) => candidate.name === name);
  if (family) return family;
  throw new RangeError(`There is no family "${name}"; known are ${REGISTRY.map((item) => item.name).join(', ')}.`);
}
