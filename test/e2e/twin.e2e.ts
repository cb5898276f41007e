/** The page before any weights: the twin answers, worlds are edited, and a link brings everything back. */
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type App } from './app.ts';
import { SOON, lane, rows, statusIs, step } from './steps.ts';

let app: App;

beforeAll(async () => {
  app = await startApp();
});
afterAll(async () => {
  await app.close();
});

/** Weights never arrive: every request for a file of a model folder hangs. */
async function withoutWeights(page: Page): Promise<void> {
  await page.route(/\/(models|micro)\/.*/, () => {});
}

test('first paint and twin step before the weights: one press on Step is enough', async () => {
  const { page, errors, foreign } = await app.open('about:blank');
  await withoutWeights(page);
  await page.goto(app.url);
  await step(page);
  const twin = lane(page, 'twin');
  await statusIs(page, 'twin', 'ok');
  expect(await twin.getByText('Observation').isVisible()).toBe(true);
  expect(await twin.getByText('Executed by code').isVisible()).toBe(true);
  expect(errors).toEqual([]);
  expect(foreign()).toEqual([]);
  await page.context().close();
});

test('an expert fulfils the task; the checks are live; a malformed call gets an answer', async () => {
  const { page, errors } = await app.open('/#world=support&world-seed=2&lanes=twin');
  await page.getByRole('spinbutton', { name: 'Steps of a run' }).fill('30');
  await page.getByRole('spinbutton', { name: 'Steps of a run' }).blur();
  await page.getByRole('button', { name: 'Run expert 30' }).click();
  await page.getByText('done', { exact: true }).waitFor();
  expect(await page.getByText('does not hold').count()).toBe(0);
  const before = await rows(page).count();
  await page.getByRole('button', { name: 'Raw' }).click();
  await page.getByLabel(/Call as text/).fill('cancel it please');
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => rows(page).count(), SOON).toBe(before + 1);
  await statusIs(page, 'twin', 'malformed');
  expect(errors).toEqual([]);
  await page.context().close();
});

test('a directive steers the next answer, a switched rule changes what the twin does', async () => {
  const { page, errors } = await app.open('/#world=support&world-seed=1&lanes=twin');
  await page.getByRole('combobox', { name: 'Error code of fail' }).fill('rate_limited');
  await page.getByRole('checkbox', { name: 'fail' }).check();
  await step(page);
  await statusIs(page, 'twin', 'rate_limited');
  await page.getByRole('checkbox', { name: 'fail' }).uncheck();
  const rule = page.getByRole('switch').first();
  await rule.uncheck();
  // A changed world begins a run of its own.
  await expect.poll(() => rows(page).count(), SOON).toBe(0);
  expect(decodeURIComponent(new URL(page.url()).hash)).toContain('"enabled":false');
  expect(errors).toEqual([]);
  await page.context().close();
});

test('an edited world and its settings come back from their link', async () => {
  const { page } = await app.open('/#world=terminal&world-seed=5&difficulty=2&lanes=twin');
  await page.getByRole('button', { name: 'Edit as text' }).click();
  const text = page.getByRole('textbox', { name: 'State as JSON' });
  const state = JSON.parse(await text.inputValue()) as { files: object };
  await text.fill(JSON.stringify({ ...state, files: { ...state.files, 'bin/new.txt': { l1: 'hello' } } }));
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByText('Sampling', { exact: true }).click();
  await page.getByRole('spinbutton', { name: 'Seed of all lanes' }).fill('7');
  await page.keyboard.press('Enter');
  const prompt = await page.getByRole('region', { name: 'Text of the prompt' }).textContent();
  expect(prompt).toContain('bin/new.txt');

  const { page: other } = await app.open(`/${new URL(page.url()).hash}`);
  expect(await other.getByRole('region', { name: 'Text of the prompt' }).textContent()).toBe(prompt);
  await other.getByText('Sampling', { exact: true }).click();
  expect(await other.getByRole('spinbutton', { name: 'Seed of all lanes' }).inputValue()).toBe('7');
  await page.context().close();
  await other.context().close();
});

test('everything is reached and done by keyboard', async () => {
  const { page } = await app.open('/#world=support&world-seed=1&lanes=twin');
  await page.getByRole('button', { name: 'Step', exact: true }).waitFor();
  const reached = new Set<string>();
  for (let i = 0; i < 120; i++) {
    await page.keyboard.press('Tab');
    reached.add(await page.evaluate(() => (document.activeElement as HTMLElement | null)?.innerText.trim() ?? ''));
    if (reached.has('Step')) break;
  }
  expect([...reached]).toEqual(expect.arrayContaining(['Copy link', 'Edit as text', 'Raw', 'Step']));
  await page.keyboard.press('Enter');
  await expect.poll(() => rows(page).count(), SOON).toBe(1);
  expect(await page.evaluate(() => getComputedStyle(document.activeElement as Element).outlineStyle)).toBe('solid');
  await page.context().close();
});

test.each(['light', 'dark'] as const)(
  'after a step: nothing serious for axe, no sideways scroll, %s',
  async (scheme) => {
    for (const width of [1440, 390]) {
      const viewport = { width, height: 844 };
      const { page, violations } = await app.open('/#lanes=twin', { colorScheme: scheme, viewport });
      await step(page);
      await expect.poll(() => rows(page).count(), SOON).toBe(1);
      expect(await violations()).toEqual([]);
      const [inner, outer] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth] as const);
      expect(inner).toBeLessThanOrEqual(outer);
      await page.context().close();
    }
  },
);
