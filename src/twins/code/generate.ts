/** Makes a repository in which all tests pass, then breaks what some of them want. */
import type { JsonObject } from '../../world/json';
import type { Rng } from '../../world/rng';
import type { State } from '../../world/types';
import { freshId, ids, word, words } from '../kit/ids';
import { records, type Seeded } from '../kit/types';
import { assignment, definedName, linesOf, passes, readWant } from './verdict';
import { ARGS, CONSTANTS, DEBUG, FOLDERS, FUNCTIONS, STEMS, STYLES, VERBS, type Style } from './words';

const SIGNS = ['+', '-', '*'];

/** Files whose tests will pass: one of constants, the others each with a function that uses one. */
function correctFiles(rng: Rng, style: Style, debug: string, difficulty: number): { [path: string]: string[] } {
  const folders = words(rng, FOLDERS, 2, 0.2);
  const constants = words(rng, CONSTANTS, difficulty > 1 ? 3 : 2, 0.4);
  const functions = words(rng, FUNCTIONS, difficulty > 2 ? 2 : 1, 0.5);
  const stems = words(rng, STEMS, 1 + functions.length, 0.25);
  const pathOf = (i: number) => `${i === 0 ? folders[0] : rng.pick(folders)}/${stems[i]}${style.suffix}`;
  const files = { [pathOf(0)]: constants.map((name) => style.assign(name, rng.int(10, 60))) };
  functions.forEach((name, i) => {
    const arg = word(rng, ARGS, 0.3);
    const used = rng.pick(constants);
    const lines = [`import ${used}`, style.define(name, arg), `return ${arg} ${rng.pick(SIGNS)} ${used}`];
    if (rng.chance(0.45)) lines.splice(2, 0, `${debug}(${arg})`);
    // Here and there an import is missing, or there is one that nothing uses.
    if (rng.chance(0.3)) lines[0] = `import ${rng.pick(constants)}`;
    files[pathOf(i + 1)] = rng.chance(0.8) ? lines : lines.slice(1);
  });
  return files;
}

/** A few different things that are so in the files. */
function wantsOf(rng: Rng, files: { [path: string]: string[] }, debug: string, n: number): [string, string][] {
  const all: [string, string][] = [];
  for (const [path, lines] of Object.entries(files)) {
    const own: string[] = [];
    for (const line of lines) {
      const found = assignment(line);
      const name = definedName(line);
      if (found) own.push(...bounds(rng, found.name, found.value));
      else if (name !== undefined) own.push(rng.chance(0.7) ? `${name} defined` : line);
      else if (line.startsWith('return')) own.push(line);
    }
    if (!lines.some((line) => line.includes(debug))) own.push(`no ${debug}`);
    all.push(...rng.sample([...new Set(own)], 2).map((want): [string, string] => [path, want]));
  }
  return rng.sample(all, n);
}

function bounds(rng: Rng, name: string, value: number): string[] {
  return [rng.chance(0.5) ? `${name} >= ${value - rng.int(0, 5)}` : `${name} <= ${value + rng.int(0, 5)}`];
}

/** The lines with a bug that makes the test fail. */
function broken(rng: Rng, lines: readonly string[], text: string): string[] {
  const want = readWant(text);
  const swap = (is: (line: string) => boolean, make: (line: string) => string) =>
    lines.map((line) => (is(line) ? make(line) : line));
  switch (want.kind) {
    case 'bound': {
      const wrong = want.least ? want.value - rng.int(1, Math.min(9, want.value)) : want.value + rng.int(1, 30);
      return swap(
        (line) => assignment(line)?.name === want.name,
        (line) => line.replace(/\d+$/, String(wrong)),
      );
    }
    case 'defined':
      return swap(
        (line) => definedName(line) === want.name,
        (line) => swapWord(line, want.name, misspelt(rng, want.name)),
      );
    case 'lacks':
      return [...lines, `${want.text}(${/\((\w+)\)/.exec(lines.join(' '))?.[1] ?? rng.int(1, 9)})`];
    case 'line':
      return swap(
        (line) => line === want.text,
        (line) => otherSign(rng, line) ?? misspeltIn(rng, line),
      );
    default:
      return want satisfies never;
  }
}

