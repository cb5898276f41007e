/** What a schema constraint did to an answer is recorded, and survives export and import. */
import { expect, it } from 'vitest';
import { action, answerOfAr, contextOf } from '../models/constraint/testing';
import type { Simulator } from '../world/simulator';
import { Rollout } from './loop';
import { runOf } from './testing';
import { readTrace, sameRun, writeRun, writeTrace } from './trace';

/** Says anything, held to the schema of the tool where that is asked for. */
const simulator: Simulator = {
  id: 'any',
  supports: () => true,
  async *step(context, _action, options) {
    yield await answerOfAr(context, options, options.seed);
  },
};

it('what fired survives export and import; a free answer has no such record', async () => {
  const { world } = contextOf({
    type: 'object',
    properties: { id: { type: 'string', 'x-from': 'orders' }, n: { type: 'integer', minimum: 1 } },
    required: ['id'],
  });
  const rollout = Rollout.start(world, [{ id: 'any', simulator }], {
    id: 'held',
    createdAt: '2026-01-02T03:04:05.000Z',
  });
  const held = await rollout.step(action, { seed: 4, constraint: 'schema' });
  const free = await rollout.step(action, { seed: 4 });
  const record = held.results.any?.prediction?.constraint;
  expect(record).toMatchObject({ kind: 'schema', applied: true, open: ['/properties/n/minimum'] });
  // A model that says anything would hardly have written one of its tokens by itself.
  expect(record?.fired.observation).toBeGreaterThan(0);
  expect(record?.written.observation).toBeGreaterThanOrEqual(record?.fired.observation ?? Infinity);
  expect(held.results.any?.sampler.constraint).toBe('schema');
  expect(free.results.any?.prediction).not.toHaveProperty('constraint');
  expect(free.results.any?.sampler).not.toHaveProperty('constraint');

  const text = await writeRun(runOf(rollout));
  const { runs, warnings } = await readTrace(text);
  expect(warnings).toEqual([]);
  const [run] = runs;
  if (!run) throw new Error('no run was read');
  const [first, second] = run.records as (typeof held)[];
  expect(first?.results.any?.prediction?.constraint).toEqual(record);
  expect(second?.results.any?.prediction).not.toHaveProperty('constraint');
  expect(sameRun(run, runOf(rollout))).toBe(true);
  expect(await writeTrace(runs)).toBe(text);
});

it('a file whose record of it is broken is refused, and told where', async () => {
  const { world } = contextOf({ type: 'object' });
  const rollout = Rollout.start(world, [{ id: 'any', simulator }], { id: 'held' });
  await rollout.step(action, { seed: 4, constraint: 'schema' });
  const text = await writeRun(runOf(rollout));
  const broken = text.replace('"applied":true', '"applied":1');
  expect(broken).not.toBe(text);
  await expect(readTrace(broken)).rejects.toThrow('/constraint/applied is not true or false');
});
