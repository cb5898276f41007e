/** What the view of steering begins with, and words of it. */
import { seedsOf, type LabSimulator, type LabSpec, type Seeds } from '../../rollouts/lab';
import { DIRECTIVES, pinnable, type OutcomeKind, type SteeringSuite } from '../../rollouts/steering';
import { count } from '../text';

/** Small enough to end soon with the pair; every directive is in it. */
export const FIRST_STEERING: SteeringSuite = {
  families: ['support', 'terminal', 'grid'],
  seeds: [1, 2, 3],
  difficulties: [1],
  directives: DIRECTIVES,
  calls: 1,
  seed: 1,
  anchors: { split: 'test', n: 6, attempts: 8 },
};

/** World seeds and samples more than this would not end in a page. */
export const MOST = { seeds: 1000, calls: 6, anchors: 1000, attempts: 64 };

/** What a run is called: directives and worlds, and pinned transitions where a simulator can be pinned (the twin cannot). */
export function steeringTitle(
  { families, seeds, difficulties, directives, anchors }: SteeringSuite,
  simulators: readonly Pick<LabSimulator, 'id'>[],
): string {
  const parts: string[] = [];
  if (directives.length > 0 && families.length > 0) {
    const what = directives.length === 1 ? directives[0] : count(directives.length, 'directive');
    const where = families.length === 1 ? families[0] : `${families.length} families`;
    parts.push(`${what} in ${where}, ${count(seeds.length * difficulties.length, 'world')} each`);
  }
  const pinned = pinnable(simulators.map(({ id }) => id)).length > 0;
  if (anchors.n > 0 && pinned) parts.push(count(anchors.n, 'pinned transition'));
  return parts.join('; ') || 'Nothing';
}

/** The worlds of a suite as the batch lab's form has them: seeds in a row as a range. */
export function worldsOf({ families, seeds, difficulties }: SteeringSuite): LabSpec['worlds'] {
  const [from = 1] = seeds;
  const inRow = seeds.length > 1 && seeds.every((seed, i) => seed === from + i);
  const shown: Seeds = inRow ? { from, count: seeds.length } : [...seeds];
  return { families: [...families], seeds: shown, difficulties: [...difficulties] };
}

/** The worlds of the form as a suite has them, no more than a page can run. */
export function fromWorlds({ families, seeds, difficulties }: LabSpec['worlds']) {
  return { families, difficulties, seeds: seedsOf(seeds).slice(0, MOST.seeds) };
}

/** Why a suite cannot be run with these simulators; empty when it can. */
export function problemOf(
  { families, seeds, difficulties, directives, anchors }: SteeringSuite,
  simulators: readonly Pick<LabSimulator, 'id'>[],
): string {
  const worlds = families.length * seeds.length * difficulties.length;
  if (worlds > 0 && directives.length === 0) return 'Choose at least one directive, or no family.';
  if (worlds === 0 && anchors.n === 0)
    return 'Choose at least one family, world seed and difficulty, or pin something.';
  if (worlds === 0 && pinnable(simulators.map(({ id }) => id)).length === 0)
    return 'The twin cannot be pinned: add a model, or choose a family, world seed and difficulty.';
  return '';
}

export const OUTCOME_WORDS: { readonly [kind in OutcomeKind]: string } = {
  error: 'the status is pinned to an error of the family; the truth is the twin under fail(code), which is not told',
  other: 'a value is pinned that only the answer under a directive has, which is not told',
  same: "a value of the twin's own answer is pinned",
};
