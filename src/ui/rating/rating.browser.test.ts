/** Blind rating in a browser: a recorded run is rated by keyboard alone, and nothing on the page tells the lanes apart. */
import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import { Rollout } from '../../rollouts';
import { SaySimulator, twinLane, WORLD } from '../../rollouts/testing';
import { RatingStore, votesOf } from '../../rollouts/rating';
import { Notices } from '../notices.svelte';
import { Runs } from '../runs.svelte';
import Rating from './Rating.svelte';
import '../styles.css';

const DATABASE = 'rating-view';

async function recorded(): Promise<Runs> {
  const runs = new Runs('rating-view-runs');
  const say = (id: string, word: string) => {
    const simulator = new SaySimulator(() => ({ observation: `{"${word}":1}`, delta: '{}', status: 'ok' }));
    return { id, simulator: Object.defineProperty(simulator, 'id', { value: id }) as SaySimulator };
  };
  const lanes = [twinLane(), say('secret-one', 'apple'), say('secret-two', 'pear')];
  const rollout = Rollout.start(WORLD, lanes, { title: 'Fabricated', createdAt: '2026-01-02T03:04:05.000Z' });
  const step = await rollout.step({ tool: WORLD.tools[0]?.name ?? '', args: {} });
  await runs.record(rollout.header, step);
  return runs;
}

test('a pair is rated, taken back, corrected and revealed by keyboard alone', async () => {
  const notices = new Notices();
  const screen = await render(Rating, { app: { notices, runs: await recorded() }, database: DATABASE });
  const tabTo = async (done: () => boolean) => {
    for (let i = 0; i < 20 && !done(); i++) await userEvent.tab();
    expect(done()).toBe(true);
  };
  const named = (text: string) => () => document.activeElement?.textContent?.includes(text) ?? false;
  await tabTo(() => document.activeElement?.tagName === 'INPUT');
  await userEvent.keyboard('Ada');
  await expect.element(screen.getByRole('option', { name: /Fabricated/ })).toBeInTheDocument();
  await tabTo(() => document.activeElement?.tagName === 'SELECT');
  await userEvent.keyboard('{ArrowDown}');
  await tabTo(named('Make the set'));
  await userEvent.keyboard('{Enter}');
  await expect.element(screen.getByRole('region', { name: 'Left', exact: true })).toBeVisible();
  const page = () => screen.container.innerHTML;
  expect(page()).toContain('apple');
  expect(page()).toContain('pear');
  expect(page()).not.toContain('secret-');
  expect(page()).not.toContain('run-');

  await userEvent.keyboard('{Enter}');
  await expect.element(screen.getByText(/Still missing: left realism/)).toBeVisible();
  await userEvent.keyboard('534');
  await expect.element(screen.getByLabelText('Left utility')).toHaveTextContent('4');
  await userEvent.keyboard('211l{Enter}');
  await expect.element(screen.getByText('All pairs are done.')).toBeVisible();
  expect(page()).not.toContain('secret-');
  await userEvent.keyboard('u');
  await expect.element(screen.getByLabelText('Preference')).toHaveTextContent('left');
  await userEvent.keyboard('r{Enter}v');
  await expect.element(screen.getByText(/Last pair: left secret-/)).toBeVisible();
  await userEvent.keyboard('u');
  await expect.element(screen.getByText(/its vote stands/)).toBeVisible();

  const store = await RatingStore.open(DATABASE);
  const [set] = await store.list();
  const { log } = await store.load(set?.id ?? '');
  store.close();
  expect(log.map(({ type }) => type)).toEqual(['vote', 'undo', 'vote', 'reveal']);
  const [vote] = votesOf(log);
  const right = vote?.left === 'a' ? 'b' : 'a';
  expect(vote?.preference).toBe(right);
  expect(vote?.scores[right]).toEqual({ realism: 2, correctness: 1, utility: 1 });
  expect(notices.list).toEqual([]);
});