function otherSign(rng: Rng, line: string): string | undefined {
  const sign = SIGNS.find((candidate) => line.includes(` ${candidate} `));
  return sign && line.replace(` ${sign} `, ` ${rng.pick(SIGNS.filter((other) => other !== sign))} `);
}

function misspeltIn(rng: Rng, line: string): string {
  const name = definedName(line) ?? line;
  return line.replace(name, () => misspelt(rng, name));
}

/** A name with a letter twice, or two letters the wrong way round. */
function misspelt(rng: Rng, name: string): string {
  const at = rng.int(1, Math.max(name.length - 2, 1));
  const [a = '', b = ''] = name.slice(at, at + 2);
  return name.slice(0, at) + (a === b || rng.chance(0.5) ? a + a + b : b + a) + name.slice(at + 2);
}

/** A line in which a whole word is another one. */
export function swapWord(line: string, from: string, to: string): string {
  return line.replace(/[A-Za-z0-9_]+/g, (found) => (found === from ? to : found));
}

function keyLines(lines: readonly string[]): JsonObject {
  return Object.fromEntries(lines.map((line, i) => [`l${i + 1}`, line]));
}

/** Samples a repository with at least one failing test. */
export function generate(rng: Rng, difficulty: number): Seeded {
  const style = rng.pick(STYLES);
  const debug = word(rng, DEBUG, 0.2);
  const files = correctFiles(rng, style, debug, difficulty);
  const wants = wantsOf(rng, files, debug, difficulty > 2 ? 3 : 2);
  for (const [path, want] of wants.slice(0, difficulty > 1 ? rng.int(1, 2) : 1))
    files[path] = broken(rng, files[path] ?? [], want);
  const state: State = {
    files: Object.fromEntries(Object.entries(files).map(([path, lines]) => [path, keyLines(lines)])),
  };
  const testIds = ids(rng, wants.length, rng.pick(['t', 'T', 'u', 'case']), 2);
  const fresh = rng.chance(0.3);
  const tests: JsonObject = {};
  rng.shuffle(wants).forEach(([file, want], i) => {
    const result = fresh ? 'new' : passes(state, { file, want }) ? 'ok' : 'failed';
    tests[testIds[i] ?? ''] = { file, want, result };
  });
  const verb = word(rng, VERBS, 0.3);
  const last = `${rng.pick(['c', 'r', 'v', 'k'])}${rng.int(2, 80)}`;
  const message = `${rng.pick([verb, 'init', word(rng, VERBS, 0.3)])} ${rng.pick(Object.keys(files)).replace(/^.*\/|\..*$/g, '')}`;
  Object.assign(state, { tests, commits: { [last]: { message } }, next: freshId(last) });
  return { title: 'Code repository', state, rules: rulesOf(rng, state, debug, verb, difficulty) };
}

function rulesOf(rng: Rng, state: State, debug: string, verb: string, difficulty: number): Seeded['rules'] {
  const paths = Object.keys(records(state, 'files'));
  const longest = Math.max(...paths.map((path) => linesOf(state, path).length));
  const rules = [
    { id: 'read_only', params: { folder: rng.pick(paths).replace(/\/.*$/, '') } },
    { id: 'banned', params: { word: debug } },
    { id: 'keep', params: { word: rng.pick(['import', 'return']) } },
    { id: 'tested', params: { test: rng.pick(Object.keys(records(state, 'tests'))) } },
    { id: 'message', params: { verb } },
    { id: 'hits', params: { max: rng.int(1, 3) } },
  ];
  // Always, so that files stay small.
  const most = { id: 'max_lines', params: { max: longest + rng.int(0, 1) } };
  return rng.shuffle([most, ...rng.sample(rules, difficulty > 2 ? 2 : 1)]);
}
