/** Whole rollouts of a batch, rated by keyboard in a browser, with a second rater's file merged and the tables computed. */
import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import { LabRunner, LabStore, parseLabSpec } from '../../rollouts/lab';
import { RatingStore, votesOf, writeVotes } from '../../rollouts/rating';
import { SaySimulator } from '../../rollouts/testing';
import { Notices } from '../notices.svelte';
import { Runs } from '../runs.svelte';
import Rating from './Rating.svelte';
import '../styles.css';

const [DATABASE, LAB] = ['rating-batch', 'rating-batch-lab'];
const CALLS = [
  { tool: 'look', args: {} },
  { tool: 'look', args: {} },
];

/** Two lanes that answer every call with a word of their own, in two worlds. */
async function ran(): Promise<void> {
  const spec = parseLabSpec(
    JSON.stringify({
      ...{ title: 'Words', worlds: { families: ['grid'], seeds: [1, 2] }, steps: 2 },
      simulators: [
        { id: 'secret-one', kind: 'ar' },
        { id: 'secret-two', kind: 'mdlm' },
      ],
      agents: [{ kind: 'replay', actions: CALLS }],
    }),
  );
  const say = (id: string, word: string) => {
    const simulator = new SaySimulator(() => ({ observation: `{"${word}":1}`, delta: '{}', status: 'ok' }));
    return { simulator: Object.defineProperty(simulator, 'id', { value: id }) as SaySimulator, options: {} };
  };
  const store = await LabStore.open(LAB);
  const { id } = await store.create(spec);
  const lanes = { 'secret-one': say('secret-one', 'apple'), 'secret-two': say('secret-two', 'pear') };
  await new LabRunner(spec, lanes, store.sink(id)).run();
  store.close();
}

test('rollouts of a batch are rated by keyboard; the files of two raters make one table', async () => {
  await ran();
  const notices = new Notices();
  const runs = new Runs('rating-batch-runs');
  const screen = await render(Rating, { app: { notices, runs }, database: DATABASE, labDatabase: LAB });
  const tabTo = async (done: () => boolean) => {
    for (let i = 0; i < 30 && !done(); i++) await userEvent.tab();
    expect(done()).toBe(true);
  };
  const focused = () => document.activeElement as HTMLElement;
  await tabTo(() => focused().tagName === 'INPUT');
  await userEvent.keyboard('Ada');
  await expect.element(screen.getByRole('option', { name: /^Words, 4 rollouts/ })).toBeInTheDocument();
  await tabTo(() => focused().tagName === 'SELECT');
  await userEvent.keyboard('{ArrowDown}');
  await tabTo(() => focused().tagName === 'SELECT' && !(focused() as HTMLSelectElement).multiple);
  await userEvent.keyboard('w');
  await tabTo(() => focused().textContent?.includes('Make the set') ?? false);
  await userEvent.keyboard('{Enter}');
  const left = screen.getByRole('region', { name: 'Left', exact: true });
  await expect.element(left).toBeVisible();
  expect(screen.container.innerHTML).not.toContain('secret-');

  // Both turns of a rollout stand there with their calls. One time the apples are better, one time the pears.
  for (const better of ['apple', 'pear']) {
    await expect.element(left).toBeVisible();
    expect(left.element().textContent?.match(/apple|pear/g)).toHaveLength(2);
    expect(left.element().textContent?.match(/look/g)).toHaveLength(2);
    const first = left.element().textContent?.includes(better);
    await userEvent.keyboard(first ? '555111l{Enter}' : '111555r{Enter}');
    await expect.element(screen.getByText('Vote saved.')).toBeVisible();
  }
  await expect.element(screen.getByText('All pairs are done.')).toBeVisible();

  // Bea, in another browser, saw it as Ada did; Cy's file is broken.
  const store = await RatingStore.open(DATABASE);
  const rating = await store.load((await store.list())[0]?.id ?? '');
  store.close();
  const bea = 'rater-00000000000000be';
  const log = votesOf(rating.log).map((vote, i) => ({ ...vote, id: `entry-00000000000000b${i}`, rater: bea }));
  const text = await writeVotes({ ...rating, raters: [{ type: 'rater', id: bea, name: 'Bea' }], log });
  await tabTo(() => focused().textContent === 'Close the set');
  await userEvent.keyboard('{Enter}');
  const files = new DataTransfer();
  files.items.add(new File(['{"type":"vote"}\n'], 'cy.wmvotes.jsonl'));
  files.items.add(new File([text], 'bea.wmvotes.jsonl'));
  const input = screen.container.querySelector<HTMLInputElement>('input[type=file]');
  if (!input) throw new Error('there is no input for files');
  expect(input.multiple).toBe(true);
  input.files = files.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
  await expect.element(screen.getByText(/"Blind rating": 0 pairs and 2 log lines added/)).toBeVisible();
  expect(notices.list).toHaveLength(1);

  await tabTo(() => focused().tagName === 'SUMMARY' && (focused().textContent?.includes('Results and files') ?? false));
  await userEvent.keyboard('{Enter}');
  await tabTo(() => focused().textContent === 'Compute the tables');
  await userEvent.keyboard('{Enter}');
  await expect.element(screen.getByText(/^2 of 2 pairs rated, 2 by two raters or more; 4 votes/)).toBeVisible();
  // Perfect agreement; each lane won two and lost two, with 5 and 1 as scores: means of 3, strengths equal.
  await expect.element(screen.getByText("Krippendorff's alpha, realism: 1.00 (8 ratings of 4 units)")).toBeVisible();
  const table = screen.getByRole('region', { name: 'Authors' });
  for (const name of ['secret-one', 'secret-two']) {
    const row = table.getByRole('row', { name: new RegExp(name) });
    await expect.element(row).toHaveTextContent('2 / 0 / 2 of 4');
    await expect.element(row).toHaveTextContent('1000');
    await expect.element(row).toHaveTextContent('3.00');
  }
});
