import { describe, expect, it } from 'vitest';
import { ModelError } from '../models/errors';
import { loadTokenizer, tokenizerFile } from '../models/tokenizer';
import type { ModelInfo } from '../models/info';
import { createExpert, makeWorld, twinTransition } from '../twins';
import { randomAgent } from '../agents';
import { encodeContext } from '../world/codec';
import { equal, type Json } from '../world/json';
import { NO_COST, type Simulator } from '../world/simulator';
import { RolloutError } from './errors';
import { driveRollout } from './drive';
import { Rollout } from './loop';
import { contextAfter } from './records';
import { FailSimulator, SaySimulator, twinLane, WORLD } from './testing';
import { writeRun } from './trace';

const CALL = { tool: WORLD.tools[0]?.name ?? '', args: {} };
const same = (a: unknown, b: unknown) => equal(a as Json, b as Json);

describe('one row', () => {
  it('gives every lane the same action, directives and seed, and each its own key of draws', async () => {
    const a = new SaySimulator(() => ({ observation: 'a', delta: '{}', status: 'ok' }));
    const b = new SaySimulator(() => ({ observation: 'b', delta: '{}', status: 'ok' }));
    const lanes = [
      twinLane(),
      { id: 'a', simulator: a },
      { id: 'b', simulator: b, options: { threshold: 0.5, seed: 9 } },
    ];
    const rollout = Rollout.start(WORLD, lanes);
    const directives = [{ kind: 'empty' as const }];
    await rollout.step(CALL, { directives, seed: 77, temperature: 0.3 });
    const row = await rollout.step(CALL, { directives, seed: 78 });
    expect(a.asked[0]?.options).toMatchObject({
      directives,
      seed: 77,
      step: 0,
      lane: 1,
      temperature: 0.3,
      threshold: 0.9,
    });
    expect(b.asked[0]?.options).toMatchObject({
      directives,
      seed: 77,
      step: 0,
      lane: 2,
      temperature: 0.3,
      threshold: 0.5,
    });
    expect(b.asked[1]?.options).toMatchObject({ seed: 78, step: 1, temperature: 0 });
    expect(row).toMatchObject({ index: 1, parentId: 's1', id: 's2', seed: 78, directives, reference: 'twin' });
    expect(row.results['b']?.sampler).toEqual({ temperature: 0, topP: 1, threshold: 0.5, lane: 2, step: 1 });
    const more = { sampler: { name: 'confidence', steps: 4 }, guidance: 2, pins: [] };
    const steered = await rollout.step(CALL, { ...more, directives });
    expect(a.asked[2]?.options).toMatchObject(more);
    expect(steered.results['a']?.sampler).toEqual({
      temperature: 0,
      topP: 1,
      threshold: 0.9,
      lane: 1,
      step: 2,
      ...more,
    });
    expect(Object.keys(row.results)).toEqual(['twin', 'a', 'b']);
  });

  it('records what the twin says on its own history', async () => {
    const rollout = Rollout.start(WORLD, [twinLane()]);
    await driveRollout(rollout, createExpert(WORLD), { steps: 3 });
    for (const [i, step] of rollout.steps.entries()) {
      const truth = twinTransition(contextAfter(WORLD, rollout.steps.slice(0, i), 'twin'), step.action, []);
      expect(same(step.results['twin']?.prediction?.transition, truth)).toBe(true);
    }
    expect(rollout.steps.length).toBeGreaterThan(0);
  });

  it('lets lanes run free: own deltas, own histories, and an unparsable delta changes nothing but stands in the history', async () => {
    const garbage = '{"orders":';
    const say = new SaySimulator((n) => ({
      observation: 'x',
      delta: n === 0 ? garbage : '{"mine":{"n":1}}',
      status: 'ok',
    }));
    const rollout = Rollout.start(WORLD, [twinLane(), { id: 'say', simulator: say }]);
    const first = await rollout.step(CALL);
    expect(rollout.stateOf('say')).toEqual(WORLD.state);
    expect(first.results['say']?.prediction?.parseErrors.map(({ slot }) => slot)).toEqual(['delta']);
    await rollout.step(CALL);
    expect(say.asked[1]?.context.history[0]?.text.delta).toBe(garbage);
    expect(say.asked[1]?.context.history[0]?.delta).toEqual({});
    expect(rollout.stateOf('say')).toEqual({ ...WORLD.state, mine: { n: 1 } });
    expect(rollout.stateOf('twin')['mine']).toBeUndefined();
  });

  it('takes a number that overflows for unparsable, so that no Infinity gets into a state or a file', async () => {
    const say = new SaySimulator(() => ({ observation: '{"n":1e999}', delta: '{"n":-1e999}', status: 'ok' }));
    const rollout = Rollout.start(WORLD, [{ id: 'say', simulator: say }]);
    const { prediction } = (await rollout.step(CALL)).results['say'] ?? {};
    expect(prediction?.parseErrors.map(({ slot }) => slot)).toEqual(['observation', 'delta']);
    expect(prediction?.transition.observation).toEqual({ kind: 'text', text: '{"n":1e999}' });
    expect(rollout.stateOf('say')).toEqual(WORLD.state);
    await expect(writeRun({ header: rollout.header, records: rollout.steps })).resolves.toContain('1e999');
  });

  it('calls a confidence that is no number a failure of the machinery', async () => {
    const broken: Simulator = {
      id: 'broken',
      supports: () => true,
      async *step(_context, _action, options) {
        yield {
          kind: 'prediction',
          transition: { observation: { kind: 'text', text: '' }, delta: {}, status: 'ok' },
          text: { observation: '', delta: '{}', status: 'ok' },
          parseErrors: [],
          tokens: [{ slot: 'status', id: 3, masked: false, confidence: NaN, pass: 1 }],
          cost: NO_COST,
          seed: options.seed,
        };
      },
    };
    const row = await Rollout.start(WORLD, [{ id: 'broken', simulator: broken }]).step(CALL);
    expect(row.results['broken']).toMatchObject({ prediction: null, failure: { code: 'not_finite' } });
    expect(row.results['broken']?.failure?.message).toContain('/tokens/0/confidence');
  });

  it('leaves out a lane that cannot answer in this world', async () => {
    const world = { ...WORLD, twin: null };
    const say = new SaySimulator(() => ({ observation: 'x', delta: '{}', status: 'ok' }));
    const rollout = Rollout.start(world, [twinLane(), { id: 'say', simulator: say }]);
    const row = await rollout.step(CALL);
    expect(Object.keys(row.results)).toEqual(['say']);
    expect(row.reference).toBeNull();
    expect(rollout.leader()).toBe('say');
  });

  it('says for each lane which checks of the task hold after its own answer', async () => {
    const path = '/flag';
    const task = {
      ...WORLD.task,
      checks: [
        { path, op: 'exists' as const },
        { path, op: '==' as const, value: 2 },
      ],
    };
    const say = new SaySimulator((n) => ({ observation: 'x', delta: `{"flag":${n + 1}}`, status: 'ok' }));
    const rollout = Rollout.start({ ...WORLD, task }, [twinLane(), { id: 'say', simulator: say }]);
    const first = await rollout.step(CALL);
    expect(first.results['say']).toMatchObject({ checks: [true, false], progress: 0.5, done: false });
    expect(first.results['twin']).toMatchObject({ checks: [false, false], progress: 0, done: false });
    const second = await rollout.step(CALL);
    expect(second.results['say']).toMatchObject({ checks: [true, true], progress: 1, done: true });
    expect(rollout.isDone('say')).toBe(true);
    expect(rollout.isDone()).toBe(false);
  });

  it('records the exact prompt, as many tokens as the codec makes, and the model once', async () => {
    const tokenizer = await loadTokenizer(tokenizerFile([]));
    const info = { id: 'say', kind: 'ar', files: {}, dtype: 'fp32', provider: 'wasm' } as unknown as ModelInfo;
    const say = new SaySimulator(() => ({ observation: 'x', delta: '{}', status: 'ok' }));
    const lane = { id: 'say', simulator: say, tokenizer: () => tokenizer, model: () => ({ ...info }) };
    const rollout = Rollout.start({ ...WORLD, tools: [], rules: [] }, [lane]);
    await rollout.step(CALL);
    const before = rollout.contextOf('say');
    const row = await rollout.step(CALL, { directives: [{ kind: 'partial', n: 2 }] });
    const { prompt } = row.results['say'] ?? {};
    expect(prompt?.text.startsWith('<rules><tools><state>{')).toBe(true);
    expect(prompt?.text.endsWith(`<turn>partial(2)<call>${CALL.tool}{}<resp>`)).toBe(true);
    const folded = prompt?.foldedTurns === 1 ? { ...before, history: [] } : before;
    const ids = encodeContext(folded, CALL, [{ kind: 'partial', n: 2 }], tokenizer).flat();
    // The closing <resp> is part of the text.
    expect(prompt?.tokens).toBe(ids.length + 1);
    expect(rollout.header.models).toEqual([info]);
    expect(row.results['say']?.model).toBe(0);
  });
});

