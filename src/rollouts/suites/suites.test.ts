/** Suites part by part: the twin follows every directive, a part that was skipped is not done again, kept runs come back. */
import 'fake-indexeddb/auto';
import { describe, expect, it } from 'vitest';
import { TwinSimulator } from '../../twins';
import type { Lane } from '../lane';
import {
  anchorTable,
  cellOf,
  factsOf,
  gridTable,
  steeringTables,
  type SteeringItem,
  type SteeringSuite,
} from '../steering';
import { newRow, SuiteStore } from './store';
import { suiteParts, suiteSize, type AdversarialSuite, type SuitePart } from './suites';

const twin = { id: 'twin', simulator: new TwinSimulator() };
/** Answers as if no directive were told. */
const deaf: Lane = {
  id: 'deaf',
  simulator: {
    id: 'deaf',
    supports: () => true,
    step: (context, action, options) => twin.simulator.step(context, action, { ...options, directives: [] }),
  },
};
const steering: SteeringSuite = {
  ...{
    families: ['support', 'grid'],
    seeds: [1],
    difficulties: [1],
    directives: ['fail', 'empty', 'partial', 'stale'],
  },
  ...{ calls: 2, seed: 1, anchors: { split: 'test', n: 1, attempts: 1 } },
};
const adversarial: AdversarialSuite = {
  ...{
    kinds: ['stale_read', 'unknown_tool'],
    seeds: 2,
    first: 1,
    families: ['support', 'terminal', 'webshop'],
    seed: 1,
  },
};

async function all(parts: AsyncGenerator<SuitePart>): Promise<SuitePart[]> {
  const out: SuitePart[] = [];
  for await (const part of parts) out.push(part);
  return out;
}

describe('steering', () => {
  it('the twin follows everything, who hears no directive follows none; parts are counted, skipped and come to tables', async () => {
    const parts = await all(suiteParts('steering', steering, [twin, deaf]));
    expect(parts).toHaveLength(suiteSize('steering', steering, ['twin', 'deaf']));
    expect(parts.map(({ done }) => done)).toEqual(parts.map((_, i) => i + 1));
    const items = parts.flatMap(({ items: own }) => own as SteeringItem[]);
    const { grid, anchors } = steeringTables(factsOf(items), ['twin', 'deaf']);
    const [own, other] = ['twin', 'deaf'].map((id) => cellOf(grid, id, 'all', 'all'));
    expect(own?.n).toBeGreaterThan(8);
    expect(own).toMatchObject({ compliance: { mean: 1 }, exact: { mean: 1 }, worlds: 2 });
    // Graded, and alike in both worlds: no interval rather than one of no width.
    expect(own?.collateral).toMatchObject({ mean: 1, interval: null, method: null });
    expect(own?.compliance.method).toBe('wilson');
    // A world is a column of its own; with one world a family it has the numbers of its family.
    const worlds = ['support', 'grid'].map((family) => ({ family, worldSeed: 1, difficulty: 1 }));
    expect(grid.worlds).toEqual(worlds);
    for (const { family, ...world } of worlds) {
      const { world: none, ...numbers } = cellOf(grid, 'deaf', 'all', family) ?? {};
      expect(none).toBeNull();
      expect(cellOf(grid, 'deaf', 'all', family, world)).toEqual({ ...numbers, world });
    }
    expect(other).toMatchObject({ n: own?.n, compliance: { sum: 0, mean: 0 }, exact: { sum: 0 } });
    // What a directive leaves alone is the same without it.
    expect(other?.collateral.n).toBeGreaterThan(0);
    expect(other?.collateral.sum).toBe(other?.collateral.n);
    expect(Object.keys(anchors)).toEqual(['deaf']);
    expect(anchors['deaf']?.error?.pinned).toMatchObject({ n: 1, consistent: { sum: 0, n: 1 } });
    const pinned = anchorTable(anchors);
    const column = (name: string) => pinned.rows.map((row) => row[pinned.head.indexOf(name)]);
    // Nothing is placed or tried for without the pin; where all trajectories agree there is Wilson's interval, as on the page.
    for (const [i, pin] of column('pinned').entries()) {
      expect([column('placed share')[i], column('accepted share')[i]]).toEqual(pin ? [0, 0] : [null, null]);
    }
    expect(column('consistent low').every((low) => typeof low === 'number')).toBe(true);
    const { head, rows } = gridTable(grid);
    expect(rows.every((row) => row.length === head.length)).toBe(true);

    const rest = await all(suiteParts('steering', steering, [twin, deaf], { skip: 3 }));
    const plain = (some: SuitePart[]) => JSON.stringify(some).replace(/"(ms|prefillMs)":[\d.e-]+/g, '"$1":0');
    expect(plain(rest)).toBe(plain(parts.slice(3)));
  });
});

describe('the adversarial suite', () => {
  it('goes on where it stopped', async () => {
    const parts = await all(suiteParts('adversarial', adversarial, [twin, deaf]));
    expect(parts).toHaveLength(suiteSize('adversarial', adversarial, ['twin', 'deaf']));
    expect(parts.filter((_, i) => i % 2 === 0).every(({ items }) => items[0]?.simulator === 'twin')).toBe(true);
    const rest = await all(suiteParts('adversarial', adversarial, [twin, deaf], { skip: 3 }));
    expect(rest).toEqual(parts.slice(3));
  });
});

describe('kept runs', () => {
  it('come back with their items in order, and are gone when removed', async () => {
    const store = await SuiteStore.open('suites-test');
    const simulators = [{ id: 'twin', kind: 'twin' as const, models: null, options: {} }];
    const row = newRow({ suite: 'adversarial', title: 'Two', spec: adversarial, simulators, provider: 'auto' });
    expect(row.total).toBe(4);
    await store.put(row);
    const parts = await all(suiteParts('adversarial', adversarial, [twin]));
    await store.append(row.id, parts.slice(0, 2));
    await store.append(row.id, parts.slice(2));
    expect(await store.list('steering')).toEqual([]);
    expect(await store.list('adversarial')).toEqual([{ ...row, done: 4 }]);
    expect(await store.items(row)).toEqual(parts.flatMap(({ items }) => items));
    // The second part could not be written: the run is no further than the first, and goes on from there.
    const other = newRow({ suite: 'adversarial', title: 'A gap', spec: adversarial, simulators, provider: 'auto' });
    await store.put(other);
    await store.append(other.id, parts.slice(0, 1));
    await store.append(other.id, parts.slice(2));
    expect((await store.list('adversarial')).find(({ id }) => id === other.id)?.done).toBe(1);
    // What stands behind the gap comes again, and must not count twice.
    expect(await store.items(other)).toEqual(parts[0]?.items);
    await store.append(other.id, parts.slice(1));
    expect((await store.list('adversarial')).find(({ id }) => id === other.id)?.done).toBe(4);
    expect(await store.items(other)).toEqual(parts.flatMap(({ items }) => items));
    await store.remove(row.id);
    expect(await store.items(row)).toEqual([]);
    await expect(store.append(row.id, parts)).rejects.toMatchObject({ code: 'bad_record' });
    store.close();
  });
});
