/** A small file tree with plain-text answers. Files hold keyed lines, so that a change is a small patch. */
import type { JsonObject } from '../../world/json';
import type { Rng } from '../../world/rng';
import type { Action, State } from '../../world/types';
import { errorAnswer, notFound, textAnswer, type Answer } from '../kit/answer';
import {
  record,
  records,
  type ArgSpec,
  type Call,
  type Family,
  type Program,
  type RuleDef,
  type Seeded,
  type TaskPlan,
} from '../kit/types';
import { word, words } from '../kit/ids';
import { TEXT } from '../kit/schema';
import { CONTENT, FOLDERS, STEMS, SUFFIXES } from './words';

const RULES: readonly RuleDef[] = [
  {
    id: 'read_only',
    code: 'read_only',
    text: ({ folder }) => `${String(folder)} is read-only`,
    violated: ({ folder }, facts) => facts[`in_${String(folder)}`] === true,
  },
  {
    id: 'max_lines',
    code: 'full',
    text: ({ max }) => `a file has at most ${String(max)} lines`,
    violated: ({ max }, facts) => Number(facts.lines) > Number(max),
  },
  {
    id: 'keep',
    code: 'not_allowed',
    text: ({ suffix }) => `${String(suffix)} files cannot be removed`,
    violated: ({ suffix }, facts) => facts.suffix === suffix,
  },
  {
    id: 'max_files',
    code: 'full',
    text: ({ max }) => `at most ${String(max)} files`,
    violated: ({ max }, facts) => Number(facts.files) > Number(max),
  },
];

const file: ArgSpec = { type: 'string', from: 'files', maxLength: 24 };
const path: ArgSpec = { type: 'string', maxLength: 24 };
const text: ArgSpec = { type: 'string', maxLength: 24 };

const PROGRAM: Program = {
  rules: RULES,
  tools: [
    {
      name: 'ls',
      description: 'Paths in a folder',
      input: { dir: { type: 'string', from: 'files', part: 'head', maxLength: 24 } },
      output: TEXT,
      readOnly: true,
      apply: ({ state, args }) => {
        const paths = Object.keys(records(state, 'files')).filter((name) => folderOf(name) === args.dir);
        return paths.length > 0 ? textAnswer(paths) : notFound(args.dir);
      },
    },
    {
      name: 'cat',
      description: 'Lines of a file',
      input: { path: file },
      output: TEXT,
      readOnly: true,
      apply: (call) =>
        withFile(call, 'path', (lines) =>
          textAnswer(Object.values(lines).map(String), {}, [`${Object.keys(lines).length} lines`]),
        ),
    },
    {
      name: 'wc',
      description: 'Number of lines',
      input: { path: file },
      output: TEXT,
      readOnly: true,
      apply: (call) => withFile(call, 'path', (lines) => textAnswer([String(Object.keys(lines).length)])),
    },
    {
      name: 'find',
      description: 'Paths that contain it',
      input: { name: { type: 'string', from: 'files', part: 'tail', maxLength: 24 } },
      output: TEXT,
      readOnly: true,
      apply: ({ state, args }) =>
        textAnswer(Object.keys(records(state, 'files')).filter((name) => name.includes(String(args.name)))),
    },
    {
      name: 'write',
      description: 'Makes text the only line',
      input: { path, text },
      output: TEXT,
      readOnly: false,
      destructive: true,
      apply: (call) => {
        const { name, isNew, files } = target(call, 'path');
        const refused = call.forbidden(facts(name, { lines: 1, files }), 'read_only', ...(isNew ? ['max_files'] : []));
        return (
          refused ??
          textAnswer([`wrote ${name}`], { files: { [name]: replaceLines(call.state, name, call.args.text) } })
        );
      },
    },
    {
      name: 'append',
      description: 'Adds a line',
      input: { path: file, text },
      output: TEXT,
      readOnly: false,
      apply: (call) =>
        withFile(call, 'path', (lines, name) => {
          const number = Object.keys(lines).length + 1;
          const refused = call.forbidden(facts(name, { lines: number }), 'read_only', 'max_lines');
          return (
            refused ?? textAnswer([`wrote ${name}`], { files: { [name]: { [`l${number}`]: call.args.text ?? '' } } })
          );
        }),
    },
    {
      name: 'mv',
      description: 'Renames a file',
      input: { from: file, to: path },
      output: TEXT,
      readOnly: false,
      apply: (call) =>
        withFile(call, 'from', (lines, name) => {
          const { name: to, isNew } = target(call, 'to');
          if (!isNew) return errorAnswer('exists', `${to} exists`);
          const refused = call.forbidden(facts(name, {}), 'read_only') ?? call.forbidden(facts(to, {}), 'read_only');
          return refused ?? textAnswer([`moved to ${to}`], { files: { [name]: null, [to]: lines } });
        }),
    },
    {
      name: 'rm',
      description: 'Removes a file',
      input: { path: file },
      output: TEXT,
      readOnly: false,
      destructive: true,
      apply: (call) =>
        withFile(call, 'path', (_, name) => {
          const refused = call.forbidden(facts(name, {}), 'read_only', 'keep');
          return refused ?? textAnswer([`removed ${name}`], { files: { [name]: null } });
        }),
    },
  ],
};

