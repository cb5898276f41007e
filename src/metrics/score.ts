/** Scores of one answer against the twin's (`metrics_formats.md` 3.4, the deterministic suite). */
import { currentState } from '../world/codec/fold';
import { equal } from '../world/json';
import { applyDelta, changedFields } from '../world/mergePatch';
import type { Observation } from '../world/types';
import { hallucinatedIds, visibleText, type IdCounts } from './ids';
import { leafScores, observationLeaves } from './leaves';
import type { ScoredStep } from './types';

/**
 * Everything is in [0, 1], and yes is 1. An answer of which any slot does not parse is unparsable as a whole: it scores 0
 * everywhere and stays in every denominator.
 */
export interface Score {
  parseOk: number;
  /** Same status code: `ok`, or the same kind of error. */
  statusMatch: number;
  /** Same class: both succeed or both fail. */
  classMatch: number;
  /** Same kind and value: JSON in canonical form (key order does not matter), text letter by letter. */
  observationExact: number;
  /** Same merge patch in canonical form; one that repeats an unchanged value is not exact, although its effect is. */
  deltaExact: number;
  /** Same state afterwards (GPT-simulator's state match, arXiv 2406.06485, but extras count against). */
  stateExact: number;
  /** Observation, delta and status all exact. */
  answerExact: number;
  leafPrecision: number;
  leafRecall: number;
  leafF1: number;
  ids: IdCounts;
  /** Whether the twin succeeds here. */
  success: boolean;
  /** Fields the twin's delta sets or removes (an empty record counts as one); 0 where its delta is empty. */
  changed: number;
}

/** Whether two observations are the same; the codec shows lone surrogates in text as U+FFFD, so they count as that. */
export function sameObservation(a: Observation, b: Observation): boolean {
  if (a.kind === 'json') return b.kind === 'json' && equal(a.value, b.value);
  return b.kind === 'text' && shown(a.text) === shown(b.text);
}

function shown(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

/** Scores one answered step. Never throws: whatever a model writes is a result. */
export function scoreStep(step: ScoredStep): Score {
  const { truth, answer, context } = step;
  const { observation, delta, status } = answer.transition;
  const parsed = answer.parseErrors.length === 0;
  const yes = (holds: boolean) => Number(parsed && holds);
  const leaves = parsed ? leafScores(observationLeaves(truth.observation, observation)) : null;
  const before = currentState(context);
  const [observationExact, deltaExact, statusMatch] = [
    yes(sameObservation(truth.observation, observation)),
    yes(equal(truth.delta, delta)),
    yes(truth.status === status),
  ];
  return {
    parseOk: yes(true),
    statusMatch,
    classMatch: yes((truth.status === 'ok') === (status === 'ok')),
    observationExact,
    deltaExact,
    stateExact: yes(equal(applyDelta(before, truth.delta), applyDelta(before, delta))),
    answerExact: observationExact * deltaExact * statusMatch,
    leafPrecision: leaves?.precision ?? 0,
    leafRecall: leaves?.recall ?? 0,
    leafF1: leaves?.f1 ?? 0,
    ids: hallucinatedIds(visibleText(context, step.action, step.directives), answer.text, truth, before),
    success: truth.status === 'ok',
    changed: Object.keys(truth.delta).length === 0 ? 0 : Math.max(1, changedFields(truth.delta)),
  };
}
