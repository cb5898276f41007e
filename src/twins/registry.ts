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

/** Variants of a family above that the training corpus has beside it: nothing is measured, listed or stepped under them. */
const TRAINING_ONLY: readonly Family[] = [wild];

/** All that a twin can execute. */
export const EXECUTABLE: readonly Family[] = [...REGISTRY, ...TRAINING_ONLY];

/**
 * A family by its name.
 * @throws RangeError for a name that is not registered; the message lists those that are
 */
export function familyOf(name: string): Family {
  const family = EXECUTABLE.find((candidate) => candidate.name === name);
  if (family) return family;
  throw new RangeError(`There is no family "${name}"; known are ${REGISTRY.map((item) => item.name).join(', ')}.`);
}
