/** Lanes in a batch answer as they do alone: token for token, whatever their lengths and settings. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWorld } from '../twins';
import type { Pin } from '../world/anchors';
import { DEFAULT_STEP_OPTIONS, answerAll, finishStep, type BatchItem, type Prediction } from '../world/simulator';
import type { Turn } from '../world/types';
import { LANES } from './batch/items';
import { FileSource } from './fileSource.node';
import { loadSimulator, type ModelSimulator } from './load';

const folder = (kind: string) => new URL(`../../test/fixtures/micro/${kind}/`, import.meta.url).pathname;
const quick = { name: 'confidence', steps: 4 };
const START: Pin[] = [
  { slot: 'observation', pointer: '', value: { error: 'rate_limited' } },
  { slot: 'delta', pointer: '', value: {} },
];

/** Worlds of several sizes, each with a history of its own length, and settings that differ from lane to lane. */
function itemAt(i: number): BatchItem {
  const world = makeWorld(i % 2 === 0 ? 'support' : 'code', 1 + (i % 3));
  const action = { tool: world.tools[0]?.name ?? '', args: { id: `W${i % 4}` } };
  const text = { observation: `{"id":"W${i}"}`, delta: '{}', status: 'ok' };
  const turn: Turn = { directives: [], action, text, delta: {} };
  const options = {
    ...{ ...DEFAULT_STEP_OPTIONS, sampler: quick, seed: 7 + (i % 2), lane: i, step: i % 3 },
    ...(i % 3 === 1 ? { temperature: 0.8, topP: 0.9 } : {}),
    ...(i % 4 === 2
      ? { directives: [{ kind: 'fail' as const, code: 'rate_limited' }], guidance: i === 2 ? 1 : 0 }
      : {}),
    ...(i % 5 === 4 ? { pins: [{ slot: 'status' as const, pointer: '', value: 'not_found' }], attempts: 2 } : {}),
  };
  return { context: { world, history: Array<Turn>(i % 3).fill(turn) }, action, options };
}

/**
 * Short answers in one world, some of which end before others: half have the slots before the status pinned, and of a quarter
 * most of the text is given. These the MDLM's graph writes by itself, unless they are drawn.
 */
function shortItem(i: number): BatchItem {
  const world = makeWorld('support', 3, 1);
  const action = { tool: world.tools[0]?.name ?? '', args: { id: `W${i % 3}` } };
  const turn: Turn = { directives: [], action, text: { observation: '{}', delta: '{}', status: 'ok' }, delta: {} };
  const options = {
    ...{ ...DEFAULT_STEP_OPTIONS, sampler: { name: 'confidence', steps: 1 + (i % 5) }, lane: i, step: i % 4 },
    ...(i % 4 === 3 ? { sampler: { name: 'speculative' }, prefix: 'ab '.repeat(100 + (i % 7)) } : {}),
    ...(i % 2 === 0 ? { pins: START } : {}),
    ...(i % 3 === 1 ? { temperature: 0.8 } : {}),
  };
  return { context: { world, history: Array<Turn>(i % 4).fill(turn) }, action, options };
}

/** Of one world, and of two: written from left to right, with nothing drawn or pinned. */
function writtenItem(i: number): BatchItem {
  const world = makeWorld(i === 4 ? 'code' : 'support', 2);
  const action = { tool: world.tools[0]?.name ?? '', args: { id: `W${i}` } };
  const text = { observation: `{"id":"W${i}"}`, delta: '{}', status: 'ok' };
  const turn: Turn = { directives: [], action, text, delta: {} };
  const options = { ...DEFAULT_STEP_OPTIONS, sampler: { name: 'speculative' } };
  return { context: { world, history: Array<Turn>(i % 3).fill(turn) }, action, options };
}

const ids = ({ tokens }: Prediction) => tokens.map(({ id, pass }) => `${id}@${pass}`).join(' ');
const values = (settled: PromiseSettledResult<Prediction>[]) =>
  settled.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });

