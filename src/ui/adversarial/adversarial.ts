/** What the view of the adversarial suite begins with, and words of it. */
import { SCENARIO_KINDS } from '../../rollouts/adversarial';
import type { LabSimulator } from '../../rollouts/lab';
import { KIND_NAMES, type AdversarialSuite } from '../../rollouts/suites';
import { FAMILIES } from '../../twins';
import { FIRST_DRAFT } from '../lab/draft';
import { count } from '../text';

/** Small enough to end soon with the pair; every kind is in it. */
export const FIRST_ADVERSARIAL: AdversarialSuite = {
  kinds: KIND_NAMES,
  seeds: 3,
  first: 1,
  families: FAMILIES.map(({ name }) => name),
  seed: 1,
};

/** The twin as reference, and the shipped pair. */
export const FIRST_SIMULATORS: LabSimulator[] = FIRST_DRAFT.simulators;

export function adversarialTitle({ kinds, seeds }: AdversarialSuite): string {
  const what =
    kinds.length === KIND_NAMES.length
      ? 'All kinds'
      : kinds.length === 1
        ? titleOf(kinds[0] ?? '')
        : count(kinds.length, 'kind');
  return `${what}, ${count(seeds, 'scenario')} each`;
}

/** A kind as people say it. */
export function titleOf(kind: string): string {
  return SCENARIO_KINDS.find(({ name }) => name === kind)?.title ?? kind;
}

/** What a kind tries, in one sentence. */
export function lineOf(kind: string): string {
  return SCENARIO_KINDS.find(({ name }) => name === kind)?.line ?? '';
}
