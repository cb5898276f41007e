/** Tasks on a table, and the calls that fulfil them. */
import type { Rng } from '../../world/rng';
import type { Action, State } from '../../world/types';
import { coined, word } from '../kit/ids';
import { records, type Records, type Seeded, type TaskPlan, type TaskTemplate } from '../kit/types';
import { columnsOf } from './tools';
import { matches, parseWhere } from './where';
import { VIEWS } from './words';

interface Choice {
  /** As the grammar has it. */
  where: string;
  /** As people say it. */
  text: string;
  rows: Records;
}

const SAID: { readonly [operator: string]: string } = { '=': '', '<': 'below ', '>': 'above ', '>=': 'at least ' };

function columnNames(state: State, type: 'text' | 'number'): string[] {
  return [...columnsOf(state)].filter(([, own]) => own === type).map(([name]) => name);
}

function rowsWhere(state: State, where: string): Records {
  const parsed = parseWhere(where, columnsOf(state));
  const rows = Object.entries(records(state, 'rows'));
  return Object.fromEntries(parsed.ok ? rows.filter(([id, row]) => matches(id, row, parsed.conditions)) : []);
}

function part(rng: Rng, state: State): { where: string; text: string } {
  const [, row = {}] = rng.pick(Object.entries(records(state, 'rows')));
  const [column, type] = rng.pick([...columnsOf(state)]);
  const cell = row[column] ?? '';
  const operator = type === 'text' ? '=' : rng.pick(['<', '>', '>=']);
  const value = type === 'text' ? String(cell) : String(Math.max(Number(cell) + rng.int(-2, 2), 1));
  return { where: `${column} ${operator} ${value}`, text: `${column} ${SAID[operator] ?? ''}${value}` };
}

/** A condition that holds for some rows and not for all, one in four made of two. */
function choose(rng: Rng, state: State): Choice | null {
  for (let i = 0; i < 8; i++) {
    const parts = [part(rng, state), ...(rng.chance(0.25) ? [part(rng, state)] : [])];
    const names = new Set(parts.map((one) => one.where.split(' ')[0]));
    if (names.size < parts.length) continue;
    const where = parts.map((one) => one.where).join(' and ');
    const rows = rowsWhere(state, where);
    const n = Object.keys(rows).length;
    if (n > 0 && n < Object.keys(records(state, 'rows')).length && where.length <= 40)
      return { where, text: parts.map((one) => one.text).join(' and '), rows };
  }
  return null;
}

/** A look at a column, or a count, of the rows in question; in half of the cases none. */
function look(rng: Rng, column: string, where: string): Action[] {
  if (rng.chance(0.5)) return [];
  if (rng.chance(0.6)) return [{ tool: 'select', args: { column, where } }];
  return [{ tool: 'aggregate', args: { fn: 'count', column, where } }];
}

/** Another value for a column: of its kind, near those it has. */
function otherValue(rng: Rng, state: State, column: string): string {
  const cells = Object.values(records(state, 'rows')).map((row) => row[column] ?? '');
  if (columnsOf(state).get(column) === 'number') return String(rng.int(1, Math.max(...cells.map(Number))));
  return word(rng, cells.map(String), 0.5);
}

const set: TaskTemplate = (rng, { state }) => {
  const choice = choose(rng, state);
  if (!choice) return null;
  const others = [...columnsOf(state).keys()].filter((name) => !choice.where.split(' ').includes(name));
  if (others.length === 0) return null;
  const column = rng.pick(others);
  const value = otherValue(rng, state, column);
  return {
    instruction: `Set ${column} to ${value} in the rows with ${choice.text}.`,
    plan: [...look(rng, column, choice.where), { tool: 'update', args: { where: choice.where, column, value } }],
  };
};

/** Adds to or takes from the numbers of some rows, named by a condition or a view. */
const shift: TaskTemplate = (rng, { state }) => {
  const views = Object.keys(records(state, 'views'));
  const view = rng.chance(0.5) ? rng.pick(views) : undefined;
  const choice = view === undefined ? choose(rng, state) : undefined;
  const where = view ?? choice?.where;
  if (where === undefined) return null;
  const column = rng.pick(columnNames(state, 'number'));
  const n = rng.int(1, 9);
  const up = rng.chance(0.6);
  const rows = view === undefined ? `the rows with ${choice?.text ?? ''}` : `the rows of the view ${view}`;
  return {
    instruction: up ? `Add ${n} to ${column} in ${rows}.` : `Take ${n} off ${column} in ${rows}.`,
    plan: [...look(rng, column, where), { tool: 'update', args: { where, column, value: `${up ? '+' : '-'}${n}` } }],
  };
};

