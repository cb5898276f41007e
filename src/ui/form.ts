/**
 * The form of a tool's arguments, from its JSON Schema: which inputs there are, what stands in them at first, and the
 * arguments they give. A form never refuses: a wrong call is legal input, so problems are hints and nothing more.
 */
import { get, isObject, parseJson, stringify, type Json, type JsonObject } from '../world/json';
import { callText, parseCall } from '../world/codec/text';
import type { Action, State, Tool } from '../world/types';

interface FieldBase {
  name: string;
  required: boolean;
  description: string;
}
export type Field = FieldBase &
  (
    | { kind: 'select'; options: Json[] }
    | { kind: 'number'; integer: boolean; min?: number; max?: number }
    | { kind: 'checkbox' }
    | { kind: 'text'; /** Collection whose keys are meant, if the schema says so. */ from?: string }
    | { kind: 'json' }
  );

/** What stands in an input: text for all kinds but checkboxes; undefined is an argument that is not sent. */
export type FieldValue = string | boolean | undefined;
export type FormValues = { [name: string]: FieldValue };

/** The inputs for a schema of type object, in the schema's order. A schema without properties has none. */
export function fieldsOf(schema: JsonObject): Field[] {
  const properties = get(schema, 'properties');
  const required = get(schema, 'required');
  if (!isObject(properties)) return [];
  return Object.entries(properties).map(([name, property]): Field => {
    const part = isObject(property) ? property : {};
    const description = get(part, 'description');
    const base: FieldBase = {
      name,
      required: Array.isArray(required) && required.includes(name),
      description: typeof description === 'string' ? description : '',
    };
    return { ...base, ...kindOf(part) };
  });
}

type Kind = Field extends infer F ? (F extends Field ? Omit<F, keyof FieldBase> : never) : never;

function kindOf(schema: JsonObject): Kind {
  const options = get(schema, 'enum');
  if (Array.isArray(options) && options.length > 0) return { kind: 'select', options };
  const type = get(schema, 'type');
  switch (type) {
    case 'integer':
    case 'number': {
      const min = get(schema, 'minimum');
      const max = get(schema, 'maximum');
      return {
        kind: 'number',
        integer: type === 'integer',
        ...(typeof min === 'number' ? { min } : {}),
        ...(typeof max === 'number' ? { max } : {}),
      };
    }
    case 'boolean':
      return { kind: 'checkbox' };
    case 'string': {
      const from = get(schema, 'x-from');
      return { kind: 'text', ...(typeof from === 'string' ? { from } : {}) };
    }
    default:
      return { kind: 'json' };
  }
}

/**
 * Ids a person may want to type: the keys of the records in the state, those of the collection `from` alone where it is
 * known. At most 200, in the order of the state.
 */
export function idsIn(state: State, from?: string): string[] {
  const named = from === undefined ? undefined : get(state, from);
  const collections = isObject(named) ? [named] : Object.values(state).filter(isObject);
  return [...new Set(collections.flatMap((collection) => Object.keys(collection)))].slice(0, 200);
}

/** Values with which the call is well-formed: ids that exist, first choices, smallest numbers; optional ones left out. */
export function exampleValues(fields: readonly Field[], state: State): FormValues {
  return Object.fromEntries(fields.map((field) => [field.name, field.required ? exampleOf(field, state) : undefined]));
}

function exampleOf(field: Field, state: State): FieldValue {
  switch (field.kind) {
    case 'select':
      return optionText(field.options[0] ?? '');
    case 'number':
      return String(Math.max(field.min ?? 1, Math.min(1, field.max ?? 1)));
    case 'checkbox':
      return false;
    case 'text':
      return idsIn(state, field.from)[0] ?? 'text';
    case 'json':
      return '{}';
    default:
      return field satisfies never;
  }
}

/** How a choice stands in the form: strings as they are, everything else as JSON. */
export function optionText(option: Json): string {
  return typeof option === 'string' ? option : stringify(option);
}

/**
 * The arguments that the inputs give, in the order of the schema. An empty optional input is not sent; an input that
 * cannot be read is sent as its text. `problems` says by name what the schema will object to.
 */
export function argsOf(
  fields: readonly Field[],
  values: FormValues,
): { args: JsonObject; problems: { [name: string]: string } } {
  const args: JsonObject = {};
  const problems: { [name: string]: string } = {};
  for (const field of fields) {
    const value = values[field.name];
    const empty = value === undefined || (value === '' && !(field.kind === 'text' && field.required));
    if (empty) {
      if (field.required) problems[field.name] = 'required, but nothing is sent';
      continue;
    }
    const read = readValue(field, value);
    args[field.name] = read.value;
    if (read.problem) problems[field.name] = read.problem;
  }
  return { args, problems };
}

function readValue(field: Field, value: string | boolean): { value: Json; problem?: string } {
  if (typeof value === 'boolean') return { value };
  switch (field.kind) {
    case 'select': {
      const option = field.options.find((candidate) => optionText(candidate) === value);
      return option === undefined ? { value, problem: 'not one of the choices' } : { value: option };
    }
    case 'number':
      return readNumber(field, value);
    case 'json': {
      const parsed = parseJson(value);
      return parsed.ok ? { value: parsed.value } : { value, problem: 'not JSON, sent as text' };
    }
    case 'text':
      return value === '' ? { value, problem: 'empty' } : { value };
    case 'checkbox':
      return { value, problem: 'not true or false' };
    default:
      return field satisfies never;
  }
}

function readNumber(field: Field & { kind: 'number' }, text: string): { value: Json; problem?: string } {
  const value = Number(text);
  if (!Number.isFinite(value)) return { value: text, problem: 'not a number, sent as text' };
  if (field.integer && !Number.isInteger(value)) return { value, problem: 'not a whole number' };
  if (field.min !== undefined && value < field.min) return { value, problem: `below ${field.min}` };
  if (field.max !== undefined && value > field.max) return { value, problem: `above ${field.max}` };
  return { value };
}

/** The inputs for arguments that came from elsewhere (an agent, the raw text); arguments without an input are lost. */
export function valuesOf(fields: readonly Field[], args: JsonObject): FormValues {
  return Object.fromEntries(
    fields.map((field): [string, FieldValue] => {
      const value = get(args, field.name);
      if (value === undefined) return [field.name, undefined];
      if (field.kind === 'checkbox' && typeof value === 'boolean') return [field.name, value];
      return [field.name, typeof value === 'string' && field.kind !== 'json' ? value : stringify(value)];
    }),
  );
}

/** What a raw text means as an action: a call where it is one in canonical spelling, otherwise the text itself. */
export function rawAction(text: string): Action {
  const call = parseCall(text);
  if ('malformed' in call) return { raw: text };
  // Only where both are the same to a model: spacing that was typed on purpose is kept.
  return callText(call) === text ? call : { raw: text };
}

/** Whether the form can show this action without loss. */
export function fitsForm(tools: readonly Tool[], action: Action): action is { tool: string; args: JsonObject } {
  if ('raw' in action) return false;
  const tool = tools.find((candidate) => candidate.name === action.tool);
  if (!tool) return false;
  const fields = fieldsOf(tool.inputSchema);
  return stringify(argsOf(fields, valuesOf(fields, action.args)).args) === stringify(action.args);
}
