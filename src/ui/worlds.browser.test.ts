/** The world browser in a browser: every family is there with its task, and picking one gives family, seed, difficulty. */
import { beforeEach, expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import { FAMILIES, makeWorld } from '../twins';
import Header from './parts/Header.svelte';
import { viewOf } from './views';
import { DEFAULT_SETTINGS } from './hash';
import './styles.css';

const onchange = vi.fn();
beforeEach(() => onchange.mockClear());

async function open() {
  const props = { settings: DEFAULT_SETTINGS, families: FAMILIES, edited: false, busy: false };
  const screen = await render(Header, { ...props, view: viewOf('play'), onview: vi.fn(), onchange, onreset: vi.fn() });
  await screen.getByRole('button', { name: 'World Support desk' }).click();
  const dialog = screen.getByRole('dialog', { name: 'Worlds' });
  return {
    screen,
    dialog,
    card: (title: string) => dialog.getByRole('button', { name: `Open ${title}`, exact: true }),
  };
}

test('every family has a card; its task is that of the seed and difficulty that are set', async () => {
  const { dialog, card } = await open();
  for (const { title, line } of FAMILIES) {
    await expect.element(card(title)).toBeInTheDocument();
    await expect.element(dialog.getByText(line)).toBeInTheDocument();
  }
  expect(dialog.getByText('held out', { exact: true }).elements()).toHaveLength(
    FAMILIES.filter(({ heldOut }) => heldOut).length,
  );
  await expect
    .element(card('Terminal'))
    .toHaveAccessibleDescription(new RegExp(`${makeWorld('terminal', 1, 1).tools.length} tools`));
  const shows = async (seed: number, difficulty: number) => {
    const { task } = makeWorld('support', seed, difficulty);
    await expect.element(dialog.getByText(`\u201c${task.instruction}\u201d`)).toBeVisible();
  };
  await shows(1, 1);
  await dialog.getByRole('button', { name: 'Next seed' }).click();
  await shows(2, 1);
  await dialog.getByRole('group', { name: 'Difficulty' }).getByRole('button', { name: '3' }).click();
  await shows(2, 3);
  await card('Terminal').click();
  expect(onchange.mock.calls).toEqual([[{ family: 'terminal', worldSeed: 2, difficulty: 3 }]]);
  await expect.element(dialog).not.toBeInTheDocument();
});

test('by keyboard: it opens at the world that is open, Escape leaves everything as it is, the focus comes back', async () => {
  const { screen, dialog, card } = await open();
  await expect.element(card('Support desk')).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(screen.getByRole('button', { name: 'World Support desk' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(card('Support desk')).toHaveFocus();
  // The world that is open already: nothing of its run is lost.
  await userEvent.keyboard('{Enter}');
  await expect.element(dialog).not.toBeInTheDocument();
  expect(onchange).not.toHaveBeenCalled();
});

test('typing narrows the cards, and says so when nothing is left', async () => {
  const { dialog, card } = await open();
  const find = dialog.getByRole('searchbox', { name: 'Find' });
  await find.fill('terminal');
  await expect.element(card('Support desk')).not.toBeInTheDocument();
  await expect.element(card('Terminal')).toBeVisible();
  await find.fill('nothing like it');
  await expect.element(dialog.getByText(/No family has/)).toBeVisible();
});
