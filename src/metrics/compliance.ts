/**
 * Whether an answer does what its directives ask. The exact meaning of each is that of the twins' kit (`steer` in
 * src/twins/kit/steer.ts); the twin's answers with and without the directives are the measure, so nothing of it is
 * repeated here.
 */
import { binary, graded, NOT_COUNTED } from './definition';
import { leavesOf, observationValue, transitionLeaves } from './paths';
import { equal, isObject, type Json } from '../world/json';
import type { Directive, Observation, Transition } from '../world/types';
import { sameObservation } from './score';
import type { Ratio } from './statistics';
import type { ScoredStep } from './types';

/** The twin's two answers to a call, under the directives of its turn and without any, and the answer to judge. */
export interface Steered {
  directives: readonly Directive[];
  directed: Transition;
  undirected: Transition;
  answer: Transition;
}

type Kind = Directive['kind'];
/** True or false where the directive has something to say about this step, null where it changes nothing. */
type Verifier = (steered: Steered) => boolean | null;

/** One verifier for each kind. Those of form look at form alone: whether what is shown is right is fidelity. */
const VERIFIERS: { [K in Kind]: Verifier } = {
  /** The call fails with this code and message and changes nothing. */
  fail: ({ directed, answer }) =>
    sameForm(directed, answer) && sameObservation(directed.observation, answer.observation) && noDelta(answer),
  /** Nothing is shown, in the form of the full answer: `{}`, `[]` or no text. */
  empty: ({ directed, undirected, answer }) =>
    size(undirected.observation) === 0 ? null : sameForm(directed, answer) && size(answer.observation) === 0,
  /** As many items, members or lines as the limit leaves. */
  partial: ({ directives, directed, undirected, answer }) => {
    const limit = directives.find((one) => one.kind === 'partial');
    if (limit?.kind !== 'partial' || has(directives, 'empty') || size(undirected.observation) <= limit.n) return null;
    return sameForm(directed, answer) && size(answer.observation) === size(directed.observation);
  },
  /** Records of one member, texts of one line, and as wide as the true answer where that is empty. */
  terse: ({ directives, directed, undirected, answer }) => {
    if (has(directives, 'empty') || width(undirected.observation) <= 1) return null;
    return sameForm(directed, answer) && width(answer.observation) === width(directed.observation);
  },
  /** Every member or line that only the directed answer shows is there, whatever its value. */
  verbose: ({ directives, directed, undirected, answer }) => {
    if (has(directives, 'empty') || has(directives, 'terse')) return null;
    const plain = new Set(observationPaths(undirected));
    const more = observationPaths(directed).filter((path) => !plain.has(path));
    if (more.length === 0) return null;
    const given = new Set(observationPaths(answer));
    return sameForm(directed, answer) && more.every((path) => given.has(path));
  },
  scarce: (steered) => followsChanges(steered),
  stale: (steered) => followsChanges(steered),
  misleading: (steered) => followsChanges(steered),
};

/** A directive that had something to say, and whether it was followed. */
export interface Verdict {
  directive: Directive;
  kept: boolean;
}

/**
 * Verdicts on the directives of a step. Only those count that change the true answer: `partial(5)` on a list of three asks for
 * nothing. `fail` silences all others, and where the true answer is an error those of form say nothing. Of several
 * directives of one kind the first counts, as in the kit.
 */
export function verdicts(steered: Steered): Verdict[] {
  const { directives, directed, undirected } = steered;
  const fail = directives.find(({ kind }) => kind === 'fail');
  if (equal(asJson(directed), asJson(undirected)) && !fail) return [];
  const first = directives.filter(({ kind }, i) => directives.findIndex((other) => other.kind === kind) === i);
  return (fail ? [fail] : first).flatMap((directive) => {
    const kept = isForm(directive.kind) && directed.status !== 'ok' ? null : VERIFIERS[directive.kind](steered);
    return kept === null ? [] : [{ directive, kept }];
  });
}

function isForm(kind: Kind): boolean {
  return kind === 'empty' || kind === 'partial' || kind === 'terse' || kind === 'verbose';
}

/**
 * For directives that change what is looked at or done: the answer has every leaf that is only in the directed answer, and no
 * path that is only in the undirected one. Beside a directive of form, its effects are among those leaves.
 */
