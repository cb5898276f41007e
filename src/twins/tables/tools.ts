/** Tools of a table: describe, get, select, top, aggregate; update, insert, delete, save_view. */
import type { JsonObject } from '../../world/json';
import type { State } from '../../world/types';
import { errorAnswer, listAnswer, notFound, recordAnswer, type Answer } from '../kit/answer';
import { freshId } from '../kit/ids';
import { listOf, shape } from '../kit/schema';
import { record, records, type ArgSpec, type Call, type Records, type ToolDef } from '../kit/types';
import { matches, parseWhere, type Columns, type ColumnType } from './where';

const column: ArgSpec = { type: 'string', from: 'columns', maxLength: 12 };
/** A condition, or the name of a view that stands for one. */
const where: ArgSpec = { type: 'string', maxLength: 40 };
const viewOrWhere: ArgSpec = { ...where, from: 'views' };
const FUNCTIONS = ['count', 'sum', 'min', 'max'] as const;

/** The columns of a state by their types. */
export function columnsOf(state: State): Columns {
  const all = Object.entries(records(state, 'columns'));
  return new Map(all.map(([name, { type }]): [string, ColumnType] => [name, type === 'number' ? 'number' : 'text']));
}

/** Rows that a where matches, all without one. */
function withRows({ state, args }: Call, then: (rows: Records) => Answer): Answer {
  const rows = records(state, 'rows');
  if (args.where === undefined) return then(rows);
  const text = record(state, 'views', args.where)?.where ?? args.where;
  const parsed = parseWhere(String(text), columnsOf(state));
  if (!parsed.ok) return errorAnswer('syntax', parsed.error);
  return then(Object.fromEntries(Object.entries(rows).filter(([id, row]) => matches(id, row, parsed.conditions))));
}

function withColumn(call: Call, then: (name: string, type: ColumnType) => Answer): Answer {
  const name = String(call.args.column);
  const type = columnsOf(call.state).get(name);
  return type ? then(name, type) : notFound(name);
}

const isText = (name: string) => errorAnswer('wrong_type', `${name} is text`);

/** Cells of a column with their rows' ids. */
function cells(rows: Records, name: string): { id: string; [cell: string]: string | number | boolean }[] {
  return Object.entries(rows).map(([id, row]) => ({ id, [name]: (row[name] ?? '') as string | number }));
}

/** Whether rows that a change touches would share a cell with another row, as the fact of `unique`. */
function twice(after: Records, touched: readonly string[], name: string): string {
  const value = (id: string) => after[id]?.[name];
  const shared = touched.some((id) => Object.keys(after).some((other) => other !== id && value(other) === value(id)));
  return shared ? name : '';
}

function update(call: Call): Answer {
  return withRows(call, (rows) =>
    withColumn(call, (name, type) => {
      const ids = Object.keys(rows);
      const refused = call.forbidden({ column: name, matched: ids.length }, 'read_only', 'at_once');
      if (refused) return refused;
      const text = String(call.args.value);
      if (type === 'number' && !/^[+-]?\d{1,4}$/.test(text)) return errorAnswer('wrong_type', `${name} is a number`);
      const valueOf = (row: JsonObject): string | number => {
        if (type === 'text') return text;
        return /^\d/.test(text) ? Number(text) : Number(row[name]) + Number(text);
      };
      const patch: Records = Object.fromEntries(ids.map((id) => [id, { [name]: valueOf(rows[id] ?? {}) }]));
      const after: Records = { ...records(call.state, 'rows'), ...patch };
      for (const id of ids) {
        const outside = call.forbidden({ column: name, value: patch[id]?.[name] ?? '' }, 'range');
        if (outside) return outside;
      }
      const duplicate = call.forbidden({ twice: twice(after, ids, name) }, 'unique');
      return duplicate ?? recordAnswer({ updated: ids.length }, { rows: patch });
    }),
  );
}

/** A row is written in the order of the columns, whatever that of the call. */
function insert(call: Call, columns: Columns): Answer {
  const row = Object.fromEntries([...columns.keys()].map((name) => [name, call.args[name] ?? '']));
  const rows = records(call.state, 'rows');
  const id = typeof call.state.next === 'string' ? call.state.next : 'r1';
  const full = call.forbidden({ rows: Object.keys(rows).length + 1 }, 'max_rows');
  if (full) return full;
  for (const [name, value] of Object.entries(row)) {
    const facts = { column: name, value, twice: twice({ ...rows, [id]: row }, [id], name) };
    const refused = call.forbidden(facts, 'range', 'unique');
    if (refused) return refused;
  }
  return recordAnswer({ id }, { rows: { [id]: row }, next: freshId(id) });
}

