/**
 * Answers by shape. Tools say what kind of answer they give, so that the kit can apply the steering directives to all
 * families in the same way.
 */
import { emptyObject, isObject, type Json, type JsonObject } from '../../world/json';
import type { Directive, Observation, Transition } from '../../world/types';

export type Answer =
  | { shape: 'record'; value: JsonObject; delta: JsonObject }
  | { shape: 'list'; items: Json[]; delta: JsonObject }
  | { shape: 'text'; lines: string[]; delta: JsonObject }
  | { shape: 'error'; code: string; message: string };

/** One record: what a look-up gives, or the receipt of a change. */
export function recordAnswer(value: JsonObject, delta: JsonObject = emptyObject()): Answer {
  return { shape: 'record', value, delta };
}

export function listAnswer(items: Json[], delta: JsonObject = emptyObject()): Answer {
  return { shape: 'list', items, delta };
}

/** Plain text, line by line. */
export function textAnswer(lines: string[], delta: JsonObject = emptyObject()): Answer {
  return { shape: 'text', lines, delta };
}

export function errorAnswer(code: string, message: string): Answer {
  return { shape: 'error', code, message };
}

/** Status code and sentence for something that is not there. What a call names is repeated only if it is short. */
export function notFound(id: Json | undefined): Answer {
  return errorAnswer('not_found', `${echo(id)} not found`.trimStart());
}

/** Text of a call's value if it is short and plain, so that an error stays small; otherwise nothing. */
export function echo(value: Json | undefined): string {
  const text = String(value);
  return /^[!-~]{1,24}$/.test(text) ? text : '';
}

/**
 * The transition an answer gives under directives. Exact meanings:
 * - `fail(code)`: the call is not executed; the answer is `Error: code` with that status. It precedes everything else.
 * - `empty`: a successful answer is shown empty (`{}`, `[]` or no text); what it changes stays changed.
 * - `partial(n)`: only the first n items of a list, members of a record or lines of a text.
 * - `terse`: a record keeps its first member, a list the first member of each record in it, a text its first line.
 * Several apply in this order. Errors other than `fail` are not touched.
 */
export function steer(answer: () => Answer, directives: readonly Directive[]): Transition {
  const fail = directives.find((directive) => directive.kind === 'fail');
  const raw = fail ? errorAnswer(fail.code, fail.code) : answer();
  if (raw.shape === 'error') {
    return {
      observation: { kind: 'text', text: `Error: ${raw.message}` },
      delta: emptyObject(),
      status: raw.code,
    };
  }
  const empty = directives.some((directive) => directive.kind === 'empty');
  const partial = directives.find((directive) => directive.kind === 'partial');
  const limits = empty ? 0 : (partial?.n ?? Infinity);
  const terse = directives.some((directive) => directive.kind === 'terse');
  return { observation: shown(raw, limits, terse), delta: raw.delta, status: 'ok' };
}

function shown(answer: Exclude<Answer, { shape: 'error' }>, limit: number, terse: boolean): Observation {
  switch (answer.shape) {
    case 'record':
      return { kind: 'json', value: first(answer.value, terse ? Math.min(limit, 1) : limit) };
    case 'list': {
      const items = answer.items.slice(0, limit);
      return { kind: 'json', value: terse ? items.map((item) => (isObject(item) ? first(item, 1) : item)) : items };
    }
    case 'text':
      return { kind: 'text', text: answer.lines.slice(0, terse ? Math.min(limit, 1) : limit).join('\n') };
    default:
      return answer satisfies never;
  }
}

/** The first n members of a record. */
function first(value: JsonObject, n: number): JsonObject {
  const out = emptyObject();
  for (const [key, item] of Object.entries(value).slice(0, n)) out[key] = item;
  return out;
}
