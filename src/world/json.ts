/**
 * JSON values and the one way this project writes them: compact, key order kept, numbers as JSON.stringify prints
 * them. Everything that is compared, hashed, tokenized or stored goes through `stringify`.
 */

export type JsonScalar = string | number | boolean | null;
export type Json = JsonScalar | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

/** True for a plain JSON object (not null, not an array). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is of a type by its name in JSON Schema (Draft 2020-12, §6.1.1); no value is of another. */
export function isOfType(value: Json, type: Json): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

/**
 * Compact JSON text of a value; key order is kept.
 * Non-finite numbers become `null` and lone surrogates are escaped, as JSON.stringify does (ECMA-262 §25.5.2).
 */
export function stringify(value: Json): string {
  return JSON.stringify(value);
}

/** Compact JSON text with object keys sorted by UTF-16 code unit: equal values give equal text. */
export function canonical(value: Json): string {
  return JSON.stringify(sortKeys(value));
}

function sortKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isObject(value)) return value;
  const out = emptyObject();
  for (const key of Object.keys(value).sort()) out[key] = sortKeys(value[key] as Json);
  return out;
}

/** Deep equality of JSON values, blind to key order. */
export function equal(a: Json, b: Json): boolean {
  return canonical(a) === canonical(b);
}

/** Deep copy of a JSON value, free of prototypes. */
export function clone<T extends Json>(value: T): T {
  if (Array.isArray(value)) return value.map((item) => clone(item)) as T;
  if (!isObject(value)) return value;
  const out = emptyObject();
  for (const [key, item] of Object.entries(value)) out[key] = clone(item);
  return out as T;
}

/**
 * An object without a prototype, so that keys such as `__proto__` or `constructor` are data like any other.
 */
export function emptyObject(): JsonObject {
  return Object.create(null) as JsonObject;
}

/** Own property or undefined: never finds what sits on Object.prototype. */
export function get(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

export type Parsed<T> = { ok: true; value: T } | { ok: false; error: string };

/**
 * Parses JSON text without throwing. The error is the parser's own sentence, which names the position. A number beyond
 * the doubles, such as `1e999`, is an error too: it would become an infinity that no JSON text can hold.
 */
export function parseJson(text: string): Parsed<Json> {
  try {
    const value = JSON.parse(text) as Json;
    if (!isFiniteJson(value)) return { ok: false, error: 'a number is too large' };
    return { ok: true, value: clone(value) };
  } catch (error) {
    return { ok: false, error: error instanceof Error ? error.message : String(error) };
  }
}

function isFiniteJson(value: Json): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every(isFiniteJson);
}