function remove(call: Call): Answer {
  return withRows(call, (rows) => {
    const facts: JsonObject = { matched: Object.keys(rows).length };
    for (const row of Object.values(rows))
      for (const [name, value] of Object.entries(row)) facts[`${name} ${String(value)}`] = true;
    const refused = call.forbidden(facts, 'at_once', 'keep');
    const gone = Object.fromEntries(Object.keys(rows).map((id) => [id, null]));
    return refused ?? recordAnswer({ deleted: Object.keys(rows).length }, { rows: gone });
  });
}

function saveView({ state, args, forbidden }: Call): Answer {
  const parsed = parseWhere(String(args.where), columnsOf(state));
  if (!parsed.ok) return errorAnswer('syntax', parsed.error);
  const name = String(args.name);
  const isNew = record(state, 'views', name) === undefined;
  const refused = isNew && forbidden({ views: Object.keys(records(state, 'views')).length + 1 }, 'max_views');
  return refused || recordAnswer({ name }, { views: { [name]: { where: args.where ?? '' } } });
}

/** Tools of a table with these columns: a row is inserted by a typed argument for each of them. */
export function toolsOf(columns: Columns): ToolDef[] {
  const cellArgs = [...columns].map(([name, type]): [string, ArgSpec] => [
    name,
    type === 'number' ? { type: 'integer', max: 999 } : { type: 'string', maxLength: 12 },
  ]);
  return [
    {
      name: 'describe',
      description: 'Columns',
      input: {},
      output: listOf('column@columns type:text|number'),
      of: 'columns',
      readOnly: true,
      apply: ({ state }) => listAnswer([...columnsOf(state)].map(([name, type]) => ({ column: name, type }))),
    },
    {
      name: 'get',
      description: 'One row',
      input: { id: { type: 'string', from: 'rows' } },
      output: shape('id@rows'),
      of: 'rows',
      readOnly: true,
      apply: ({ state, args }) => {
        const row = record(state, 'rows', args.id);
        return row ? recordAnswer({ id: String(args.id), ...row }) : notFound(args.id);
      },
    },
    {
      name: 'select',
      description: 'where: condition, view',
      input: { column, where: { ...viewOrWhere, optional: true } },
      output: listOf('id@rows'),
      of: 'rows',
      readOnly: true,
      apply: (call) =>
        withRows(call, (rows) =>
          withColumn(call, (name) =>
            listAnswer(cells(rows, name).slice(0, Number(call.rule('shown')?.max ?? Infinity))),
          ),
        ),
    },
    {
      name: 'top',
      description: 'n rows, largest first',
      input: { column, n: { type: 'integer', min: 1, max: 3 } },
      output: listOf('id@rows'),
      of: 'rows',
      readOnly: true,
      apply: (call) =>
        withColumn(call, (name, type) => {
          if (type === 'text') return isText(name);
          const sorted = cells(records(call.state, 'rows'), name).sort((a, b) => Number(b[name]) - Number(a[name]));
          return listAnswer(sorted.slice(0, Number(call.args.n)));
        }),
    },
    {
      name: 'aggregate',
      description: 'Of rows',
      input: { fn: { type: 'string', enum: FUNCTIONS }, column, where: { ...where, optional: true } },
      output: shape('value:num'),
      readOnly: true,
      apply: (call) => withRows(call, (rows) => withColumn(call, (name, type) => aggregate(call, rows, name, type))),
    },
    {
      name: 'update',
      description: 'Numbers: n, +n or -n',
      input: { where: viewOrWhere, column, value: { type: 'string', maxLength: 12 } },
      output: shape('updated:int'),
      readOnly: false,
      apply: update,
    },
    {
      name: 'insert',
      description: 'A new row',
      input: Object.fromEntries(cellArgs),
      output: shape('id@rows'),
      of: 'rows',
      readOnly: false,
      apply: (call) => insert(call, columns),
    },
    {
      name: 'delete',
      description: 'Deletes rows',
      input: { where: viewOrWhere },
      output: shape('deleted:int'),
      readOnly: false,
      destructive: true,
      apply: remove,
    },
    {
      name: 'save_view',
      description: 'Names a condition',
      input: { name: { type: 'string', maxLength: 12 }, where },
      output: shape('name@views'),
      of: 'views',
      readOnly: false,
      apply: saveView,
    },
  ];
}

function aggregate({ args }: Call, rows: Records, name: string, type: ColumnType): Answer {
  const values = Object.values(rows).map((row) => Number(row[name]));
  if (args.fn === 'count') return recordAnswer({ value: values.length });
  if (type === 'text') return isText(name);
  if (args.fn === 'sum') return recordAnswer({ value: values.reduce((sum, value) => sum + value, 0) });
  if (values.length === 0) return errorAnswer('no_rows', 'no rows match');
  return recordAnswer({ value: args.fn === 'min' ? Math.min(...values) : Math.max(...values) });
}
