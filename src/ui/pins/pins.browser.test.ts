/** Pins in a browser: picked from an answer by a click, and written by hand. */
import { expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import type { Pin } from '../../world/anchors';
import { NO_COST, type Prediction } from '../../world/simulator';
import Answer from '../parts/Answer.svelte';
import Pins from './Pins.svelte';

const answer: Prediction = {
  kind: 'prediction',
  transition: { observation: { kind: 'json', value: { id: 'W17', total: 40 } }, delta: {}, status: 'ok' },
  text: { observation: '{"id":"W17","total":40}', delta: '{}', status: 'ok' },
  parseErrors: [],
  tokens: [],
  cost: NO_COST,
  seed: 1,
};

test('a field of an answer is pinned by a click, with the keys that stand before it', async () => {
  const onpin = vi.fn<(pin: Pin) => void>();
  const props = { prediction: answer, truth: null, tokenizer: null, name: 'Twin', next: [] as Pin[], onpin };
  const screen = await render(Answer, props);
  await screen.getByRole('button', { name: 'Pin values of Twin' }).click();
  await screen.getByRole('button', { name: 'Pin total: 40' }).click();
  const pin: Pin = { slot: 'observation', pointer: '/total', value: 40, path: [{ key: 'total', before: ['id'] }] };
  expect(onpin).toHaveBeenLastCalledWith(pin);
  await screen.rerender({ next: [pin] });
  await expect.element(screen.getByRole('button', { name: 'Unpin total: 40' })).toHaveAttribute('aria-pressed', 'true');
});

test('pins are written by hand, told what to do when wrong, and removed', async () => {
  const onchange = vi.fn<(pins: Pin[]) => void>();
  const screen = await render(Pins, { pins: [], foretold: null, warning: null, pointers: {}, onchange });
  // With suggestions, an input is a combobox to a browser.
  await screen.getByRole('combobox', { name: 'JSON Pointer of the pin' }).fill('/total');
  const value = screen.getByRole('textbox', { name: 'Value of the pin' });
  await value.fill('pending');
  await userEvent.keyboard('{Enter}');
  await expect.element(screen.getByRole('alert')).toHaveTextContent('Put a text in quotes');
  expect(onchange).not.toHaveBeenCalled();
  await value.fill('"pending"');
  await userEvent.keyboard('{Enter}');
  const pins: Pin[] = [{ slot: 'observation', pointer: '/total', value: 'pending' }];
  expect(onchange).toHaveBeenLastCalledWith(pins);
  await screen.rerender({ pins });
  await screen.getByRole('button', { name: /^Remove the pin/ }).click();
  expect(onchange).toHaveBeenLastCalledWith([]);
});
