/**
 * JSON as the codec writes it: compact, and with the first and last character of a string escaped where it is JSON
 * punctuation. So the pre-tokenizer's runs of punctuation never reach into a value, and a pinned value has one
 * tokenization. The text is ordinary JSON and parses to the same value.
 */
import { stringify, type Json } from '../json';

const STRING = /"((?:[^"\\]|\\.)*)"/g;
const UNIT = /\\u[0-9a-fA-F]{4}|\\.|[^\\]/gsu;

/** Compact JSON text of a value in the codec's spelling. */
export function codecJson(value: Json): string {
  return stringify(value).replace(STRING, (whole, body: string) => (body === '' ? whole : `"${shield(body)}"`));
}

function shield(body: string): string {
  if (!/^(?:\\"|[{}[\]:,])|["{}[\]:,]$/.test(body)) return body;
  const units = body.match(UNIT) ?? [];
  const last = units.length - 1;
  return units.map((unit, i) => (i === 0 || i === last ? escapeUnit(unit) : unit)).join('');
}

function escapeUnit(unit: string): string {
  const char = unit === '\\"' ? '"' : unit;
  return /^["{}[\]:,]$/.test(char) ? `\\u00${char.charCodeAt(0).toString(16).padStart(2, '0')}` : unit;
}
