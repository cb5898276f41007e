import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../world/json';
import { LabError } from './errors';
import { directivesOf, expandJobs, stepsOfJob } from './jobs';
import { countJobs, parseLabSpec, readLabSpec, specHash, type LabSpec } from './spec';
import { specWith } from './testing';

/** What is wrong with a spec, line by line. */
function problems(members: { [key: string]: Json }): string {
  try {
    specWith(members);
  } catch (error) {
    if (error instanceof LabError && error.code === 'bad_spec') return error.message;
    throw error;
  }
  throw new Error('nothing is wrong');
}

const ids = (spec: LabSpec): string[] => [...expandJobs(spec)].map(({ id }) => id);

describe('a spec', () => {
  it('has defaults for everything but worlds and simulators', () => {
    const spec = readLabSpec({ worlds: { families: ['grid'], seeds: [3] }, simulators: ['twin'] });
    expect(spec).toEqual({
      title: 'Batch',
      worlds: { families: ['grid'], seeds: [3], difficulties: [1] },
      simulators: [{ id: 'twin', kind: 'twin', models: null, options: {} }],
      agents: [{ id: 'expert', kind: 'expert' }],
      seeds: [1],
      steps: 8,
      history: 'free',
      directives: '',
      faults: null,
      models: null,
    });
    // Reading what was read changes nothing: it is what records and results hold.
    expect(readLabSpec(JSON.parse(JSON.stringify(spec)) as Json)).toEqual(spec);
  });

  it('of the fixture is one', () => {
    const spec = parseLabSpec(readFileSync('test/fixtures/lab-quick.json', 'utf8'));
    expect(countJobs(spec)).toBe(36);
  });

  it.each<[{ [key: string]: Json }, string]>([
    [{ worlds: { families: ['mars'], seeds: [1] } }, '/worlds/families/0 is "mars": it has to be one of support'],
    [{ worlds: { families: [], seeds: [1] } }, '/worlds/families is []: it has to be a list with at least one item'],
    [{ worlds: { families: ['grid', 'grid'], seeds: [1] } }, '/worlds/families: "grid" is there twice'],
    [{ worlds: { families: ['grid'] } }, '/worlds/seeds is missing: it has to be a list'],
    [{ worlds: { families: ['grid'], seeds: [1.5] } }, '/worlds/seeds/0 is 1.5: it has to be a whole number from 0'],
    [{ worlds: { families: ['grid'], seeds: { from: 1 } } }, '/worlds/seeds/count is missing'],
    [{ worlds: { families: ['grid'], seeds: [1], difficulties: [4] } }, '/worlds/difficulties/0 is 4'],
    [{ simulators: ['gpt'] }, '/simulators/0 is "gpt": it has to be one of twin, ar, mdlm, transformers'],
    [{ simulators: ['twin', 'twin'] }, '/simulators: "twin" is there twice; give each an id of its own'],
    [{ simulators: [{ id: 'twin', kind: 'ar' }] }, '/simulators/0/id: "twin" is kept for the twin'],
    [{ simulators: [{ id: 'a/b', kind: 'ar' }] }, '/simulators/0/id: "a/b" is not a name'],
    [
      { simulators: [{ kind: 'ar', options: { heat: 1 } }] },
      '/simulators/0/options/heat: there is no such member here',
    ],
    [{ simulators: [{ kind: 'ar', options: { topP: 0 } }] }, '/simulators/0/options/topP is 0: it has to be a share'],
    [{ simulators: [{ kind: 'mdlm', options: { sampler: 'fast' } }] }, '/simulators/0/options/sampler is "fast"'],
    [{ agents: [{ kind: 'expert', then: 'noisy' }] }, '/agents/0/then is "noisy": it has to be one of random'],
    [{ agents: ['noisy'] }, 'noisy and replay are objects with more in them'],
    [{ agents: [{ kind: 'noisy', rate: 2 }] }, '/agents/0/rate is 2: it has to be a share of random calls'],
    [
      { agents: [{ kind: 'replay', actions: [{ args: {} }] }] },
      '/agents/0/actions/0 is {"args":{}}: it has to be a call',
    ],
    [{ steps: 0 }, '/steps is 0: it has to be a whole number from 1 to 1000'],
    [{ history: 'mine' }, '/history is "mine": it has to be one of free, teacher'],
    [{ directives: 'lie' }, '/directives: "lie" is not a directive'],
    [{ faults: 'mixed:2' }, '/faults: "mixed:2" is not PRESET:COUNT:DURATION'],
    [{ faults: 'mixed:3:4' }, '/faults: 3 faults of 4 steps do not fit into 5 steps'],
    [{ sedes: [1] }, '/sedes: there is no such member here; there are title, worlds'],
    [{ seeds: { from: 1, count: 1_000_000 } }, 'it makes 4000000 rollouts, and 1000000 is the most'],
  ])('%j is refused, and what fits is said', (members, message) => {
    expect(problems(members)).toContain(message);
  });

  it('keeps the settings of a simulator as they are written', () => {
    const options = {
      temperature: 0.7,
      minP: 0.1,
      guidance: 2,
      sampler: { name: 'confidence', steps: 8 },
      blockSize: 16,
      crop: true,
      bestOf: { n: 4, verifier: 'likely' },
    };
    expect(specWith({ simulators: [{ kind: 'mdlm', options }] }).simulators[0]?.options).toEqual(options);
  });

  it('tells all that is wrong at once, and bad JSON as what it is', () => {
    expect(problems({ steps: 0, history: 'mine' }).split('\n')).toHaveLength(3);
    expect(() => parseLabSpec('{')).toThrow('it is not JSON');
    expect(() => parseLabSpec('[]')).toThrow('the spec is []: it has to be an object with title');
  });

  it('has a hash that any difference changes', () => {
    const hashes = [{}, { steps: 6 }, { seeds: [2] }, { history: 'teacher' }].map((members) =>
      specHash(specWith(members)),
    );
    expect(new Set(hashes).size).toBe(4);
    expect(specHash(specWith())).toBe(hashes[0]);
    expect(hashes[0]).toMatch(/^[0-9a-f]{16}$/);
  });
});

