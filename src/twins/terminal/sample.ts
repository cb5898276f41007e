/** Sampling of file trees. */
import { isObject, type Json, type JsonObject } from '../../world/json';
import type { Rng } from '../../world/rng';
import type { Seeded } from '../kit/types';
import { FOLDERS, STEMS, SUFFIXES, TEXT } from './words';

/**
 * The folders of a world, read from its spec.
 * @throws Error when the spec is not one of this family
 */
export function readFolders(spec: Json | undefined): string[] {
  const folders = isObject(spec) ? spec.folders : undefined;
  const ok =
    Array.isArray(folders) &&
    folders.every((name): name is string => typeof name === 'string' && /^[a-z]+$/.test(name));
  if (!ok || folders.length === 0) throw new Error('not a terminal spec: it needs folders, names of small letters');
  return folders;
}

/** One to three words, short enough for one line. */
export function sampleLine(rng: Rng): string {
  return rng.sample(TEXT, rng.pick([1, 2, 2, 3])).join(' ');
}

/** A file name: a word, often with a number, and one of the suffixes. */
export function sampleName(rng: Rng, suffixes: readonly string[]): string {
  const number = rng.chance(0.6) ? String(rng.int(1, rng.chance(0.5) ? 9 : 99)) : '';
  return `${rng.pick(STEMS)}${number}${rng.pick(suffixes)}`;
}

/** A tree of two or three folders with `2 + difficulty` files, and one or two rules. */
export function sampleTree(rng: Rng, difficulty: number): Seeded {
  const folders = rng.sample(FOLDERS, rng.int(2, 3));
  const suffixes = rng.sample(SUFFIXES, rng.int(2, 3));
  const files: JsonObject = {};
  while (Object.keys(files).length < 2 + difficulty) {
    const lines = Array.from({ length: rng.pick([1, 1, 2, 2, 3]) }, (_, i) => [`l${i + 1}`, sampleLine(rng)] as const);
    files[`${rng.pick(folders)}/${sampleName(rng, suffixes)}`] = Object.fromEntries(lines);
  }
  const used = [...new Set(Object.keys(files).map((path) => path.slice(path.lastIndexOf('.'))))];
  const rules = [
    { id: 'read_only', params: { dir: rng.pick(folders) } },
    { id: 'lines', params: { max: rng.int(2, 4) } },
    { id: 'keep', params: { suffix: rng.pick(used) } },
    { id: 'fixed', params: { suffix: rng.pick(used) } },
  ];
  return { title: 'Terminal', state: { files }, spec: { folders }, rules: rng.sample(rules, rng.int(1, 2)) };
}
