import { describe, expect, it } from 'vitest';
import { randomAgent } from '../agents';
import { createExpert } from '../twins';
import { driveRollout } from './drive';
import { Rollout } from './loop';
import { stepsOf, type RunRecord, type StepRecord } from './records';
import { replayRun } from './replay';
import { runOf, sampleRun, SaySimulator, twinLane, WORLD } from './testing';
import { branchesOf, treeOfBranches, treeOfRuns } from './tree';
import { readTrace, writeRun } from './trace';

/** Steps by id and parent: `['a', null]` is one at the start. */
function steps(...pairs: [id: string, parent: string | null][]): StepRecord[] {
  const index = new Map<string | null, number>([[null, -1]]);
  return pairs.map(([id, parentId]) => {
    index.set(id, (index.get(parentId) ?? 0) + 1);
    return { type: 'step', id, parentId, index: index.get(id) } as StepRecord;
  });
}

const fresh = (): RunRecord['header'] => ({ ...Rollout.start(WORLD, [twinLane()]).header });

describe('branches of a run', () => {
  it('are none without steps, and one without forks', () => {
    expect(branchesOf([])).toEqual([]);
    expect(branchesOf([...steps(['a', null], ['b', 'a']), { type: 'note' }])).toEqual([
      { leaf: 'b', steps: 2, off: null },
    ]);
  });

  it('come off where a step has a second child, at the start too, in the order they were begun', () => {
    const tree = steps(
      ['a', null],
      ['b', 'a'],
      ['c', 'b'],
      ['d', 'a'],
      ['e', 'd'],
      ['f', 'c'],
      ['g', null],
      ['h', 'd'],
    );
    expect(branchesOf(tree)).toEqual([
      { leaf: 'f', steps: 4, off: null },
      { leaf: 'e', steps: 3, off: { branch: 0, shared: 1 } },
      { leaf: 'g', steps: 1, off: { branch: 0, shared: 0 } },
      { leaf: 'h', steps: 3, off: { branch: 1, shared: 2 } },
    ]);
    // Shown below the one it came off, where it came off; each keeps its number.
    const entries = treeOfBranches(branchesOf(tree));
    expect(entries.map(({ branch: { leaf }, place, depth }) => `${leaf}${place}${depth}`)).toEqual([
      ...['f00', 'g21', 'e11', 'h32'],
    ]);
    expect(treeOfBranches([])).toEqual([]);
  });
});

describe('runs that began in another', () => {
  it('stand below it, and those whose origin is gone or goes in a circle are not lost', () => {
    const run = (id: string, from?: string) => ({
      id,
      header: from === undefined ? {} : { from: { run: from, step: 's1', index: 1, lane: 'twin' } },
    });
    const runs = [
      run('d', 'b'),
      run('c', 'a'),
      run('b', 'a'),
      run('a'),
      run('x', 'gone'),
      run('y', 'z'),
      run('z', 'y'),
    ];
    expect(treeOfRuns(runs).map(({ run: { id }, depth }) => `${id}${depth}`)).toEqual([
      'a0',
      'c1',
      'b1',
      'd2',
      'x0',
      'y0',
      'z1',
    ]);
  });
});

/** Two branches by agents, a third by hand from the start, in a world with a lane that is not always right. */
async function branched(): Promise<{ run: RunRecord; lanes: () => ReturnType<typeof twinLane>[] }> {
  const lanes = () => [
    twinLane(),
    {
      id: 'say',
      simulator: new SaySimulator((n) => ({
        observation: `{"n":${n}}`,
        delta: n % 2 ? '{' : `{"x":${n}}`,
        status: 'ok',
      })),
      options: { threshold: 0.4, lane: 7 },
    },
  ];
  const from = { run: 'run-0', step: 's4', index: 4, lane: 'say' };
  const rollout = Rollout.start(WORLD, lanes(), { id: 'run-b', createdAt: '2026-01-02T03:04:05.000Z', from });
  const rows = await driveRollout(rollout, randomAgent(4), { steps: 4, seed: 3, temperature: 0.5 });
  rollout.goTo(rows[1]?.id ?? null);
  await driveRollout(rollout, createExpert(WORLD), { steps: 2, seed: 9, directives: [{ kind: 'terse' }] });
  rollout.goTo(null);
  await rollout.step({ raw: 'help' }, { topP: 0.5 });
  return { run: runOf(rollout), lanes };
}

describe('a branched run', () => {
  it('keeps every step that was recorded, and shares those before the fork', async () => {
    const { run } = await branched();
    expect(stepsOf(run).map(({ id, parentId }) => `${id}<${String(parentId)}`)).toEqual([
      's1<null',
      's2<s1',
      's3<s2',
      's4<s3',
      's5<s2',
      's6<s5',
      's7<null',
    ]);
    expect(branchesOf(run.records)).toEqual([
      { leaf: 's4', steps: 4, off: null },
      { leaf: 's6', steps: 4, off: { branch: 0, shared: 2 } },
      { leaf: 's7', steps: 1, off: { branch: 0, shared: 0 } },
    ]);
    const resumed = Rollout.resume(run, [twinLane()], 's4');
    expect(resumed.branch.map(({ id }) => id)).toEqual(['s1', 's2', 's3', 's4']);
    const next = await resumed.step({ raw: 'more' });
    expect(next).toMatchObject({ id: 's8', parentId: 's4', index: 4 });
    expect(() => Rollout.resume(run, [twinLane()], 's9')).toThrow(/no step "s9"/);
  });

  it('comes back from its file byte for byte, origin and forks included', async () => {
    const { run } = await branched();
    const text = await writeRun(run);
    const read = await readTrace(text);
    expect(read.warnings).toEqual([]);
    expect(await writeRun(read.runs[0] as RunRecord)).toBe(text);
    expect(read.runs[0]?.header.from).toEqual({ run: 'run-0', step: 's4', index: 4, lane: 'say' });
  });

  it('is the same to the byte when it is replayed from its file, every branch of it', async () => {
    const { run, lanes } = await branched();
    const text = await writeRun(run);
    const read = (await readTrace(text)).runs[0] as RunRecord;
    // Lanes in another order and with other settings: what was recorded counts.
    const others = lanes().map((lane) => ({ ...lane, options: { threshold: 0.1, temperature: 2, lane: 99 } }));
    expect(await writeRun(runOf(await replayRun(read, others.reverse())))).toBe(text);
  });

  it('replays a lane that joined late only in the steps it was in', async () => {
    const { run } = await branched();
    const late = Rollout.resume(run, [twinLane(), { id: 'late', simulator: new SaySimulator(() => said) }]);
    const said = { observation: 'x', delta: '{}', status: 'ok' };
    await late.step({ raw: 'more' });
    const again = await replayRun(runOf(late), [{ id: 'late', simulator: new SaySimulator(() => said) }, twinLane()]);
    const lanesIn = (steps: readonly StepRecord[]) =>
      steps.map(({ results }) => Object.keys(results).filter((id) => id !== 'say'));
    expect(lanesIn(again.steps)).toEqual(lanesIn(late.steps));
  });

  it('refuses a file whose origin is none', async () => {
    const header = { ...fresh(), from: { run: 'x' } } as unknown as RunRecord['header'];
    await expect(readTrace(await writeRun({ header, records: [] }))).rejects.toThrow(/\/from\/step/);
    const run = await sampleRun('plain');
    expect(run.header).not.toHaveProperty('from');
  });
});
