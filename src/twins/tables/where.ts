/**
 * The query grammar, and reading it:
 *
 *     where     = condition { "and" condition }
 *     condition = column operator value
 *
 * Columns of text take `=` and `!=` and a word, those of numbers also `<`, `<=`, `>`, `>=` and a whole number; `id` is a
 * column of text too. Spaces may stand between any two parts. An error says what was expected and where: the number of
 * characters before that place.
 */
import type { JsonObject } from '../../world/json';

export type ColumnType = 'text' | 'number';

/** Types of the columns by their names. */
export type Columns = ReadonlyMap<string, ColumnType>;

export interface Condition {
  column: string;
  operator: string;
  value: string | number;
}

export type Where = { ok: true; conditions: Condition[] } | { ok: false; error: string };

interface Token {
  text: string;
  /** Characters before it. */
  at: number;
}

const SAME = ['=', '!='];
const ORDER = [...SAME, '<', '<=', '>', '>='];
const WORD = /^\w[\w-]*$/;
const NUMBER = /^-?\d{1,4}$/;

/** Words, numbers and operators with their places; any other character stands alone. The end is an empty token. */
function tokenize(text: string): Token[] {
  const tokens = Array.from(text.matchAll(/-?\w[\w-]*|[<>!=]+|[^ ]/g), (found) => ({
    text: found[0],
    at: found.index,
  }));
  return [...tokens, { text: '', at: text.length }];
}

/** Reads a where; never throws. */
export function parseWhere(text: string, columns: Columns): Where {
  const tokens = tokenize(text);
  const conditions: Condition[] = [];
  const end = tokens.length - 1;
  const expected = (what: string, index: number): Where => ({
    ok: false,
    error: `expected ${what} at ${tokens[Math.min(index, end)]?.at ?? 0}`,
  });
  const textAt = (index: number) => tokens[Math.min(index, end)]?.text ?? '';
  for (let i = 0; ; i += 4) {
    const [column, operator, value] = [textAt(i), textAt(i + 1), textAt(i + 2)];
    const type = column === 'id' ? 'text' : columns.get(column);
    if (type === undefined) return expected('a column', i);
    if (type === 'text' && !SAME.includes(operator)) return expected('= or !=', i + 1);
    if (!ORDER.includes(operator)) return expected('an operator', i + 1);
    if (type === 'text' && !WORD.test(value)) return expected('a word', i + 2);
    if (type === 'number' && !NUMBER.test(value)) return expected('a number', i + 2);
    conditions.push({ column, operator, value: type === 'number' ? Number(value) : value });
    if (i + 3 >= end) return { ok: true, conditions };
    if (textAt(i + 3) !== 'and') return expected('and', i + 3);
  }
}

/** Whether a row meets all conditions. A cell that is missing or of another type meets none. */
export function matches(id: string, row: JsonObject, conditions: readonly Condition[]): boolean {
  return conditions.every(({ column, operator, value }) => {
    const cell = column === 'id' ? id : row[column];
    return typeof cell === typeof value && compare(cell as string | number, operator, value);
  });
}

function compare(cell: string | number, operator: string, value: string | number): boolean {
  switch (operator) {
    case '=':
      return cell === value;
    case '!=':
      return cell !== value;
    case '<':
      return cell < value;
    case '<=':
      return cell <= value;
    case '>':
      return cell > value;
    default:
      return cell >= value;
  }
}
