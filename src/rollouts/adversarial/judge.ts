/** Verdicts: an answer against the twin's, against the traps of its step, and against what must hold in every world. */
import { isDone } from '../../world/checks';
import { answerText, callText, directivesText, observationText } from '../../world/codec';
import { canonical, get, isObject, type Json } from '../../world/json';
import { applyDelta } from '../../world/mergePatch';
import type { ParseError } from '../../world/simulator';
import type { SlotTexts, Transition } from '../../world/types';
import {
  changesNothing,
  identifiers,
  leans,
  members,
  namedRecords,
  recordKeys,
  sameAnswer,
  visibleText,
} from './evidence';
import { FAILURE_NAMES, type FailureName } from './failures';
import type { PlayedStep, Trap, Verdict } from './types';

/** The part of a prediction that is judged. */
export interface Answer {
  transition: Transition;
  text: SlotTexts;
  parseErrors: ParseError[];
}

/**
 * Everything that is wrong with one answer; nothing when it is the twin's (a delta may repeat what holds already). In the
 * order of `FAILURES`; `wrong_status` and `other` only where nothing says it better.
 */
export function judgeStep(step: PlayedStep, answer: Answer): FailureName[] {
  const { truth, state, traps } = step;
  if (answer.parseErrors.length > 0) {
    return inOrder(isCut(step, answer) ? ['unparsable', 'cut_short'] : ['unparsable']);
  }
  const { transition } = answer;
  if (sameAnswer(transition, truth, state)) return [];
  const found = new Set<FailureName>(traps.filter((trap) => falls(step, transition, trap)).map((trap) => trap.failure));
  const changes = !changesNothing(state, transition.delta);
  if (changes && transition.status !== 'ok') found.add('changed_on_error');
  if (changes && isRead(step)) found.add('changed_on_read');
  if (namesOthers(step, transition)) found.add('wrong_record');
  if (inventsIds(step, answer)) found.add('invented_id');
  if (fakesSuccess(step, transition)) found.add('faked_success');
  if (isCut(step, answer)) found.add('cut_short');
  // Left out where a trap says what the status is about.
  if (found.size === 0 && transition.status !== truth.status) found.add('wrong_status');
  if (found.size === 0) found.add('other');
  return inOrder([...found]);
}

function inOrder(found: readonly FailureName[]): FailureName[] {
  return FAILURE_NAMES.filter((name) => found.includes(name));
}

/** Whether an answer falls for a trap. */
export function falls({ truth, state }: PlayedStep, answer: Transition, { failure, bait, absent }: Trap): boolean {
  // A success that shows and changes nothing invents nothing; its status is wrong all the same.
  if (failure === 'invented_id' && isBare(answer) && changesNothing(state, answer.delta)) return false;
  if (absent && answer.observation.kind === 'json') {
    const shown = members(answer.observation.value);
    if (absent.some((name) => shown.has(name))) return true;
  }
  return bait !== undefined && leans(answer, truth, bait, state);
}

function isBare({ observation }: Transition): boolean {
  return observation.kind === 'text' ? observation.text === '' : Object.keys(observation.value).length === 0;
}

/** Whether the tool is one that only looks; an unknown tool is none. */
function isRead({ context, action }: PlayedStep): boolean {
  const tool = 'tool' in action ? context.world.tools.find(({ name }) => name === action.tool) : undefined;
  return tool?.annotations?.readOnlyHint === true;
}

/** Records of the state that stand in the answer, and neither in the true one nor in the call. */
function namesOthers({ state, truth, action }: PlayedStep, answer: Transition): boolean {
  const keys = recordKeys(state);
  const right = namedRecords(truth, keys);
  const call = callText(action);
  return [...namedRecords(answer, keys)].some((key) => !right.has(key) && !call.includes(key));
}

/** Identifiers that stand in the answer, and neither in what was visible nor in the true answer. */
function inventsIds({ context, action, directives, truth }: PlayedStep, { text }: Answer): boolean {
  const visible = [visibleText(context, action, directives), ...Object.values(answerText(truth))].join('\n');
  const known = identifiers(visible);
  return [...identifiers(`${text.observation}\n${text.delta}`)].some((id) => !known.has(id));
}

/** The answer fulfils the task, and the true one does not. */
function fakesSuccess({ context, state, truth }: PlayedStep, answer: Transition): boolean {
  const { task } = context.world;
  return isDone(task, applyDelta(state, answer.delta)) && !isDone(task, applyDelta(state, truth.delta));
}

/** Characters of a true answer from which on an early end counts as `cut_short` and not as another answer. */
const LONG = 60;

/** The observation is the beginning of a long true one: as text up to its last closing signs, or by the items of a list. */
function isCut({ truth }: PlayedStep, { text, transition }: Answer): boolean {
  const whole = observationText(truth.observation);
  if (whole.length < LONG || truth.status !== 'ok') return false;
  const begun = text.observation.replace(/[\s"\]}]+$/, '');
  if (begun.length > 0 && begun.length < whole.length - 3 && whole.startsWith(begun)) return true;
  const [a, b] = [transition.observation, truth.observation];
  return a.kind === 'json' && b.kind === 'json' && isPart(a.value, b.value);
}

/** Fewer items or members than the whole, each of them as it is there. */
function isPart(part: Json, whole: Json): boolean {
  if (Array.isArray(part) && Array.isArray(whole)) {
    const items = whole.map(canonical);
    return part.length > 0 && part.length < items.length && part.every((item) => items.includes(canonical(item)));
  }
  if (!isObject(part) || !isObject(whole)) return false;
  const keys = Object.keys(part);
  const same = (key: string) => canonical(part[key] as Json) === canonical(get(whole, key) ?? null);
  return keys.length > 0 && keys.length < Object.keys(whole).length && keys.every(same);
}

/**
 * Numbers of the steps whose answer differs from an earlier one to the same call, under the same directives and rules, on
 * the same state, where the twin answers the same.
 */
export function contradictions(steps: readonly PlayedStep[], answers: readonly (Answer | null)[]): Set<number> {
  const first = new Map<string, Transition>();
  const out = new Set<number>();
  steps.forEach((step, i) => {
    const answer = answers[i];
    if (!answer || answer.parseErrors.length > 0) return;
    const { action, directives, state, truth, context } = step;
    const rules = context.world.rules.filter(({ enabled }) => enabled).map(({ text }) => text);
    const asked = [callText(action), directivesText(directives), ...Object.values(answerText(truth)), ...rules];
    const key = [...asked, canonical(state)].join('\n');
    const before = first.get(key);
    if (before === undefined) first.set(key, answer.transition);
    else if (!sameAnswer(before, answer.transition, state)) out.add(i);
  });
  return out;
}

/** Verdict of a scenario from the failures of its steps. */
export function verdictOf(failures: readonly FailureName[]): Verdict {
  if (failures.length === 0) return 'exact';
  return failures.every((name) => name === 'other') ? 'held' : 'failed';
}

/** Failures of all steps of a scenario; a step without an answer has `no_answer`. */
export function judge(steps: readonly PlayedStep[], answers: readonly (Answer | null)[]): FailureName[][] {
  const odd = contradictions(steps, answers);
  return steps.map((step, i) => {
    const answer = answers[i];
    if (!answer) return ['no_answer'];
    const found = judgeStep(step, answer);
    return odd.has(i) ? inOrder([...found.filter((name) => name !== 'other'), 'inconsistent']) : found;
  });
}
