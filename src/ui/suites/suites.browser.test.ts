/** The views Adversarial and Steering in a browser: the twin is run in the worker, and a number leads to its cases. */
import { expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-svelte';
import { LabError } from '../../rollouts/lab';
import { SuiteStore } from '../../rollouts/suites';
import Adversarial from '../adversarial/Adversarial.svelte';
import { Notices } from '../notices.svelte';
import Steering from '../steering/Steering.svelte';
import '../styles.css';

const simulators = [{ id: 'twin', kind: 'twin' as const, models: null, options: {} }];
const setting = (database: string) => {
  const notices = new Notices();
  return {
    notices,
    props: {
      app: { notices, settings: {} as never, show: () => undefined },
      models: location.href,
      database,
      simulators,
    },
  };
};

test('the adversarial suite: a run of the twin, its table, and a scenario behind a number', async () => {
  const { notices, props } = setting('suites-adversarial');
  const screen = await render(Adversarial, props);
  await screen.getByRole('button', { name: 'none' }).click();
  await screen.getByLabelText('Stale reads').click();
  await screen.getByLabelText('Of each kind').fill('2');
  await screen.getByRole('button', { name: 'Run', exact: true }).click();
  await screen.getByRole('button', { name: 'twin: Stale reads: 2 of 2 stood, 2 exact' }).click();
  await expect.element(screen.getByText('0 of 2 failed')).toBeVisible();
  await expect.element(screen.getByText('call 1')).toBeVisible();
  await expect
    .element(screen.getByRole('button', { name: /^Show Stale reads, 2 scenarios each, 2 of 2/ }))
    .toBeVisible();
  expect(notices.list).toEqual([]);
});

test('steering: a grid of the twin, and a case behind a cell', async () => {
  const { notices, props } = setting('suites-steering');
  const screen = await render(Steering, props);
  await screen.getByLabelText('World seeds').fill('1');
  await screen.getByRole('button', { name: 'Run', exact: true }).click();
  await screen.getByRole('button', { name: /^twin, empty, support: followed 1 of 1/ }).click();
  await expect.element(screen.getByText('0 of 1 not followed or with damage')).toBeVisible();
  await expect.element(screen.getByText('under empty')).toBeVisible();
  expect(notices.list).toEqual([]);
});

test('parts of a write that failed are told, and written with the next one', async () => {
  const { notices, props } = setting('suites-full');
  const append = vi.spyOn(SuiteStore.prototype, 'append');
  append.mockRejectedValueOnce(new LabError('storage', 'The disk is full.', 'Make room.'));
  try {
    const screen = await render(Adversarial, props);
    await screen.getByRole('button', { name: 'none' }).click();
    await screen.getByLabelText('Stale reads').click();
    await screen.getByLabelText('Of each kind').fill('2');
    await screen.getByRole('button', { name: 'Run', exact: true }).click();
    await expect
      .element(screen.getByRole('button', { name: /^Show Stale reads, 2 scenarios each, 2 of 2/ }))
      .toBeVisible();
    expect(notices.list.map(({ text }) => text)).toEqual([expect.stringContaining('The disk is full.')]);
  } finally {
    append.mockRestore();
  }
});

test('a run is paused and resumed, cancelled, and goes on after a reload with what it had', async () => {
  const { notices, props } = setting('suites-go-on');
  const screen = await render(Adversarial, props);
  await screen.getByRole('button', { name: 'none' }).click();
  await screen.getByLabelText('Stale reads').click();
  await screen.getByLabelText('Of each kind').fill('60');
  await screen.getByRole('button', { name: 'Run', exact: true }).click();
  // A click looks for the button twice a second, and on a busy machine would miss the whole run.
  await expect.element(screen.getByRole('button', { name: 'Pause' }), { interval: 10 }).toBeEnabled();
  await screen.getByRole('button', { name: 'Pause' }).click();
  await expect.element(screen.getByRole('heading', { name: /^Paused/ })).toBeVisible();
  const work = screen.getByRole('region', { name: /^Paused/ });
  const told = () => /(\d+) of 60 scenarios/.exec(work.element().textContent)?.[1];
  const before = told();
  expect(Number(before)).toBeLessThan(60);
  // Longer than a scenario takes: nothing comes while it rests.
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(told()).toBe(before);
  await screen.getByRole('button', { name: 'Resume' }).click();
  await screen.getByRole('button', { name: 'Cancel' }).click();
  const kept = screen.getByRole('button', { name: /^Show Stale reads, 60 scenarios each, \d+ of 60/ });
  await expect.element(screen.getByRole('button', { name: /^Go on with/ })).toBeEnabled();
  const done = Number(/each, (\d+) of 60/.exec(kept.element().getAttribute('aria-label') ?? '')?.[1]);
  expect(done).toBeGreaterThanOrEqual(Number(before));
  expect(done).toBeLessThan(60);
  await screen.unmount();

  // What a reload leaves: the database alone.
  const again = await render(Adversarial, props);
  await again.getByRole('button', { name: /^Go on with/ }).click();
  await expect.element(again.getByText(`(${done} from before)`)).toBeVisible();
  // Each scenario once: none is lost, none is counted twice.
  await expect
    .element(again.getByRole('button', { name: 'twin: Stale reads: 60 of 60 stood, 60 exact' }), { timeout: 30_000 })
    .toBeVisible();
  await expect
    .element(again.getByRole('button', { name: /^Show Stale reads, 60 scenarios each, 60 of 60/ }))
    .toBeVisible();
  expect(notices.list).toEqual([]);
});
