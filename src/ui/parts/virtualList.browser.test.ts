/** Long lists in a browser: only rows in sight are drawn, and the keyboard reaches all of them. */
import { afterEach, expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import type { RunSummary } from '../../rollouts';
import History from './History.svelte';
import Runs from './Runs.svelte';
import '../styles.css';

const N = 10_000;

/** Notices of sizes that change while they are handed out. */
const loops: string[] = [];
addEventListener('error', ({ message }) => {
  if (message.includes('ResizeObserver')) loops.push(message);
});
afterEach(() => expect(loops.splice(0)).toEqual([]));

test('a history of 10,000 rows draws a window of them; arrows, End and Enter still choose any', async () => {
  const rows = Array.from({ length: N }, (_, index) => ({
    ...{ index, id: `s${index}`, directives: [], results: {} },
    action: { tool: 'get_order', args: { id: `W${index}` } },
  }));
  const onselect = vi.fn();
  const onreuse = vi.fn();
  const screen = await render(History, {
    ...{ rows, lanes: ['twin'], lane: 'twin', selected: N - 1, branches: [], busy: false },
    ...{ onselect, onreuse, onbranch: vi.fn() },
  });
  const drawn = () => [...screen.container.querySelectorAll<HTMLElement>('tr[data-row]')];
  const indexes = () => drawn().map((row) => Number(row.dataset['row']));
  // The newest is in sight, and the table says how long it is.
  await expect.poll(() => indexes().at(-1)).toBe(N - 1);
  expect(drawn().length).toBeGreaterThan(10);
  expect(drawn().length).toBeLessThan(120);
  const table = screen.getByRole('table').element();
  expect(table.getAttribute('aria-rowcount')).toBe(String(N + 1));
  expect(drawn().at(-1)?.getAttribute('aria-rowindex')).toBe(String(N + 1));

  const list = screen.getByRole('group', { name: 'Rows of the history' }).element() as HTMLElement;
  expect(list.scrollHeight).toBeGreaterThan(N * 15);
  list.focus();
  await userEvent.keyboard('{Home}');
  const label = (index: number) => `Show step ${index + 1}: get_order(id="W${index}")`;
  const focusOn = (index: number) =>
    expect.poll(() => document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset['row']).toBe(String(index));
  await focusOn(0);
  await userEvent.keyboard('{ArrowDown}{ArrowDown}');
  await focusOn(2);
  await userEvent.keyboard('{Enter}');
  expect(onselect).toHaveBeenLastCalledWith(2);
  expect(document.activeElement?.getAttribute('aria-label')).toContain('Show step 3: ');
  // The same control of each row, and a row with the focus stays when it is scrolled out of sight.
  await userEvent.keyboard('{Tab}{ArrowDown}{Enter}');
  expect(onreuse).toHaveBeenLastCalledWith(3);
  list.scrollTop = list.scrollHeight / 2;
  await expect.poll(() => indexes().some((index) => index > N / 3 && index < (2 * N) / 3)).toBe(true);
  expect(indexes()).toContain(3);
  expect(drawn().length).toBeLessThan(120);
  await userEvent.keyboard('{End}');
  await focusOn(N - 1);
  await userEvent.keyboard('{PageUp}');
  await expect
    .poll(() => Number(document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset['row']))
    .toBeLessThan(N - 2);
  expect(label(2)).toContain('step 3');
});

test('thousands of runs draw a window of them as a list that says its length', async () => {
  const runs = Array.from({ length: 3000 }, (_, i) => ({
    ...{ id: `r${i}`, title: `Run ${i}`, steps: 3, createdAt: '2026-12-02T10:00:00Z', branches: [], unsaved: false },
    header: {},
  })) as unknown as RunSummary[];
  const onopen = vi.fn();
  const screen = await render(Runs, {
    ...{ runs, current: 'r1', head: null, busy: false, onopen },
    ...{ onexport: vi.fn(), onimport: vi.fn(), ondelete: vi.fn() },
  });
  const list = screen.getByRole('list', { name: 'Recorded runs' });
  await expect.poll(() => list.getByRole('listitem').elements().length).toBeGreaterThan(4);
  expect(list.getByRole('listitem').elements().length).toBeLessThan(60);
  expect(list.getByRole('listitem').first().element().getAttribute('aria-setsize')).toBe('3000');
  (list.element() as HTMLElement).focus();
  await userEvent.keyboard('{End}');
  await expect.poll(() => document.activeElement?.getAttribute('aria-label')).toContain('Open Run 2999,');
  await userEvent.keyboard('{Enter}');
  expect(onopen).toHaveBeenLastCalledWith('r2999');
});
