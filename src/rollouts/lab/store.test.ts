import 'fake-indexeddb/auto';
import { IDBFactory, IDBObjectStore } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DATABASE } from '../database';
import { readTrace, writeRun } from '../trace';
import { aggregate } from './aggregate';
import { expandJobs, type LabJob } from './jobs';
import { MemorySink } from './memory';
import type { LabSink } from './records';
import { LabRunner, type LabOptions } from './runner';
import { LAB_DATABASE, LabStore } from './store';
import { createdAt, mute, specWith, twin } from './testing';

const stores: LabStore[] = [];
const spec = specWith({ agents: ['expert', 'random'], seeds: [1, 2] });
const jobs = [...expandJobs(spec)];

async function open(): Promise<LabStore> {
  const store = await LabStore.open();
  stores.push(store);
  return store;
}

const run = (store: LabStore, batch: string, options: LabOptions = {}) =>
  new LabRunner(spec, { twin: twin(), mute: mute() }, store.sink(batch), { createdAt, ...options }).run();

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
});

afterEach(() => {
  vi.restoreAllMocks();
  for (const store of stores.splice(0)) store.close();
});

describe('the store of batches', () => {
  it('goes on after a reload in the middle of a job and ends with the tables of one go', async () => {
    const store = await open();
    const { id } = await store.create(spec, null, createdAt());
    const controller = new AbortController();
    await expect(
      run(store, id, {
        signal: controller.signal,
        // The page goes away while the sixth job is under way.
        onProgress: ({ done }) => done === 5 && setTimeout(() => controller.abort(new Error('reload')), 0),
        slice: 0,
      }),
    ).rejects.toThrow('reload');
    store.close();

    const again = await open();
    const [row] = await again.list();
    expect(row).toMatchObject({ id, title: 'Batch', total: 16, spec, createdAt: createdAt() });
    const kept = await again.done(id);
    expect(kept).toBeGreaterThanOrEqual(5);
    expect(kept).toBeLessThan(16);
    expect(await run(again, id)).toMatchObject({ done: 16, kept });

    const memory = new MemorySink();
    await new LabRunner(spec, { twin: twin(), mute: mute() }, memory, { createdAt }).run();
    const stored = await aggregate(spec, again.records(id));
    expect(JSON.stringify(stored.results)).toBe(JSON.stringify((await aggregate(spec, memory.records)).results));
    for (const job of jobs) {
      const { header, records } = await again.run(id, job);
      expect({ header, steps: records }).toEqual(memory.runs.get(job.id));
    }
  });

  it('gives finished jobs as runs that are read like any other', async () => {
    const store = await open();
    const { id } = await store.create(spec);
    await run(store, id);
    const job = jobs[1] as LabJob;
    const text = await writeRun(await store.run(id, job));
    const { runs, warnings } = await readTrace(text);
    expect(warnings).toEqual([]);
    expect(runs[0]?.header.id).toMatch(/^lab-[0-9a-f]{16}\/support\/1\/1\/expert\/1\/mute$/);
    expect(await writeRun(runs[0] as (typeof runs)[number])).toBe(text);
  });

  it('writes a long rollout in parts, and nothing of a try that did not end is left in it', async () => {
    const long = specWith({
      simulators: ['twin'],
      worlds: { families: ['support'], seeds: [1] },
      agents: ['malformed'],
      steps: 150,
    });
    const store = await open();
    const { id } = await store.create(long, { twin: null }, createdAt(), 'wasm');
    const work = (sink: LabSink) => new LabRunner(long, { twin: twin() }, sink, { createdAt }).run();
    const inner = store.sink(id);
    let left = 140;
    const cut: LabSink = {
      ...inner,
      step: (job, step) => {
        if (left-- === 0) throw new Error('the page went away');
        // Not what the second try writes.
        return inner.step(job, { ...step, actor: 'first try' });
      },
    };
    await expect(work(cut)).rejects.toThrow('the page went away');
    expect(await store.done(id)).toBe(0);
    await work(store.sink(id));
    const memory = new MemorySink();
    await work(memory);
    const [job] = expandJobs(long);
    const { header, records } = await store.run(id, job as LabJob);
    expect(records).toHaveLength(150);
    expect({ header, steps: records }).toEqual(memory.runs.get((job as LabJob).id));
    expect(await store.get(id)).toMatchObject({ models: { twin: null }, provider: 'wasm' });
  });

  it('reads records in the order of the batch, over more than one page', async () => {
    const store = await open();
    const { id } = await store.create(spec);
    const sink = store.sink(id);
    const memory = new MemorySink();
    await new LabRunner(spec, { twin: twin(), mute: mute() }, memory, { createdAt }).run();
    const [first] = memory.records;
    const header = memory.runs.get(first?.job.id ?? '')?.header;
    if (!first || !header) throw new Error('nothing was run');
    const order = Array.from({ length: 150 }, (_, i) => (i * 77) % 150);
    for (const index of order) await sink.end({ ...first, job: { ...first.job, index } }, header);
    const read: number[] = [];
    for await (const { job } of store.records(id)) read.push(job.index);
    expect(read).toEqual(Array.from({ length: 150 }, (_, i) => i));
  });

  it('keeps batches apart, lists the newest first and removes one alone', async () => {
    const store = await open();
    const old = await store.create(spec, null, '2026-01-01T00:00:00.000Z');
    const young = await store.create(spec, null, '2026-02-01T00:00:00.000Z');
    await run(store, old.id);
    await run(store, young.id);
    expect((await store.list()).map(({ id }) => id)).toEqual([young.id, old.id]);
    await store.remove(old.id);
    expect((await store.list()).map(({ id }) => id)).toEqual([young.id]);
    expect([await store.done(old.id), await store.done(young.id)]).toEqual([0, 16]);
    await expect(store.run(old.id, jobs[0] as LabJob)).rejects.toMatchObject({ code: 'bad_record' });
    await expect(store.get(old.id)).rejects.toMatchObject({ code: 'bad_record' });
    expect((await store.run(young.id, jobs[0] as LabJob)).records.length).toBeGreaterThan(0);
  });

  it('has a database of its own', async () => {
    expect(LAB_DATABASE).not.toBe(DATABASE);
    await open();
    expect((await indexedDB.databases()).map(({ name }) => name)).toEqual([LAB_DATABASE]);
  });

  it('says what to do when the disk is full, and goes on once there is room', async () => {
    const store = await open();
    const { id } = await store.create(spec);
    const { put } = IDBObjectStore.prototype;
    let room = 7;
    const spy = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, ...args) {
      if (this.name === 'steps' && room-- <= 0) throw new DOMException('no room', 'QuotaExceededError');
      return put.apply(this, args);
    });
    await expect(run(store, id)).rejects.toMatchObject({
      code: 'storage',
      message: "The browser's storage is full.",
      advice: expect.stringContaining('Delete batches'),
    });
    spy.mockRestore();
    expect(await run(store, id)).toMatchObject({ done: 16 });
  });
});
