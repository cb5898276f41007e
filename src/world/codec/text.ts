/** The parts of a world and of a call as the text that models read. What is not written here does not exist for them. */
import { formatDirectives } from '../directives';
import { get, isObject, parseJson, type Json, type JsonObject } from '../json';
import type { Action, Directive, Tool, World } from '../types';
import { codecJson } from './json';

/** The four texts of block 0. */
export interface WorldText {
  rules: string;
  tools: string;
  state: string;
  task: string;
}

/** Writes a world: enabled rules and tools one a line, the state as compact JSON, the instruction. */
export function worldText(world: World): WorldText {
  return {
    rules: world.rules
      .filter((rule) => rule.enabled)
      .map((rule) => rule.text)
      .join('\n'),
    tools: world.tools.map(toolLine).join('\n'),
    state: codecJson(world.state),
    task: world.task.instruction,
  };
}

/** The signature line of a tool, for example `cancel_order(id:str,reason?:damaged|late)->{id,status}; Cancels it.` */
export function toolLine(tool: Tool): string {
  const properties = get(tool.inputSchema, 'properties');
  const required = get(tool.inputSchema, 'required');
  const args = isObject(properties)
    ? Object.entries(properties).map(([name, schema]) => {
        const optional = !(Array.isArray(required) && required.includes(name));
        return `${name}${optional ? '?' : ''}:${typeName(schema)}`;
      })
    : [];
  const shape = tool.outputSchema ? `->${shapeName(tool.outputSchema)}` : '';
  return `${tool.name}(${args.join(',')})${shape}${tool.description ? `; ${tool.description}` : ''}`;
}

const TYPES: { [type: string]: string } = {
  string: 'str',
  integer: 'int',
  number: 'num',
  boolean: 'bool',
  object: 'obj',
  array: 'arr',
};

function typeName(schema: Json): string {
  if (!isObject(schema)) return 'any';
  const choices = get(schema, 'enum');
  if (Array.isArray(choices))
    return choices.map((item) => (typeof item === 'string' ? item : codecJson(item))).join('|');
  const type = get(schema, 'type');
  return (typeof type === 'string' && TYPES[type]) || 'any';
}

function shapeName(schema: Json): string {
  if (!isObject(schema)) return 'any';
  const properties = get(schema, 'properties');
  if (isObject(properties)) return `{${Object.keys(properties).join(',')}}`;
  const items = get(schema, 'items');
  if (items !== undefined) return `[${shapeName(items)}]`;
  return typeName(schema);
}

/** A call as text: the tool's name and its arguments, or what was typed. Lone surrogates become U+FFFD. */
export function callText(action: Action): string {
  const text = 'raw' in action ? action.raw : action.tool + codecJson(action.args);
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

/** Stands where the directives of a turn are not told: what guidance contrasts with. No directive is spelt like this. */
export const UNTOLD = '?';

/** Directives as text; `null` when they are not told. */
export function directivesText(directives: readonly Directive[] | null): string {
  return directives === null ? UNTOLD : formatDirectives(directives);
}

/** A call as every simulator must understand it: from its text alone. */
export type ParsedCall = { tool: string; args: JsonObject } | { malformed: string };

/** Reads a call back from its text: a name, then a JSON object. Anything else is malformed, with the reason. */
export function parseCall(text: string): ParsedCall {
  const match = /^([A-Za-z_][A-Za-z0-9_.-]*)(\{.*)$/s.exec(text);
  if (!match) return { malformed: 'not a tool name followed by a JSON object' };
  const args = parseJson(match[2] ?? '');
  if (!args.ok || !isObject(args.value)) return { malformed: 'the arguments are not a JSON object' };
  return { tool: match[1] ?? '', args: args.value };
}
