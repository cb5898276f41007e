/** Pins with the micro pair: what they hold, where they have to be tried for, and what that costs. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeWorld } from '../twins';
import type { Pin } from '../world/anchors';
import { END, MASK, START_SIZES, isPad, type Tokenizer } from '../world/codec';
import { DEFAULT_STEP_OPTIONS, finishStep, type Prediction, type StepOptions } from '../world/simulator';
import type { Action, Context } from '../world/types';
import type { DiffusionGraph } from './diffusion/graph';
import type { WindowPass } from './diffusion/pass';
import { FileSource } from './fileSource.node';
import { fetchModel } from './files';
import { loadSimulator, type ModelSimulator } from './load';
import { pathsOf } from './pins';

const folder = (kind: string) => new URL(`../../test/fixtures/micro/${kind}/`, import.meta.url).pathname;
const world = makeWorld('support', 3);
const action: Action = { tool: world.tools[0]?.name ?? '', args: { id: 'W11' } };
const context: Context = { world, history: [] };
const quick = { name: 'confidence', steps: 4 };
const member = (key: string, ...before: string[]) => [{ key, before }];
const status: Pin = { slot: 'status', pointer: '', value: 'not_found' };
const observation: Pin = { slot: 'observation', pointer: '', value: { error: 'not_found' } };
const first: Pin = { slot: 'observation', pointer: '/error', value: 'closed', path: member('error') };
const second: Pin = { slot: 'observation', pointer: '/status', value: 'open', path: member('status', 'id') };
const unknown: Pin = { slot: 'observation', pointer: '/items/2', value: 7 };

let tokenizer: Tokenizer;
const simulators = new Map<string, ModelSimulator>();
beforeAll(async () => {
  tokenizer = (await fetchModel(new FileSource(folder('ar')))).tokenizer;
  for (const kind of ['ar', 'mdlm']) {
    simulators.set(kind, await loadSimulator({ source: new FileSource(folder(kind)), provider: 'wasm' }));
  }
}, 60_000);
afterAll(async () => {
  for (const simulator of simulators.values()) await simulator.dispose();
});

function answer(kind: string, options: Partial<StepOptions>): Promise<Prediction> {
  const simulator = simulators.get(kind) as ModelSimulator;
  return finishStep(simulator.step(context, action, { ...DEFAULT_STEP_OPTIONS, sampler: quick, ...options }));
}
const refused = (message: RegExp) => ({ code: 'bad_options', message: expect.stringMatching(message) });

describe('pins', () => {
  it('of the MDLM hold, in whole slots and where the model has their place', async () => {
    const { text, tokens, selection } = await answer('mdlm', { pins: [status, second], crop: true });
    expect(text.status).toBe('not_found');
    expect(selection?.pins).toEqual([
      { placed: true, held: true },
      { placed: true, held: true },
    ]);
    expect(selection?.attempts).toBe(1);
    expect(text.observation).toMatch(/^\{"id":.*,"status":"open"/);
    // Only what comes before the first unknown value is fixed.
    const places = tokens.filter(({ slot }) => slot === 'observation');
    const fixed = places.flatMap(({ pass, id }, i) => (pass === 0 && !isPad(id) ? [[i, id]] : []));
    const id = tokenizer.encode('{"id');
    expect(fixed.slice(0, id.length)).toEqual(id.map((token, i) => [i, token]));
    expect(places[id.length]?.pass).toBeGreaterThan(0);
    expect(tokenizer.decode([places[id.length]?.id as number]).startsWith('"')).toBe(true);
    // No pads stand between what is pinned and what is written.
    expect(
      places
        .slice(
          0,
          places.findIndex((place) => place.id === END),
        )
        .some((place) => isPad(place.id)),
    ).toBe(false);
  });

  it('of whole slots leave out the pads behind them, and nothing is left to do when all are pinned', async () => {
    const delta: Pin = { slot: 'delta', pointer: '', value: {} };
    // Too long for the smallest slot, so that the next size has many pads behind it.
    const longer: Pin = { slot: 'delta', pointer: '', value: { a: 1 } };
    const one = await answer('mdlm', { pins: [status, longer] });
    const cropped = await answer('mdlm', { pins: [status, longer], crop: true });
    const dropped = cropped.tokens.filter(({ slot, id }) => slot !== 'observation' && isPad(id)).length;
    expect(dropped).toBeGreaterThan(10);
    expect(one.cost.forwardTokens - cropped.cost.forwardTokens).toBeGreaterThanOrEqual(dropped);
    for (const kind of ['ar', 'mdlm']) {
      const all = await answer(kind, { pins: [observation, delta, status] });
      expect(all.text).toEqual({ observation: '{"error":"not_found"}', delta: '{}', status: 'not_found' });
      expect(all.cost.nfe).toBe(0);
      expect(all.selection).toMatchObject({ attempts: 1, accepted: 1 });
    }
  });

  it('of the AR model are forced where they come first', async () => {
    const whole = await answer('ar', { pins: [observation] });
    expect(whole.text.observation).toBe('{"error":"not_found"}');
    expect(whole.selection).toMatchObject({ attempts: 1, accepted: 1, pins: [{ placed: true, held: true }] });
    const field = await answer('ar', { pins: [first] });
    expect(field.text.observation.startsWith('{"error":"closed"')).toBe(true);
    expect(field.selection?.pins[0]?.placed).toBe(true);
    expect(field.cost.nfe).toBe(field.tokens.length - tokenizer.encode('{"error":"closed').length);
  });

  it.each(['ar', 'mdlm'])(
    'of %s are tried for where they cannot be placed, and every attempt is counted',
    async (kind) => {
      const pins = kind === 'ar' ? [observation, status] : [status, unknown];
      const { selection, cost, tokens } = await answer(kind, { pins, attempts: 2 });
      expect(selection?.pins.map(({ placed }) => placed)).toEqual([true, false]);
      const { attempts = 0, accepted } = selection ?? {};
      expect(attempts === 2 || accepted === 1).toBe(true);
      expect(selection?.pins.every(({ held }) => held)).toBe(accepted === 1);
      expect(cost.nfe).toBeGreaterThanOrEqual(Math.max(...tokens.map(({ pass }) => pass)) + attempts - 1);
      // An answer of the micro AR model is as long as it may be.
      if (kind === 'ar') return;
      const again = await answer(kind, { pins, attempts: 2 });
      expect(again.tokens).toEqual(tokens);
    },
  );

  it('of the MDLM are seen from both sides: what is pinned behind a slot changes what is said of its places', async () => {
    const simulator = simulators.get('mdlm') as ModelSimulator;
    const { graph } = simulator as unknown as { graph: DiffusionGraph };
    /** The first window, and how sure the first pass is of each place of the observation. */
    const first = async (value: string) => {
      const spy = vi.spyOn(graph, 'pass');
      const options = { ...DEFAULT_STEP_OPTIONS, sampler: quick, pins: [{ ...status, value }] };
      for await (const draft of simulator.step(context, action, options)) if (draft.kind === 'draft') break;
      const [tokens = []] = spy.mock.calls[0] ?? [];
      const pass = (await spy.mock.results[0]?.value) as WindowPass;
      spy.mockRestore();
      // The prediction for a place is read at the place before it.
      return { tokens, sure: [...pass.confidence.subarray(0, START_SIZES.observation)] };
    };
    const [one, other] = [await first('not_found'), await first('ok')];
    const before = 1 + START_SIZES.observation + START_SIZES.delta;
    expect(one.tokens.slice(0, before)).toEqual(other.tokens.slice(0, before));
    expect(one.tokens.slice(1, before)).toEqual(Array<number>(before - 1).fill(MASK));
    const most = Math.max(...one.sure.map((confidence, i) => Math.abs(confidence - (other.sure[i] as number))));
    expect(most).toBeGreaterThan(1e-3);
  });

  it('take their place from the output schema', () => {
    const outputSchema = { type: 'object', properties: { id: {}, status: {} }, required: ['id', 'status'] };
    const tool = { name: 'look', description: '', inputSchema: {}, outputSchema };
    const pins: Pin[] = [
      { slot: 'observation', pointer: '/status', value: 'open' },
      { slot: 'delta', pointer: '/a', value: 1 },
    ];
    const paths = pathsOf(pins, { ...world, tools: [tool] }, { tool: 'look', args: {} });
    expect(paths).toEqual([[{ key: 'status', before: ['id'] }], null]);
  });

  it.each(['ar', 'mdlm'])('that contradict each other or do not fit are refused by %s', async (kind) => {
    await expect(answer(kind, { pins: [observation, first] })).rejects.toMatchObject(refused(/overlap/));
    await expect(answer(kind, { pins: [unknown], attempts: 0 })).rejects.toMatchObject(refused(/attempts is 0/));
    const long: Pin = { slot: 'observation', pointer: '', value: 'zq '.repeat(200) };
    const tooLong = kind === 'ar' ? /an answer has 216 at most/ : /largest slot has 128/;
    await expect(answer(kind, { pins: [long] })).rejects.toMatchObject(refused(tooLong));
    if (kind === 'mdlm') return;
    await expect(answer(kind, { pins: [observation], prefix: 'a' })).rejects.toMatchObject(refused(/start with/));
    await expect(answer(kind, { prefix: 'zq '.repeat(200) })).rejects.toMatchObject({
      ...refused(tooLong),
      advice: 'Shorten it.',
    });
  });
});
