/** Tasks of the file tree: a look now and then, then the change. */
import { get, isObject } from '../../world/json';
import type { Rng } from '../../world/rng';
import type { Action } from '../../world/types';
import { records, type Seeded, type TaskPlan, type TaskTemplate } from '../kit/types';
import { readFolders, sampleLine, sampleName } from './sample';

/** Calls a plan has at most. */
const MOST_CALLS = 4;

/** One goal for one file: its sentence, calls that look first, and the call that reaches it. */
type Goal = (rng: Rng, world: Seeded, path: string) => { text: string; looks: Action[]; action: Action };

const call = (tool: string, args: { [name: string]: string }): Action => ({ tool, args });
const nameOf = (path: string) => path.slice(path.indexOf('/') + 1);
const folderOf = (path: string) => path.slice(0, path.indexOf('/'));

function firstLine(world: Seeded, path: string): string {
  const file = get(records(world.state, 'files'), path);
  return isObject(file) ? String(file.l1) : '';
}

/** A path that does not exist yet, with the suffix of one that does. */
function freshPath(rng: Rng, world: Seeded, like: string): string {
  const suffix = like.slice(like.lastIndexOf('.'));
  for (;;) {
    const path = `${rng.pick(readFolders(world.spec))}/${sampleName(rng, [suffix])}`;
    if (get(records(world.state, 'files'), path) === undefined) return path;
  }
}

const GOALS: readonly Goal[] = [
  (rng, world, like) => {
    const path = freshPath(rng, world, like);
    const text = sampleLine(rng);
    const looks = [call('ls', { dir: folderOf(path) })];
    return { text: `Write "${text}" to ${path}`, looks, action: call('write', { path, text }) };
  },
  (rng, _, path) => {
    const text = sampleLine(rng);
    return {
      text: `Replace ${path} by "${text}"`,
      looks: [call(rng.pick(['cat', 'wc']), { path })],
      action: call('write', { path, text }),
    };
  },
  (rng, _, path) => {
    const text = sampleLine(rng);
    return {
      text: `Add "${text}" to ${path}`,
      looks: rng.sample([call('cat', { path }), call('wc', { path })], rng.int(1, 2)),
      action: call('append', { path, text }),
    };
  },
  (rng, world, from) => {
    const folder = rng.pick(readFolders(world.spec).filter((name) => name !== folderOf(from)));
    const to = `${folder}/${nameOf(from)}`;
    const looks = rng.pick([[call('find', { text: nameOf(from) })], [call('cat', { path: from })]]);
    return { text: `Move ${from} to ${folder}`, looks, action: call('mv', { from, to }) };
  },
  (rng, world, from) => {
    const to = freshPath(rng, world, from);
    return {
      text: `Rename ${from} to ${to}`,
      looks: [call('ls', { dir: folderOf(rng.pick([from, to])) })],
      action: call('mv', { from, to }),
    };
  },
  (rng, _, path) => {
    const looks = [call('ls', { dir: folderOf(path) }), call(rng.pick(['cat', 'wc']), { path })];
    return { text: `Remove ${path}`, looks: rng.sample(looks, rng.int(1, 2)), action: call('rm', { path }) };
  },
  (_, world, path) => {
    const text = firstLine(world, path);
    return { text: `Remove the file with "${text}"`, looks: [call('find', { text })], action: call('rm', { path }) };
  },
];

/** Templates: each goal alone, and goals in twos or threes at higher difficulty (told by the number of files). */
export function terminalTasks(world: Seeded): TaskTemplate[] {
  const paths = Object.keys(records(world.state, 'files'));
  const sizes = paths.length <= 3 ? [1] : paths.length === 4 ? [1, 2] : [2, 3];
  return sizes.flatMap((size) => GOALS.map((_, at) => (rng: Rng) => combine(rng, world, at, size)));
}

function combine(rng: Rng, world: Seeded, first: number, size: number): TaskPlan {
  const others = GOALS.map((_, i) => i).filter((i) => i !== first);
  const chosen = [first, ...rng.sample(others, size - 1)];
  const paths = rng.sample(Object.keys(records(world.state, 'files')), size);
  const goals = chosen.flatMap((at, i) => GOALS[at]?.(rng, world, paths[i] ?? '') ?? []);
  let spare = MOST_CALLS - size;
  const plan = goals.flatMap(({ looks, action }) => {
    const before = rng.chance(0.55) ? looks.slice(0, spare) : [];
    spare -= before.length;
    return [...before, action];
  });
  return { instruction: `${goals.map(({ text }) => text).join('. ')}.`, plan };
}
