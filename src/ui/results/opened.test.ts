import { describe, expect, it } from 'vitest';
import { MemorySink, LabRunner, readResult, writeResult } from '../../rollouts/lab';
import { mute, specWith, twin } from '../../rollouts/lab/testing';
import { verdictOf } from './opened';

async function file(): Promise<string> {
  const sink = new MemorySink();
  await new LabRunner(specWith(), { twin: twin(), mute: mute() }, sink).run();
  return writeResult(specWith(), sink.records);
}

describe('the verdict on a result file', () => {
  it('is good when the rows give the table', async () => {
    expect(verdictOf(readResult(await file()))).toEqual({
      good: true,
      text: 'Computed again here from 4 rollouts: every number is the one in the file, to the digit.',
    });
  });

  it('says how many numbers differ, and what is shown', async () => {
    const text = (await file()).replace('"done":4', '"done":5');
    const verdict = verdictOf(readResult(text));
    expect(verdict.good).toBe(false);
    expect(verdict.text).toContain('from 4 rollouts, 1 number is not what the file says. The file was changed');
    expect(verdict.text).toContain('Shown is what its rows give.');
  });
});
