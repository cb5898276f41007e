import { describe, expect, it } from 'vitest';
import { aggregate } from './aggregate';
import { changedModel, steady, tableFiles } from './files';
import { MemorySink } from './memory';
import { LabRunner } from './runner';
import { mute, specWith, twin } from './testing';

const spec = specWith();

async function tables() {
  const sink = new MemorySink();
  await new LabRunner(spec, { twin: twin(), mute: mute() }, sink).run();
  return aggregate(spec, sink.records);
}

describe('the files of a batch', () => {
  it('have numbers that no last bit of an engine changes, in the results and in the report alike', async () => {
    const { results, timings } = await tables();
    const nudged = JSON.parse(JSON.stringify(results), (_, value: unknown) =>
      // One unit in the last place, as another engine's Math.exp may give.
      typeof value === 'number' && !Number.isInteger(value) ? value * (1 + Number.EPSILON) : value,
    ) as typeof results;
    expect(JSON.stringify(nudged)).not.toBe(JSON.stringify(results));
    expect(tableFiles(nudged, timings)).toEqual(tableFiles(results, timings));
    const written = JSON.parse(tableFiles(results, timings)['results.json']) as object;
    expect(written).toEqual(JSON.parse(JSON.stringify(steady(results))));
    const inReport = /id="results">(.*?)<\/script>/s.exec(tableFiles(results, timings)['report.html'])?.[1] ?? '';
    expect(JSON.parse(inReport)).toEqual(written);
  });
});

describe('the models of a batch', () => {
  const info = { id: 'ar', kind: 'ar', version: '1', provider: 'wasm', files: { 'a.onnx': { sha256: 'x' } } } as never;

  it('are those of before, or it is said which is another and in what', () => {
    expect(changedModel({ twin: null, ar: info }, { twin: null, ar: { ...(info as object) } as never })).toBeNull();
    const other = { ...(info as object), provider: 'webgpu', files: { 'a.onnx': { sha256: 'y' } } } as never;
    expect(changedModel({ twin: null, ar: info }, { twin: null, ar: other })).toEqual({
      simulator: 'ar',
      fields: ['provider', 'files'],
    });
    expect(changedModel({}, { ar: info })).toMatchObject({ simulator: 'ar' });
  });
});
