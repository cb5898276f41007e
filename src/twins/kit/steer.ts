/** Steering: what each directive does to an answer, the same for all families. */
import { emptyObject, get, isObject, type Json, type JsonObject } from '../../world/json';
import { applyDelta } from '../../world/mergePatch';
import type { Directive, Observation, State, Transition } from '../../world/types';
import type { Answer } from './answer';
import { record, type ToolDef } from './types';

/** What a turn is asked to be like. */
export interface Steering {
  fail: string | null;
  empty: boolean;
  /** Items, members or lines shown at most. */
  limit: number;
  detail: 'terse' | 'plain' | 'verbose';
  scarce: boolean;
  stale: boolean;
  misleading: boolean;
}

/**
 * The meaning of a turn's directives, which apply in this order:
 * - `fail(code)`: the call is not executed; the answer is `Error: code` with that status. It precedes everything else.
 * - `stale`: a read-only tool looks at the state as it was at the start of the visible context.
 * - `scarce`: a read-only tool misses the last record of every collection.
 * - `misleading`: a tool that changes something answers as ever and changes nothing; to a read-only tool an id means the
 *   next record of its collection (after the last the first).
 * - `empty`: a successful answer is shown empty (`{}`, `[]` or no text); what it changes stays changed.
 * - `partial(n)`: only the first n items of a list, members of a record or lines of a text.
 * - `terse`: a record keeps its first member, a list the first member of each record in it, a text its first line.
 * - `verbose`: a record, or the first two of a list, is followed by the other fields it has in the state after the call,
 *   a text by its further lines. `terse` wins over it.
 * Errors other than `fail` are not touched by the last four.
 */
export function steering(directives: readonly Directive[]): Steering {
  const has = (kind: Directive['kind']) => directives.some((directive) => directive.kind === kind);
  const fail = directives.find((directive) => directive.kind === 'fail');
  const partial = directives.find((directive) => directive.kind === 'partial');
  return {
    fail: fail?.code ?? null,
    empty: has('empty'),
    limit: has('empty') ? 0 : (partial?.n ?? Infinity),
    detail: has('terse') ? 'terse' : has('verbose') ? 'verbose' : 'plain',
    scarce: has('scarce'),
    stale: has('stale'),
    misleading: has('misleading'),
  };
}

/** What a tool sees: the state and the arguments, as the directives have them. */
export function viewOf(
  { stale, scarce, misleading }: Steering,
  tool: ToolDef,
  now: State,
  start: State,
  args: JsonObject,
): { state: State; args: JsonObject } {
  if (!tool.readOnly) return { state: now, args };
  const whole = stale ? start : now;
  const state = scarce ? cutShort(whole) : whole;
  return { state, args: misleading ? nextRecords(tool, state, args) : args };
}

/** The transition of an answer as it is shown. `state` is what the tool saw. */
export function present(answer: Answer, asked: Steering, tool: ToolDef | undefined, state: State): Transition {
  if (answer.shape === 'error') {
    const observation: Observation = { kind: 'text', text: `Error: ${answer.message}` };
    return { observation, delta: emptyObject(), status: answer.code };
  }
  const full = asked.detail === 'verbose' && !asked.empty ? expand(answer, tool?.of, state) : answer;
  return {
    observation: shown(full, asked.limit, asked.detail === 'terse'),
    delta: asked.misleading ? emptyObject() : answer.delta,
    status: 'ok',
  };
}

/** A collection: a member of the state that holds nothing but records. */
function isCollection(value: Json | undefined): value is JsonObject {
  return isObject(value) && Object.values(value).every(isObject);
}

/** The state without the last record of each collection. */
function cutShort(state: State): State {
  const out = emptyObject();
  for (const [name, value] of Object.entries(state))
    out[name] = isCollection(value) ? first(value, Object.keys(value).length - 1) : value;
  return out;
}

/** Arguments in which each id stands for the record after it. */
function nextRecords(tool: ToolDef, state: State, args: JsonObject): JsonObject {
  const out = emptyObject();
  for (const [name, value] of Object.entries(args)) {
    const { from, part } = tool.input[name] ?? {};
    const collection = from !== undefined && part === undefined ? get(state, from) : undefined;
    const keys = isObject(collection) ? Object.keys(collection) : [];
    const at = keys.indexOf(String(value));
    out[name] = at < 0 ? value : (keys[(at + 1) % keys.length] ?? value);
  }
  return out;
}

/** Records of a list that `verbose` shows whole: more would not fit an answer. */
const WHOLE = 2;

type Success = Exclude<Answer, { shape: 'error' }>;

/** The answer with all there is to say: records whole, texts with their further lines. */
function expand(answer: Success, collection: string | undefined, seen: State): Success {
  if (answer.shape === 'text') return { ...answer, lines: [...answer.lines, ...answer.more] };
  if (collection === undefined) return answer;
  const after = applyDelta(seen, answer.delta);
  const whole = (item: Json): Json => {
    if (!isObject(item)) return item;
    const [key, id] = Object.entries(item)[0] ?? [];
    const { [key ?? '']: _, ...rest } = record(after, collection, id) ?? {};
    return { ...item, ...Object.fromEntries(Object.entries(rest).filter(([name]) => !Object.hasOwn(item, name))) };
  };
  if (answer.shape === 'record') return { ...answer, value: whole(answer.value) as JsonObject };
  return { ...answer, items: answer.items.map((item, i) => (i < WHOLE ? whole(item) : item)) };
}

function shown(answer: Success, limit: number, terse: boolean): Observation {
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
  for (const [key, item] of Object.entries(value).slice(0, Math.max(n, 0))) out[key] = item;
  return out;
}
