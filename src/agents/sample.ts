/** Sampling of calls from what a world publishes: the schemas of its tools and the values in its state. */
import { get, isObject, type Json, type JsonObject } from '../world/json';
import type { Rng } from '../world/rng';
import type { Action, State, Tool } from '../world/types';

/** A call of a random tool with arguments of the right types; ids are mostly ones that exist. */
export function sampleCall(rng: Rng, tools: readonly Tool[], state: State): Action {
  if (tools.length === 0) return { tool: 'none', args: {} };
  return sampleArgs(rng, rng.pick(tools), state);
}

/** A call of one tool with arguments of the right types. */
export function sampleArgs(rng: Rng, tool: Tool, state: State): Action {
  const properties = get(tool.inputSchema, 'properties');
  const required = get(tool.inputSchema, 'required');
  const args: JsonObject = {};
  for (const [name, schema] of isObject(properties) ? Object.entries(properties) : []) {
    const needed = Array.isArray(required) && required.includes(name);
    if (needed || rng.chance(0.5)) args[name] = sampleValue(rng, name, isObject(schema) ? schema : {}, state);
  }
  return { tool: tool.name, args };
}

/** A value for one argument: one of its enumeration, a number in its range, or a text found in the state. */
function sampleValue(rng: Rng, name: string, schema: JsonObject, state: State): Json {
  const choices = get(schema, 'enum');
  if (Array.isArray(choices) && choices.length > 0) return rng.pick(choices);
  const type = get(schema, 'type');
  if (type === 'integer' || type === 'number') {
    const low = Number(get(schema, 'minimum') ?? 0);
    const high = Math.min(Number(get(schema, 'maximum') ?? low + 40), low + 40);
    return rng.int(low, Math.max(low, high));
  }
  if (type === 'boolean') return rng.chance(0.5);
  const from = get(schema, 'x-from');
  const collection = typeof from === 'string' ? get(state, from) : undefined;
  const keys = isObject(collection) ? Object.keys(collection) : [];
  if (keys.length > 0) {
    const key = partOf(rng.pick(keys), get(schema, 'x-part'));
    return rng.chance(0.88) ? key : misspelt(rng, key);
  }
  const texts = textsOf(state, name);
  return texts.length > 0 ? rng.pick(texts) : 'note';
}

/** What stands before or after the last slash of a key, where the schema asks for such a part. */
function partOf(key: string, part: Json | undefined): string {
  const slash = key.lastIndexOf('/');
  if (part === 'head') return key.slice(0, Math.max(slash, 0));
  return part === 'tail' ? key.slice(slash + 1) : key;
}

/** An identifier that looks like one of the world's and mostly is none. */
function misspelt(rng: Rng, id: string): string {
  return /\d/.test(id) ? id.replace(/\d/, () => String(rng.int(1, 9))) : `${id}${rng.int(1, 9)}`;
}

/** Texts of the state: those of members with this name if there are any, otherwise short ones of any member. */
function textsOf(state: State, name: string): string[] {
  const named: string[] = [];
  const any: string[] = [];
  const visit = (value: Json, key: string): void => {
    if (isObject(value)) for (const [inner, item] of Object.entries(value)) visit(item, inner);
    else if (typeof value === 'string' && value.length <= 12) (key === name ? named : any).push(value);
  };
  visit(state, '');
  return named.length > 0 ? named : any;
}

/** Spoils a call: another name, a missing, extra or wrongly typed argument, or text that is no call at all. */
export function spoil(rng: Rng, action: Action): Action {
  if ('raw' in action) return action;
  const names = Object.keys(action.args);
  const name = names.length > 0 ? rng.pick(names) : undefined;
  const { [name ?? '']: value, ...rest } = action.args;
  switch (rng.int(0, 6)) {
    case 0:
      return { tool: `${rng.pick(['do', 'fix', 'try', 'run', 'undo'])}_${action.tool}`, args: action.args };
    case 1:
      return name === undefined ? { tool: action.tool.slice(1), args: {} } : { tool: action.tool, args: rest };
    case 2:
      return {
        tool: action.tool,
        args: { ...action.args, [rng.pick(['force', 'note', 'x', 'limit'])]: rng.int(0, 9) },
      };
    case 3:
      return name === undefined
        ? { tool: action.tool, args: { id: 1 } }
        : { tool: action.tool, args: { ...action.args, [name]: typeof value === 'string' ? rng.int(0, 99) : 'many' } };
    case 4:
      return { raw: action.tool };
    case 5:
      return { raw: `${action.tool}{${names[0] ?? 'id'}` };
    default:
      return { raw: rng.pick(['help', 'please do it', `${action.tool}()`, '{}', `call ${action.tool}`]) };
  }
}
