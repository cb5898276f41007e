import { describe, expect, it } from 'vitest';
import { MemorySink, LabRunner, readResult, writeResult } from '../../rollouts/lab';
import { mute, specWith, twin } from '../../rollouts/lab/testing';
import { verdictOf } from './opened';

const spec = specWith({ worlds: { families: ['support'], seeds: [1] }, steps: 2 });
let written: Promise<string> | undefined;
/** A result of two rollouts, made once. */
function file(): Promise<string> {
  written ??= (async () => {
    const sink = new MemorySink();
    await new LabRunner(spec, { twin: twin(), mute: mute() }, sink).run();
    return writeResult(spec, sink.records);
  })();
  return written;
}

describe('the verdict on a result file', () => {
  it('is good when the rows give the table', async () => {
    expect(verdictOf({ kind: 'batch', result: readResult(await file()) })).toEqual({
      good: true,
      text: 'Computed again here from 2 rollouts: every number is the one in the file, to the digit.',
    });
  });

  it('says how many numbers differ, and what is shown', async () => {
    const text = (await file()).replace('"done":2', '"done":5');
    const verdict = verdictOf({ kind: 'batch', result: readResult(text) });
    expect(verdict.good).toBe(false);
    expect(verdict.text).toContain('from 2 rollouts, 1 number is not what the file says. The file was changed');
    expect(verdict.text).toContain('Shown is what its rows give.');
  });
});
