import 'fake-indexeddb/auto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { promptRecord } from '../prompt';
import { contextAfter } from '../records';
import { Rollout } from '../loop';
import { runOf, SaySimulator, twinLane, WORLD } from '../testing';
import {
  blindPair,
  candidatesOf,
  choosePairs,
  dpoRows,
  draftOf,
  drawsFor,
  emptyDraft,
  ktoRows,
  leftOf,
  mergeRatings,
} from '.';
import { orderFor, readVotes, RatingStore, resultsOf, voteOf, votesOf, withPreference, withScore, writeVotes } from '.';
import type { LogEntry, Rating, RatingPair, RatingSet, VoteEntry } from '.';

const say = (id: string, key: number) => ({
  id,
  simulator: new SaySimulator((n) => ({ observation: `{"${id}":${n}}`, delta: '{}', status: 'ok' })),
  options: { lane: key },
});
const set: RatingSet = {
  id: 'set-1',
  title: 'Set',
  createdAt: '2026-01-02T03:04:05.000Z',
  kind: 'answer',
  seed: 7,
  truth: 'help',
};

async function sample() {
  const lanes = [twinLane(), say('left-lane', 1), { ...say('right-lane', 2) }];
  const named = lanes.map((lane) => (lane.id === 'twin' ? lane : Object.assign(lane, { simulator: named_(lane) })));
  const rollout = Rollout.start(WORLD, named, { id: 'run-1', createdAt: set.createdAt });
  await rollout.step({ tool: WORLD.tools[0]?.name ?? '', args: {} });
  return { run: runOf(rollout), candidates: await candidatesOf(runOf(rollout), 'answer') };
}

/** The simulator of a lane under the lane's own name: authors are told apart by it. */
function named_(lane: { id: string; simulator: object }) {
  return Object.defineProperty(lane.simulator, 'id', { value: lane.id }) as SaySimulator;
}

async function rating(): Promise<Rating & { pair: RatingPair }> {
  const { candidates } = await sample();
  const { pairs } = await choosePairs(candidates, { seed: 7, truth: 'help', most: 9 });
  const pair = pairs[0] as RatingPair;
  return { set, pairs, pair, raters: [{ type: 'rater', id: 'r1', name: 'Ada' }], log: [] };
}

const time = (n: number) => new Date(Date.UTC(2026, 0, 3, 0, 0, n)).toISOString();
const filled = (pair: string, score: number, side: 'left' | 'right' | 'tie') =>
  withPreference(
    [0, 1, 2, 3, 4, 5].reduce((draft, at) => withScore(draft, at, score), emptyDraft(pair)),
    side,
  );
const vote = (pair: string, n: number, rater = 'r1', score = 4, side: 'left' | 'right' | 'tie' = 'left') =>
  voteOf(filled(pair, score, side), { set, rater, id: `v${rater}${n}`, createdAt: time(n) }) as VoteEntry;

describe('pairs and blinding', () => {
  it('pairs lanes of one prompt, leaves the twin out where it is help, and has its answer', async () => {
    const { run, candidates } = await sample();
    const { pairs, found } = await choosePairs(candidates, { seed: 1, truth: 'help', most: 9 });
    expect(found).toBe(1);
    const [pair] = pairs as [RatingPair];
    expect([pair.a.by.name, pair.b.by.name].sort()).toEqual(['left-lane', 'right-lane']);
    expect(pair.truth).toHaveLength(1);
    const sided = await choosePairs(candidates, { seed: 1, truth: 'side', most: 9 });
    expect(sided.found).toBe(3);
    const step = run.records[0] as unknown as { action: never };
    const tokenizer = { encode: () => [1], decode: () => '' };
    const record = promptRecord(contextAfter(WORLD, [], 'twin'), step.action, [], tokenizer as never);
    expect(pair.prompt).toBe(record.text);
  });

  it('shows nothing that changes with the names of lanes, runs and models', async () => {
    const { pair } = await rating();
    const renamed: RatingPair = {
      ...pair,
      a: { ...pair.a, by: { name: 'x', model: 'y' }, run: 'z', step: 'w' },
      b: { ...pair.b, by: { name: 'q', model: null }, run: 'p', step: 'o' },
    };
    expect(blindPair(set, 'r1', renamed)).toEqual(blindPair(set, 'r1', pair));
    expect(Object.keys(blindPair(set, 'r1', pair)).sort()).toEqual(['left', 'prompt', 'right', 'truth']);
  });

  it('throws a fair coin for the sides and orders pairs by rater', () => {
    const ids = Array.from({ length: 4000 }, (_, i) => `p${i}`);
    const lefts = ids.filter((id) => leftOf(7, 'r1', id) === 'a').length;
    // Five standard deviations of a fair coin.
    expect(Math.abs(lefts - 2000)).toBeLessThan(5 * Math.sqrt(1000));
    expect(orderFor(7, 'r1', ids)).toEqual(orderFor(7, 'r1', [...ids].reverse()));
    expect(orderFor(7, 'r2', ids)).not.toEqual(orderFor(7, 'r1', ids));
  });

  it('makes a vote of a draft and the draft of a vote', async () => {
    const { pair } = await rating();
    const draft = filled(pair.id, 3, 'right');
    const made = voteOf(draft, { set, rater: 'r1', id: 'v', createdAt: time(1) }) as VoteEntry;
    expect(draftOf(made)).toEqual(draft);
    expect(made.preference).not.toBe(made.left);
    expect(voteOf(emptyDraft(pair.id), { set, rater: 'r1', id: 'v', createdAt: time(1) })).toBeNull();
  });
});

