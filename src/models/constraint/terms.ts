/**
 * What answers are made of, as terms of a grammar: literals, JSON values, plain text, status codes, ends of slots. Texts are
 * strings of bytes (one character for each byte of UTF-8), as tokens are.
 */
import { codecJson } from '../../world/codec';
import type { Json } from '../../world/json';
import { END_CODE, type Term } from './grammar';

/** Digits a number has at most before and behind its point, so that it is exact and never too large. */
const DIGITS = { whole: 15, fraction: 6 };

const utf8 = new TextEncoder();

/** The bytes of a text as a string of characters below 256. */
export function bytesOf(text: string): string {
  return Array.from(utf8.encode(text), (byte) => String.fromCharCode(byte)).join('');
}

/** Codes that a sequence of terms takes at least. */
function leastOf(terms: readonly Term[]): number {
  return terms.reduce((sum, { least }) => sum + least, 0);
}

/** One of several sequences. An empty one may be left out; none at all cannot be had. */
export function oneOf(key: string, ways: () => readonly (readonly Term[])[], least?: number): Term {
  let made: readonly (readonly Term[])[] | undefined;
  const open = () => (made ??= ways());
  return { key, least: least ?? Math.min(...open().map(leastOf)), open };
}

/** Exactly this text, in bytes. */
export function literal(bytes: string): Term {
  if (bytes === '') return { key: '=', least: 0, open: () => [[]] };
  const first = bytes.charCodeAt(0);
  let rest: readonly Term[] | undefined;
  return {
    key: `=${bytes}`,
    least: bytes.length,
    codes: [first],
    take: (code) => (code !== first ? null : (rest ??= bytes.length > 1 ? [literal(bytes.slice(1))] : [])),
  };
}

/** A JSON value in the codec's spelling. */
export function written(value: Json): Term {
  return literal(bytesOf(codecJson(value)));
}

/** One byte of a set. */
function byte(key: string, holds: (code: number) => boolean): Term {
  return { key, least: 1, take: (code) => (code < 256 && holds(code) ? [] : null) };
}

const between = (low: string, high: string) => (code: number) =>
  code >= low.charCodeAt(0) && code <= high.charCodeAt(0);
/** One of these characters. */
function anyOf(chars: string): Term {
  return { ...byte(`one of ${chars}`, (code) => chars.includes(String.fromCharCode(code))), codes: codesOf(chars) };
}
const codesOf = (chars: string) => Array.from(chars, (char) => char.charCodeAt(0));
const digit = anyOf('0123456789');
const hex = anyOf('0123456789abcdefABCDEF');

const escaped: Term = {
  key: 'escaped',
  least: 1,
  codes: codesOf('u"\\/bfnrt'),
  take: (code) => {
    const char = code < 256 ? String.fromCharCode(code) : '';
    if (char === 'u') return [hex, hex, hex, hex];
    return char !== '' && '"\\/bfnrt'.includes(char) ? [] : null;
  },
};

/** The rest of a JSON string, its closing quote included. */
const inString: Term = {
  key: 'inString',
  least: 1,
  take: (code) => {
    if (code === 0x22) return [];
    if (code === 0x5c) return [escaped, inString];
    return code >= 0x20 && code < 256 ? [inString] : null;
  },
};

/** Any JSON string. */
export const anyString: Term = oneOf('string', () => [[literal('"'), inString]]);

/** Up to n of a term. */
function upTo(n: number, term: Term): Term {
  return oneOf(`upTo ${n} ${term.key}`, () => (n === 0 ? [[]] : [[], [term, upTo(n - 1, term)]]), 0);
}

const natural = oneOf('natural', () => [[literal('0')], [anyOf('123456789'), upTo(DIGITS.whole - 1, digit)]]);

/** A whole number as JSON writes it: no exponent, at most 15 digits. */
export const integer: Term = oneOf('integer', () => [[natural], [literal('-'), natural]]);

/** A number without an exponent, with at most 15 digits before its point and 6 behind it. */
export const decimal: Term = oneOf('number', () => [
  [integer],
  [integer, literal('.'), digit, upTo(DIGITS.fraction - 1, digit)],
]);

/** A member an object may have. */
export interface Member {
  key: string;
  value: Term;
  required: boolean;
}

/** Members beside the named ones: `keys` that may stand there, or any other key. Null where there may be none. */
export interface Extra {
  keys: readonly string[] | 'any';
  value: Term;
}

/** A key that is none of these, in quotes and without escapes, which could spell one of them in another way. */
function keyBut(names: readonly string[]): Term {
  const rest = (left: readonly string[]): Term => ({
    key: `key but ${JSON.stringify(left)}`,
    least: left.includes('') ? 2 : 1,
    take: (code) => {
      if (code === 0x22) return left.includes('') ? null : [];
      if (code < 0x20 || code === 0x5c || code >= 256) return null;
      const char = String.fromCharCode(code);
      return [rest(left.filter((name) => name.startsWith(char)).map((name) => name.slice(1)))];
    },
  });
  const all = rest(names.map(bytesOf));
  return oneOf(`other ${all.key}`, () => [[literal('"'), all]], names.includes('') ? 3 : 2);
}

