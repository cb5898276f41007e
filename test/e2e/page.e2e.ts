/** The ground under every other end-to-end test: the page opens, isolated, quiet, by itself and accessible. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type App } from './app.ts';

let app: App;

beforeAll(async () => {
  app = await startApp();
});
afterAll(async () => {
  await app.close();
});

test('the page opens: isolated, no console error, nothing asked of others', async () => {
  const { page, errors, foreign, requests } = await app.open();
  await page.getByRole('heading', { name: 'Terrarium', level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  expect(errors).toEqual([]);
  expect(requests.length).toBeGreaterThan(1);
  expect(foreign()).toEqual([]);
  await page.context().close();
});

test.each(['light', 'dark'] as const)('axe finds nothing serious, wide and narrow, %s', async (colorScheme) => {
  for (const width of [1280, 390]) {
    const { page, violations } = await app.open('/', { colorScheme, viewport: { width, height: 800 } });
    await page.getByRole('heading', { name: 'Terrarium', level: 1 }).waitFor();
    expect(await violations()).toEqual([]);
    await page.context().close();
  }
});

test('a software WebGPU adapter is there for the tests', async () => {
  const { page } = await app.open();
  expect(await page.evaluate(async () => Boolean(await navigator.gpu?.requestAdapter()))).toBe(true);
  await page.context().close();
});

test('the server: types that streaming compilation needs, and 404 in place of a page', async () => {
  const home = await fetch(app.url);
  expect(home.headers.get('cross-origin-opener-policy')).toBe('same-origin');
  expect(home.headers.get('cross-origin-embedder-policy')).toBe('require-corp');
  const html = await home.text();
  const script = /src="([^"]+\.js)"/.exec(html)?.[1];
  expect(script).toBeDefined();
  const code = await fetch(new URL(script ?? '', app.url));
  expect(code.headers.get('content-type')).toMatch(/javascript/);
  for (const path of [
    '/models/none/config.json',
    '/assets/none.wasm',
    '/models/training/train.py',
    '/../package.json',
  ]) {
    expect((await fetch(app.url + path)).status).toBe(404);
  }
});
