/** Tasks in the repository, and the calls that fulfil them. */
import { pointerKey } from '../../world/checks';
import { get } from '../../world/json';
import { applyDelta } from '../../world/mergePatch';
import type { Rng } from '../../world/rng';
import type { Action, Check, State } from '../../world/types';
import { word } from '../kit/ids';
import { record, records, type Seeded, type TaskPlan, type TaskTemplate } from '../kit/types';
import { swapWord } from './generate';
import { assignment, definedName, failing, linesOf, readWant } from './verdict';
import { CONSTANTS, VERBS } from './words';

/** A line to write, or to delete where `text` is null. */
interface Change {
  path: string;
  key: string;
  text: string | null;
}

/** How much two texts have in common at both ends. */
function likeness(a: string, b: string): number {
  let head = 0;
  while (head < Math.min(a.length, b.length) && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < Math.min(a.length, b.length) - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  return head + tail;
}

/** What makes a test pass: one line that is changed or deleted, as a programmer would see it from the test. */
export function repair(state: State, testId: string): Change | undefined {
  const test = record(state, 'tests', testId);
  const path = String(test?.file);
  const lines = Object.entries(record(state, 'files', path) ?? {}).map(([key, item]) => ({ key, text: String(item) }));
  const closest = (to: string, of: (text: string) => string | undefined) =>
    lines
      .filter(({ text }) => of(text) !== undefined)
      .reduce<(typeof lines)[number] | undefined>(
        (best, line) => (best && likeness(of(best.text) ?? '', to) >= likeness(of(line.text) ?? '', to) ? best : line),
        undefined,
      );
  const want = readWant(String(test?.want));
  switch (want.kind) {
    case 'bound': {
      const line = lines.findLast(({ text }) => assignment(text)?.name === want.name);
      return line && { path, key: line.key, text: line.text.replace(/\d+$/, String(want.value)) };
    }
    case 'defined': {
      const line = closest(want.name, definedName);
      return line && { path, key: line.key, text: swapWord(line.text, definedName(line.text) ?? '', want.name) };
    }
    case 'lacks': {
      const line = lines.find(({ text }) => text.includes(want.text));
      return line && { path, key: line.key, text: null };
    }
    case 'line': {
      const line = closest(want.text, (text) => text);
      return line && { path, key: line.key, text: want.text };
    }
    default:
      return want satisfies never;
  }
}

/** The call that makes a change: as a whole line, now and then only the part that differs. */
function callOf(rng: Rng, state: State, { path, key, text }: Change): Action {
  const line = Number(key.slice(1));
  if (text === null) return { tool: 'delete', args: { path, line } };
  const words = String(record(state, 'files', path)?.[key]).split(' ');
  const others = text.split(' ');
  const differing = words.flatMap((old, i) => (old === others[i] ? [] : [[old, others[i] ?? ''] as const]));
  const [old = '', fresh = ''] = differing[0] ?? [];
  const hits = linesOf(state, path).filter((item) => item.includes(old)).length;
  if (words.length === others.length && differing.length === 1 && hits === 1 && rng.chance(0.5)) {
    if (words.findIndex((item) => item.includes(old)) === words.indexOf(old))
      return { tool: 'replace', args: { path, old, new: fresh } };
  }
  return { tool: 'edit', args: { path, line, text } };
}

function patched(state: State, { path, key, text }: Change): State {
  return applyDelta(state, { files: { [path]: { [key]: text } } });
}

/** Repairs all failing tests one after another, looking now and then, and runs the tests at the end. */
function repairs(rng: Rng, world: Seeded): Action[] | null {
  const plan: Action[] = rng.chance(0.4) ? [{ tool: 'test', args: {} }] : [];
  let state = world.state;
  for (let i = 0; i < 3; i++) {
    const [testId] = failing(state);
    if (testId === undefined) break;
    const change = repair(state, testId);
    if (!change) return null;
    if (rng.chance(0.5)) plan.push({ tool: 'read', args: { path: change.path } });
    plan.push(callOf(rng, state, change));
    state = patched(state, change);
  }
  return [...plan, { tool: 'test', args: {} }];
}

function allOk(world: Seeded): Check[] {
  return Object.keys(records(world.state, 'tests')).map((id) => ({
    path: `/tests/${pointerKey(id)}/result`,
    op: '==',
    value: 'ok',
  }));
}

const fix: TaskTemplate = (rng, world) => {
  const plan = repairs(rng, world);
  const instruction = rng.pick(['Make all tests pass.', 'Find the bug and repair it until all tests are ok.']);
  return plan && { instruction, plan, checks: allOk(world) };
};

const one: TaskTemplate = (rng, { state }) => {
  const id = rng.pick(failing(state));
  const change = repair(state, id);
  const run: Action = { tool: 'test', args: { id } };
  const first: Action[] = change && rng.chance(0.5) ? [{ tool: 'read', args: { path: change.path } }] : [];
  const check: Check = { path: `/tests/${pointerKey(id)}/result`, op: '==', value: 'ok' };
  return (
    (change && {
      instruction: `Make ${id} pass.`,
      plan: [...(rng.chance(0.3) ? [run] : []), ...first, callOf(rng, state, change), run],
      checks: [check],
    }) ??
    null
  );
};

const commit: TaskTemplate = (rng, world) => {
  const plan = repairs(rng, world);
  const next = String(get(world.state, 'next'));
  const verb = world.rules.find(({ id }) => id === 'message')?.params.verb ?? rng.pick(VERBS);
  const message = `${String(verb)} ${word(rng, CONSTANTS, 0.5)}`;
  const check: Check = { path: `/commits/${next}/message`, op: '==', value: message };
  return (
    plan && {
      instruction: `Repair the code until all tests are ok, then commit it as "${message}".`,
      plan: [...plan, { tool: 'commit', args: { message } }],
      checks: [...allOk(world), check],
    }
  );
};

interface Place extends Change {
  text: string;
}

/** All lines that no test speaks of. */
function freeLines(state: State): Place[] {
  const wants = Object.values(records(state, 'tests')).map((test) => String(test.want).split(/\W+/));
  return Object.entries(records(state, 'files')).flatMap(([path, lines]) =>
    Object.entries(lines)
      .map(([key, item]) => ({ path, key, text: String(item) }))
      .filter(({ text }) => !wants.flat().includes(definedName(text) ?? text.split(/\W+/)[0] ?? '')),
  );
}

/** A look at a file or for a word, in half of the cases. */
function look(rng: Rng, path: string, text: string): Action[] {
  if (rng.chance(0.5)) return [];
  return [rng.chance(0.5) ? { tool: 'read', args: { path } } : { tool: 'search', args: { text } }];
}

const value: TaskTemplate = (rng, { state }) => {
  const places = freeLines(state).filter(({ text }) => assignment(text));
  if (places.length === 0) return null;
  const place = rng.pick(places);
  const found = assignment(place.text);
  const number = rng.int(2, 90);
  const name = found?.name ?? '';
  const change = { ...place, text: place.text.replace(/\d+$/, String(number)) };
  return {
    instruction: `Set ${name} to ${number} in ${place.path}.`,
    plan: [...look(rng, place.path, name), callOf(rng, state, change)],
  };
};

const rename: TaskTemplate = (rng, { state }) => {
  const names = freeLines(state).flatMap(({ text }) => definedName(text) ?? []);
  if (names.length === 0) return null;
  const name = rng.pick(names);
  const to = word(rng, CONSTANTS, 0.6);
  const changes = Object.entries(records(state, 'files')).flatMap(([path, lines]) =>
    Object.entries(lines).flatMap(([key, item]): Change[] => {
      const text = swapWord(String(item), name, to);
      return text === item ? [] : [{ path, key, text }];
    }),
  );
  const all = Object.keys(records(state, 'files')).flatMap((path) => linesOf(state, path));
  const isTaken = all.some((line) => line !== swapWord(line, to, ''));
  if (isTaken || changes.length > 4) return null;
  return {
    instruction: `Rename ${name} to ${to} everywhere.`,
    plan: [
      ...(rng.chance(0.7) ? [{ tool: 'search', args: { text: name } }] : []),
      ...changes.map((change) => callOf(rng, state, change)),
    ],
  };
};

/** Debug calls, and imports of what their file does not use. */
const remove: TaskTemplate = (rng, { state }) => {
  const isUnused = ({ path, key, text }: Place) => {
    const name = /^import (\w+)$/.exec(text)?.[1];
    const others = Object.entries(record(state, 'files', path) ?? {}).filter(([other]) => other !== key);
    return name !== undefined && others.every(([, item]) => swapWord(String(item), name, '') === item);
  };
  const places = freeLines(state).filter((place) => isUnused(place) || /^\w+\(\w+\)$/.test(place.text));
  if (places.length === 0) return null;
  const place = rng.pick(places);
  const { path, key, text } = place;
  return {
    instruction: isUnused(place)
      ? `${path} does not use ${text.slice(7)}: remove its import.`
      : `Remove the line ${text} from ${path}.`,
    plan: [...look(rng, path, text.slice(0, 16)), { tool: 'delete', args: { path, line: Number(key.slice(1)) } }],
  };
};

const add: TaskTemplate = (rng, { state }) => {
  const sample = freeLines(state).find(({ text }) => assignment(text));
  const paths = Object.keys(records(state, 'files'));
  const name = word(rng, CONSTANTS, 0.6);
  const text = sample ? sample.text.replace(/\S+ = \d+$/, `${name} = ${rng.int(2, 90)}`) : `import ${name}`;
  const path = sample?.path ?? rng.pick(paths);
  return {
    instruction: `Add the line "${text}" to ${path}.`,
    plan: [...look(rng, path, name), { tool: 'append', args: { path, text } }],
  };
};

const two: TaskTemplate = (rng, world) => {
  const [first, second] = rng.sample([value, remove, add], 2).map((make): TaskPlan | null => make(rng, world));
  if (!first || !second) return null;
  return { instruction: `${first.instruction} ${second.instruction}`, plan: [...first.plan, ...second.plan] };
};

export const TASKS: { readonly [name: string]: TaskTemplate } = { fix, one, commit, value, rename, remove, add, two };