/** Folder of a path: what stands before its last slash, or nothing. */
function folderOf(name: string): string {
  return name.slice(0, Math.max(name.lastIndexOf('/'), 0));
}

function facts(name: string, numbers: JsonObject): JsonObject {
  const dot = name.lastIndexOf('.');
  return { ...numbers, [`in_${folderOf(name)}`]: true, suffix: dot < 0 ? '' : name.slice(dot) };
}

function withFile(call: Call, arg: string, then: (lines: JsonObject, name: string) => Answer): Answer {
  const lines = record(call.state, 'files', call.args[arg]);
  return lines ? then(lines, String(call.args[arg])) : notFound(call.args[arg]);
}

/** A path to write to, whether it is new, and how many files there would be. */
function target(call: Call, arg: string): { name: string; isNew: boolean; files: number } {
  const name = String(call.args[arg]);
  const isNew = record(call.state, 'files', name) === undefined;
  return { name, isNew, files: Object.keys(records(call.state, 'files')).length + 1 };
}

/** Patch that leaves one line in a file. */
function replaceLines(state: State, name: string, line: JsonObject[string] = ''): JsonObject {
  const old = record(state, 'files', name) ?? {};
  return { ...Object.fromEntries(Object.keys(old).map((key) => [key, null])), l1: line };
}

function phrase(rng: Rng, most: number): string {
  return words(rng, CONTENT, rng.int(1, most), 0.3).join(' ');
}

function fileName(rng: Rng): string {
  return `${word(rng, STEMS, 0.4)}${rng.chance(0.35) ? rng.int(1, 99) : ''}${rng.pick(SUFFIXES)}`;
}

function generate(rng: Rng, difficulty: number): Seeded {
  const folders = words(rng, FOLDERS, difficulty > 1 ? 3 : 2, 0.3);
  const files: JsonObject = {};
  while (Object.keys(files).length < difficulty + 2) {
    const lines: JsonObject = {};
    for (let n = rng.int(1, 3), i = 1; i <= n; i++) lines[`l${i}`] = phrase(rng, 2);
    files[`${rng.pick(folders)}/${fileName(rng)}`] = lines;
  }
  const rules = [
    { id: 'read_only', params: { folder: rng.pick(folders) } },
    { id: 'max_lines', params: { max: rng.int(2, 4) } },
    { id: 'keep', params: { suffix: rng.pick(SUFFIXES) } },
    { id: 'max_files', params: { max: rng.int(5, 6) } },
  ];
  return { title: 'Terminal', state: { files }, rules: rng.sample(rules, 2) };
}

type Goal = (rng: Rng, world: Seeded) => TaskPlan;

const GOALS: { readonly [name: string]: Goal } = {
  append: (rng, { state }) => {
    const name = rng.pick(Object.keys(records(state, 'files')));
    const line = phrase(rng, 2);
    return goal(
      rng,
      `Append "${line}" to ${name}.`,
      { tool: 'cat', args: { path: name } },
      { tool: 'append', args: { path: name, text: line } },
    );
  },
  write: (rng, { state }) => {
    const folder = folderOf(rng.pick(Object.keys(records(state, 'files'))));
    const name = `${folder}/${fileName(rng)}`;
    const line = phrase(rng, 2);
    return goal(
      rng,
      `Write "${line}" to ${name}.`,
      { tool: 'ls', args: { dir: folder } },
      { tool: 'write', args: { path: name, text: line } },
    );
  },
  move: (rng, { state }) => {
    const [name = '', other = name] = rng.shuffle(Object.keys(records(state, 'files')));
    const to = `${folderOf(other)}/${fileName(rng)}`;
    return goal(
      rng,
      `Move ${name} to ${to}.`,
      { tool: 'ls', args: { dir: folderOf(name) } },
      { tool: 'mv', args: { from: name, to } },
    );
  },
  remove: (rng, { state }) => {
    const name = rng.pick(Object.keys(records(state, 'files')));
    const look = { tool: 'find', args: { name: name.slice(name.lastIndexOf('/') + 1) } };
    return goal(rng, `Remove ${name}.`, look, { tool: 'rm', args: { path: name } });
  },
};

function goal(rng: Rng, instruction: string, look: Action, action: Action): TaskPlan {
  return { instruction, plan: rng.chance(0.6) ? [look, action] : [action] };
}

export const terminal: Family = {
  name: 'terminal',
  title: 'Terminal',
  line: 'A small file tree: list, read, write, append, move, remove, find, count.',
  heldOut: false,
  failCodes: ['permission_denied', 'disk_full', 'timeout', 'busy'],
  program: () => PROGRAM,
  generate,
  tasks: () => ({
    ...GOALS,
    two: (rng, world) => {
      const [first, second] = rng.sample(Object.values(GOALS), 2).map((make) => make(rng, world));
      if (!first || !second) return null;
      return { instruction: `${first.instruction} ${second.instruction}`, plan: [...first.plan, ...second.plan] };
    },
  }),
};
