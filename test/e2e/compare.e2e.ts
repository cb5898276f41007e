/** Comparing: branches of a run, badges, agents with a pace, and lanes of one model with settings of their own. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type App } from './app.ts';
import { SOON, lane, rows, status, step } from './steps.ts';

let app: App;

beforeAll(async () => {
  app = await startApp();
});
afterAll(async () => {
  await app.close();
});

async function exported(page: Page): Promise<string> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export all' }).click(),
  ]);
  return readFile(await file.path(), 'utf8');
}

async function stepped(page: Page, n: number): Promise<void> {
  await step(page);
  await expect.poll(() => rows(page).count(), SOON).toBe(n);
}

test('a branch shares the steps before it, nothing is lost, and its file comes back byte for byte', async () => {
  const { page, errors, violations } = await app.open('/#world=support&world-seed=6&lanes=twin');
  for (const n of [1, 2, 3]) await stepped(page, n);
  await page.getByRole('button', { name: /^Loop: the very same call 3 times in a row/ }).waitFor();
  await page.getByRole('button', { name: 'branch off step 1' }).click();
  await expect.poll(() => rows(page).count(), SOON).toBe(1);
  await page.getByRole('combobox', { name: 'Agent', exact: true }).selectOption('random');
  await page.getByRole('button', { name: 'Random step' }).click();
  await expect.poll(() => rows(page).count(), SOON).toBe(2);
  const branches = page.getByRole('list', { name: /^Branches of / }).getByRole('listitem');
  await expect.poll(() => branches.count(), SOON).toBe(2);
  expect(await branches.allTextContents()).toEqual([
    expect.stringContaining('branch 1, 3 steps'),
    expect.stringContaining('branch 2 off step 1, 2 steps'),
  ]);
  const text = await exported(page);
  expect(text.match(/"type":"step"/g)).toHaveLength(4);
  expect(await violations()).toEqual([]);

  // The branch that was open is open again, and the other one is a press away.
  await page.getByRole('button', { name: /branch 1, 3 steps/ }).click();
  await expect.poll(() => rows(page).count(), SOON).toBe(3);
  await page.reload();
  await expect.poll(() => rows(page).count(), SOON).toBe(3);

  const { page: other } = await app.open('/#lanes=twin');
  await other
    .getByLabel('Files of recorded runs')
    .setInputFiles({ name: 'branched.jsonl', mimeType: 'text/plain', buffer: Buffer.from(text) });
  await expect.poll(() => rows(other).count(), SOON).toBe(2);
  expect(await exported(other)).toBe(text);

  // A changed rule begins a run that says where it came from.
  await page.getByRole('switch').first().click();
  await stepped(page, 1);
  await page.getByTitle('edited after step 3 of Support desk, seed 6').waitFor();
  expect(errors).toEqual([]);
  await page.context().close();
  await other.context().close();
});

test('an agent is paused, stepped once, and stopped', async () => {
  const { page, errors } = await app.open('/#world=support&world-seed=6&lanes=twin');
  await page.getByRole('combobox', { name: 'Agent', exact: true }).selectOption('random');
  await page.getByRole('combobox', { name: 'Speed' }).selectOption('3000');
  await page.getByRole('button', { name: 'Run random 5' }).click();
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect.poll(() => rows(page).count(), SOON).toBe(1);
  await page.getByRole('button', { name: 'Next step' }).click();
  await expect.poll(() => rows(page).count(), SOON).toBe(2);
  await page.getByText('Paused: the next step waits.').waitFor();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await page.getByRole('button', { name: 'Random step' }).waitFor();
  expect(await rows(page).count()).toBe(2);
  expect(errors).toEqual([]);
  await page.context().close();
});

test('two lanes of one model share a worker, name what differs, and are compared with each other', async () => {
  const lanes = 'lanes=twin,mdlm;sampler=threshold,mdlm;sampler=threshold;threshold=0.2';
  const { page, errors, violations } = await app.open(`/?models=/micro/#provider=wasm&${lanes}&against=mdlm`);
  await step(page);
  for (const id of ['mdlm', 'mdlm-2']) await status(page, id).waitFor(SOON);
  const workers = page.workers().filter((worker) => worker.url().includes('simulator.worker'));
  expect(workers).toHaveLength(1);
  await lane(page, 'mdlm').getByText('threshold 0.9').waitFor();
  await lane(page, 'mdlm-2').getByText('threshold 0.2').waitFor();
  expect(await lane(page, 'mdlm-2').textContent()).toMatch(/[=\u2260] MDLM/);
  expect(page.url()).toContain(`${lanes}&against=mdlm`);
  await page.getByText('Lanes', { exact: true }).click();
  await page.getByRole('group', { name: 'MDLM 2', exact: true }).waitFor();
  expect(await violations()).toEqual([]);
  expect(errors).toEqual([]);
  await page.context().close();
});
