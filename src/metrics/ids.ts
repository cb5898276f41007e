/** Identifiers an answer names although nothing it could have read holds them. */
import { answerText, parseDelta } from '../world/codec/answer';
import { callText, directivesText, worldText } from '../world/codec/text';
import { isObject, type Json } from '../world/json';
import type { Action, Context, Directive, SlotTexts, State, Transition } from '../world/types';
import { createdPaths, parentOf } from './paths';

const ESCAPE = /\\(?:u[0-9a-fA-F]{4}|.)/gs;
const RUN = /[\p{L}\p{N}]+(?:[-_.#@][\p{L}\p{N}]+)*/gu;

/**
 * Identifiers of a text: runs of letters and digits, joined by single `-_.#@`, that hold at least one letter and one digit
 * (`W17`, `zx-33`, `plan62.cfg`). Plain words and plain numbers are none. JSON escapes part runs.
 */
export function identifiers(text: string): Set<string> {
  const runs = text.replace(ESCAPE, ' ').match(RUN) ?? [];
  return new Set(runs.filter((run) => /\p{L}/u.test(run) && /\p{N}/u.test(run)));
}

/** Everything a simulator may have read before it answers, in the codec's own words. */
export function visibleText(context: Context, action: Action, directives: readonly Directive[]): string {
  const turns = context.history.flatMap((turn) => [
    directivesText(turn.directives),
    callText(turn.action),
    ...Object.values(turn.text),
  ]);
  const { tools } = context.world;
  return [
    ...Object.values(worldText(context.world)),
    ...tools.flatMap(({ inputSchema, outputSchema }) => [
      ...enumTexts(inputSchema),
      ...enumTexts(outputSchema ?? null),
    ]),
    ...turns,
    directivesText(directives),
    callText(action),
  ].join('\n');
}

/** Texts that a schema offers as values; signature lines leave those of answers out. */
function enumTexts(schema: Json): string[] {
  if (Array.isArray(schema)) return schema.flatMap(enumTexts);
  if (!isObject(schema)) return [];
  return Object.entries(schema).flatMap(([key, value]) =>
    key === 'enum' || key === 'const' ? [value].flat().filter((item) => typeof item === 'string') : enumTexts(value),
  );
}

/** Identifiers in observation and delta of an answer, and those of them that came from nowhere. */
export interface IdCounts {
  named: number;
  hallucinated: number;
}

/**
 * Counts the different identifiers of an answer's text (`metrics_formats.md` 3.4, 7). One is hallucinated when it stands
 * neither in what was visible (world, enums of the tools, history, call, directives) nor in the true answer, and is not
 * made by the answer's own delta at a create path, under a key that is fresh. Create paths are the places where the true
 * delta makes something; in a world without truth, the collections of the state. Raw text is read, so an answer that does
 * not parse is counted as well.
 * @param truth null in a world without truth
 * @param state the state before the step; without it nothing may be made
 */
export function hallucinatedIds(
  visible: string,
  answer: SlotTexts,
  truth: Transition | null,
  state: State | null = null,
): IdCounts {
  const made = state ? madeKeys(state, answer.delta, truth) : [];
  const known = identifiers([visible, ...(truth ? Object.values(answerText(truth)) : []), ...made].join('\n'));
  const named = [...identifiers(`${answer.observation}\n${answer.delta}`)];
  return { named: named.length, hallucinated: named.filter((id) => !known.has(id)).length };
}

/** Keys that a delta makes where something may be made. */
function madeKeys(state: State, text: string, truth: Transition | null): string[] {
  const delta = parseDelta(text);
  if (!delta.ok) return [];
  const allowed = truth && new Set(createdPaths(state, truth.delta).map(parentOf));
  return createdPaths(state, delta.value)
    .filter((path) => (allowed ? allowed.has(parentOf(path)) : /^\/[^/]+\/[^/]+$/.test(path)))
    .map((path) => path.slice(path.lastIndexOf('/') + 1));
}
