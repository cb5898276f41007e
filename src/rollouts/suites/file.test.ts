/** Runs of suites as files: written and read they are the same, their tables are made again, what is wrong is told. */
import { describe, expect, it } from 'vitest';
import { TwinSimulator } from '../../twins';
import type { SteeringGrid } from '../steering';
import { SaySimulator } from '../testing';
import { readSuite, suiteTextOf, writeSuite, type SuiteHead, type SuiteTables } from './file';
import { newRow } from './store';
import { suiteParts, type SuiteItem, type SuiteName, type SuiteSpec } from './suites';

const simulators = (['twin', 'ar'] as const).map((kind) => ({ id: kind, kind, models: null, options: {} }));
const lanes = [
  { id: 'twin', simulator: new TwinSimulator() },
  { id: 'ar', simulator: new SaySimulator(() => ({ observation: '{}', delta: '{}', status: 'ok' })) },
];
const SPECS: { [N in SuiteName]: SuiteSpec<N> } = {
  adversarial: { kinds: ['stale_read', 'unknown_tool'], seeds: 2, first: 1, families: ['support', 'grid'], seed: 1 },
  steering: {
    ...{ families: ['support'], seeds: [1, 2], difficulties: [1], directives: ['fail', 'empty'], calls: 1, seed: 1 },
    anchors: { split: 'test', n: 1, attempts: 1 },
  },
};

const runs = new Map<SuiteName, Promise<{ head: SuiteHead; items: SuiteItem[]; text: string }>>();
/** A finished run of each suite, made once. */
function ran(suite: SuiteName) {
  let run = runs.get(suite);
  if (!run) runs.set(suite, (run = make(suite)));
  return run;
}

async function make(suite: SuiteName) {
  const spec = SPECS[suite];
  const { id: _, ...row } = newRow(
    { suite, title: 'Größe', spec, simulators, provider: 'auto' },
    '2026-01-02T03:04:05Z',
  );
  const items: SuiteItem[] = [];
  for await (const part of suiteParts(suite, spec, lanes)) items.push(...part.items);
  const head: SuiteHead = { ...row, done: row.total };
  return { head, items, text: writeSuite(head, items).join('') };
}

/** The file with a change by hand. */
async function changed(
  suite: SuiteName,
  change: (file: { [key: string]: unknown; items: { [key: string]: unknown }[] }) => void,
) {
  const file = JSON.parse((await ran(suite)).text) as Parameters<typeof change>[0];
  change(file);
  return JSON.stringify(file);
}

describe.each(['adversarial', 'steering'] as const)('a file of %s', (suite) => {
  it('comes back with run and answers, and its tables are those of the answers', async () => {
    const { head, items, text } = await ran(suite);
    const opened = readSuite(text);
    expect(opened.head).toEqual(head);
    expect(opened.items).toEqual(JSON.parse(JSON.stringify(items)));
    expect(opened).toMatchObject({ suite, differences: [], warnings: [] });
    expect(suiteTextOf(text)).toBe('file');
    // What a run has before its end is a file too.
    const part = suite === 'adversarial' ? items.slice(0, 3) : items.slice(0, 2);
    const some = { ...head, done: part.length };
    expect(readSuite(writeSuite(some, part).join('')).head.done).toBe(part.length);
    expect(readSuite(writeSuite({ ...head, done: 0, models: null }, []).join('')).items).toEqual([]);
  });

  it.each<[string, Parameters<typeof changed>[1], RegExp]>([
    ['another major version', (file) => void (file['version'] = [2, 0]), /version 2\.0 .*reads 1/],
    ['no version', (file) => void delete file['version'], /\/version has to be two whole numbers/],
    ['a suite that is none', (file) => void (file['suite'] = 'rating'), /\/suite is "rating".*adversarial, steering/],
    ['more parts than there are', (file) => void (file['parts'] = { done: 99, total: 99 }), /\/parts\/total is 99/],
    ['an unknown family', (file) => void ((file['spec'] as { families: string[] }).families = ['zoo']), /"zoo"/],
    ['an answer twice', (file) => void file.items.splice(1, 1, file.items[0] as never), /\/items\/1 is/],
    ['an answer of nobody', (file) => void ((file.items[1] ?? {})['simulator'] = 'x'), /\/items\/1\/simulator is "x"/],
    [
      'an answer without a call',
      (file) => void delete (file.items.at(-1) ?? {})[suite === 'steering' ? 'action' : 'steps'],
      /\/(action|steps)/,
    ],
    ['no answers', (file) => void delete (file as { items?: unknown }).items, /\/items is missing/],
  ])('with %s is refused, and says where', async (_, change, message) => {
    const text = await changed(suite, change);
    expect(() => readSuite(text)).toThrow(message);
  });
});

describe('a file of a suite', () => {
  it('whose tables were changed is told number by number; a newer minor version is read with a warning', async () => {
    const text = await changed('adversarial', (file) => {
      const { simulators: told } = file['tables'] as { simulators: { [name: string]: { exact: number } } };
      (told['ar'] ?? { exact: 0 }).exact = 4;
      file['version'] = [1, 3];
    });
    const { differences, warnings } = readSuite(text);
    expect(differences).toEqual([{ path: '/simulators/ar/exact', stated: '4', recomputed: '0' }]);
    expect(warnings).toEqual([expect.stringContaining('version 1.3')]);
  });

  it('of version 1.0, whose grid had no worlds, is no other for that; its families are held against the answers', async () => {
    const older = (wrong: number) =>
      changed('steering', (file) => {
        const { grid } = file['tables'] as { grid: SteeringGrid & { worlds?: unknown } };
        file['version'] = [1, 0];
        Reflect.deleteProperty(grid, 'worlds');
        grid.cells = grid.cells.filter(({ world }) => world === null);
        for (const cell of grid.cells) Reflect.deleteProperty(cell, 'world');
        if (grid.cells[0]) grid.cells[0].n += wrong;
      });
    const opened = readSuite(await older(0));
    expect(opened).toMatchObject({ differences: [], warnings: [] });
    expect((opened.tables as SuiteTables['steering']).grid.worlds).toHaveLength(2);
    expect(readSuite(await older(1)).differences.map(({ path }) => path)).toEqual(['/grid/cells/0/n']);
  });

  it('in which a verdict does not follow from the failures is refused', async () => {
    const text = await changed('adversarial', (file) => void ((file.items[1] ?? {})['verdict'] = 'exact'));
    expect(() => readSuite(text)).toThrow(/\/items\/1\/verdict is "exact", and by its failures it is "held"/);
  });

  it('is told from what else a suite writes, and from a text that was cut off', async () => {
    const { head, items, text } = await ran('steering');
    expect(() => readSuite(JSON.stringify(items[0]))).toThrow(/one a line \(JSONL\)/);
    expect(() => readSuite(JSON.stringify({ suite: head.suite, title: head.title }, null, 1))).toThrow(
      /not its answers/,
    );
    expect(() => readSuite(text.slice(0, -20))).toThrow(/is not JSON/);
    expect(suiteTextOf('{"format":"wmresult"')).toBeNull();
    const [scenario] = (await ran('adversarial')).items;
    expect(suiteTextOf(JSON.stringify(scenario))).toBe('lines');
  });
});
