/** Faults on the production page: it says what happened, keeps what was recorded, and goes on from there. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type App } from './app.ts';
import { SOON, lane, rows, status, step } from './steps.ts';

const SLOW = { timeout: 300_000 };
const GRAPH = resolve(import.meta.dirname, '../fixtures/micro/ar/onnx/model.onnx');

let app: App;

beforeAll(async () => {
  app = await startApp();
});
afterAll(async () => {
  await app.close();
});

async function fails(page: Page, id: string, code: string, advice: RegExp): Promise<void> {
  const alert = lane(page, id).getByRole('alert');
  await alert.getByText(code, { exact: true }).waitFor(SOON);
  expect(await alert.textContent()).toMatch(advice);
}

async function stepped(page: Page, n: number): Promise<void> {
  await expect.poll(() => rows(page).count(), SOON).toBe(n);
}

/** The second step of the AR lane fails with this code and advice; it is recorded, and after a restart a third one works. */
async function failsAndGoesOn(page: Page, code: string, advice: RegExp): Promise<void> {
  await fails(page, 'ar', code, advice);
  await stepped(page, 2);
  await lane(page, 'ar').getByRole('button', { name: 'Restart AR' }).click();
  await step(page);
  await stepped(page, 3);
  await status(page, 'ar').waitFor(SOON);
}

test(
  'a load that breaks off, a wrong hash and a web page are named; the run goes on once the files are right',
  SLOW,
  async () => {
    const { page, context } = await app.open('about:blank');
    const graph = readFileSync(GRAPH);
    graph[5000] = (graph[5000] as number) ^ 1;
    let fault = 'cut';
    await context.route(/\/micro\/ar\/onnx\/model\.onnx/, (route) => {
      if (fault === 'cut') return route.abort('connectionreset');
      if (fault === 'bit') return route.fulfill({ body: graph, contentType: 'application/octet-stream' });
      if (fault === 'page')
        return route.fulfill({ body: '<!doctype html><title>App</title>', contentType: 'text/html' });
      return route.continue();
    });
    await page.goto(`${app.url}/?models=/micro/#provider=wasm&lanes=twin,ar`);
    await fails(page, 'ar', 'network', /connection/);
    // The twin answers all the same, and the step is recorded.
    await step(page);
    await stepped(page, 1);
    const restart = lane(page, 'ar').getByRole('button', { name: 'Restart AR' });
    fault = 'bit';
    await restart.click();
    await fails(page, 'ar', 'wrong_hash', /cache/);
    fault = 'page';
    await restart.click();
    await fails(page, 'ar', 'not_a_model', /404/);
    fault = '';
    await restart.click();
    await lane(page, 'ar').getByText('WASM', { exact: true }).waitFor(SOON);
    await step(page);
    await stepped(page, 2);
    await status(page, 'ar').waitFor(SOON);
    await context.close();
  },
);

/** Has the worker of the only model lane break, or vanish, as soon as it has sent its first draft: in the midst of a step. */
async function breakInStep(page: Page, how: 'throws' | 'vanishes'): Promise<void> {
  const found = page.workers().filter((worker) => worker.url().includes('simulator.worker'));
  expect(found.length).toBe(1);
  await found[0]?.evaluate((how) => {
    const { postMessage } = MessagePort.prototype;
    let vanished = false;
    MessagePort.prototype.postMessage = function (this: MessagePort, message: { type?: string }) {
      // A worker that closes at once takes its last message with it, so it falls silent first.
      if (vanished) return;
      postMessage.call(this, message);
      if (message.type !== 'draft') return;
      vanished = how === 'vanishes';
      setTimeout(() => {
        if (vanished) close();
        else throw new Error('broken on purpose');
      });
    };
  }, how);
}

test.each([
  ['throws', 'crashed', /broken on purpose.*Restart/s],
  ['vanishes', 'no_answer', /has not answered for 60 seconds.*Restart/s],
] as const)(
  'a worker that %s in mid-step is named; what was recorded stays, and a restart goes on',
  SLOW,
  async (...one) => {
    const [how, code, advice] = one;
    const { page, context } = await app.open('/?models=/micro/#provider=wasm&lanes=twin,ar');
    await step(page);
    await stepped(page, 1);
    await status(page, 'ar').waitFor(SOON);
    // The page's clock, not the worker's.
    if (how === 'vanishes') await page.clock.install();
    await breakInStep(page, how);
    await step(page);
    if (how === 'vanishes') {
      // Nothing tells of its end; the lane is taken to be at work until a minute has passed.
      await lane(page, 'ar')
        .getByText(/writing, pass/)
        .waitFor({ timeout: 40_000 });
      expect(await lane(page, 'ar').getByRole('alert').count()).toBe(0);
      await page.clock.fastForward(60_000);
    }
    await failsAndGoesOn(page, code, advice);
    await context.close();
  },
);

test(
  'the end of the graphics process fails the step; what was recorded stays, and a restart goes on',
  SLOW,
  async () => {
    const { page, context } = await app.open('/?models=/micro/#provider=webgpu&lanes=twin,ar');
    await step(page);
    await stepped(page, 1);
    await lane(page, 'ar').getByText('WebGPU', { exact: true }).waitFor(SOON);
    await step(page);
    await lane(page, 'ar')
      .getByText(/writing, pass/)
      .waitFor(SOON);
    const browser = await app.browser.newBrowserCDPSession();
    await browser.send('Browser.crashGpuProcess');
    await failsAndGoesOn(page, 'device_lost', /Restart/);
    await context.close();
  },
);
