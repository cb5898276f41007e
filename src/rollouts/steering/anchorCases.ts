/** Outcomes to pin: values of an answer that the twin gives, with the answer they belong to. */
import { leavesOf } from '../../metrics';
import { failCodesOf, twinTransition } from '../../twins';
import { pinFrom, slotValue, type Pin } from '../../world/anchors';
import { Rng } from '../../world/rng';
import type { Directive, Transition } from '../../world/types';
import { trajectory, type EvalStep, type Split } from '../trajectories';

/**
 * Kinds of outcomes, each with a truth:
 * - `error`: the call fails with a code of the family, as under `fail(code)`; the status is pinned.
 * - `other`: the twin's answer under a directive that is not told (`misleading`, `stale` or `scarce`), where it differs; a
 *   value of the observation is pinned that only this answer has, or its status where there is none.
 * - `same`: the twin's answer as it is; any value of it is pinned.
 */
export const OUTCOMES = ['error', 'other', 'same'] as const;
export type OutcomeKind = (typeof OUTCOMES)[number];

/** One thing to be answered with a pin. */
export interface AnchorCase {
  kind: OutcomeKind;
  step: EvalStep;
  /** What the model is told: the directives of the step but those that decide the outcome. */
  told: Directive[];
  pins: Pin[];
  truth: Transition;
}

/** Transitions that are taken of a trajectory: few, since those of one trajectory are not independent. */
const PER_TRAJECTORY = 2;

/**
 * n transitions of a split, two of each trajectory, in order. Equal arguments give equal transitions.
 * @throws RangeError for a seed or a number of trajectories that the split does not have
 */
export async function sampleSteps(split: Split, n: number, seed: number): Promise<EvalStep[]> {
  const out: EvalStep[] = [];
  for (let run = 0; out.length < n; run++) {
    const { family, behaviour, steps } = await trajectory(split, run, seed);
    const indices = Rng.of('anchor steps', seed, run).sample([...steps.keys()], PER_TRAJECTORY);
    for (const index of indices.sort((a, b) => a - b).slice(0, n - out.length)) {
      const { directives, action, context, transition } = steps[index] as (typeof steps)[number];
      out.push({ run, index, family, behaviour, directives, action, context, truth: transition });
    }
  }
  return out;
}

const DECIDING: ReadonlySet<Directive['kind']> = new Set(['fail', 'misleading', 'stale', 'scarce']);
const HIDDEN: readonly Directive[] = [{ kind: 'misleading' }, { kind: 'stale' }, { kind: 'scarce' }];

/** Directives of a step that a model is told. */
export function toldOf(step: EvalStep): Directive[] {
  return step.directives.filter(({ kind }) => !DECIDING.has(kind));
}

/** The cases of a step, one of each kind that it has. Equal arguments give equal cases. */
export function casesOf(step: EvalStep, seed: number): AnchorCase[] {
  const rng = Rng.of('anchors', seed, step.run, step.index);
  const told = toldOf(step);
  const answer = (more: readonly Directive[]) => twinTransition(step.context, step.action, [...more, ...told]);
  const plain = answer([]);
  const out: AnchorCase[] = [];
  const add = (kind: OutcomeKind, truth: Transition, pin: Pin | null) => {
    if (pin) out.push({ kind, step, told, pins: [pin], truth });
  };
  const codes = failCodesOf(step.family);
  const others = codes.filter((code) => code !== plain.status);
  if (others.length > 0) {
    const truth = answer([{ kind: 'fail', code: rng.fork('code').pick(others) }]);
    add('error', truth, pinFrom('status', truth.status, ''));
  }
  for (const directive of rng.fork('directive').shuffle(HIDDEN)) {
    const truth = answer([directive]);
    const pin = pinOf(truth, plain, rng.fork(directive.kind));
    if (!pin) continue;
    add('other', truth, pin);
    break;
  }
  add('same', plain, pinOf(plain, null, rng.fork('same')));
  return out;
}

/** A value of an answer's observation that another answer has not, or its status; null where neither tells them apart. */
function pinOf(truth: Transition, other: Transition | null, rng: Rng): Pin | null {
  const leaves = (one: Transition) =>
    one.observation.kind === 'json' ? leavesOf(one.observation.value, '', false).filter(({ path }) => path !== '') : [];
  const known = new Map(other ? leaves(other).map(({ path, value }) => [path, value]) : []);
  const own = leaves(truth).filter(({ path, value }) => !known.has(path) || known.get(path) !== value);
  if (own.length > 0) return pinFrom('observation', slotValue(truth, 'observation'), rng.pick(own).path);
  return truth.status === other?.status ? null : pinFrom('status', truth.status, '');
}
