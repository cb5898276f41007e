/** All families. Adding one is a folder and a line here. */
import type { Family } from './kit/types';
import { support } from './support';
import { terminal } from './terminal';
import { frontier, universe } from './universe';

export const REGISTRY: readonly Family[] = [support, terminal, universe, frontier];

/**
 * A family by its name.
 * @throws RangeError for a name that is not registered; the message lists those that are
 */
export function familyOf(name: string): Family {
  const family = REGISTRY.find((candidate) => candidate.name === name);
  if (family) return family;
  throw new RangeError(`There is no family "${name}"; known are ${REGISTRY.map((item) => item.name).join(', ')}.`);
}
