/** From the output schema of a tool, and what the world shows, to the grammar of an answer. */
import { currentState, observationText, visibleContext } from '../../world/codec';
import { canonical, get, isObject, isOfType, type Json, type JsonObject } from '../../world/json';
import type { Action, Context, Directive, State } from '../../world/types';
import type { Term } from './grammar';
import {
  anyList,
  anyObject,
  anyString,
  anyValue,
  bytesOf,
  decimal,
  integer,
  list,
  literal,
  object,
  oneOf,
  plainText,
  written,
  type Member,
} from './terms';

/** Nesting of values that nothing is known of, and of deltas: state, collection, record, and two more. */
const DEPTH = { value: 3, delta: 5 };

/** Keywords that say nothing of a value. */
const SILENT =
  /^(x-.*|\$schema|\$id|\$comment|\$defs|definitions|title|description|default|examples?|deprecated|readOnly|writeOnly|format)$/;
/** Keywords that are held to, by the type they bind. */
const HELD = new Set(['type', 'enum', 'const', 'anyOf']);
const OBJECT = new Set(['properties', 'required', 'additionalProperties']);
const LIST = new Set(['items', 'minItems', 'maxItems']);

/** What the world shows beyond the schema: ids of each collection, and keys of records. */
interface Shown {
  ids: (collection: string) => string[];
  keys: string[];
}

/** What successful answers to one call have as their observation. */
export interface SuccessGrammar {
  term: Term;
  /** Parts of the schema that are not held to, as JSON Pointers into it; an answer may break them. */
  open: string[];
  /** Equal keys have equal grammars. */
  key: string;
}

/**
 * Grammar of the observations of successful answers to a call under the output schema of its tool; null where the tool is
 * not known or has none.
 */
export function successGrammar(
  context: Context,
  action: Action,
  directives: readonly Directive[],
): SuccessGrammar | null {
  const name = 'tool' in action ? action.tool : null;
  const schema = context.world.tools.find((tool) => tool.name === name)?.outputSchema;
  if (!schema) return null;
  const asked = new Map<string, string[]>();
  const { ids, keys } = shownIn(context, action, directives);
  const lookUp = (collection: string) => {
    const found = asked.get(collection) ?? ids(collection);
    asked.set(collection, found);
    return found;
  };
  const compiler = new Compiler({ ids: lookUp, keys });
  const term = compiler.observation(schema);
  return { term, open: [...compiler.open], key: JSON.stringify([schema, keys, [...asked]]) };
}

/** A delta: an object without lists. */
export const DELTA: Term = anyObject(DEPTH.delta, false);

class Compiler {
  readonly open = new Set<string>();
  constructor(private readonly shown: Shown) {}

  /** A successful observation: an object or a list as JSON, a string as plain text; nothing else can be one. */
  observation(schema: Json): Term {
    const ways = this.alternatives(schema, '').flatMap(({ schema: one, path }): Term[] => {
      const listed = choicesOf(one);
      if (listed) {
        this.hold(one, path, new Set());
        return listed.flatMap((value) =>
          typeof value === 'string'
            ? [literal(bytesOf(observationText({ kind: 'text', text: value })))]
            : typeof value === 'object' && value !== null
              ? [written(value)]
              : [],
        );
      }
      return typesOf(one).flatMap((type) => {
        if (type === 'object' || type === 'array') return [this.typed(one, type, path)];
        if (type !== 'string') return [];
        this.hold(one, path, new Set());
        return [plainText];
      });
    });
    return oneOf('observation', () => ways.map((way) => [way]), Math.min(...ways.map(({ least }) => least)));
  }

  /** Any value of a schema. */
  private value(schema: Json, path: string): Term {
    const ways = this.alternatives(schema, path).flatMap(({ schema: one, path: at }): Term[] => {
      const listed = choicesOf(one);
      if (listed) {
        this.hold(one, at, new Set());
        return listed.map(written);
      }
      return typesOf(one).map((type) => this.typed(one, type, at));
    });
    const least = Math.min(...ways.map((way) => way.least));
    return oneOf(`value ${path}`, () => ways.map((way) => [way]), least);
  }

  /** The schemas one of which has to be met, where nothing else stands beside `anyOf`. */
  private alternatives(schema: Json, path: string): { schema: JsonObject; path: string }[] {
    if (schema === false) return [];
    if (!isObject(schema)) return [{ schema: {}, path }];
    const any = get(schema, 'anyOf');
    if (!Array.isArray(any)) return [{ schema, path }];
    if (Object.keys(schema).every((key) => key === 'anyOf' || SILENT.test(key)))
      return any.flatMap((one, i) => this.alternatives(one, `${path}/anyOf/${i}`));
    this.open.add(`${path}/anyOf`);
    return [{ schema, path }];
  }

