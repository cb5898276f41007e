import { describe, expect, it } from 'vitest';
import { LabRunner, MemorySink, parseLabSpec, writeResult } from '../../rollouts/lab';
import { TwinSimulator } from '../../twins';
import { MOST_BYTES, readResultFile } from './readFile';

const spec = parseLabSpec(
  '{"title":"Größe","worlds":{"families":["grid"],"seeds":[1]},"simulators":["twin"],"agents":["expert"],"steps":2}',
);

async function written(): Promise<string> {
  const sink = new MemorySink();
  await new LabRunner(spec, { twin: { simulator: new TwinSimulator(), options: { lane: 0 } } }, sink).run();
  return writeResult(spec, sink.records);
}

describe('a result file', () => {
  it('is read from its bytes, with or without a byte order mark', async () => {
    const text = await written();
    for (const parts of [[text], ['\uFEFF', text]]) {
      const opened = await readResultFile(new Blob(parts));
      if (opened.kind !== 'batch') throw new Error(opened.kind);
      const { spec: read, differences, recomputed } = opened.result;
      expect(read.title).toBe('Größe');
      expect(differences).toEqual([]);
      expect(recomputed.results.jobs).toEqual({ total: 1, done: 1 });
    }
  });

  it.each<[string, BlobPart[], RegExp]>([
    ['nothing in it', [], /is empty.*\.wmresult\.json.*\.wmsuite\.json/],
    ['gzip', [new Uint8Array([0x1f, 0x8b, 8, 0])], /compressed \(gzip\)\. Unpack it first/],
    ['zip', ['PK\u0003\u0004'], /an archive \(zip\)\. Unpack it first/],
    ['bytes that are no text', [new Uint8Array([0x7b, 0xff, 0xfe])], /no text \(UTF-8\)/],
    ['a report', ['<!doctype html>\n<html>'], /It is a page: the result is in the file that ends in \.wmresult\.json/],
    ['a recording', ['{"type":"header","format":"wmtrace"}\n{"type":"step"}\n'], /a recording.*import it under Runs/],
    ['a run of a suite cut off', ['{"format":"wmsuite","version":[1,0],"items":['], /is not JSON.*cut off/],
    ['tables of a suite', ['{\n "suite": "steering",\n "title": "x"}'], /not its answers.*save its JSON/],
    ['a text cut off in its middle', ['{"format":"wmresult","version":[1,0],"rows":['], /is not JSON.*cut off/],
  ])('with %s is refused, and says what to do', async (_, parts, message) => {
    const error = await readResultFile(new Blob(parts)).then(
      () => null,
      (thrown: { code: string; message: string; advice: string }) => thrown,
    );
    expect(error?.code).toBe('bad_record');
    expect(`${error?.message} ${error?.advice}`).toMatch(message);
  });

  it('that is too long for a text, or cannot be read any more, is refused', async () => {
    const long = { size: MOST_BYTES + 1 } as Blob;
    await expect(readResultFile(long)).rejects.toMatchObject({ message: expect.stringContaining('500 MB') as string });
    const gone = { size: 3, arrayBuffer: () => Promise.reject(new DOMException('', 'NotReadableError')) };
    await expect(readResultFile(gone as unknown as Blob)).rejects.toMatchObject({
      advice: expect.stringContaining('choose it again') as string,
    });
  });
});