describe.each(['mdlm', 'ar'] as const)('%s', (kind) => {
  let simulator: ModelSimulator;
  beforeAll(async () => {
    simulator = await loadSimulator({ source: new FileSource(folder(kind)), provider: 'wasm' });
  }, 60_000);
  afterAll(() => simulator.dispose());

  async function oneByOne(items: readonly BatchItem[]): Promise<Prediction[]> {
    const out: Prediction[] = [];
    for (const { context, action, options } of items)
      out.push(await finishStep(simulator.step(context, action, options)));
    return out;
  }

  it('writes the same tokens in the same passes as one at a time', async () => {
    const items = Array.from({ length: 10 }, (_, i) => itemAt(i));
    const alone = await oneByOne(items);
    const told = new Map<number, Prediction>();
    const together = values(await answerAll(simulator, items, undefined, (i, answer) => told.set(i, answer)));
    expect(together.map(ids)).toEqual(alone.map(ids));
    expect(together.map(({ text }) => text)).toEqual(alone.map(({ text }) => text));
    expect(together.map(({ cost }) => cost.nfe)).toEqual(alone.map(({ cost }) => cost.nfe));
    together.forEach((answer, i) => {
      expect(told.get(i)).toBe(answer);
      answer.tokens.forEach(({ confidence }, t) => {
        expect(Math.abs(confidence - (alone[i]?.tokens[t]?.confidence ?? NaN))).toBeLessThan(1e-4);
      });
    });
    // Another order and other neighbours change nothing, and caches of the first batch are used again.
    const again = values(await answerAll(simulator, [...items].reverse()));
    expect(again.reverse().map(ids)).toEqual(alone.map(ids));
    const prefilled = (list: Prediction[]) => list.reduce((sum, { cost }) => sum + cost.prefillTokens, 0);
    expect(prefilled(again)).toBeLessThan(prefilled(together));
  }, 60_000);

  it('writes greedily what it writes one at a time, runs no token more, and leaves each lane its cache', async () => {
    const items = Array.from({ length: 5 }, (_, i) => writtenItem(i));
    const alone = await oneByOne(items);
    const ran = ({ cost }: Prediction) => [cost.nfe, cost.forwardTokens - cost.prefillTokens];
    // Among others, which are drawn.
    const mixed = [itemAt(1), ...items.slice(0, 2), itemAt(4), ...items.slice(2)];
    const together = values(await answerAll(simulator, mixed)).filter((_, i) => i !== 0 && i !== 3);
    expect(together.map(ids)).toEqual(alone.map(ids));
    expect(together.map(ran)).toEqual(alone.map(ran));
    // However much the lanes have in common.
    const again = values(await answerAll(simulator, items));
    expect(again.map(({ cost }) => cost.prefillTokens)).toEqual(items.map(() => 0));
  }, 60_000);

  describe('with more items than lanes', () => {
    const items = Array.from({ length: 40 }, (_, i) => shortItem(i));
    const alone: Prediction[] = [];
    beforeAll(async () => {
      expect(items.length).toBeGreaterThan(LANES);
      alone.push(...(await oneByOne(items)));
    }, 60_000);

    it('answers as one at a time, and an item that cannot be answered is refused alone', async () => {
      // One of the first lanes, and one that takes the place of another.
      const bad = [5, LANES + 4];
      const refuse = (item: BatchItem) => ({ ...item, options: { ...item.options, minP: 2 } });
      const settled = await answerAll(
        simulator,
        items.map((item, i) => (bad.includes(i) ? refuse(item) : item)),
      );
      expect(settled).toHaveLength(items.length);
      settled.forEach((one, i) => {
        if (bad.includes(i)) expect(one).toMatchObject({ status: 'rejected', reason: { code: 'bad_options' } });
        else expect(one.status === 'fulfilled' && ids(one.value)).toBe(ids(alone[i] as Prediction));
      });
    }, 60_000);

    it('ends with the reason when aborted on the way, and the next batch is whole', async () => {
      const control = new AbortController();
      const reason = new Error('enough');
      let told = 0;
      const batch = answerAll(simulator, items, control.signal, () => {
        if (++told === 3) control.abort(reason);
      });
      await expect(batch).rejects.toBe(reason);
      expect(told).toBeGreaterThanOrEqual(3);
      expect(told).toBeLessThan(items.length);
      const again = values(await answerAll(simulator, items.slice(0, 12)));
      expect(again.map(ids)).toEqual(alone.slice(0, 12).map(ids));
    }, 60_000);
  });
});
