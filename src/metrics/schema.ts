/**
 * A check against JSON Schema that builds no code at run time, so that it works under a strict content security policy.
 * Draft 2020-12 without `unevaluated*`, `$dynamicRef` and references to other documents; `format` is an annotation, as the
 * standard has it.
 */
import { atPointer } from '../world/checks';
import { canonical, get, isObject, isOfType, type Json, type JsonObject } from '../world/json';

export interface SchemaError {
  /** JSON Pointer into the value. */
  path: string;
  /** The keyword that is not met. */
  keyword: string;
}

/** What is wrong with a value; empty when it is valid. Never throws: an unreadable schema is reported as an error. */
export function schemaErrors(schema: Json, value: Json): SchemaError[] {
  return look({ root: schema, refs: 0 }, schema, value, '');
}

interface Look {
  root: Json;
  /** References followed so far on this branch: one that leads back to itself ends here. */
  refs: number;
}

const MOST_REFS = 64;

function look(at: Look, schema: Json, value: Json, path: string): SchemaError[] {
  if (schema === false) return [{ path, keyword: 'false' }];
  if (!isObject(schema)) return [];
  const errors: SchemaError[] = [];
  for (const [keyword, wanted] of Object.entries(schema)) {
    const check = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword] : undefined;
    if (!check) continue;
    const found = check({ at, schema, wanted, value, path });
    if (found === false) errors.push({ path, keyword });
    else if (found !== true) errors.push(...found);
  }
  return errors;
}

interface Asked {
  at: Look;
  schema: JsonObject;
  wanted: Json;
  value: Json;
  path: string;
}

/** True and false for a keyword of its own, a list for one that looks into the value. */
type Check = (asked: Asked) => boolean | SchemaError[];

const valid = (asked: Asked, schema: Json) => look(asked.at, schema, asked.value, asked.path).length === 0;
const listOf = (wanted: Json): Json[] => (Array.isArray(wanted) ? wanted : []);
/** Keywords that bind values of one kind hold for all others. */
const ifNumber =
  (holds: (value: number, wanted: number) => boolean): Check =>
  ({ value, wanted }) =>
    typeof value !== 'number' || typeof wanted !== 'number' || holds(value, wanted);
const ifString =
  (holds: (value: string, wanted: Json) => boolean): Check =>
  ({ value, wanted }) =>
    typeof value !== 'string' || holds(value, wanted);
const ifList =
  (check: (value: Json[], asked: Asked) => boolean | SchemaError[]): Check =>
  (asked) =>
    Array.isArray(asked.value) ? check(asked.value, asked) : true;
const ifObject =
  (check: (value: JsonObject, asked: Asked) => boolean | SchemaError[]): Check =>
  (asked) =>
    isObject(asked.value) ? check(asked.value, asked) : true;
const characters = (text: string) => [...text].length;
const atMost = (a: number, b: Json) => typeof b !== 'number' || a <= b;
const atLeast = (a: number, b: Json) => typeof b !== 'number' || a >= b;

function matches(text: string, pattern: Json): boolean {
  if (typeof pattern !== 'string') return true;
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return false;
  }
}

