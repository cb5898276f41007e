/**
 * Answers by shape. Tools say what kind of answer they give, so that the kit can apply the steering directives to all
 * families in the same way (`steer.ts`).
 */
import { emptyObject, type Json, type JsonObject } from '../../world/json';

export type Answer =
  | { shape: 'record'; value: JsonObject; delta: JsonObject }
  | { shape: 'list'; items: Json[]; delta: JsonObject }
  | { shape: 'text'; lines: string[]; more: string[]; delta: JsonObject }
  | { shape: 'error'; code: string; message: string };

/** One record: what a look-up gives, or the receipt of a change. */
export function recordAnswer(value: JsonObject, delta: JsonObject = emptyObject()): Answer {
  return { shape: 'record', value, delta };
}

export function listAnswer(items: Json[], delta: JsonObject = emptyObject()): Answer {
  return { shape: 'list', items, delta };
}

/**
 * Plain text, line by line.
 * @param more further lines, shown under `verbose` only
 */
export function textAnswer(lines: string[], delta: JsonObject = emptyObject(), more: string[] = []): Answer {
  return { shape: 'text', lines, more, delta };
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