/**
 * A compact JSON object: named members in their order, those that are not required may be missing; others behind them.
 * @param key tells this object from others of the grammar
 */
export function object(key: string, named: readonly Member[], extra: Extra | null): Term {
  const head = (name: string, first: boolean) => literal(bytesOf(`${first ? '' : ','}${codecJson(name)}:`));
  const otherKey = named.length === 0 ? anyString : keyBut(named.map((member) => member.key));
  const known = new Map<string, Term>();
  const members = (at: number, first: boolean): Term => {
    const own = `${key} ${at}${first ? ' first' : ''}`;
    const found = known.get(own);
    if (found) return found;
    const needed = named.findIndex(({ required }, i) => i >= at && required);
    const last = needed < 0 ? named.length - 1 : needed;
    const ways = (): Term[][] => {
      const out = named.slice(at, last + 1).map(({ key: name, value }, i): Term[] => {
        return [head(name, first), value, members(at + i + 1, false)];
      });
      if (needed >= 0) return out;
      out.push([literal('}')]);
      const rest = members(named.length, false);
      if (extra === null) return out;
      if (extra.keys === 'any') out.push([literal(first ? '' : ','), otherKey, literal(':'), extra.value, rest]);
      else for (const name of extra.keys) out.push([head(name, first), extra.value, rest]);
      return out;
    };
    const missing = named.slice(at).filter(({ required }) => required);
    const commas = Math.max(0, missing.length - (first ? 1 : 0));
    const spelt = missing.reduce((sum, { key: name, value }) => sum + head(name, true).least + value.least, commas);
    const term = oneOf(own, ways, spelt + 1);
    known.set(own, term);
    return term;
  };
  return oneOf(key, () => [[literal('{'), members(0, true)]], 1 + members(0, true).least);
}

/** A compact JSON list of such items, at least `min` of them and at most `max`. */
export function list(key: string, item: Term, min: number, max: number): Term {
  const needed = (count: number) => Math.max(0, min - count);
  const items = (count: number): Term => {
    // Without a bound it makes no difference how many there are once there are enough.
    const next = max === Infinity ? Math.min(count + 1, Math.max(min, 1)) : count + 1;
    const ways = (): Term[][] => [
      ...(count >= min ? [[literal(']')]] : []),
      ...(count < max ? [[literal(count === 0 ? '' : ','), item, items(next)]] : []),
    ];
    const left = needed(count);
    const least = left === 0 ? 1 : 1 + left * item.least + (left - (count === 0 ? 1 : 0));
    return oneOf(`${key} ${count}`, ways, max < min ? Infinity : least);
  };
  return oneOf(key, () => [[literal('['), items(0)]], 1 + items(0).least);
}

/**
 * Any JSON value, objects and lists nested at most `depth` deep.
 * @param lists whether lists may be in it, which deltas cannot hold
 */
export function anyValue(depth: number, lists: boolean): Term {
  const scalars = ['true', 'false', 'null'].map((word) => [literal(word)]);
  const ways = (): Term[][] => [
    ...scalars,
    [anyString],
    [decimal],
    ...(depth > 0 ? [[anyObject(depth, lists)]] : []),
    ...(depth > 0 && lists ? [[anyList(depth)]] : []),
  ];
  return oneOf(`any ${depth} ${lists}`, ways, 1);
}

/** Any JSON object, nested at most `depth` deep. */
export function anyObject(depth: number, lists: boolean): Term {
  return object(`object ${depth} ${lists}`, [], { keys: 'any', value: anyValue(depth - 1, lists) });
}

/** Any JSON list, nested at most `depth` deep. */
export function anyList(depth: number): Term {
  return list(`list ${depth}`, anyValue(depth - 1, true), 0, Infinity);
}

const inText: Term = oneOf('inText', () => [[], [byte('byte', () => true), inText]], 0);

/** Plain text as an observation: anything that is not read as JSON. */
export const plainText: Term = oneOf(
  'text',
  () => [[], [byte('textStart', (code) => !'{['.includes(String.fromCharCode(code))), inText]],
  0,
);

const lower = between('a', 'z');
const codeByte = byte('code', (code) => lower(code) || code === 0x5f);
const codeRest = (n: number) => upTo(n, codeByte);

/** A status code that is not `ok`, as `CODE` in src/world/directives.ts has them. */
export const errorCode: Term = oneOf('errorCode', () => [
  [byte('notO', (code) => lower(code) && code !== 0x6f), codeRest(23)],
  [literal('o')],
  [literal('o'), byte('notK', (code) => (lower(code) || code === 0x5f) && code !== 0x6b), codeRest(22)],
  [literal('ok'), codeByte, codeRest(21)],
]);

/** The end of a slot. */
export const slotEnd: Term = {
  key: 'end',
  least: 1,
  codes: [END_CODE],
  take: (code) => (code === END_CODE ? [] : null),
};