const KEYWORDS: { [keyword: string]: Check } = {
  type: ({ value, wanted }) => (Array.isArray(wanted) ? wanted : [wanted]).some((type) => isOfType(value, type)),
  enum: ({ value, wanted }) => listOf(wanted).some((item) => canonical(item) === canonical(value)),
  const: ({ value, wanted }) => canonical(value) === canonical(wanted),
  minimum: ifNumber((value, wanted) => value >= wanted),
  maximum: ifNumber((value, wanted) => value <= wanted),
  exclusiveMinimum: ifNumber((value, wanted) => value > wanted),
  exclusiveMaximum: ifNumber((value, wanted) => value < wanted),
  multipleOf: ifNumber((value, wanted) => Number.isInteger(value / wanted)),
  minLength: ifString((value, wanted) => atLeast(characters(value), wanted)),
  maxLength: ifString((value, wanted) => atMost(characters(value), wanted)),
  pattern: ifString(matches),
  minItems: ifList((value, { wanted }) => atLeast(value.length, wanted)),
  maxItems: ifList((value, { wanted }) => atMost(value.length, wanted)),
  uniqueItems: ifList((value, { wanted }) => wanted !== true || new Set(value.map(canonical)).size === value.length),
  prefixItems: ifList((value, { at, wanted, path }) =>
    listOf(wanted).flatMap((schema, i) => (i < value.length ? look(at, schema, value[i] as Json, `${path}/${i}`) : [])),
  ),
  items: ifList((value, { at, schema, wanted, path }) => {
    const behind = listOf(get(schema, 'prefixItems') ?? []).length;
    return value.slice(behind).flatMap((item, i) => look(at, wanted, item, `${path}/${i + behind}`));
  }),
  contains: ifList((value, { at, schema, wanted, path }) => {
    const found = value.filter((item) => look(at, wanted, item, path).length === 0).length;
    return atLeast(found, get(schema, 'minContains') ?? 1) && atMost(found, get(schema, 'maxContains') ?? Infinity);
  }),
  minProperties: ifObject((value, { wanted }) => atLeast(Object.keys(value).length, wanted)),
  maxProperties: ifObject((value, { wanted }) => atMost(Object.keys(value).length, wanted)),
  required: ifObject((value, { wanted }) => listOf(wanted).every((key) => Object.hasOwn(value, String(key)))),
  dependentRequired: ifObject((value, { wanted }) =>
    Object.entries(isObject(wanted) ? wanted : {}).every(
      ([key, needs]) => !Object.hasOwn(value, key) || listOf(needs).every((need) => Object.hasOwn(value, String(need))),
    ),
  ),
  propertyNames: ifObject((value, { at, wanted, path }) =>
    Object.keys(value).flatMap((key) => look(at, wanted, key, `${path}/${key}`)),
  ),
  properties: ifObject((value, { at, wanted, path }) =>
    Object.entries(isObject(wanted) ? wanted : {}).flatMap(([key, schema]) => {
      const item = get(value, key);
      return item === undefined ? [] : look(at, schema, item, `${path}/${key}`);
    }),
  ),
  patternProperties: ifObject((value, { at, wanted, path }) =>
    Object.entries(isObject(wanted) ? wanted : {}).flatMap(([pattern, schema]) =>
      Object.entries(value)
        .filter(([key]) => matches(key, pattern))
        .flatMap(([key, item]) => look(at, schema, item, `${path}/${key}`)),
    ),
  ),
  additionalProperties: ifObject((value, { at, schema, wanted, path }) => {
    const [named, patterns] = [get(schema, 'properties'), get(schema, 'patternProperties')];
    const known = (key: string) =>
      (isObject(named) && Object.hasOwn(named, key)) ||
      (isObject(patterns) && Object.keys(patterns).some((pattern) => matches(key, pattern)));
    return Object.entries(value)
      .filter(([key]) => !known(key))
      .flatMap(([key, item]) => look(at, wanted, item, `${path}/${key}`));
  }),
  allOf: ({ at, wanted, value, path }) => listOf(wanted).flatMap((schema) => look(at, schema, value, path)),
  anyOf: (asked) => listOf(asked.wanted).some((schema) => valid(asked, schema)),
  oneOf: (asked) => listOf(asked.wanted).filter((schema) => valid(asked, schema)).length === 1,
  not: (asked) => !valid(asked, asked.wanted),
  if: (asked) => {
    const branch = get(asked.schema, valid(asked, asked.wanted) ? 'then' : 'else');
    return branch === undefined ? true : look(asked.at, branch, asked.value, asked.path);
  },
  $ref: ({ at, wanted, value, path }) => {
    if (typeof wanted !== 'string' || !wanted.startsWith('#') || at.refs >= MOST_REFS) return false;
    const target = atPointer(at.root, wanted.slice(1));
    return target === undefined ? false : look({ ...at, refs: at.refs + 1 }, target, value, path);
  },
};