describe('failures', () => {
  it('records a failing lane and goes on with the others; its state and history stay', async () => {
    const error = new ModelError('device_lost', 'The GPU is gone.', 'Restart the lane.');
    const fails = new FailSimulator(error, (step) => step === 1);
    const rollout = Rollout.start(WORLD, [{ id: 'fails', simulator: fails }, twinLane()]);
    await rollout.step(CALL);
    const row = await rollout.step(CALL);
    expect(row.results['fails']).toMatchObject({
      prediction: null,
      failure: { code: 'device_lost', message: 'The GPU is gone.', advice: 'Restart the lane.' },
    });
    expect(row.results['twin']?.prediction).not.toBeNull();
    expect(rollout.stateOf('fails')).toEqual({ ...WORLD.state, fine: 1 });
    await rollout.step(CALL);
    expect(fails.asked.at(-1)?.context.history).toHaveLength(1);
  });

  it.each([new Error('boom'), 'a string', undefined])('takes any error for a failure: %s', async (error) => {
    const rollout = Rollout.start(WORLD, [{ id: 'fails', simulator: new FailSimulator(error) }]);
    const { failure } = (await rollout.step(CALL)).results['fails'] ?? {};
    expect(failure?.code).toBe('crashed');
    expect(failure?.advice).not.toBe('');
  });

  it('leaves no row when aborted, and can be used again', async () => {
    const controller = new AbortController();
    const say = new SaySimulator(() => ({ observation: 'x', delta: '{}', status: 'ok' }));
    const rollout = Rollout.start(WORLD, [twinLane(), { id: 'say', simulator: say }, twinLane2()]);
    const reason = new Error('stopped by hand');
    const stopped = rollout.step(CALL, {}, controller.signal, () => controller.abort(reason));
    await expect(stopped).rejects.toBe(reason);
    expect(rollout.steps).toEqual([]);
    expect(rollout.head).toBeNull();
    await expect(rollout.step(CALL)).resolves.toMatchObject({ id: 's1' });
  });

  it('refuses a second step while one runs, lanes without ids of their own, and steps of other runs', async () => {
    const rollout = Rollout.start(WORLD, [twinLane()]);
    const running = rollout.step(CALL);
    await expect(rollout.step(CALL)).rejects.toMatchObject({ code: 'busy' });
    await running;
    expect(() => rollout.goTo('s9')).toThrow(RolloutError);
    expect(() => Rollout.start(WORLD, [twinLane(), twinLane()])).toThrow('twin, twin');
    expect(() => Rollout.start(WORLD, [])).toThrow('at least one lane');
  });
});

