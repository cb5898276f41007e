/** Parts of the page in a browser: answers with their diff, the replay of tokens, the state, rules and directives. */
import { beforeEach, expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import type { FaultPlan } from '../twins/faults';
import { DIRECTIVE_KINDS } from '../world/directives';
import { NO_COST, type DraftToken, type Prediction } from '../world/simulator';
import type { Directive, State, Transition, World } from '../world/types';
import { exampleWorld } from './example.fixture';
import Answer from './parts/Answer.svelte';
import Directives from './parts/Directives.svelte';
import Faults from './parts/Faults.svelte';
import Prompt from './parts/Prompt.svelte';
import Rules from './parts/Rules.svelte';
import StatePanel from './parts/StatePanel.svelte';
import Task from './parts/Task.svelte';
import Tokens from './parts/Tokens.svelte';
import './styles.css';

const world = exampleWorld();

function prediction(transition: Partial<Transition>, more: Partial<Prediction> = {}): Prediction {
  return {
    kind: 'prediction',
    transition: {
      observation: { kind: 'json', value: { id: 'W17', total: 40 } },
      delta: {},
      status: 'ok',
      ...transition,
    },
    text: { observation: '', delta: '', status: '' },
    parseErrors: [],
    tokens: [],
    cost: NO_COST,
    seed: 1,
    ...more,
  };
}

const tokens: DraftToken[] = [17, 18, 19, 20].map((id, i) => ({
  slot: 'observation',
  id,
  masked: false,
  confidence: 0.5 + i / 10,
  pass: 4 - i,
}));

test('an answer equal to the twin’s says so; another one shows what is missing and what is extra', async () => {
  const truth = prediction({ delta: { orders: { W17: { status: 'cancelled' } } } });
  const screen = await render(Answer, { prediction: truth, truth, tokenizer: null, name: 'AR' });
  await expect.element(screen.getByText('= twin')).toBeVisible();
  expect(screen.container.querySelectorAll('ins, del')).toHaveLength(0);
  const wrong = prediction({ observation: { kind: 'json', value: { id: 'W17', total: 41 } }, delta: {} });
  await screen.rerender({ prediction: wrong });
  await expect.element(screen.getByText('\u2260 twin')).toBeVisible();
  const text = (selector: string) => [...screen.container.querySelectorAll(selector)].map((node) => node.textContent);
  expect(text('ins').join()).toContain('41');
  expect(text('del').join()).toContain('40');
  expect(text('del').join()).toContain('cancelled');
});

test('an unreadable answer is shown with its reason', async () => {
  const broken = prediction(
    { observation: { kind: 'text', text: '{"id":' }, status: 'invalid_answer' },
    { parseErrors: [{ slot: 'observation', message: 'Unexpected end of JSON input' }] },
  );
  const screen = await render(Answer, { prediction: broken, truth: null, tokenizer: null, name: 'AR' });
  await expect.element(screen.getByText(/Unexpected end of JSON input/)).toBeVisible();
  await expect.element(screen.getByText('{"id":', { exact: true })).toBeVisible();
});

test('costs of a model: NFE, time, prefill, tokens', async () => {
  const cost = { nfe: 7, generatedTokens: 21, forwardTokens: 900, prefillTokens: 300, ms: 1234, prefillMs: 56 };
  const answer = prediction({}, { cost, tokens });
  const screen = await render(Answer, { prediction: answer, truth: null, tokenizer: null, name: 'MDLM' });
  const costs = screen.container.querySelector('dl')?.textContent?.replace(/\s+/g, ' ');
  for (const part of ['NFE 7', 'time 1.2 s', 'prefill 300 tok, 56 ms', 'tokens 21', 'forward 900']) {
    expect(costs?.replaceAll(' ', '')).toContain(part.replaceAll(' ', ''));
  }
});

test('the replay walks through the passes, by slider and by button', async () => {
  const screen = await render(Tokens, { tokens, tokenizer: null, name: 'MDLM' });
  const masked = () => screen.container.querySelectorAll('.token.mask').length;
  const slider = screen.getByRole('slider', { name: 'Forward pass of MDLM' });
  await expect.element(slider).toHaveValue('4');
  expect(masked()).toBe(0);
  slider.element().focus();
  await userEvent.keyboard('{Home}');
  await expect.poll(masked).toBe(4);
  await userEvent.keyboard('{ArrowRight}');
  await expect.poll(masked).toBe(3);
  // The last token came first.
  expect([...screen.container.querySelectorAll('.token')].at(-1)?.classList).not.toContain('mask');
  await screen.getByRole('button', { name: 'Replay of MDLM' }).click();
  await expect.poll(masked, { timeout: 5000 }).toBe(0);
  await expect.element(screen.getByRole('button', { name: 'Replay of MDLM' })).toBeVisible();
});

test('with reduced motion nothing plays by itself: each press shows one more pass', async () => {
  const media = vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: true } as MediaQueryList);
  try {
    const screen = await render(Tokens, { tokens, tokenizer: null, name: 'AR' });
    const slider = screen.getByRole('slider');
    await screen.getByRole('button', { name: 'Next pass of AR' }).click();
    await expect.element(slider).toHaveValue('0');
    await screen.getByRole('button', { name: 'Next pass of AR' }).click();
    await expect.element(slider).toHaveValue('1');
    await new Promise((resolve) => setTimeout(resolve, 700));
    await expect.element(slider).toHaveValue('1');
  } finally {
    media.mockRestore();
  }
});

