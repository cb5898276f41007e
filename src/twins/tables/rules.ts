/** Rules of a table. */
import type { RuleDef } from '../kit/types';

export const RULES: readonly RuleDef[] = [
  {
    id: 'read_only',
    code: 'read_only',
    text: ({ column }) => `update cannot change ${String(column)}`,
    violated: ({ column }, facts) => facts.column === column,
  },
  {
    id: 'range',
    code: 'out_of_range',
    text: ({ column, low, high }) => `${String(column)} is ${String(low)} to ${String(high)}`,
    violated: ({ column, low, high }, facts) =>
      facts.column === column && (Number(facts.value) < Number(low) || Number(facts.value) > Number(high)),
  },
  {
    id: 'unique',
    code: 'duplicate',
    text: ({ column }) => `${String(column)} is unique`,
    violated: ({ column }, facts) => facts.twice === column,
  },
  {
    id: 'max_rows',
    code: 'full',
    text: ({ max }) => `at most ${String(max)} rows`,
    violated: ({ max }, { rows }) => Number(rows) > Number(max),
  },
  {
    id: 'at_once',
    code: 'too_many',
    text: ({ max }) => `update and delete take at most ${String(max)} rows`,
    violated: ({ max }, { matched }) => Number(matched) > Number(max),
  },
  {
    id: 'keep',
    code: 'not_allowed',
    text: ({ column, value }) => `rows with ${String(column)} ${String(value)} cannot be deleted`,
    violated: ({ column, value }, facts) => facts[`${String(column)} ${String(value)}`] === true,
  },
  {
    id: 'max_views',
    code: 'full',
    text: ({ max }) => `at most ${String(max)} views`,
    violated: ({ max }, { views }) => Number(views) > Number(max),
  },
  { id: 'shown', text: ({ max }) => `select shows at most ${String(max)} rows` },
];