describe('files', () => {
  it('export, import and export give the same bytes; a changed byte is refused', async () => {
    const base = await rating();
    const log: LogEntry[] = [
      vote(base.pair.id, 1),
      { type: 'undo', id: 'u', of: 'vr11', rater: 'r1', createdAt: time(2) },
    ];
    const text = await writeVotes({ ...base, log });
    expect(await writeVotes(await readVotes(text))).toBe(text);
    await expect(readVotes(text.replace('"Ada"', '"Eve"'))).rejects.toMatchObject({ code: 'changed' });
    await expect(readVotes(text.replace('"version":[1,0]', '"version":[2,0]'))).rejects.toMatchObject({
      code: 'wrong_version',
    });
    await expect(readVotes(text.replace('"realism":4', '"realism":6'))).rejects.toThrow(/whole number from 1 to 5/);
    await expect(readVotes('{}')).rejects.toMatchObject({ code: 'not_wmvotes' });
    await expect(readVotes(text.slice(0, text.lastIndexOf('{"type":"footer"')))).rejects.toThrow(/no footer/);
  });

  it('merges in any order, any number of times', async () => {
    const base = await rating();
    const entries = [0, 1, 2, 3, 4, 5].map((n) => vote(base.pair.id, n, n % 2 ? 'r1' : 'r2', 1 + (n % 5)));
    const raters = ['r1', 'r2'].map((id) => ({ type: 'rater' as const, id, name: id }));
    const part = fc.subarray(entries).map((log): Rating => ({ set, pairs: base.pairs, raters, log }));
    fc.assert(
      fc.property(part, part, part, (a, b, c) => {
        const one = mergeRatings(mergeRatings(a, b), c);
        expect(mergeRatings(b, mergeRatings(c, a))).toEqual(one);
        expect(mergeRatings(one, one)).toEqual(one);
      }),
    );
    const first = entries[0] as VoteEntry;
    const other = { set, pairs: base.pairs, raters, log: [{ ...first, truthSeen: true }] };
    expect(() => mergeRatings({ ...other, log: [first] }, other)).toThrow(/says different things/);
  });

  it('keeps votes and drafts over a reload', async () => {
    const base = await rating();
    const store = await RatingStore.open('rating-a');
    await store.create(set, base.pairs);
    const rater = await store.rater('Ada', () => 'r1');
    await store.keepDraft(set.id, 'r1', withScore(emptyDraft(base.pair.id), 0, 5));
    store.close();
    const again = await RatingStore.open('rating-a');
    expect((await again.draft(set.id, 'r1'))?.scores[0]).toBe(5);
    await again.append(set.id, rater, vote(base.pair.id, 1));
    expect(await again.draft(set.id, 'r1')).toBeNull();
    expect(votesOf((await again.load(set.id)).log)).toHaveLength(1);
    again.close();
  });
});

describe('results and rows', () => {
  it('bounds the bootstrap: all resamples for few votes, fewer for many, never below 200', () => {
    expect([0, 1, 400, 800, 2000, 100_000].map(drawsFor)).toEqual([1000, 1000, 1000, 500, 200, 200]);
  });

  it('counts what stands, and gives rows with reasons for what gives none', async () => {
    const base = await rating();
    const raters = ['r1', 'r2'].map((id) => ({ type: 'rater' as const, id, name: id }));
    const left = (rater: string) => (leftOf(7, rater, base.pair.id) === 'a' ? 'left' : 'right');
    const log = [vote(base.pair.id, 1, 'r1', 5, left('r1')), vote(base.pair.id, 2, 'r2', 4, left('r2'))];
    const results = resultsOf({ ...base, raters, log });
    expect(results).toMatchObject({ pairs: 1, rated: 1, ratedByTwo: 1, votes: 2 });
    expect(results.noStrengths).toMatch(/more votes/);
    const dpo = dpoRows({ ...base, raters, log });
    expect(dpo.rows).toEqual([
      expect.objectContaining({ prompt: base.pair.prompt, chosen: expect.stringContaining('<end>') as string }),
    ]);
    expect(ktoRows({ ...base, raters, log }).rows.map(({ label }) => label)).toEqual([true, true]);
    const split = [log[0] as VoteEntry, vote(base.pair.id, 3, 'r2', 3, left('r2') === 'left' ? 'right' : 'left')];
    expect(dpoRows({ ...base, raters, log: split })).toMatchObject({ rows: [], left: { split: 1 } });
  });
});