test('an answer being written shows its masks and has no replay', async () => {
  const draft = tokens.map((token, i) => (i < 2 ? { ...token, masked: true, pass: 0 } : token));
  const screen = await render(Tokens, { tokens: draft, tokenizer: null, live: true, name: 'MDLM' });
  expect(screen.container.querySelectorAll('.token.mask')).toHaveLength(2);
  expect(screen.container.querySelectorAll('input, button')).toHaveLength(0);
});

const onapply = vi.fn<(state: State) => void>();
beforeEach(() => onapply.mockClear());

test('the state as a tree: a value is edited in place and keeps its type', async () => {
  const screen = await render(StatePanel, { state: world.state, changed: new Set<string>(), onapply });
  await screen.getByRole('button', { name: /^W17/ }).click();
  await screen.getByRole('button', { name: 'Edit /orders/W17/total, now 40' }).click();
  await screen.getByRole('textbox', { name: 'Value of /orders/W17/total' }).fill('41');
  await userEvent.keyboard('{Enter}');
  expect(onapply).toHaveBeenCalledOnce();
  expect(onapply.mock.calls[0]?.[0]).toMatchObject({ orders: { W17: { status: 'pending', total: 41 } } });
  await screen.getByRole('button', { name: 'Edit /orders/W17/status, now pending' }).click();
  await userEvent.keyboard('late{Escape}');
  expect(onapply).toHaveBeenCalledOnce();
  await screen.getByRole('button', { name: 'Remove /orders/W20' }).click();
  expect(Object.keys(onapply.mock.calls[1]?.[0]['orders'] ?? {})).toEqual(['W17']);
});

test('the state as text: wrong JSON cannot be applied and says why, Ctrl+Enter applies', async () => {
  const screen = await render(StatePanel, { state: world.state, changed: new Set<string>(), onapply });
  await screen.getByRole('button', { name: 'Edit as text' }).click();
  const text = screen.getByRole('textbox', { name: 'State as JSON' });
  await text.fill('{"orders":{"W17":[1]}}');
  await expect.element(screen.getByText(/\/orders\/W17 is a list/)).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Apply' })).toBeDisabled();
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  expect(onapply).not.toHaveBeenCalled();
  await text.fill('{"orders":{}}');
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  expect(onapply.mock.calls).toEqual([[{ orders: {} }]]);
});

test('rules: switched, and parameters within what the twin reads', async () => {
  const onchange = vi.fn();
  const screen = await render(Rules, { rules: world.rules, onchange });
  await screen.getByRole('switch').click();
  expect(onchange).toHaveBeenLastCalledWith({ ...world.rules[0], enabled: false });
  const days = screen.getByRole('spinbutton', { name: 'days' });
  await days.fill('7');
  await userEvent.keyboard('{Tab}');
  expect(onchange).toHaveBeenLastCalledWith({ ...world.rules[0], params: { days: 7 } });
  await days.fill('-3');
  await userEvent.keyboard('{Tab}');
  await expect.element(days).toHaveValue(30);
  expect(onchange).toHaveBeenCalledTimes(2);
});

test('directives: all kinds, chosen in any order, kept in theirs, with what each asks for', async () => {
  const onchange = vi.fn<(directives: Directive[]) => void>();
  const screen = await render(Directives, { directives: [], codes: ['not_found'], onchange });
  const box = (name: string) => screen.getByRole('checkbox', { name, exact: true });
  const choose = async (name: string) => {
    await box(name).click();
    await screen.rerender({ directives: onchange.mock.lastCall?.[0] ?? [] });
  };
  for (const [kind, meaning] of Object.entries(DIRECTIVE_KINDS)) {
    await expect.element(box(kind)).toHaveAccessibleDescription(meaning);
  }
  const names = (group: string) =>
    [...screen.getByRole('group', { name: group }).element().querySelectorAll('label')].map((one) =>
      one.textContent?.trim(),
    );
  expect(names('Usual')).toEqual(['fail', 'empty', 'partial', 'terse', 'verbose', 'scarce']);
  expect(names('Adversarial')).toEqual(['stale', 'misleading']);
  await choose('terse');
  await choose('stale');
  await choose('partial');
  await choose('fail');
  expect(onchange.mock.lastCall?.[0]).toEqual([
    { kind: 'fail', code: 'not_found' },
    { kind: 'stale' },
    { kind: 'partial', n: 2 },
    { kind: 'terse' },
  ]);
  const asked = screen.getByRole('list', { name: 'What is asked of the next turn' });
  await expect.element(asked.getByText(DIRECTIVE_KINDS.stale)).toBeVisible();
  await choose('partial');
  await choose('stale');
  expect(onchange.mock.lastCall?.[0]).toEqual([{ kind: 'fail', code: 'not_found' }, { kind: 'terse' }]);
  const code = screen.getByRole('combobox', { name: 'Error code of fail' });
  await code.fill('Not A Code');
  await userEvent.keyboard('{Tab}');
  await expect.element(code).toHaveValue('not_found');
});

