/** What the programs of the office share: how they look things up, number what is new and answer. */
import { get, type JsonObject, type JsonScalar } from '../../world/json';
import type { State } from '../../world/types';
import { notFound, recordAnswer, type Answer } from '../kit/answer';
import { freshId } from '../kit/ids';
import { record, type ArgSpec, type Call, type RuleDef, type ToolDef } from '../kit/types';

/** How the one who asks is called where others have ids: as owner of a document, holder of a share, sender of a mail. */
export const ME = 'me';

/** One program of the office: what it can do and which rules it knows. */
export interface App {
  tools: readonly ToolDef[];
  rules: readonly RuleDef[];
}

/** An argument that names a record of a collection. */
export const id = (from: string): ArgSpec => ({ type: 'string', from });

/** The record that the argument names, or the error that it is not there. */
export function withRecord(
  { state, args }: Call,
  collection: string,
  arg: string,
  then: (item: JsonObject, key: string) => Answer,
): Answer {
  const item = record(state, collection, args[arg]);
  return item ? then(item, String(args[arg])) : notFound(args[arg]);
}

/** Adds a record under the id that the counter shows, and moves the counter on. */
export function added(state: State, collection: string, counter: string, item: JsonObject, shown: JsonObject): Answer {
  const next = get(state, counter);
  // A hand edit may have left anything in its place.
  const key = typeof next === 'string' ? next : '';
  return recordAnswer({ id: key, ...shown }, { [collection]: { [key]: item }, [counter]: freshId(key) });
}

/** Changes fields of a record and shows them. */
export function changed(collection: string, key: string, fields: JsonObject): Answer {
  return recordAnswer({ id: key, ...fields }, { [collection]: { [key]: fields } });
}

/** Takes a record away and shows its id. */
export function removed(collection: string, key: string): Answer {
  return recordAnswer({ id: key }, { [collection]: { [key]: null } });
}

/** A number of things as it is said: `1 event`, `2 events`. */
export function count(n: JsonScalar | undefined, thing: string): string {
  return `${String(n)} ${thing}${String(n) === '1' ? '' : 's'}`;
}
