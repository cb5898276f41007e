/** The three slots of an answer: from a transition to text, and from a model's text to a transition. */
import { CODE } from '../directives';
import { emptyObject, isObject, parseJson, type Json, type JsonObject, type Parsed } from '../json';
import type { ParseError } from '../simulator';
import type { Observation, SlotTexts, Transition } from '../types';
import { codecJson } from './json';

/**
 * Text of an observation. JSON stands as it is; plain text that could be taken for JSON gets one space in front, which
 * `parseObservation` takes away again.
 */
export function observationText(observation: Observation): string {
  if (observation.kind === 'json') return codecJson(observation.value);
  const text = observation.text.replace(/\p{Surrogate}/gu, '\ufffd');
  return /^ *[{[]/.test(text) ? ` ${text}` : text;
}

/** Observation of a text: JSON if it starts with `{` or `[`, otherwise plain text. */
export function parseObservation(text: string): Parsed<Observation> {
  if (/^ +[{[]/.test(text)) return { ok: true, value: { kind: 'text', text: text.slice(1) } };
  if (!/^[{[]/.test(text)) return { ok: true, value: { kind: 'text', text } };
  const parsed = parseJson(text);
  if (!parsed.ok) return parsed;
  return { ok: true, value: { kind: 'json', value: parsed.value as JsonObject | Json[] } };
}

/** The slots of a transition in canonical form. */
export function answerText(transition: Transition): SlotTexts {
  return {
    observation: observationText(transition.observation),
    delta: codecJson(transition.delta),
    status: transition.status,
  };
}

/**
 * Reads an answer. A slot that does not parse is reported and left empty (observation as plain text, delta `{}`, status
 * `invalid_answer`): the state then stays as it was.
 */
export function parseAnswer(text: SlotTexts): { transition: Transition; parseErrors: ParseError[] } {
  const parseErrors: ParseError[] = [];
  const observation = parseObservation(text.observation);
  if (!observation.ok) parseErrors.push({ slot: 'observation', message: observation.error });
  const delta = parseDelta(text.delta);
  if (!delta.ok) parseErrors.push({ slot: 'delta', message: delta.error });
  const statusOk = CODE.test(text.status);
  if (!statusOk) parseErrors.push({ slot: 'status', message: `"${text.status}" is not a status code` });
  return {
    transition: {
      observation: observation.ok ? observation.value : { kind: 'text', text: text.observation },
      delta: delta.ok ? delta.value : emptyObject(),
      status: statusOk ? text.status : 'invalid_answer',
    },
    parseErrors,
  };
}

/** A delta is a JSON object without lists, since states hold only objects and non-null scalars. */
export function parseDelta(text: string): Parsed<JsonObject> {
  const parsed = parseJson(text);
  if (!parsed.ok) return parsed;
  if (!isObject(parsed.value)) return { ok: false, error: 'the delta is not a JSON object' };
  if (hasList(parsed.value)) return { ok: false, error: 'the delta contains a list, which states cannot hold' };
  return { ok: true, value: parsed.value };
}

function hasList(value: Json): boolean {
  if (Array.isArray(value)) return true;
  return isObject(value) && Object.values(value).some(hasList);
}
