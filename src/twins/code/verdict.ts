/**
 * What tests want of a file, and whether it is so. A test names a file and what it wants there: `limit >= 5` or
 * `limit <= 5` a value, `area defined` a name, `no print` that no line contains a text, and anything else a whole line.
 */
import type { JsonObject } from '../../world/json';
import type { State } from '../../world/types';
import { record, records } from '../kit/types';

export type Want =
  | { kind: 'bound'; name: string; least: boolean; value: number }
  | { kind: 'defined'; name: string }
  | { kind: 'lacks'; text: string }
  | { kind: 'line'; text: string };

/** Reads what a test wants. */
export function readWant(text: string): Want {
  const [, name = '', sign, number] = /^(\S+) (>=|<=) (\d{1,4})$/.exec(text) ?? [];
  if (sign !== undefined) return { kind: 'bound', name, least: sign === '>=', value: Number(number) };
  const [, defined] = /^(\S+) defined$/.exec(text) ?? [];
  if (defined !== undefined) return { kind: 'defined', name: defined };
  const [, unwanted] = /^no (\S+)$/.exec(text) ?? [];
  return unwanted === undefined ? { kind: 'line', text } : { kind: 'lacks', text: unwanted };
}

/** Name and number of a line such as `limit = 5` or `let limit = 5`, or undefined. */
export function assignment(line: string): { name: string; value: number } | undefined {
  const [, name, value] = /(?:^|\s)(\S+) = (\d{1,4})$/.exec(line) ?? [];
  return name === undefined ? undefined : { name, value: Number(value) };
}

/** Name that a line defines, as a value or as a function, or undefined. */
export function definedName(line: string): string | undefined {
  return /(?:^|\s)(\S+) = /.exec(line)?.[1] ?? /^(?:def|function) ([^\s(]+)\(/.exec(line)?.[1];
}

/** Whether lines are as wanted. Of several values of a name the last one counts. */
export function isMet(want: Want, lines: readonly string[]): boolean {
  switch (want.kind) {
    case 'bound': {
      const value = lines.map(assignment).findLast((found) => found?.name === want.name)?.value;
      if (value === undefined) return false;
      return want.least ? value >= want.value : value <= want.value;
    }
    case 'defined':
      return lines.some((line) => definedName(line) === want.name);
    case 'lacks':
      return !lines.some((line) => line.includes(want.text));
    case 'line':
      return lines.includes(want.text);
    default:
      return want satisfies never;
  }
}

/** Lines of a file as texts; none when there is no such file. */
export function linesOf(state: State, path: JsonObject[string] | undefined): string[] {
  return Object.values(record(state, 'files', path) ?? {}).map(String);
}

/** Whether a test passes now. A test of a file that is not there fails. */
export function passes(state: State, test: JsonObject): boolean {
  if (!record(state, 'files', test.file)) return false;
  return isMet(readWant(String(test.want)), linesOf(state, test.file));
}

/** Ids of the tests that fail now, in their order. */
export function failing(state: State): string[] {
  return Object.entries(records(state, 'tests')).flatMap(([id, test]) => (passes(state, test) ? [] : [id]));
}
