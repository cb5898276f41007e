import 'fake-indexeddb/auto';
import { IDBFactory, IDBObjectStore } from 'fake-indexeddb';
import { openDB } from 'idb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DATABASE, DATABASE_VERSION } from './database';
import { Rollout } from './loop';
import type { RunRecord, StepRecord, TraceRecord } from './records';
import { RunStore } from './store';
import { sampleRun, twinLane, WORLD } from './testing';
import { readTrace, writeRun } from './trace';

const stores: RunStore[] = [];

async function open(options = {}): Promise<RunStore> {
  const store = await RunStore.open(options);
  stores.push(store);
  return store;
}

async function save(store: RunStore, run: RunRecord): Promise<void> {
  for (const record of run.records) await store.appendRecord(run.header, record);
}

/** Lets every write of the store `steps` fail, as a full disk does; gives back how to end that. */
function fullDisk(name = 'QuotaExceededError'): () => void {
  const { put } = IDBObjectStore.prototype;
  const spy = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, ...args) {
    if (this.name === 'steps') throw new DOMException('no room', name);
    return put.apply(this, args);
  });
  return () => spy.mockRestore();
}

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
});

afterEach(() => {
  vi.restoreAllMocks();
  for (const store of stores.splice(0)) store.close();
});

describe('with IndexedDB', () => {
  it('restores after a reload what was appended row by row, branches included', async () => {
    const run = await sampleRun('run-1');
    const store = await open();
    await save(store, run);
    expect(store).toMatchObject({ mode: 'indexeddb', problem: null });
    store.close();
    const again = await open();
    const loaded = await again.loadRun('run-1');
    expect(await writeRun(loaded)).toBe(await writeRun(run));
    const resumed = Rollout.resume(loaded, [twinLane()]);
    expect(resumed.steps.map(({ parentId }) => parentId)).toEqual([null, 's1', 's1']);
    const branches = [
      { leaf: 's2', steps: 2, off: null },
      { leaf: 's3', steps: 2, off: { branch: 0, shared: 1 } },
    ];
    expect((await again.listRuns())[0]?.branches).toEqual(branches);
  });

  it('goes on appending to a run that was stored before', async () => {
    const run = await sampleRun('run-1');
    const first = await open();
    await first.appendStep(run.header, run.records[0] as StepRecord);
    first.close();
    const store = await open();
    await store.appendStep(run.header, run.records[1] as StepRecord);
    await store.appendStep({ ...run.header, title: 'New title' }, run.records[2] as StepRecord);
    expect(await store.listRuns()).toMatchObject([{ id: 'run-1', title: 'New title', steps: 3, unsaved: false }]);
    expect((await store.loadRun('run-1')).records).toHaveLength(3);
  });

  it('lists runs newest first without reading their steps, and counts steps only', async () => {
    const store = await open();
    const [a, b] = [await sampleRun('a'), await sampleRun('b')];
    b.header.createdAt = '2026-02-01T00:00:00.000Z';
    await save(store, a);
    await save(store, b);
    await store.appendRecord(a.header, { type: 'note', text: 'hm' });
    const getAll = vi.spyOn(IDBObjectStore.prototype, 'getAll');
    expect((await store.listRuns()).map(({ id, steps }) => [id, steps])).toEqual([
      ['b', 3],
      ['a', 3],
    ]);
    expect(getAll.mock.contexts.map((one) => (one as IDBObjectStore).name)).toEqual(['runs']);
  });

  it('writes a row in one transaction: header and step, or neither', async () => {
    const run = await sampleRun('run-1');
    const store = await open();
    await store.appendStep(run.header, run.records[0] as StepRecord);
    const repair = fullDisk();
    await store.appendStep({ ...run.header, title: 'Changed' }, run.records[1] as StepRecord);
    repair();
    const db = await openDB(DATABASE);
    expect(await db.get('runs', 'run-1')).toMatchObject({ steps: 1, header: { title: 'Sample' } });
    db.close();
  });

  it('deletes a run with all its steps and nothing of others', async () => {
    const store = await open();
    for (const id of ['a', 'b', 'c']) await save(store, await sampleRun(id));
    await store.deleteRun('b');
    await store.deleteRun('never there');
    expect((await store.listRuns()).map(({ id }) => id).sort()).toEqual(['a', 'c']);
    await expect(store.loadRun('b')).rejects.toMatchObject({ code: 'no_run' });
    const db = await openDB(DATABASE);
    expect(await db.count('steps')).toBe(6);
    db.close();
  });

  it('refuses a step of a run that was deleted meanwhile, and values that JSON lacks', async () => {
    const run = await sampleRun('run-1');
    const store = await open();
    await store.appendStep(run.header, run.records[0] as StepRecord);
    await store.deleteRun('run-1');
    await expect(store.appendStep(run.header, run.records[1] as StepRecord)).rejects.toMatchObject({ code: 'no_run' });
    const bad = { ...(run.records[0] as StepRecord), seed: NaN };
    await expect(store.appendStep(run.header, bad)).rejects.toMatchObject({ code: 'not_finite' });
    expect(await store.listRuns()).toEqual([]);
  });

  it('keeps the order of writes that were not waited for', async () => {
    const run = await sampleRun('run-1');
    const store = await open();
    const writes = run.records.map((record) => store.appendRecord(run.header, record));
    const loaded = store.loadRun('run-1');
    await Promise.all(writes);
    expect((await loaded).records.map((record) => (record as TraceRecord)['id'])).toEqual(['s1', 's2', 's3']);
  });

  it('lets two tabs go on with one run: neither loses or mixes rows', async () => {
    const run = await sampleRun('run-1');
    const [s1, s2, s3] = run.records as [StepRecord, StepRecord, StepRecord];
    const [here, there] = [await open(), await open()];
    await here.appendStep(run.header, s1);
    await there.loadRun('run-1');
    await there.appendStep(run.header, { ...s2, actor: 'there' });
    expect(here.problem).toBeNull();
    await here.appendStep(run.header, s2);
    expect(here.problem).toContain('Another tab');
    expect(here.mode).toBe('indexeddb');
    await here.appendStep(run.header, s3);
    const copy = (await there.listRuns()).find(({ title }) => title.endsWith('(copy)'));
    const mine = await there.loadRun(copy?.id ?? '');
    expect(mine.records).toEqual(run.records.map((record) => ({ ...record, runId: copy?.id })));
    expect((await there.loadRun('run-1')).records).toEqual([s1, { ...s2, actor: 'there' }]);

    // Whoever opens the original goes on with the original.
    const original = await here.loadRun('run-1');
    await here.appendStep(original.header, s3);
    expect((await there.loadRun('run-1')).records).toHaveLength(3);
    expect((await there.loadRun(copy?.id ?? '')).records).toHaveLength(3);
  });

  it('keeps a whole run that another tab deletes while this one goes on with it', async () => {
    const run = await sampleRun('run-1');
    const [s1, s2] = run.records as [StepRecord, StepRecord];
    const [here, there] = [await open(), await open()];
    await here.appendStep(run.header, s1);
    await there.deleteRun('run-1');
    await here.appendStep(run.header, s2);
    const [kept, ...others] = await there.listRuns();
    expect(others).toEqual([]);
    expect((await there.loadRun(kept?.id ?? '')).records).toHaveLength(2);
  });

  it('makes the database of version 1 as it was published', async () => {
    await open();
    const db = await openDB(DATABASE);
    expect(db.version).toBe(DATABASE_VERSION);
    const tx = db.transaction(['runs', 'steps']);
    expect(tx.objectStore('runs').keyPath).toBe('id');
    expect([...tx.objectStore('runs').indexNames]).toEqual(['createdAt']);
    expect(tx.objectStore('steps').keyPath).toEqual(['run', 'seq']);
    db.close();
  });
});

