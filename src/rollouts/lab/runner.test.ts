import v8 from 'node:v8';
import vm from 'node:vm';
import { describe, expect, it } from 'vitest';
import { ModelError } from '../../models';
import { makeWorld, twinTransition } from '../../twins';
import { answerText } from '../../world/codec';
import type { Draft, Prediction, Simulator } from '../../world/simulator';
import { driveRollout } from '../drive';
import { Rollout } from '../loop';
import { contextAfter } from '../records';
import { FailSimulator, SaySimulator } from '../testing';
import { aggregate } from './aggregate';
import { agentOf, type LabJob } from './jobs';
import { MemorySink } from './memory';
import type { JobRecord, LabHeader, LabSink, LabStep } from './records';
import { LabRunner, type LabOptions, type LabProgress } from './runner';
import type { LabSpec } from './spec';
import { createdAt, mute, specWith, TextSink, twin } from './testing';

const run = (spec: LabSpec, sink: LabSink, options: LabOptions = {}, silent = mute()) =>
  new LabRunner(spec, { twin: twin(), mute: silent }, sink, { createdAt, ...options }).run();

describe('a batch', () => {
  it('does each job as manual mode does it, and keeps one record a job', async () => {
    const spec = specWith({ agents: ['expert', 'random'], directives: 'terse' });
    const sink = new MemorySink();
    expect(await run(spec, sink)).toMatchObject({ total: 8, done: 8, kept: 0, job: null, leftMs: 0, paused: false });
    expect(sink.records.map(({ job }) => job.index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    for (const { job, steps } of sink.records) {
      const lane = job.simulator === 'twin' ? twin() : mute();
      const world = makeWorld(job.family, job.worldSeed, job.difficulty);
      const rollout = Rollout.start(world, [{ ...lane, id: job.simulator }]);
      const agent = agentOf({ id: job.agent, kind: job.agent as 'expert' }, world, job.draw);
      await driveRollout(rollout, agent, { steps: 5, seed: job.draw, directives: [{ kind: 'terse' }] });
      const recorded = sink.runs.get(job.id)?.steps ?? [];
      const core = ({ id, action, actor, directives, results }: LabStep | (typeof rollout.branch)[number]) => {
        return { id, action, actor, directives, results };
      };
      expect(recorded.map(core)).toEqual(rollout.branch.map(core));
      expect(steps).toBe(recorded.length);
    }
  });

  it('finds the twin right everywhere and a mute lane wrong from the first step', async () => {
    const sink = new MemorySink();
    await run(specWith(), sink);
    const [right, wrong] = sink.records as [JobRecord, JobRecord];
    expect(right).toMatchObject({ done: true, real: true, progress: 1, failures: {} });
    expect(right.exact).toMatch(/^1+$/);
    expect(right.sums['answerExact']).toEqual([right.steps, right.steps]);
    // The expert's plan does the task in the twin whatever a mute world answers; in the mute lane nothing ever changes.
    expect(wrong).toMatchObject({ done: false, real: true, steps: 5 });
    expect(wrong.exact[0]).toBe('0');
    expect(wrong.cost).toEqual({ nfe: 10, generatedTokens: 45, answerTokens: 0 });
  });

  it('has the twin answer in the state that a free lane made of itself', async () => {
    const world = makeWorld('support', 1);
    const lost = new SaySimulator(() => ({ observation: '{}', delta: '{"orders":null}', status: 'ok' }));
    const spec = specWith({ worlds: { families: ['support'], seeds: [1] }, simulators: [{ id: 'mute', kind: 'ar' }] });
    const sink = new MemorySink();
    await new LabRunner(spec, { mute: { simulator: lost } }, sink).run();
    const steps = sink.runs.get('support/1/1/expert/1/mute')?.steps ?? [];
    expect(steps).toHaveLength(5);
    steps.forEach(({ action, directives, lab }, i) => {
      const context = contextAfter(world, steps.slice(0, i), 'mute');
      expect(lab.truth).toEqual(twinTransition(context, action, directives));
    });
    // The orders are gone from the lane's state, so there the expert's first call fails when it comes again.
    expect(steps[0]?.lab.truth?.status).toBe('ok');
    expect(new Set(steps.slice(1).map(({ lab }) => lab.truth?.status))).toContain('not_found');
  });

  it('teacher-forces when asked: every answer follows the history of the twin', async () => {
    const lane = mute();
    const sink = new MemorySink();
    await run(specWith({ history: 'teacher', worlds: { families: ['support'], seeds: [1] } }), sink, {}, lane);
    const [own, forced] = sink.records as [JobRecord, JobRecord];
    // The twin decides when the task is done, and the forced lane is asked exactly as often.
    expect(forced.steps).toBe(own.steps);
    expect(forced).toMatchObject({ done: null, real: null, progress: null });
    lane.simulator.asked.forEach(({ context }, i) => {
      const answers = sink.runs.get(own.job.id)?.steps.slice(0, i) ?? [];
      const truths = answers.map(({ results }) => results['twin']?.prediction?.text);
      expect(context.history.map(({ text }) => text)).toEqual(truths);
    });
    const last = sink.runs.get(forced.job.id)?.steps.at(-1) as LabStep;
    expect(last.results['twin']?.done).toBe(true);
    expect(last.results['mute']?.done).toBe(false);
    expect(last.lab.truth && answerText(last.lab.truth)).toEqual(last.results['twin']?.prediction?.text);
  });

  it('knows what directives change: the twin complies, and a lane that says nothing seldom does', async () => {
    const sink = new MemorySink();
    await run(specWith({ directives: 'fail(rate_limited)', agents: ['random'] }), sink);
    for (const { job, steps, sums } of sink.records) {
      expect(sums['directiveCompliance']).toEqual([job.simulator === 'twin' ? steps : 0, steps]);
    }
  });

  it('goes on after the task with an agent that is told to, and keeps that it was done', async () => {
    const sink = new MemorySink();
    const agents = ['expert', { id: 'on', kind: 'expert', then: 'random' }];
    await run(specWith({ agents, steps: 12, simulators: ['twin'] }), sink);
    const of = (agent: string) => sink.records.filter(({ job }) => job.agent === agent);
    of('on').forEach(({ steps, done, real, progress, job }, i) => {
      const ended = of('expert')[i] as JobRecord;
      expect(ended.steps).toBeLessThan(12);
      expect({ steps, done, real, progress }).toEqual({ steps: 12, done: true, real: true, progress: 1 });
      const actions = (id: string) =>
        sink.runs
          .get(id)
          ?.steps.slice(0, ended.steps)
          .map(({ action }) => action);
      expect(actions(job.id)).toEqual(actions(ended.job.id));
    });
  });

  it('needs each simulator of its spec', () => {
    expect(() => new LabRunner(specWith(), { twin: twin() }, new MemorySink())).toThrow('needs the simulator "mute"');
  });
});

describe('a batch that is stopped', () => {
  const spec = specWith({ agents: ['expert', 'random'], seeds: [1, 2] });

  it.each([1, 2, 7, 20, 33])('at step %d leaves whole jobs, and going on gives the bytes of one go', async (at) => {
    const whole = new TextSink();
    await run(spec, whole);
    const sink = new TextSink();
    const controller = new AbortController();
    let steps = 0;
    const step = sink.step.bind(sink);
    sink.step = (job, row) => {
      step(job, row);
      if (++steps === at) controller.abort(new Error('enough'));
    };
    await expect(run(spec, sink, { signal: controller.signal })).rejects.toThrow('enough');
    expect(steps).toBe(at);
    const done = sink.done.size;
    expect(done).toBeLessThan(16);
    expect(await run(spec, sink)).toMatchObject({ done: 16, kept: done });
    expect(sink.text).toBe(whole.text);
    const [a, b] = await Promise.all([aggregate(spec, sink.records()), aggregate(spec, whole.records())]);
    expect(JSON.stringify(a.results)).toBe(JSON.stringify(b.results));
  });

  it('before it began does nothing', async () => {
    const sink = new TextSink();
    await expect(run(spec, sink, { signal: AbortSignal.abort(new Error('never')) })).rejects.toThrow('never');
    expect(sink.text).toBe('');
  });

  it('hands the signal to the simulator in the middle of an answer', async () => {
    const controller = new AbortController();
    class Aborting extends SaySimulator {
      override async *step(...[, , , signal]: Parameters<Simulator['step']>): AsyncIterable<Draft | Prediction> {
        controller.abort(new Error('now'));
        signal?.throwIfAborted();
        yield* [];
      }
    }
    const lane = { simulator: new Aborting(() => ({ observation: '', delta: '', status: '' })) };
    const sink = new TextSink();
    await expect(run(spec, sink, { signal: controller.signal }, lane)).rejects.toThrow('now');
    expect([...sink.done.keys()]).toEqual(['support/1/1/expert/1/twin']);
  });
});

describe('pause', () => {
  it('holds the batch before the next step, and the time does not count', async () => {
    let now = 0;
    const sink = new TextSink();
    const seen: LabProgress[] = [];
    const lanes = { twin: twin(), mute: mute() };
    let steps = 0;
    const step = sink.step.bind(sink);
    let told: () => void = () => undefined;
    const paused = new Promise<void>((resolve) => (told = resolve));
    const onProgress = (progress: LabProgress) => {
      seen.push(progress);
      if (progress.paused) told();
    };
    const runner = new LabRunner(specWith(), lanes, sink, { createdAt, now: () => now, onProgress });
    sink.step = (job, row) => {
      step(job, row);
      now += 10;
      if (++steps === 3) runner.pause();
    };
    const ended = runner.run();
    await paused;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(steps).toBe(3);
    expect(runner.progress).toMatchObject({ paused: true, workedMs: 30 });
    now += 5000;
    expect(runner.progress.workedMs).toBe(30);
    runner.resume();
    expect((await ended).workedMs).toBe(10 * steps);
    // Each job's pace is known by simulator: the estimate of what is left never has the pause in it.
    expect(Math.max(...seen.map(({ leftMs }) => leftMs ?? 0))).toBeLessThan(200);
    expect(seen.at(-1)).toMatchObject({ done: 4, leftMs: 0, paused: false });
  });

  it('ends with the batch when that is cancelled', async () => {
    const controller = new AbortController();
    const runner = new LabRunner(specWith(), { twin: twin(), mute: mute() }, new TextSink(), {
      signal: controller.signal,
    });
    runner.pause();
    const ended = runner.run();
    setTimeout(() => controller.abort(new Error('gone')), 5);
    await expect(ended).rejects.toThrow('gone');
  });
});

describe('a lane whose machinery fails', () => {
  it('stops the batch, which goes on with that job when the lane is there again', async () => {
    const spec = specWith();
    const sink = new TextSink();
    const broken = { simulator: new FailSimulator(new ModelError('device_lost', 'It is gone.', 'Restart the lane.')) };
    const runner = new LabRunner(spec, { twin: twin(), mute: broken }, sink, { createdAt });
    await expect(runner.run()).rejects.toMatchObject({
      code: 'lane_failed',
      message: expect.stringContaining('mute failed in support/1/1/expert/1/mute (device_lost): It is gone.'),
      advice: expect.stringContaining('start the batch again'),
    });
    expect(sink.done.size).toBe(1);
    await run(spec, sink);
    const whole = new TextSink();
    await run(spec, whole);
    expect(sink.text).toBe(whole.text);
  });

  it('counts what the answer itself brought about as wrong, in every denominator', async () => {
    const tooLong = new FailSimulator(
      new ModelError('context_too_long', 'Too long.', 'Shorten it.'),
      (step) => step === 1,
    );
    const sink = new MemorySink();
    const spec = specWith({ worlds: { families: ['support'], seeds: [1] } });
    await new LabRunner(spec, { twin: twin(), mute: { simulator: tooLong } }, sink).run();
    const record = sink.records[1] as JobRecord;
    expect(record.failures).toEqual({ context_too_long: 1 });
    expect(record.sums['parseOk']).toEqual([record.steps - 1, record.steps]);
  });
});

describe('a free lane with a state that no twin would make', () => {
  it('is judged all the same, or counted as without truth; it never stops the batch', async () => {
    const deltas = ['{"orders":7}', '{"orders":{"W1":"x"}}', '{"a":{"b":null}}', '{"customers":{"c":[1]}}'];
    const wild = new SaySimulator((n) => ({ observation: '{}', delta: deltas[n % 4] as string, status: 'ok' }));
    const sink = new MemorySink();
    const spec = specWith({
      worlds: { families: ['support', 'tables', 'grid', 'office'], seeds: [1, 2] },
      agents: ['expert', 'random'],
      simulators: [{ id: 'mute', kind: 'ar' }],
    });
    await new LabRunner(spec, { mute: { simulator: wild } }, sink).run();
    for (const { exact, steps } of sink.records) {
      expect(exact).toHaveLength(steps);
      expect(exact).toMatch(/^[01-]+$/);
    }
  });
});

describe('a thousand rollouts', () => {
  it('hold no more than one: of all records handed out, those alive are the last ones', async () => {
    v8.setFlagsFromString('--expose-gc');
    const gc = vm.runInNewContext('gc') as () => void;
    const handed: WeakRef<object>[] = [];
    const alive = async () => {
      // Weak references are kept until the task ends.
      await new Promise((resolve) => setTimeout(resolve, 0));
      gc();
      return handed.filter((ref) => ref.deref() !== undefined).length;
    };
    const counts: number[] = [];
    let turns = 0;
    const sink: LabSink = {
      has: () => false,
      begin: (_job: LabJob, header: LabHeader) => void handed.push(new WeakRef(header), new WeakRef(header.world)),
      step: (_job: LabJob, step: LabStep) =>
        void handed.push(new WeakRef(step), ...Object.values(step.results).map((result) => new WeakRef(result))),
      end: async (record: JobRecord) => {
        handed.push(new WeakRef(record));
        turns++;
        if (turns % 250 === 0) counts.push(await alive());
      },
    };
    const spec = specWith({
      worlds: { families: ['support', 'terminal'], seeds: { from: 1, count: 250 } },
      simulators: ['twin'],
      agents: ['expert', 'random'],
      steps: 3,
    });
    const runner = new LabRunner(spec, { twin: twin() }, sink);
    expect(await runner.run()).toMatchObject({ done: 1000, total: 1000 });
    expect(handed.length).toBeGreaterThan(6000);
    expect(counts).toHaveLength(4);
    // One job: a header, its world, a record, three steps and their results.
    expect(Math.max(...counts)).toBeLessThanOrEqual(2 + 1 + 3 * 2);
    // The runner is still there, and holds none of them.
    expect(await alive()).toBeLessThanOrEqual(9);
    expect(runner.progress.done).toBe(1000);
  }, 120_000);

  it('let other tasks run in between, however quickly a simulator answers', async () => {
    let now = 0;
    let since = 0;
    let most = 0;
    const sink = new TextSink();
    const step = sink.step.bind(sink);
    sink.step = (job, row) => {
      step(job, row);
      now += 5;
      most = Math.max(most, ++since);
    };
    // What a page would draw in between.
    let frames = 0;
    let frame = setImmediate(function draw() {
      frames++;
      since = 0;
      frame = setImmediate(draw);
    });
    const spec = specWith({ worlds: { families: ['support'], seeds: { from: 1, count: 30 } }, agents: ['random'] });
    await run(spec, sink, { now: () => now, slice: 12 });
    clearImmediate(frame);
    // Of steps that take 5 ms at most three pass in a slice of 12.
    expect(most).toBe(3);
    expect(frames).toBeGreaterThan(50);
  });
});
