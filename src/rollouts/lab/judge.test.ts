import { expect, it } from 'vitest';
import { makeWorld } from '../../twins';
import type { World } from '../../world/types';
import type { LaneResult } from '../records';
import { expandJobs, type LabJob } from './jobs';
import { judge } from './judge';
import { specWith } from './testing';

it('says why there is no truth; in a state that the twin came to itself that is a defect, which stops the batch', () => {
  const world = makeWorld('support', 1);
  const [job] = [...expandJobs(specWith())] as [LabJob];
  const action = { tool: 'get_order', args: { id: 'W1' } };
  const silent = { prediction: null, failure: null } as unknown as LaneResult;
  const judged = (of: World, onTrack: boolean) =>
    judge(job, { world: of, history: [] }, action, [], silent, null, onTrack);
  // No state of the families brings a twin to throw; tools it does not know do.
  const strange = { ...world, tools: [] };
  const { verdict, row } = judged(strange, false);
  expect(row).toBeNull();
  const noTruth = expect.stringContaining('tools were edited') as string;
  expect(verdict).toEqual({ lane: job.simulator, truth: null, noTruth, score: null });
  expect(() => judged(strange, true)).toThrow(/^The twin of support failed in support\/1.* on get_order.*edited/);
  expect(judged(world, true).verdict).toMatchObject({ truth: { status: expect.any(String) as string } });
});
