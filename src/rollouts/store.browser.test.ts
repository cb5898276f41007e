/** The store on a browser's own IndexedDB: structured clones, transactions and version changes as they really are. */
import { deleteDB, openDB } from 'idb';
import { afterEach, expect, it } from 'vitest';
import type { StepRecord } from './records';
import { RunStore } from './store';
import { sampleRun } from './testing';
import { writeRun } from './trace';

const opened: { store: RunStore; name: string }[] = [];

async function open(name: string): Promise<RunStore> {
  const store = await RunStore.open({ name });
  opened.push({ store, name });
  return store;
}

afterEach(async () => {
  for (const { store } of opened) store.close();
  for (const { name } of opened.splice(0)) await deleteDB(name);
});

it('restores a run after a reload, and exports, imports and exports it byte for byte', async () => {
  const run = await sampleRun('run-1', 'lone \ud800 surrogate, "quotes" and \u0000');
  // Keys that lose their meaning or their order where objects are copied carelessly.
  const odd = JSON.parse('{"type":"note","__proto__":{"a":1},"constructor":2,"b":0,"2":1,"1":2,"toString":null}') as {
    type: string;
  };
  const first = await open('browser-a');
  expect([first.mode, first.problem]).toEqual(['indexeddb', null]);
  for (const record of [...run.records, odd]) await first.appendRecord(run.header, record);
  first.close();

  const again = await open('browser-a');
  expect(await again.listRuns()).toMatchObject([{ id: 'run-1', steps: 3, unsaved: false }]);
  const text = await again.exportRuns('all');
  expect(text).toBe(await writeRun({ ...run, records: [...run.records, odd] }));
  expect(text).toContain('"__proto__":{"a":1}');

  const other = await open('browser-b');
  expect(await other.importText(text)).toMatchObject({ added: ['run-1'], warnings: [] });
  expect(await other.exportRuns(['run-1'])).toBe(text);
  expect(await other.importText(text)).toMatchObject({ added: [], identical: ['run-1'] });
});

it('goes on in memory, with the whole run, when another tab brings a newer version', async () => {
  const run = await sampleRun('run-1');
  const [s1, s2] = run.records as [StepRecord, StepRecord];
  const store = await open('browser-c');
  await store.appendStep(run.header, s1);
  const newer = await openDB('browser-c', 99);
  expect(store.mode).toBe('memory');
  expect(store.problem).toContain('newer Terrarium');
  await store.appendStep(run.header, s2);
  expect((await store.loadRun('run-1')).records).toEqual([s1, s2]);
  newer.close();

  const late = await open('browser-c');
  expect(late.mode).toBe('memory');
  expect(late.problem).toContain('newer Terrarium');
});

it('lets two connections write to one run without losing a row', async () => {
  const run = await sampleRun('run-1');
  const [s1, s2, s3] = run.records as [StepRecord, StepRecord, StepRecord];
  const [here, there] = [await open('browser-d'), await open('browser-d')];
  await here.appendStep(run.header, s1);
  await there.loadRun('run-1');
  await Promise.all([here.appendStep(run.header, s2), there.appendStep(run.header, { ...s3, id: 's2' })]);
  const runs = await here.listRuns();
  expect(runs.map(({ steps }) => steps)).toEqual([2, 2]);
  expect([here.problem, there.problem].filter((problem) => problem !== null)).toHaveLength(1);
});
