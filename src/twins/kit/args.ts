/** Arguments of tools: their JSON Schema, and checking a call against it with answers a model can predict. */
import { emptyObject, get, type Json, type JsonObject } from '../../world/json';
import { echo, errorAnswer, type Answer } from './answer';
import type { ArgSpec, ToolDef } from './types';

const MAX_LENGTH = 40;
const MAX_INTEGER = 9999;

/** JSON Schema (2020-12) of a tool's arguments. */
export function inputSchema(input: ToolDef['input']): JsonObject {
  const properties = emptyObject();
  for (const [name, spec] of Object.entries(input)) properties[name] = argSchema(spec);
  return {
    type: 'object',
    properties,
    required: Object.keys(input).filter((name) => !input[name]?.optional),
    additionalProperties: false,
  };
}

function argSchema(spec: ArgSpec): JsonObject {
  if (spec.enum) return { type: 'string', enum: [...spec.enum] };
  if (spec.type === 'integer') {
    return { type: 'integer', minimum: spec.min ?? 0, maximum: spec.max ?? MAX_INTEGER };
  }
  const schema: JsonObject = { type: 'string', minLength: 1, maxLength: spec.maxLength ?? MAX_LENGTH };
  if (spec.from !== undefined) schema['x-from'] = spec.from;
  if (spec.part !== undefined) schema['x-part'] = spec.part;
  return schema;
}

/**
 * The first thing wrong with the arguments, in the order of the schema, then arguments it does not know; otherwise
 * undefined. The messages name the argument and nothing of its value, so that they stay short.
 */
export function checkArgs(tool: ToolDef, args: JsonObject): Answer | undefined {
  for (const [name, spec] of Object.entries(tool.input)) {
    const value = get(args, name);
    if (value === undefined) {
      if (spec.optional) continue;
      return errorAnswer('invalid_args', `missing ${name}`);
    }
    if (!fits(spec, value)) return errorAnswer('invalid_args', `invalid ${name}`);
  }
  const extra = Object.keys(args).find((name) => !Object.hasOwn(tool.input, name));
  return extra === undefined ? undefined : errorAnswer('invalid_args', `unexpected ${echo(extra)}`.trimEnd());
}

function fits(spec: ArgSpec, value: Json): boolean {
  if (spec.type === 'integer') {
    if (typeof value !== 'number' || !Number.isInteger(value)) return false;
    return value >= (spec.min ?? 0) && value <= (spec.max ?? MAX_INTEGER);
  }
  if (typeof value !== 'string') return false;
  if (spec.enum) return spec.enum.includes(value);
  return value.length >= 1 && value.length <= (spec.maxLength ?? MAX_LENGTH);
}
