/** The rules a file tree can have. */
import type { RuleDef } from '../kit/types';

/** Facts: `dir` and `other` (folders that would change), `path` (the file), `lines` (how many it has). */
export const RULES: readonly RuleDef[] = [
  {
    id: 'read_only',
    code: 'read_only',
    text: ({ dir }) => `${String(dir)} is read-only`,
    violated: ({ dir }, facts) => facts.dir === dir || facts.other === dir,
  },
  {
    id: 'lines',
    code: 'full',
    text: ({ max }) => `a file has at most ${String(max)} lines`,
    violated: ({ max }, facts) => Number(facts.lines) >= Number(max),
  },
  {
    id: 'keep',
    code: 'not_allowed',
    text: ({ suffix }) => `${String(suffix)} files cannot be removed`,
    violated: ({ suffix }, facts) => String(facts.path).endsWith(String(suffix)),
  },
  {
    id: 'fixed',
    code: 'not_allowed',
    text: ({ suffix }) => `${String(suffix)} files cannot be replaced`,
    violated: ({ suffix }, facts) => String(facts.path).endsWith(String(suffix)),
  },
];
