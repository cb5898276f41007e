import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CANCEL } from '../../../workers/protocol';
import { writeRun } from '../../rollouts';
import {
  aggregate,
  LabRunner,
  LabStore,
  MemorySink,
  parseLabSpec,
  readResult,
  tableFiles,
  type LabHeader,
} from '../../rollouts/lab';
import { TwinSimulator } from '../../twins';
import type { FileName, RunMessage } from './protocol';
import { LabService } from './service';

const spec = parseLabSpec(
  '{"title":"Twins","worlds":{"families":["support","grid"],"seeds":{"count":3}},"simulators":["twin"],"agents":["expert",{"kind":"noisy"}],"steps":4}',
);
const stores: LabStore[] = [];

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
});
afterEach(() => {
  for (const store of stores.splice(0)) store.close();
});

async function batch(models: Parameters<LabStore['create']>[1] = null): Promise<{ store: LabStore; id: string }> {
  const store = await LabStore.open();
  stores.push(store);
  return { store, id: (await store.create(spec, models)).id };
}

/** Works at a batch; `look` sees every message as it comes, and may answer on the port. */
async function work(
  service: LabService,
  id: string,
  look: (message: RunMessage, port: MessagePort) => void = () => {},
) {
  const { port1, port2 } = new MessageChannel();
  const messages: RunMessage[] = [];
  const ended = new Promise<void>((resolve) => {
    port1.onmessage = ({ data }: MessageEvent<RunMessage>) => {
      messages.push(data);
      look(data, port1);
      if (data.type === 'ended' || data.type === 'failed') resolve();
    };
  });
  await service.run({ batch: id, models: 'http://localhost/models/', provider: 'auto' }, port2);
  await ended;
  port1.close();
  port2.close();
  return messages;
}

/** What `npm run lab` makes of the spec. */
async function headless() {
  const sink = new MemorySink();
  await new LabRunner(spec, { twin: { simulator: new TwinSimulator(), options: { lane: 0 } } }, sink).run();
  const { results, timings } = await aggregate(spec, sink.records, { twin: null });
  return { sink, files: tableFiles(results, timings) };
}

async function fileOf(service: LabService, id: string, name: FileName): Promise<string> {
  const outcome = await service.file(id, name);
  if (!outcome.ok) throw new Error(outcome.failure.message);
  return outcome.value.text();
}

describe('a batch in the worker of the lab', () => {
  it('ends with the tables and the files of the command line, byte for byte', async () => {
    const { id } = await batch();
    const service = new LabService();
    const messages = await work(service, id);
    expect(messages.at(-1)).toMatchObject({ type: 'ended', done: true, progress: { done: 12, total: 12, leftMs: 0 } });
    const { sink, files } = await headless();
    const tables = await service.tables(id);
    expect(JSON.stringify(tables.ok && tables.value.results, null, 1)).toBe(files['results.json'].trimEnd());
    expect(await fileOf(service, id, 'results.json')).toBe(files['results.json']);
    const shared = readResult(await fileOf(service, id, 'results.wmresult.json'));
    expect(shared.differences).toEqual([]);

    // Times aside, which are in the records of the steps and of the headers.
    const plain = (text: string) => text.replace(/"(ms|prefillMs|createdAt|sha256)":("[^"]*"|[\d.e-]+)/g, '"$1":0');
    const runs = [...sink.runs.values()].map(({ header, steps }: { header: LabHeader; steps: object[] }) =>
      writeRun({ header, records: steps as never }),
    );
    expect(plain(await fileOf(service, id, 'steps.jsonl'))).toBe(plain((await Promise.all(runs)).join('')));
    const report = await fileOf(service, id, 'report.html');
    expect(report).toContain('<h1>Twins</h1>');
    expect(report).toContain('All 12 rollouts are done.');
  });

  it('is cancelled with what is done kept, and goes on there after a reload', async () => {
    const { store, id } = await batch();
    const first = new LabService();
    const cancelled = await work(first, id, (message, port) => {
      if (message.type === 'progress' && message.progress.done > 0) port.postMessage(CANCEL);
    });
    expect(cancelled.at(-1)).toMatchObject({ type: 'ended', done: false });
    const kept = await store.done(id);
    expect(kept).toBeGreaterThan(0);
    expect(kept).toBeLessThan(12);
    const partly = await first.tables(id);
    expect(partly).toMatchObject({ ok: true, value: { results: { jobs: { total: 12, done: kept } } } });

    const messages = await work(new LabService(), id);
    const progress = messages.filter((message) => message.type === 'progress');
    expect(progress[0]).toMatchObject({ progress: { done: kept, kept } });
    expect(messages.at(-1)).toMatchObject({ type: 'ended', done: true, progress: { done: 12, kept } });
    expect(await fileOf(first, id, 'results.json')).toBe((await headless()).files['results.json']);
  });

  it('pauses before the next step, and resumes', async () => {
    const { store, id } = await batch();
    const service = new LabService();
    let paused: number | null = null;
    const look = (message: RunMessage) => {
      if (message.type !== 'progress') return;
      if (!message.progress.paused && paused === null) service.pause();
      if (!message.progress.paused || paused !== null) return;
      setTimeout(async () => {
        paused = await store.done(id);
        setTimeout(async () => {
          expect(await store.done(id)).toBe(paused);
          service.resume();
        }, 60);
      }, 60);
    };
    const messages = await work(service, id, look);
    expect(paused).toBeLessThan(12);
    expect(messages.at(-1)).toMatchObject({ type: 'ended', done: true, progress: { done: 12 } });
  });

  it('says why it does not run: no such batch, or models that are not those of before', async () => {
    const service = new LabService();
    const { id } = await batch({
      twin: { id: 'ar', kind: 'ar', version: '1', provider: 'wasm', dtype: 'fp32' } as never,
    });
    expect((await work(service, 'nowhere')).at(-1)).toMatchObject({ type: 'failed', failure: { code: 'bad_record' } });
    expect((await work(service, id)).at(-1)).toMatchObject({
      type: 'failed',
      failure: { code: 'other_batch', message: expect.stringContaining('then ar 1, fp32, on wasm, now nothing') },
    });
    expect(await service.file('nowhere', 'steps.jsonl')).toMatchObject({ ok: false, failure: { code: 'bad_record' } });
  });
});