  private typed(schema: JsonObject, type: string, path: string): Term {
    const key = `${path} ${type}`;
    switch (type) {
      case 'object': {
        const free = !['properties', 'required', 'additionalProperties'].some(
          (word) => get(schema, word) !== undefined,
        );
        this.hold(schema, path, OBJECT);
        return free ? anyObject(DEPTH.value, true) : this.object(schema, key, path);
      }
      case 'array': {
        this.hold(schema, path, LIST);
        const [items, min, max] = [get(schema, 'items'), get(schema, 'minItems'), get(schema, 'maxItems')];
        const count = (value: Json | undefined, otherwise: number) => (typeof value === 'number' ? value : otherwise);
        if (items === undefined && min === undefined && max === undefined) return anyList(DEPTH.value);
        const item = items === undefined ? anyValue(DEPTH.value - 1, true) : this.value(items, `${path}/items`);
        return list(key, item, count(min, 0), item.least === Infinity ? 0 : count(max, Infinity));
      }
      case 'string': {
        this.hold(schema, path, new Set());
        const from = get(schema, 'x-from');
        const ids = typeof from === 'string' ? this.shown.ids(from) : [];
        if (typeof from === 'string' && ids.length === 0) this.open.add(`${path}/x-from`);
        return ids.length > 0 ? oneOf(`ids ${String(from)}`, () => ids.map((id) => [written(id)])) : anyString;
      }
      case 'integer':
      case 'number':
        this.hold(schema, path, new Set());
        return type === 'integer' ? integer : decimal;
      case 'boolean':
        return oneOf('boolean', () => [[literal('true')], [literal('false')]]);
      case 'null':
        return literal('null');
      default:
        this.hold(schema, path, new Set([...OBJECT, ...LIST]));
        return anyValue(DEPTH.value, true);
    }
  }

  /** Named members in the order of the schema, then those that records of the state have. */
  private object(schema: JsonObject, key: string, path: string): Term {
    const properties = get(schema, 'properties');
    const required = get(schema, 'required');
    const more = get(schema, 'additionalProperties') ?? true;
    const named = new Map(isObject(properties) ? Object.entries(properties) : []);
    const needed = new Set(Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []);
    for (const name of needed) if (!named.has(name)) named.set(name, more);
    const members = [...named].flatMap(([name, one]): Member[] => {
      const value = this.value(one, `${path}/properties/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
      // A member without a possible value cannot be there; where it is needed, neither can the object.
      return value.least === Infinity && !needed.has(name) ? [] : [{ key: name, value, required: needed.has(name) }];
    });
    const keys = this.shown.keys.filter((name) => !named.has(name));
    const other = this.value(more, `${path}/additionalProperties`);
    return object(key, members, more === false ? null : { keys, value: other });
  }

  /** Notes keywords of a schema that nothing here holds to. */
  private hold(schema: JsonObject, path: string, more: ReadonlySet<string>): void {
    for (const key of Object.keys(schema)) {
      if (!HELD.has(key) && !more.has(key) && !SILENT.test(key)) this.open.add(`${path}/${key}`);
    }
  }
}

/** The values a schema lists, those of another type left out; null where it lists none. */
function choicesOf(schema: JsonObject): Json[] | null {
  const [listed, one] = [get(schema, 'enum'), get(schema, 'const')];
  if (one === undefined && !Array.isArray(listed)) return null;
  const both = one === undefined ? (listed as Json[]) : [one];
  const among = new Set((Array.isArray(listed) ? listed : both).map(canonical));
  const types = get(schema, 'type') === undefined ? null : typesOf(schema);
  return both.filter(
    (value) => among.has(canonical(value)) && (types === null || types.some((type) => isOfType(value, type))),
  );
}

const TYPES = ['object', 'array', 'string', 'number', 'boolean', 'null'];

/** Types a schema allows; those its keywords bind where it names none. */
function typesOf(schema: JsonObject): string[] {
  const type = get(schema, 'type');
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type.filter((one) => typeof one === 'string');
  return TYPES;
}

/**
 * Ids an answer may name where the schema says `x-from`: keys of that collection at the start of the visible context and
 * now, and what may become one by this call, which is shown too: texts of the call, and texts that stand in the state
 * beside the collections, such as the counter of fresh ids. Keys are those of the records in the state and of the call.
 */
function shownIn(context: Context, action: Action, directives: readonly Directive[]): Shown {
  const visible = visibleContext(context, action, directives);
  const states: State[] = [visible.world.state, currentState(visible)];
  const texts = (value: Json): string[] =>
    typeof value === 'string'
      ? [value]
      : typeof value === 'object' && value !== null
        ? Object.values(value).flatMap(texts)
        : [];
  const fresh = [
    ...states.flatMap((state) => Object.values(state).filter((value) => typeof value === 'string')),
    ...('args' in action ? texts(action.args) : []),
  ];
  const records = states.flatMap((state) =>
    Object.values(state).flatMap((part) => (isObject(part) ? Object.values(part).filter(isObject) : [])),
  );
  const named = 'args' in action ? Object.keys(action.args) : [];
  return {
    ids: (collection) => {
      const parts = states.map((state) => get(state, collection)).filter(isObject);
      // Without the collection there is nothing to hold a name to.
      return parts.length === 0 ? [] : [...new Set([...parts.flatMap((part) => Object.keys(part)), ...fresh])];
    },
    keys: [...new Set([...records.flatMap((record) => Object.keys(record)), ...named])],
  };
}