describe('import and export', () => {
  it('exports one or all, and imports them into an empty store byte for byte', async () => {
    const store = await open();
    for (const id of ['a', 'b']) await save(store, await sampleRun(id));
    await store.appendRecord((await sampleRun('b')).header, { type: 'vote', better: 'say', unknown: { deep: [1] } });
    const all = await store.exportRuns('all');
    expect((await readTrace(all)).runs.map(({ header }) => header.id)).toEqual(['a', 'b']);
    expect(await store.exportRuns(['b'])).toBe(all.slice(all.lastIndexOf('{"type":"header"')));
    await expect(store.exportRuns(['a', 'x'])).rejects.toMatchObject({ code: 'no_run' });
    const other = await open({ name: 'other' });
    expect(await other.importText(all)).toMatchObject({ added: ['a', 'b'], warnings: [] });
    expect(await other.exportRuns('all')).toBe(all);
    expect(await other.importText(all)).toMatchObject({ added: [], identical: ['a', 'b'] });
  });

  it('asks about a different run with the same id: skip, replace, copy', async () => {
    const mine = await sampleRun('run-1', 'Mine');
    const theirs = await sampleRun('run-1', 'Theirs');
    theirs.records.pop();
    theirs.records.push({ type: 'note', runId: 'run-1', text: 'n' });
    const text = await writeRun(theirs);
    const store = await open();
    await save(store, mine);

    expect(await store.importText(text)).toMatchObject({ skipped: ['run-1'] });
    expect(await store.exportRuns('all')).toBe(await writeRun(mine));

    const { copied } = await store.importText(text, () => 'copy');
    const to = copied[0]?.to ?? '';
    expect(await store.loadRun(to)).toMatchObject({
      header: { id: to, title: 'Theirs (copy)' },
      records: [{ runId: to }, { runId: to }, { type: 'note', runId: to }],
    });
    expect(await readTrace(await store.exportRuns([to]))).toMatchObject({ warnings: [] });
    expect(await store.exportRuns(['run-1'])).toBe(await writeRun(mine));

    const asked: string[][] = [];
    const report = await store.importText(text, (imported, existing) => {
      asked.push([imported.header.title, existing.header.title]);
      return Promise.resolve('replace');
    });
    expect(asked).toEqual([['Theirs', 'Mine']]);
    expect(report).toMatchObject({ replaced: ['run-1'] });
    expect(await store.exportRuns(['run-1'])).toBe(text);
    // Going on with the replaced run continues what is there now.
    await store.appendRecord(theirs.header, { type: 'note', text: 'more' });
    expect((await store.loadRun('run-1')).records).toHaveLength(4);
  });

  it('imports nothing when anything is wrong', async () => {
    const store = await open();
    const good = await writeRun(await sampleRun('good'));
    const bad = (await writeRun(await sampleRun('bad'))).replace('"index":1', '"index":4');
    await expect(store.importText(good + bad)).rejects.toMatchObject({ code: 'bad_line' });
    await expect(store.importText(good + good.replaceAll('good', 'two'))).rejects.toMatchObject({ code: 'changed' });
    const failing = () => Promise.reject(new Error('dialog closed'));
    await save(store, await sampleRun('there', 'Mine'));
    const conflict = good + (await writeRun(await sampleRun('there', 'Theirs')));
    await expect(store.importText(conflict, failing)).rejects.toThrow('dialog closed');
    expect((await store.listRuns()).map(({ id }) => id)).toEqual(['there']);
  });
});

