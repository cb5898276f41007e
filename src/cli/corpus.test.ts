import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadTokenizer, type BpeTokenizer } from '../models/tokenizer';
import { FAMILIES } from '../twins';
import { RESERVED } from '../twins/universe/words';
import { CALL, decodeAnswer, END, RESP, RULES, TURN, UNTOLD } from '../world/codec';
import { MAX_DOCUMENT } from './corpusDocuments';
import { mixOf } from '../rollouts/mix';
import { trajectory } from '../rollouts/trajectories';

const root = resolve(import.meta.dirname, '../..');
const file = join(root, 'models/ar/tokenizer.json');
const out = mkdtempSync(join(tmpdir(), 'terrarium-corpus-'));
let tokenizer: BpeTokenizer;

interface Line {
  family: string;
  rules: string;
  tools: string;
  state: string;
  turns: { directives: string; call: string; observation: string; delta: string; status: string }[];
}

const lines = (split: string) =>
  readFileSync(join(out, `${split}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

/** Packed documents of a split: each begins with `<rules>`. */
function packed(split: string): number[][] {
  const bytes = readFileSync(join(out, `${split}.bin`));
  const documents: number[][] = [];
  for (let i = 0; i < bytes.length; i += 2) {
    const id = bytes.readUInt16LE(i);
    if (id === RULES) documents.push([]);
    documents.at(-1)?.push(id);
  }
  return documents;
}

beforeAll(async () => {
  tokenizer = await loadTokenizer(readFileSync(file, 'utf8'));
  const args = ['tsx', 'src/cli/corpus.ts', '--out', out, '--size', '120', '--seed', '3', '--tokenizer', file];
  execFileSync('npx', args, { cwd: root });
}, 120_000);
afterAll(() => rmSync(out, { recursive: true }));

describe('npm run corpus', () => {
  test.each(['train', 'valid', 'test', 'unseen'])(
    '%s: packed and readable documents are the same, within the bounds',
    (split) => {
      const readable = lines(split);
      const documents = packed(split);
      expect(documents).toHaveLength(readable.length);
      documents.forEach((ids, i) => {
        expect(ids.length).toBeLessThanOrEqual(MAX_DOCUMENT);
        const answers = ids.flatMap((id, at) => (id === RESP ? [decodeAnswer(ids.slice(at + 1), tokenizer)] : []));
        const turns = readable[i]?.turns.map(({ observation, delta, status }) => ({ observation, delta, status }));
        expect(answers).toEqual(turns);
        const ends = ids.filter((id) => id === END).length;
        expect(ends).toBe(3 * answers.length);
      });
    },
  );

  test('the splits have the families they should, and unseen words are nowhere in training', () => {
    expect(new Set(lines('train').map(({ family }) => family))).toEqual(new Set(Object.keys(mixOf('train'))));
    expect(new Set(lines('unseen').map(({ family }) => family))).toEqual(new Set(['frontier']));
    const words = new Set(readFileSync(join(out, 'train.jsonl'), 'utf8').match(/[A-Za-z]+/g));
    const { nouns, states, fields, labels, verbs } = RESERVED;
    const reserved = [...nouns, ...states, ...Object.values(fields).flat(), ...labels, ...Object.values(verbs).flat()];
    expect(reserved.filter((word) => words.has(word))).toEqual([]);
  });

  test('a tenth of the training turns does not tell its directives, and all others do', () => {
    const told = (split: string) =>
      packed(split).flatMap((ids) =>
        ids.flatMap((id, at) => (id === TURN ? [tokenizer.decode(ids.slice(at + 1, ids.indexOf(CALL, at)))] : [])),
      );
    const hidden = (split: string) => told(split).filter((text) => text === UNTOLD).length / told(split).length;
    expect(hidden('train')).toBeGreaterThan(0.07);
    expect(hidden('train')).toBeLessThan(0.13);
    expect(hidden('test')).toBe(0);
    const written = lines('test').flatMap(({ turns }) => turns.map(({ directives }) => directives));
    expect(told('test')).toEqual(written);
  });

  test('errors, changes, folded contexts and directives that change in mid-run are among the turns', () => {
    const turns = lines('train').flatMap((document) => document.turns);
    const share = (is: (turn: Line['turns'][number]) => boolean) => turns.filter(is).length / turns.length;
    expect(share(({ status }) => status !== 'ok')).toBeGreaterThan(0.15);
    expect(share(({ delta }) => delta !== '{}')).toBeGreaterThan(0.15);
    expect(share(({ directives }) => directives !== '')).toBeGreaterThan(0.15);
    expect(lines('train').length).toBeGreaterThan(140);
    expect(lines('train').some(({ turns: of }) => new Set(of.map(({ directives }) => directives)).size > 1)).toBe(true);
  });

  test('a trajectory is fixed by split, number and seed; splits share no world', async () => {
    const one = await trajectory('test', 4, 1);
    expect(JSON.stringify(await trajectory('test', 4, 1))).toBe(JSON.stringify(one));
    const worlds = await Promise.all((['train', 'valid', 'test'] as const).map((split) => trajectory(split, 4, 1)));
    expect(new Set(worlds.map(({ world }) => world.twin?.seed)).size).toBe(3);
    await expect(trajectory('test', 100_000, 1)).rejects.toThrow('0 to 99999');
    await expect(trajectory('test', 0, 100)).rejects.toThrow('between 0 and 99');
  });

  test('--stats counts every family, and the held-out ones have nothing in the corpus', () => {
    const args = ['tsx', 'src/cli/corpus.ts', '--stats', '--json', '--size', '60', '--tokenizer', file];
    const { families } = JSON.parse(execFileSync('npx', args, { cwd: root, encoding: 'utf8' })) as {
      families: { [name: string]: { [key: string]: number | boolean } };
    };
    expect(Object.keys(families).sort()).toEqual([...FAMILIES.map(({ name }) => name), 'wild'].sort());
    for (const { name, heldOut } of FAMILIES) {
      const { trajectories, transitions, tokens, worlds, ...rest } = families[name] ?? {};
      expect(rest).toMatchObject({ heldOut });
      if (heldOut) expect([trajectories, transitions, tokens, worlds]).toEqual([0, 0, 0, 0]);
    }
    const total = Object.values(families).reduce((sum, { trajectories }) => sum + Number(trajectories), 0);
    expect(total).toBe(60);
    expect(families.universe).toMatchObject({ schemas: families.universe?.worlds });
  });
});
