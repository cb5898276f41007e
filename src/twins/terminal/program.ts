/** The tools of the file tree. */
import { isObject, type Json, type JsonObject } from '../../world/json';
import type { State } from '../../world/types';
import { errorAnswer, notFound, echo, textAnswer, type Answer } from '../kit/answer';
import { record, records, type ArgSpec, type Call, type Program, type ToolDef } from '../kit/types';
import { RULES } from './rules';

/** Lines a file and files a tree can have at most, so that answers stay small. */
const MOST_LINES = 5;
const MOST_FILES = 8;

const PATH: ArgSpec = { type: 'string', from: 'files', maxLength: 24 };
const TEXT: ArgSpec = { type: 'string', maxLength: 24 };

/** The program of a tree with these folders. They are fixed and stand in the signature of `ls`. */
export function terminalProgram(folders: readonly string[]): Program {
  const tools: ToolDef[] = [
    {
      name: 'ls',
      description: 'Names in a folder',
      input: { dir: { type: 'string', enum: folders } },
      readOnly: true,
      apply: ({ state, args }) => {
        const start = `${String(args.dir)}/`;
        const names = files(state).flatMap(([path]) => (path.startsWith(start) ? [path.slice(start.length)] : []));
        return textAnswer(names);
      },
    },
    {
      name: 'cat',
      description: 'All lines',
      input: { path: PATH },
      readOnly: true,
      apply: (call) => withFile(call, 'path', (_, file) => textAnswer(texts(file))),
    },
    {
      name: 'write',
      description: 'One line, new or replaced',
      input: { path: PATH, text: TEXT },
      readOnly: false,
      destructive: true,
      apply: (call) => write(call, folders),
    },
    {
      name: 'append',
      description: 'Adds a line',
      input: { path: PATH, text: TEXT },
      readOnly: false,
      apply: append,
    },
    {
      name: 'mv',
      description: 'Moves a file',
      input: { from: PATH, to: PATH },
      readOnly: false,
      apply: (call) => move(call, folders),
    },
    {
      name: 'rm',
      description: 'Removes it',
      input: { path: PATH },
      readOnly: false,
      destructive: true,
      apply: (call) =>
        withFile(call, 'path', (path) => {
          const refused = call.forbidden({ dir: folderOf(path), path }, 'read_only', 'keep');
          return refused ?? textAnswer([`removed ${path}`], { files: { [path]: null } });
        }),
    },
    {
      name: 'find',
      description: 'Paths whose name or text has it',
      input: { text: TEXT },
      readOnly: true,
      apply: ({ state, args }) => {
        const part = String(args.text);
        const has = ([path, file]: [string, JsonObject]) =>
          path.slice(path.indexOf('/') + 1).includes(part) || texts(file).some((line) => line.includes(part));
        return textAnswer(
          files(state)
            .filter(has)
            .map(([path]) => path),
        );
      },
    },
    {
      name: 'wc',
      description: 'Number of lines',
      input: { path: PATH },
      readOnly: true,
      apply: (call) => withFile(call, 'path', (_, file) => textAnswer([String(texts(file).length)])),
    },
  ];
  return { tools, rules: RULES };
}

/** The files of a state with their lines; what a hand edit left that is no file is passed over. */
function files(state: State): [string, JsonObject][] {
  return Object.entries(records(state, 'files')).filter(([, file]) => isObject(file));
}

/** The lines of a file in order. */
function texts(file: JsonObject): string[] {
  return Object.values(file).flatMap((line) => (typeof line === 'object' ? [] : [String(line)]));
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(path.indexOf('/'), 0));
}

function withFile(call: Call, arg: string, then: (path: string, file: JsonObject) => Answer): Answer {
  const path = call.args[arg];
  const file = record(call.state, 'files', path);
  return file ? then(String(path), file) : notFound(path);
}

/** Why a new file cannot have this path: not `folder/name`, a folder that is not there, or no space left. */
function refusePath(call: Call, arg: string, path: string, folders: readonly string[]): Answer | undefined {
  if (!/^[a-z]+\/[A-Za-z0-9_.-]+$/.test(path)) return errorAnswer('invalid_args', `invalid ${arg}`);
  const folder = folderOf(path);
  return folders.includes(folder) ? undefined : notFound(folder);
}

/** Lines are printable ASCII: whatever else a call holds would make answers long. */
function refuseText(text: Json | undefined): Answer | undefined {
  return /^[ -~]+$/.test(String(text)) ? undefined : errorAnswer('invalid_args', 'invalid text');
}

function write(call: Call, folders: readonly string[]): Answer {
  const path = String(call.args.path);
  const text = call.args.text ?? '';
  const old = record(call.state, 'files', path);
  const refused =
    refuseText(text) ??
    (old ? undefined : refusePath(call, 'path', path, folders)) ??
    call.forbidden({ dir: folderOf(path), path }, 'read_only', ...(old ? ['fixed'] : []));
  if (refused) return refused;
  if (!old && files(call.state).length >= MOST_FILES) return errorAnswer('full', 'no space left');
  const gone = Object.fromEntries(Object.keys(old ?? {}).map((key): [string, Json] => [key, null]));
  return textAnswer([`wrote ${path}`], { files: { [path]: { ...gone, l1: text } } });
}

function append(call: Call): Answer {
  return withFile(call, 'path', (path, file) => {
    const lines = texts(file).length;
    const refused =
      refuseText(call.args.text) ?? call.forbidden({ dir: folderOf(path), path, lines }, 'read_only', 'lines');
    if (refused) return refused;
    if (lines >= MOST_LINES) return errorAnswer('full', 'file is full');
    let next = lines + 1;
    while (Object.hasOwn(file, `l${next}`)) next++;
    return textAnswer([`appended to ${path}`], { files: { [path]: { [`l${next}`]: call.args.text ?? '' } } });
  });
}

function move(call: Call, folders: readonly string[]): Answer {
  return withFile(call, 'from', (from, file) => {
    const to = String(call.args.to);
    if (record(call.state, 'files', to)) return errorAnswer('exists', `${echo(to)} exists`.trimStart());
    const refused =
      refusePath(call, 'to', to, folders) ??
      call.forbidden({ dir: folderOf(from), other: folderOf(to), path: from }, 'read_only');
    return refused ?? textAnswer([`moved to ${to}`], { files: { [to]: file, [from]: null } });
  });
}
