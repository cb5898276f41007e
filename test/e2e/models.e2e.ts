/** The model lanes on the production build, with micro models: both answer in workers, on WASM and on software WebGPU. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type App } from './app.ts';
import { SOON, lane, rows, status, step } from './steps.ts';

/** A software GPU on two busy cores. */
const SLOW = { timeout: 300_000 };

let app: App;

beforeAll(async () => {
  app = await startApp();
});
afterAll(async () => {
  await app.close();
});

/** WebGPU in software is slow, so it gets a threshold with which the diffusion model needs few passes. */
const PROVIDERS = [
  { provider: 'wasm', badge: 'WASM', hash: '#provider=wasm' },
  { provider: 'webgpu', badge: 'WebGPU', hash: '#provider=webgpu&sampler=threshold&threshold=0.05' },
];

test.each(PROVIDERS)(
  'MDLM and AR answer on $provider, all from this origin',
  SLOW,
  async ({ provider, badge, hash }) => {
    const { page, errors, foreign, requests, violations } = await app.open(`/?models=/micro/${hash}`);
    await step(page);
    for (const id of ['mdlm', 'ar']) {
      await status(page, id).waitFor(SLOW);
      const card = lane(page, id);
      expect(await card.getByText(badge, { exact: true }).count()).toBe(1);
      expect(await card.getByText('Restart').count()).toBe(0);
      const text = (await card.textContent()) ?? '';
      expect(text).toMatch(/NFE\s*\d+/);
      expect(text).toMatch(/prefill\s*\d+ tok/);
      // Every token has its confidence, and the replay goes from nothing to all of them.
      const slider = card.getByRole('slider');
      expect(await card.locator('.token.mask').count()).toBe(0);
      await slider.fill('0');
      expect(await card.locator('.token:not(.mask)').count()).toBe(0);
      await slider.fill((await slider.getAttribute('max')) ?? '');
      expect(await card.locator('.token.mask').count()).toBe(0);
    }
    expect(await rows(page).count()).toBe(1);
    // The exact prompt of the step, with its length in tokens.
    await page.getByRole('combobox', { name: 'Lane whose prompt is shown' }).selectOption('mdlm');
    await page.getByText(/What the pair reads: \d+ tokens/).waitFor();
    if (provider === 'wasm') expect(await violations()).toEqual([]);
    expect(errors).toEqual([]);
    expect(foreign()).toEqual([]);
    expect(requests.some((url) => url.includes('/micro/mdlm/onnx/model.onnx'))).toBe(true);
    await page.context().close();
  },
);

test('Stop ends a step that is under way, and the next one works', async () => {
  const { page, errors } = await app.open('/?models=/micro/#provider=wasm&lanes=twin,ar');
  await step(page);
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await page.getByRole('button', { name: 'Step', exact: true }).waitFor();
  expect(await rows(page).count()).toBe(0);
  await step(page);
  await expect.poll(() => rows(page).count(), SOON).toBe(1);
  await status(page, 'ar').waitFor();
  expect(errors).toEqual([]);
  await page.context().close();
});

test('a missing model says so with advice; the twin answers all the same, and Restart helps once it is there', async () => {
  const { page } = await app.open('about:blank');
  let missing = true;
  await page.route(/\/micro\/ar\/config\.json/, (route) =>
    missing ? route.fulfill({ status: 404, body: 'Not found' }) : route.continue(),
  );
  await page.goto(`${app.url}/?models=/micro/#provider=wasm&lanes=twin,ar`);
  await lane(page, 'ar').getByRole('alert').waitFor();
  await step(page);
  await status(page, 'twin').waitFor();
  missing = false;
  await lane(page, 'ar').getByRole('button', { name: 'Restart AR' }).click();
  await lane(page, 'ar').getByText('WASM', { exact: true }).waitFor(SOON);
  await step(page);
  await expect.poll(() => rows(page).count(), SOON).toBe(2);
  await status(page, 'ar').waitFor();
  await page.context().close();
});
