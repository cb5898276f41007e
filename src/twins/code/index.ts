/** A toy repository: files of keyed lines, tests that want something of them, commits. Answers as a shell gives them. */
import type { JsonObject } from '../../world/json';
import { errorAnswer, notFound, textAnswer, type Answer } from '../kit/answer';
import { freshId } from '../kit/ids';
import { TEXT } from '../kit/schema';
import { record, records, type ArgSpec, type Call, type Family, type Program } from '../kit/types';
import { generate } from './generate';
import { RULES } from './rules';
import { TASKS } from './tasks';
import { passes } from './verdict';

const path: ArgSpec = { type: 'string', from: 'files', maxLength: 24 };
const line: ArgSpec = { type: 'integer', min: 1, max: 7 };
const text: ArgSpec = { type: 'string', maxLength: 28 };
const part: ArgSpec = { type: 'string', maxLength: 16 };

const PROGRAM: Program = {
  rules: RULES,
  tools: [
    {
      name: 'list',
      description: 'All paths',
      input: {},
      output: TEXT,
      readOnly: true,
      apply: ({ state }) => textAnswer(Object.keys(records(state, 'files'))),
    },
    {
      name: 'read',
      description: 'Numbered lines',
      input: { path },
      output: TEXT,
      readOnly: true,
      apply: (call) =>
        withFile(call, (lines) => {
          const shown = Object.entries(lines).map(([key, item]) => `${numberOf(key)} ${String(item)}`);
          return textAnswer(shown.length > 0 ? shown : ['no lines'], {}, [`${shown.length} lines`]);
        }),
    },
    {
      name: 'search',
      description: 'path:line of lines with it',
      input: { text: part },
      output: TEXT,
      readOnly: true,
      apply: (call) => {
        const hits = Object.entries(records(call.state, 'files')).flatMap(([name, lines]) =>
          Object.entries(lines)
            .filter(([, item]) => String(item).includes(String(call.args.text)))
            .map(([key]) => `${name}:${numberOf(key)}`),
        );
        const most = Number(call.rule('hits')?.max ?? hits.length);
        return textAnswer(hits.length > 0 ? hits.slice(0, most) : ['no hits']);
      },
    },
    {
      name: 'edit',
      description: 'Replaces a line',
      input: { path, line, text },
      output: TEXT,
      readOnly: false,
      apply: (call) => withLine(call, (_, key, name) => write(call, name, key, call.args.text)),
    },
    {
      name: 'replace',
      description: 'old must be in one line',
      input: { path, old: part, new: part },
      output: TEXT,
      readOnly: false,
      apply: (call) =>
        withFile(call, (lines, name) => {
          const old = String(call.args.old);
          const [hit, ...others] = Object.entries(lines).filter(([, item]) => String(item).includes(old));
          if (!hit) return notFound(old);
          if (others.length > 0) return errorAnswer('ambiguous', `${others.length + 1} lines match`);
          return write(
            call,
            name,
            hit[0],
            String(hit[1]).replace(old, () => String(call.args.new)),
          );
        }),
    },
    {
      name: 'append',
      description: 'Adds a last line',
      input: { path, text },
      output: TEXT,
      readOnly: false,
      apply: (call) =>
        withFile(call, (lines, name) => {
          const last = Object.keys(lines).reduce((most, key) => Math.max(most, numberOf(key)), 0);
          return write(call, name, `l${last + 1}`, call.args.text, Object.keys(lines).length + 1);
        }),
    },
    {
      name: 'delete',
      description: 'Deletes a line, keeps other numbers',
      input: { path, line },
      output: TEXT,
      readOnly: false,
      destructive: true,
      apply: (call) =>
        withLine(call, (item, key, name) => {
          const refused = call.forbidden({ path: name, text: item }, 'read_only', 'keep');
          return refused ?? textAnswer([`deleted ${name}:${numberOf(key)}`], { files: { [name]: { [key]: null } } });
        }),
    },
    {
      name: 'test',
      description: 'Runs tests, sets result',
      input: { id: { type: 'string', from: 'tests', optional: true } },
      output: TEXT,
      readOnly: false,
      apply: runTests,
    },
    {
      name: 'commit',
      description: 'New commit',
      input: { message: { type: 'string', maxLength: 24 } },
      output: TEXT,
      readOnly: false,
      apply: ({ state, args, forbidden }) => {
        const facts: JsonObject = { message: args.message ?? '' };
        for (const [id, test] of Object.entries(records(state, 'tests'))) facts[`result_${id}`] = test.result ?? '';
        const refused = forbidden(facts, 'tested', 'message');
        if (refused) return refused;
        const id = typeof state.next === 'string' ? state.next : 'c1';
        return textAnswer([`committed ${id}`], {
          commits: { [id]: { message: args.message ?? '' } },
          next: freshId(id),
        });
      },
    },
  ],
};

function numberOf(key: string): number {
  return Number(/^l(\d{1,3})$/.exec(key)?.[1] ?? 0);
}

function withFile(call: Call, then: (lines: JsonObject, name: string) => Answer): Answer {
  const lines = record(call.state, 'files', call.args.path);
  return lines ? then(lines, String(call.args.path)) : notFound(call.args.path);
}

function withLine(call: Call, then: (item: string, key: string, name: string) => Answer): Answer {
  return withFile(call, (lines, name) => {
    const key = `l${String(call.args.line)}`;
    if (!Object.hasOwn(lines, key)) return notFound(`${name}:${String(call.args.line)}`);
    return then(String(lines[key]), key, name);
  });
}

/** Puts a text into a line, unless a rule forbids it. `lines` is how many the file then has, where that changes. */
function write(call: Call, name: string, key: string, item: JsonObject[string] = '', lines?: number): Answer {
  const facts = { path: name, text: item, lines: lines ?? 0 };
  const refused = call.forbidden(facts, 'read_only', 'banned', ...(lines === undefined ? [] : ['max_lines']));
  return refused ?? textAnswer([`wrote ${name}:${numberOf(key)}`], { files: { [name]: { [key]: item } } });
}

/** Runs one test or all of them and records the results. */
function runTests({ state, args }: Call): Answer {
  const all = records(state, 'tests');
  const chosen = args.id === undefined ? Object.keys(all) : [String(args.id)];
  const delta: JsonObject = {};
  const failed: string[] = [];
  const passed: string[] = [];
  for (const id of chosen) {
    const test = record(state, 'tests', id);
    if (!test) return notFound(id);
    const ok = passes(state, test);
    delta[id] = { result: ok ? 'ok' : 'failed' };
    if (ok) passed.push(`${id} ok`);
    else failed.push(`${id} failed: ${String(test.file)} wants ${String(test.want)}`);
  }
  return textAnswer([`${passed.length} ok, ${failed.length} failed`, ...failed], { tests: delta }, passed);
}

export const code: Family = {
  name: 'code',
  title: 'Code repository',
  line: 'A small repository with tests: read, search, edit lines, run the tests, commit.',
  heldOut: false,
  failCodes: ['timeout', 'locked', 'out_of_memory', 'permission_denied'],
  program: () => PROGRAM,
  generate,
  tasks: () => TASKS,
};