describe('without storage', () => {
  it.each([
    ['QuotaExceededError', 'full'],
    ['UnknownError', 'UnknownError'],
  ])('keeps rows in memory when writing fails with %s, and stores them once it works again', async (name, message) => {
    const run = await sampleRun('run-1');
    const store = await open();
    const onChange = vi.fn();
    store.onChange = onChange;
    await store.appendStep(run.header, run.records[0] as StepRecord);
    const repair = fullDisk(name);
    await store.appendStep(run.header, run.records[1] as StepRecord);
    expect(store.mode).toBe('memory');
    expect(store.problem).toContain(message);
    expect(onChange).toHaveBeenCalledOnce();
    await store.appendStep(run.header, run.records[2] as StepRecord);
    expect(await store.exportRuns(['run-1'])).toBe(await writeRun(run));
    expect(await store.listRuns()).toMatchObject([{ id: 'run-1', steps: 3, unsaved: true }]);
    await save(store, await sampleRun('run-2'));
    repair();
    await store.deleteRun('run-2');
    expect(store).toMatchObject({ mode: 'indexeddb', problem: null });
    store.close();
    expect(await (await open()).exportRuns('all')).toBe(await writeRun(run));
  });

  it('imports into memory when the disk is full, and that takes the place of what is stored', async () => {
    const store = await open();
    await save(store, await sampleRun('run-1', 'Mine'));
    const theirs = await writeRun(await sampleRun('run-1', 'Theirs'));
    const repair = fullDisk();
    await store.importText(theirs, () => 'replace');
    expect(await store.exportRuns('all')).toBe(theirs);
    expect(store.mode).toBe('memory');
    repair();
    await store.deleteRun('none');
    expect(store.mode).toBe('indexeddb');
    expect(await store.exportRuns('all')).toBe(theirs);
  });

  it.each([
    ['no IndexedDB at all', () => Reflect.deleteProperty(globalThis, 'indexedDB')],
    [
      'a refusal',
      () =>
        vi.spyOn(globalThis.indexedDB, 'open').mockImplementation(() => {
          throw new DOMException('denied', 'SecurityError');
        }),
    ],
  ])('works in memory with %s', async (_name, prepare) => {
    prepare();
    const store = await open();
    expect(store.mode).toBe('memory');
    expect(store.problem).toContain('does not give this page storage');
    const run = await sampleRun('run-1');
    await save(store, run);
    const text = await store.exportRuns('all');
    expect(text).toBe(await writeRun(run));
    expect(await store.importText(text)).toMatchObject({ identical: ['run-1'] });
    await store.deleteRun('run-1');
    expect(await store.listRuns()).toEqual([]);
    expect(await store.importText(text)).toMatchObject({ added: ['run-1'] });
    globalThis.indexedDB = new IDBFactory();
  });

  it('does not wait for a browser that hangs, and stores what came before when it opens after all', async () => {
    const real = globalThis.indexedDB;
    const opened = real.open.bind(real);
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    vi.spyOn(real, 'open').mockImplementation((name, version) => {
      const request = opened(name, version);
      const add = request.addEventListener.bind(request);
      request.addEventListener = (type: string, listener: EventListener) => {
        add(type, type === 'success' ? (event: Event) => void gate.then(() => listener(event)) : listener);
      };
      return request;
    });
    const store = await open({ patience: 20 });
    expect(store.problem).toContain('does not open its storage');
    await save(store, await sampleRun('run-1'));
    const back = new Promise<void>((resolve) => (store.onChange = resolve));
    release();
    await back;
    expect(store).toMatchObject({ mode: 'indexeddb', problem: null });
    store.close();
    vi.restoreAllMocks();
    expect(await (await open()).listRuns()).toMatchObject([{ id: 'run-1', steps: 3, unsaved: false }]);
  });

  it('gives way to a newer version in another tab, and keeps the whole run at hand', async () => {
    const run = await sampleRun('run-1');
    const store = await open();
    await store.appendStep(run.header, run.records[0] as StepRecord);
    const newer = await openDB(DATABASE, DATABASE_VERSION + 1);
    expect(store.problem).toContain('newer Terrarium');
    await store.appendStep(run.header, run.records[1] as StepRecord);
    await store.appendStep(run.header, run.records[2] as StepRecord);
    expect(await store.exportRuns(['run-1'])).toBe(await writeRun(run));
    newer.close();
    const older = await open();
    expect(older.mode).toBe('memory');
    expect(older.problem).toContain('newer Terrarium');
  });
});