function followsChanges({ directed, undirected, answer }: Steered): boolean | null {
  const [wanted, plain, given] = [transitionLeaves(directed), transitionLeaves(undirected), transitionLeaves(answer)];
  const changed = [...wanted].filter(([path, value]) => plain.get(path) !== value);
  const gone = [...plain.keys()].filter((path) => !wanted.has(path));
  if (changed.length + gone.length === 0) return null;
  return changed.every(([path, value]) => given.get(path) === value) && gone.every((path) => !given.has(path));
}

/**
 * Leaves that the directives leave alone, those the directed and the undirected answer share, and how many of them the answer
 * has unchanged; leaves that neither of the two has count as well, against it. 1 is no collateral damage.
 */
export function collateral(steered: Steered): Ratio {
  const { kept, lost, extra } = collateralLeaves(steered);
  return { sum: kept.length, n: kept.length + lost.length + extra.length };
}

/**
 * Paths behind `collateral`: leaves of the directed and the undirected answer that the answer has (`kept`) and that it lacks
 * or has with another value (`lost`), and leaves that neither of the two has (`extra`).
 */
export function collateralLeaves({ directed, undirected, answer }: Steered): {
  kept: string[];
  lost: string[];
  extra: string[];
} {
  const [wanted, plain, given] = [transitionLeaves(directed), transitionLeaves(undirected), transitionLeaves(answer)];
  const shared = [...plain].filter(([path, value]) => wanted.get(path) === value);
  const holds = ([path, value]: [string, unknown]) => given.get(path) === value;
  return {
    kept: shared.filter(holds).map(([path]) => path),
    lost: shared.filter((leaf) => !holds(leaf)).map(([path]) => path),
    extra: [...given.keys()].filter((path) => !wanted.has(path) && !plain.has(path)),
  };
}

/** The comparison a step allows; null without directives or without the twin's undirected answer. */
export function steeredOf({ directives, truth, undirected, answer }: ScoredStep): Steered | null {
  if (directives.length === 0 || !undirected) return null;
  return { directives, directed: truth, undirected, answer: answer.transition };
}

/**
 * Share of steps whose directives are all followed (`metrics_formats.md` 3.4, 10), of those on which at least one has an
 * effect and the undirected answer is known; unparsable answers follow none.
 */
export const directiveCompliance = binary((score, step) => {
  const steered = steeredOf(step);
  const all = steered ? verdicts(steered) : [];
  if (all.length === 0) return NOT_COUNTED;
  return { sum: Number(score.parseOk === 1 && all.every(({ kept }) => kept)), n: 1 };
});

/** Leaves kept over leaves that directives leave alone, on the steps with directives; see `collateral`. */
export const collateralKept = graded((score, step) => {
  const steered = steeredOf(step);
  if (!steered) return NOT_COUNTED;
  const { sum, n } = collateral(steered);
  return { sum: score.parseOk * sum, n };
});

function has(directives: readonly Directive[], kind: Kind): boolean {
  return directives.some((one) => one.kind === kind);
}

/** Same status and same kind of observation: record, list or text. */
function sameForm(a: Transition, b: Transition): boolean {
  return a.status === b.status && formOf(a.observation) === formOf(b.observation);
}

function formOf(observation: Observation): string {
  return observation.kind === 'text' ? 'text' : Array.isArray(observation.value) ? 'list' : 'record';
}

function noDelta({ delta }: Transition): boolean {
  return Object.keys(delta).length === 0;
}

/** Items of a list, members of a record or lines of a text. */
function size(observation: Observation): number {
  return Object.keys(observationValue(observation) as Json[]).length;
}

/** Members of a record, the most that an item of a list has, or lines of a text. */
function width(observation: Observation): number {
  const value = observationValue(observation);
  if (!Array.isArray(value) || observation.kind === 'text') return size(observation);
  return value.reduce<number>((most, item) => Math.max(most, isObject(item) ? Object.keys(item).length : 1), 0);
}

function observationPaths({ observation }: Transition): string[] {
  return leavesOf(observationValue(observation)).map(({ path }) => path);
}

function asJson({ observation, delta, status }: Transition): Json {
  return { observation: observationValue(observation), kind: observation.kind, delta, status };
}