test('faults: a preset starts a plan, the schedule says what the next step has, and a misfit says why', async () => {
  const onchange = vi.fn();
  const plan: FaultPlan = { preset: 'mixed', count: 0, duration: 1 };
  const free = { ok: true as const, value: [[], [], []] };
  const screen = await render(Faults, { plan, schedule: free, next: 0, seed: 4, steps: 3, onchange });
  await expect.element(screen.getByRole('spinbutton')).not.toBeInTheDocument();
  await screen.getByRole('combobox', { name: 'Preset' }).selectOptions('explicit');
  expect(onchange).toHaveBeenLastCalledWith({ faults: { preset: 'explicit', count: 2, duration: 1 } });

  const late: Directive[] = [{ kind: 'fail', code: 'late' }];
  const schedule = { ok: true as const, value: [[], late, []] };
  await screen.rerender({ plan: { ...plan, preset: 'explicit', count: 1 }, schedule });
  const text = () => screen.container.textContent?.replace(/\s+/g, ' ');
  expect(text()).toContain('Next step: no fault. Step 2: fail(late)');
  expect(text()).toContain('Drawn from seed 4.');
  await screen.rerender({ next: 1 });
  expect(text()).toContain('Next step: fail(late)');
  const cells = screen.getByRole('list', { name: 'Fault schedule' }).getByRole('listitem');
  expect(cells.elements().map((cell) => cell.getAttribute('aria-current'))).toEqual([null, 'step', null]);
  await screen.rerender({ next: 2 });
  expect(text()).toContain('No fault is left in this run.');

  const count = screen.getByRole('spinbutton', { name: 'Count' });
  await count.fill('0');
  await userEvent.keyboard('{Tab}');
  await expect.element(count).toHaveValue(1);
  await screen.getByRole('spinbutton', { name: 'In steps' }).fill('12');
  await userEvent.keyboard('{Tab}');
  expect(onchange).toHaveBeenLastCalledWith({ faultSteps: 12 });
  await screen.rerender({ schedule: { ok: false as const, error: '5 faults do not fit' } });
  await expect.element(screen.getByRole('alert')).toHaveTextContent('5 faults do not fit');
  await screen.getByRole('combobox', { name: 'Preset' }).selectOptions('off');
  expect(onchange).toHaveBeenLastCalledWith({ faults: { preset: 'explicit', count: 0, duration: 1 } });
});

test('the task: checks as people read them with the pointer beside, and what an expert needs', async () => {
  const task: World['task'] = {
    instruction: 'Write x.',
    checks: [
      { path: '/files/bin~1report1.log/l1', op: '==', value: 'x' },
      { path: '/files/old', op: 'absent' },
    ],
    par: 2,
  };
  const state = { files: { 'bin/report1.log': { l1: 'x' }, old: { l1: 'y' } } };
  const screen = await render(Task, { task, lanes: [{ id: 'twin', title: 'Twin', state }], calls: 1 });
  const check = screen.getByRole('rowheader', { name: 'files \u203a bin/report1.log \u203a l1 = "x"' });
  await expect.element(check).toHaveAttribute('title', '/files/bin~1report1.log/l1 == "x"');
  expect(screen.container.querySelectorAll('td.yes')).toHaveLength(1);
  await expect.element(screen.getByText('expert: 2 changing calls \u00b7 this run: 1')).toBeVisible();
});

test('the task: regret of an amount, and how efficient a finished run was', async () => {
  const task: World['task'] = {
    instruction: 'Sell well.',
    checks: [{ path: '/ledger/cash', op: '>=', value: 80 }],
    par: 2,
  };
  const lanes = [
    { id: 'twin', title: 'Twin', state: { ledger: { cash: 85 } } },
    { id: 'ar', title: 'AR', state: { ledger: { cash: 62 } } },
  ];
  const screen = await render(Task, { task, lanes, calls: 4 });
  await expect.element(screen.getByRole('row', { name: 'Regret 0 18' })).toBeVisible();
  await expect.element(screen.getByText(/this run: 4 \u00b7 action efficiency 50%/)).toBeVisible();
});

test('the prompt in both forms', async () => {
  const action = { tool: 'list_users', args: {} };
  const props = {
    context: { world, history: [] },
    action,
    directives: [],
    tokenizer: null,
    lanes: ['twin', 'ar'],
    lane: 'ar',
    onlane: vi.fn(),
    caption: 'of the next step',
  };
  const screen = await render(Prompt, { props });
  const text = () => screen.container.querySelector('pre')?.textContent ?? '';
  expect(text()).toContain('<state>{"orders":');
  await screen.getByRole('button', { name: 'Published' }).click();
  expect(text()).toContain('## ENVIRONMENT STATE');
  expect(text()).toContain('PREDICTION TARGET:');
});