describe('branches and agents', () => {
  it('goes on from any step, with the history of that branch alone', async () => {
    const say = new SaySimulator((n) => ({ observation: `${n}`, delta: `{"n${n}":1}`, status: 'ok' }));
    const rollout = Rollout.start(WORLD, [{ id: 'say', simulator: say }]);
    const first = await rollout.step(CALL);
    const second = await rollout.step(CALL);
    rollout.goTo(first.id);
    const branch = await rollout.step(CALL);
    expect(branch).toMatchObject({ parentId: first.id, index: 1 });
    expect(branch.id).not.toBe(second.id);
    expect(rollout.branch.map(({ id }) => id)).toEqual([first.id, branch.id]);
    expect(rollout.stateOf('say')).toEqual({ ...WORLD.state, n0: 1, n2: 1 });
    rollout.goTo(null);
    expect(rollout.stateOf('say')).toEqual(WORLD.state);
    expect(rollout.steps).toHaveLength(3);
  });

  it('resumes a record where it ended', async () => {
    const rollout = Rollout.start(WORLD, [twinLane()]);
    await driveRollout(rollout, randomAgent(3), { steps: 2 });
    const resumed = Rollout.resume({ header: rollout.header, records: rollout.steps }, [twinLane()]);
    expect(resumed.stateOf('twin')).toEqual(rollout.stateOf('twin'));
    const next = await resumed.step(CALL);
    expect(next).toMatchObject({ index: 2, parentId: rollout.head, runId: rollout.header.id });
    // A run of another codec can be looked at, but not gone on with.
    const other = { header: { ...rollout.header, codec: 99 }, records: rollout.steps };
    await expect(Rollout.resume(other, [twinLane()]).step(CALL)).rejects.toMatchObject({ code: 'other_codec' });
  });

  it.each(['support', 'terminal', 'universe'])('drives the expert to the goal of %s', async (family) => {
    const world = makeWorld(family, 4);
    const rollout = Rollout.start(world, [twinLane()]);
    const seen: string[] = [];
    const rows = await driveRollout(rollout, createExpert(world), { steps: 20, onRow: ({ id }) => seen.push(id) });
    expect(rollout.isDone()).toBe(true);
    expect(rows.length).toBeLessThan(20);
    expect(rows.at(-1)?.results['twin']).toMatchObject({ done: true, progress: 1 });
    expect(seen).toEqual(rows.map(({ id }) => id));
    expect(rows.every(({ actor }) => actor !== 'human')).toBe(true);
  });

  it('makes no more steps than asked, and keeps those made before an abort', async () => {
    const rollout = Rollout.start({ ...WORLD, task: { ...WORLD.task, checks: [] } }, [twinLane()]);
    expect(await driveRollout(rollout, randomAgent(1), { steps: 4 })).toHaveLength(4);
    const controller = new AbortController();
    const onRow = () => controller.abort(new Error('enough'));
    const driven = driveRollout(rollout, randomAgent(1), { steps: 4, signal: controller.signal, onRow });
    await expect(driven).rejects.toThrow('enough');
    expect(rollout.steps).toHaveLength(5);
  });

  it('shows the agent the lane it acts in', async () => {
    const say = new SaySimulator(() => ({ observation: 'said', delta: '{"said":true}', status: 'ok' }));
    const rollout = Rollout.start(WORLD, [twinLane(), { id: 'say', simulator: say }]);
    await rollout.step(CALL);
    expect(rollout.view('say').state['said']).toBe(true);
    expect(rollout.view().state['said']).toBeUndefined();
    expect(rollout.view('say').steps[0]?.transition.observation).toEqual({ kind: 'text', text: 'said' });
  });
});

function twinLane2() {
  return { ...twinLane(), id: 'twin2' };
}
