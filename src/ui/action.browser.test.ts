/** The action form in a browser: inputs from the schema, hints, raw text, and what a step would send. */
import { beforeEach, expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import { ActionModel } from './action.svelte';
import { exampleWorld } from './example.fixture';
import ActionForm from './parts/ActionForm.svelte';
import './styles.css';

const world = exampleWorld();
let model: ActionModel;
const onstep = vi.fn();

async function open() {
  return render(ActionForm, { model, state: world.state, directives: [], busy: false, onstep, onstop: vi.fn() });
}

beforeEach(() => {
  model = new ActionModel();
  model.setTools(world.tools, world.state);
  onstep.mockClear();
});

test('the schema gives the inputs, and the form steps at once with valid arguments', async () => {
  const screen = await open();
  await expect.element(screen.getByLabelText('Tool')).toHaveValue('cancel_order');
  await expect.element(screen.getByLabelText('id')).toHaveValue('W17');
  await expect.element(screen.getByRole('combobox', { name: 'reason' })).toHaveValue('damaged');
  await expect.element(screen.getByRole('spinbutton', { name: 'days' })).toHaveAttribute('max', '30');
  await expect.element(screen.getByRole('checkbox', { name: 'notify' })).not.toBeChecked();
  const options = [...screen.container.querySelectorAll('datalist option')].map((item) => item.getAttribute('value'));
  expect(options).toEqual(['W17', 'W20']);
  await screen.getByRole('button', { name: 'Step' }).click();
  expect(onstep).toHaveBeenCalledOnce();
  expect(model.action).toEqual({ tool: 'cancel_order', args: { id: 'W17', reason: 'damaged' } });
});

test('typing changes the call; what the schema objects to is a hint, and still sent', async () => {
  const screen = await open();
  await screen.getByLabelText('id').fill('W99');
  await screen.getByRole('combobox', { name: 'reason' }).selectOptions('late');
  await screen.getByRole('spinbutton', { name: 'days' }).fill('31');
  await screen.getByRole('checkbox', { name: 'notify' }).click();
  await expect.element(screen.getByText('above 30')).toBeVisible();
  expect(model.action).toEqual({ tool: 'cancel_order', args: { id: 'W99', reason: 'late', days: 31, notify: true } });
  await screen.getByRole('spinbutton', { name: 'days' }).fill('');
  await screen.getByRole('button', { name: 'do not send' }).click();
  expect(model.action).toEqual({ tool: 'cancel_order', args: { id: 'W99', reason: 'late' } });
});

test('another tool brings its own inputs', async () => {
  const screen = await open();
  await screen.getByLabelText('Tool').selectOptions('list_users');
  await expect.element(screen.getByLabelText('id')).not.toBeInTheDocument();
  expect(model.action).toEqual({ tool: 'list_users', args: {} });
});

test('raw text starts from the form, takes malformed calls, and comes back when the form can show it', async () => {
  const screen = await open();
  await screen.getByRole('button', { name: 'Raw' }).click();
  const text = screen.getByRole('textbox');
  await expect.element(text).toHaveValue('cancel_order{"id":"W17","reason":"damaged"}');
  await text.fill('cancel_order(W17');
  await expect.element(screen.getByText(/Sent as it stands/)).toBeVisible();
  expect(model.action).toEqual({ raw: 'cancel_order(W17' });
  await text.fill('cancel_order{"id":"W20","reason":"late"}');
  await screen.getByRole('button', { name: 'Form' }).click();
  await expect.element(screen.getByLabelText('id')).toHaveValue('W20');
  await expect.element(screen.getByRole('combobox', { name: 'reason' })).toHaveValue('late');
});

test('the keyboard alone is enough: Enter in an input steps', async () => {
  const screen = await open();
  screen.getByLabelText('id').element().focus();
  await userEvent.keyboard('{Enter}');
  expect(onstep).toHaveBeenCalledOnce();
});

test('what is chosen and what the fault plan adds stand apart', async () => {
  const faults = [{ kind: 'stale' as const }];
  const directives = [...faults, { kind: 'terse' as const }];
  const props = { model, state: world.state, directives, faults, busy: false, onstep, onstop: vi.fn() };
  const screen = await render(ActionForm, props);
  await expect.element(screen.getByText('terse', { exact: true })).toBeVisible();
  await expect.element(screen.getByText('fault: stale', { exact: true })).toBeVisible();
});