it('says that an older tab blocks the storage, and moves into it once that tab is closed', async () => {
  (await open()).close();
  const olderTab = await openDB(DATABASE);
  const opened = indexedDB.open.bind(indexedDB);
  vi.spyOn(indexedDB, 'open').mockImplementation((name) => opened(name, DATABASE_VERSION + 1));
  const store = await open();
  expect(store.problem).toContain('older Terrarium blocks the storage');
  const run = await sampleRun('run-1');
  await save(store, run);
  expect(await store.listRuns()).toMatchObject([{ id: 'run-1', unsaved: true }]);
  const connected = new Promise<void>((resolve) => (store.onChange = resolve));
  olderTab.close();
  await connected;
  expect(store).toMatchObject({ mode: 'indexeddb', problem: null });
  expect(await store.listRuns()).toMatchObject([{ id: 'run-1', unsaved: false }]);
  expect(await store.exportRuns('all')).toBe(await writeRun(run));
});

it('takes a rollout as it goes', async () => {
  const store = await open();
  const rollout = Rollout.start(WORLD, [twinLane()], { id: 'live' });
  for (let i = 0; i < 3; i++) {
    const row = await rollout.step({ raw: `${i}` });
    await store.appendStep(rollout.header, row);
  }
  expect((await store.loadRun('live')).records).toEqual(JSON.parse(JSON.stringify(rollout.steps)));
});