const insert: TaskTemplate = (rng, { state }) => {
  const columns = [...columnsOf(state)];
  const args = Object.fromEntries(
    columns.map(([name, type], i) => {
      const value = i === 0 ? coined(rng) : otherValue(rng, state, name);
      return [name, type === 'number' ? Number(value) : value];
    }),
  );
  const cells = Object.entries(args).map(([name, value]) => `${name} ${value}`);
  const first: Action[] = rng.chance(0.4) ? [{ tool: 'describe', args: {} }] : [];
  return { instruction: `Add a row with ${cells.join(', ')}.`, plan: [...first, { tool: 'insert', args }] };
};

const remove: TaskTemplate = (rng, { state }) => {
  const choice = choose(rng, state);
  if (!choice) return null;
  const column = rng.pick([...columnsOf(state).keys()]);
  return {
    instruction: `Delete the rows with ${choice.text}.`,
    plan: [...look(rng, column, choice.where), { tool: 'delete', args: { where: choice.where } }],
  };
};

/** Saves a view, or repairs one that does not parse. */
const save: TaskTemplate = (rng, { state }) => {
  const choice = choose(rng, state);
  if (!choice) return null;
  const bad = Object.entries(records(state, 'views')).find(
    ([, { where }]) => !parseWhere(String(where), columnsOf(state)).ok,
  );
  const name = bad?.[0] ?? word(rng, VIEWS, 0.4);
  return {
    instruction: bad
      ? `The view ${name} does not work. It should be "${choice.where}".`
      : `Save the view ${name} for "${choice.where}".`,
    plan: [{ tool: 'save_view', args: { name, where: choice.where } }],
  };
};

/** Saves a view of the rows that have the largest or the smallest number. */
const peak: TaskTemplate = (rng, { state }) => {
  const column = rng.pick(columnNames(state, 'number'));
  const fn = rng.pick(['min', 'max'] as const);
  const cells = Object.values(records(state, 'rows')).map((row) => Number(row[column]));
  const name = word(rng, VIEWS, 0.4);
  const where = `${column} = ${fn === 'min' ? Math.min(...cells) : Math.max(...cells)}`;
  return {
    instruction: `Save the view ${name} as "${column} = N", N being the ${fn === 'min' ? 'smallest' : 'largest'} ${column}.`,
    plan: [
      { tool: 'aggregate', args: { fn, column } },
      { tool: 'save_view', args: { name, where } },
    ],
  };
};

/** Changes or deletes the one row with the largest or the smallest number. */
const extreme: TaskTemplate = (rng, { state }) => {
  const column = rng.pick(columnNames(state, 'number'));
  const sorted = Object.entries(records(state, 'rows')).sort(([, a], [, b]) => Number(a[column]) - Number(b[column]));
  const largest = rng.chance(0.6);
  const [[id, row] = ['', {}], [, next] = ['', {}]] = largest ? sorted.reverse() : sorted;
  if (row[column] === next[column]) return null;
  const look: Action = largest
    ? { tool: 'top', args: { column, n: 1 } }
    : { tool: 'aggregate', args: { fn: 'min', column } };
  const where = largest ? `id = ${id}` : `${column} = ${String(row[column])}`;
  const which = `the row with the ${largest ? 'largest' : 'smallest'} ${column}`;
  if (rng.chance(0.35)) return { instruction: `Delete ${which}.`, plan: [look, { tool: 'delete', args: { where } }] };
  const target = rng.pick([...columnsOf(state).keys()]);
  const value = otherValue(rng, state, target);
  return {
    instruction: `Set ${target} to ${value} in ${which}.`,
    plan: [look, { tool: 'update', args: { where, column: target, value } }],
  };
};

const two: TaskTemplate = (rng, world: Seeded) => {
  const [first, second] = rng.sample([set, shift, insert, save], 2).map((make): TaskPlan | null => make(rng, world));
  if (!first || !second) return null;
  return { instruction: `${first.instruction} ${second.instruction}`, plan: [...first.plan, ...second.plan] };
};

export const TASKS: { readonly [name: string]: TaskTemplate } = {
  set,
  shift,
  insert,
  remove,
  save,
  peak,
  extreme,
  two,
};
