/** Rules of the repository. */
import type { RuleDef } from '../kit/types';

export const RULES: readonly RuleDef[] = [
  {
    id: 'read_only',
    code: 'read_only',
    text: ({ folder }) => `${String(folder)} is read-only`,
    violated: ({ folder }, { path }) => String(path).startsWith(`${String(folder)}/`),
  },
  {
    id: 'banned',
    code: 'not_allowed',
    text: ({ word }) => `no new line may contain ${String(word)}`,
    violated: ({ word }, { text }) => String(text).includes(String(word)),
  },
  {
    id: 'keep',
    code: 'not_allowed',
    text: ({ word }) => `lines with ${String(word)} cannot be deleted`,
    violated: ({ word }, { text }) => String(text).includes(String(word)),
  },
  {
    id: 'max_lines',
    code: 'full',
    text: ({ max }) => `a file has at most ${String(max)} lines`,
    violated: ({ max }, { lines }) => Number(lines) > Number(max),
  },
  {
    id: 'tested',
    code: 'not_tested',
    text: ({ test }) => `no commit until ${String(test)} is ok`,
    violated: ({ test }, facts) => facts[`result_${String(test)}`] !== 'ok',
  },
  {
    id: 'message',
    code: 'bad_message',
    text: ({ verb }) => `commit messages start with ${String(verb)}`,
    violated: ({ verb }, { message }) => !String(message).startsWith(String(verb)),
  },
  { id: 'hits', text: ({ max }) => `search stops after hit ${String(max)}` },
];
