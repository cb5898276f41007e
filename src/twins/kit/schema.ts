/** Output schemas in one word a member, for tools. */
import type { JsonObject } from '../../world/json';

/** A successful answer that is plain text. */
export const TEXT: JsonObject = { type: 'string' };

/**
 * JSON Schema of a record. Members are separated by spaces: `name` is a string, `total:int` an integer, `share:num` a
 * number, `paid:bool` a truth value, `state:open|closed` one of these words, `id@orders` a key of that collection, and
 * `note:any` any scalar. Members may be missing, as they are under `terse`, and others may follow, as under `verbose`.
 */
export function shape(members: string): JsonObject {
  return { type: 'object', properties: Object.fromEntries(members.split(' ').filter(Boolean).map(member)) };
}

/** JSON Schema of a list of such records. */
export function listOf(members: string): JsonObject {
  return { type: 'array', items: shape(members) };
}

/** JSON Schema of a list of ids of a collection. */
export function idsOf(collection: string): JsonObject {
  return { type: 'array', items: { type: 'string', 'x-from': collection } };
}

const TYPES: { [word: string]: JsonObject } = {
  int: { type: 'integer' },
  num: { type: 'number' },
  bool: { type: 'boolean' },
  any: {},
};

function member(text: string): [string, JsonObject] {
  const [, name = '', mark, rest = ''] = /^([^:@]+)(?:([:@])(.+))?$/.exec(text) ?? [];
  if (mark === '@') return [name, { type: 'string', 'x-from': rest }];
  if (mark !== ':') return [name, { type: 'string' }];
  return [name, TYPES[rest] ?? { type: 'string', enum: rest.split('|') }];
}