describe('the jobs of a spec', () => {
  const spec = specWith({
    worlds: { families: ['support', 'grid'], seeds: { from: 5, count: 3 }, difficulties: [1, 3] },
    agents: ['expert', { kind: 'noisy', rate: 0.25 }],
    seeds: [1, 9],
  });

  it('are as many as counted, each with an id of its own, numbered in order', () => {
    const jobs = [...expandJobs(spec)];
    expect(jobs).toHaveLength(countJobs(spec));
    expect(jobs).toHaveLength(2 * 3 * 2 * 2 * 2 * 2);
    expect(new Set(jobs.map(({ id }) => id)).size).toBe(jobs.length);
    expect(jobs.map(({ index }) => index)).toEqual(jobs.map((_, i) => i));
    expect(jobs[0]).toMatchObject({ id: 'support/5/1/expert/1/twin', family: 'support', worldSeed: 5, difficulty: 1 });
    expect(jobs.at(-1)?.id).toBe('grid/7/3/noisy-0.25/9/mute');
  });

  it('keep their ids when a batch gets more of something', () => {
    const more = specWith({
      worlds: { families: ['grid', 'support', 'tables'], seeds: { from: 5, count: 4 }, difficulties: [1, 2, 3] },
      agents: ['expert', { kind: 'noisy', rate: 0.25 }, 'random'],
      seeds: [1, 2, 9],
    });
    expect(ids(more)).toEqual(expect.arrayContaining(ids(spec)));
  });

  it('draw alike for what is compared and differently in other worlds and seeds', () => {
    const jobs = [...expandJobs(spec)];
    const situation = ({ family, worldSeed, difficulty, seed }: (typeof jobs)[number]) =>
      [family, worldSeed, difficulty, seed].join();
    const draws = new Map(jobs.map((job) => [situation(job), job.draw]));
    expect(jobs.every((job) => draws.get(situation(job)) === job.draw)).toBe(true);
    expect(new Set(draws.values()).size).toBe(2 * 3 * 2 * 2);
    expect(jobs.every(({ draw }) => draw >= 0 && draw < 2 ** 31)).toBe(true);
  });

  it('have the directives of every step and the faults of their draw', () => {
    const steered = specWith({ directives: 'terse', faults: 'explicit:1:1', seeds: { from: 1, count: 6 } });
    const lists = [...expandJobs(steered)].map((job) => directivesOf(steered, job));
    for (const list of lists) {
      expect(list).toHaveLength(5);
      expect(list.every((step) => step.some(({ kind }) => kind === 'terse'))).toBe(true);
      expect(list.filter((step) => step.some(({ kind }) => kind === 'fail'))).toHaveLength(1);
    }
    const starts = lists.map((list) => list.findIndex((step) => step.length === 2));
    expect(new Set(starts).size).toBeGreaterThan(1);
  });

  it('of a replay have as many steps as were recorded', () => {
    const replayed = specWith({ agents: [{ kind: 'replay', actions: [{ raw: 'a' }, { tool: 'x' }] }] });
    expect(replayed.agents[0]).toEqual({
      id: 'replay',
      kind: 'replay',
      actions: [{ raw: 'a' }, { tool: 'x', args: {} }],
    });
    expect(stepsOfJob(replayed, replayed.agents[0] as LabSpec['agents'][number])).toBe(2);
  });
});
