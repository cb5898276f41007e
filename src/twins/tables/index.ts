/** One table of a few rows, queried and changed by a tiny grammar. */
import { isObject, type JsonObject } from '../../world/json';
import type { Rng } from '../../world/rng';
import { coined, ids, idPrefix, nextId, word, words } from '../kit/ids';
import type { Family, Program, Seeded } from '../kit/types';
import { RULES } from './rules';
import { TASKS } from './tasks';
import { columnsOf, toolsOf } from './tools';
import { THEMES, VIEWS, type Theme } from './words';

/**
 * The tools of a table with the columns of the spec, which has them as the state does.
 * @throws Error when it has none
 */
function program(spec: JsonObject | undefined): Program {
  const columns = columnsOf(spec ?? {});
  if (columns.size === 0 || !isObject(spec?.columns)) throw new Error('the spec has no columns');
  return { rules: RULES, tools: toolsOf(columns) };
}

function generate(rng: Rng, difficulty: number): Seeded {
  const theme = rng.pick(THEMES);
  const { columns, name, group, numbers } = columnsFor(rng, theme, difficulty);
  const rowIds = ids(rng, difficulty > 2 ? 6 : difficulty + 2, idPrefix(rng), 2);
  const names = words(rng, theme.names, rowIds.length, 0.4);
  const groups = words(rng, theme.groups, 2, 0.3);
  const scales = numbers.map(() => rng.pick([9, 40, 60, 90]));
  const rows: JsonObject = {};
  rowIds.forEach((id, i) => {
    const row: JsonObject = { [name]: names[i] ?? '' };
    numbers.forEach((column, at) => (row[column] = rng.int(1, scales[at] ?? 9)));
    if (group !== undefined) row[group] = rng.pick(groups);
    rows[id] = row;
  });
  const next = nextId(rowIds);
  const views: JsonObject = {};
  // Wide tables have one view, so that block 0 stays small.
  const viewNames = words(rng, VIEWS, difficulty > 1 && Object.keys(columns).length < 4 ? 2 : 1, 0.3);
  viewNames.forEach((view) => {
    const at = rng.int(0, numbers.length - 1);
    const column = numbers[at] ?? '';
    const middle = Math.ceil((scales[at] ?? 9) / 2);
    const condition = `${column} ${rng.pick(['<', '>', '<=', '>='])} ${Math.max(middle + rng.int(-3, 3), 1)}`;
    const other = group !== undefined && rng.chance(0.3) ? `${group} = ${groups[0]}` : condition;
    const where = rng.chance(0.3) ? broken(rng, condition) : other;
    if (!Object.values(views).some((known) => isObject(known) && known.where === where)) views[view] = { where };
  });
  const rules = [
    { id: 'read_only', params: { column: rng.pick([name, ...numbers]) } },
    rangeRule(rng, numbers, rows),
    { id: 'unique', params: { column: name } },
    { id: 'at_once', params: { max: rng.int(2, 3) } },
    { id: 'keep', params: keepParams(rng, rows, group ?? name) },
    { id: 'max_views', params: { max: Object.keys(views).length + (rng.chance(0.3) ? 1 : 0) } },
    { id: 'shown', params: { max: rng.int(2, rowIds.length - 1) } },
  ];
  const most = { id: 'max_rows', params: { max: Math.min(rowIds.length + rng.int(0, 2), 8) } };
  return {
    title: theme.title,
    state: { columns, rows, views, next },
    rules: rng.shuffle([most, ...rng.sample(rules, difficulty > 1 ? 2 : 1)]),
    spec: { columns },
  };
}

/** Columns of a theme. At most one has a coined name, since names of columns stand in every row. */
function columnsFor(rng: Rng, theme: Theme, difficulty: number) {
  const grouped = difficulty > 1 || rng.chance(0.5);
  const numbers = rng.sample(theme.numbers, grouped && difficulty > 1 ? rng.int(1, 2) : 2);
  const unseen = rng.chance(0.6) ? rng.pick(['name', 'group', 'number']) : '';
  const name = unseen === 'name' ? coined(rng) : theme.name;
  const group = !grouped ? undefined : unseen === 'group' ? coined(rng) : theme.group;
  if (unseen === 'number') numbers[0] = coined(rng);
  const columns: JsonObject = { [name]: { type: 'text' } };
  for (const column of numbers) columns[column] = { type: 'number' };
  if (group !== undefined) columns[group] = { type: 'text' };
  return { columns, name, group, numbers };
}

/** A condition with one of the faults people leave behind: an old name, no value, no operator, an open end, a word. */
function broken(rng: Rng, condition: string): string {
  const [column = '', operator = '', value = ''] = condition.split(' ');
  const faults = [
    `${word(rng, ['amount', 'size', 'total'], 0.5)} ${operator} ${value}`,
    `${column} ${operator}`,
    `${column} ${value}`,
    `${column} ${operator} ${rng.pick(['low', 'max', 'ten'])}`,
    `${column} => ${value}`,
  ];
  return rng.pick(faults);
}

function numbersOf(rows: JsonObject, column: string): number[] {
  return Object.values(rows).map((row) => Number(isObject(row) ? row[column] : 0));
}

function rangeRule(rng: Rng, numbers: readonly string[], rows: JsonObject): Seeded['rules'][number] {
  const column = rng.pick(numbers);
  const cells = numbersOf(rows, column);
  const low = Math.max(Math.min(...cells) - rng.int(0, 3), 0);
  return { id: 'range', params: { column, low, high: Math.max(...cells) + rng.int(0, 5) } };
}

function keepParams(rng: Rng, rows: JsonObject, column: string) {
  const row = rng.pick(Object.values(rows));
  return { column, value: String(isObject(row) ? row[column] : '') };
}

export const tables: Family = {
  name: 'tables',
  title: 'Table',
  line: 'A table with a tiny query language: select, top, aggregate, update, insert, delete, views.',
  heldOut: false,
  failCodes: ['timeout', 'locked', 'deadlock', 'unavailable'],
  program,
  generate,
  tasks: () => TASKS,
};
