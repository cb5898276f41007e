/** The bench finds its way about the page: lanes, their answers, the agents' button and the records. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureChromium } from '../../scripts/chromium.mjs';
import { measure } from '../../src/cli/benchPage.ts';
import { startApp, type App } from './app.ts';

let app: App;

beforeAll(async () => {
  app = await startApp();
});
afterAll(async () => {
  await app.close();
});

test('an opening is measured: paint, press, first answer, and the costs of later ones', async () => {
  const opening = {
    url: `${app.url}/#world=support&lanes=twin`,
    executablePath: await ensureChromium(),
    lanes: ['twin'],
    steps: 3,
    patience: 60_000,
  };
  const measured = await measure(opening, new AbortController().signal);
  expect(measured.failures).toEqual({});
  expect(measured.isolated).toBe(true);
  const { pressed, first, paint, costs } = measured;
  expect(pressed).toBeGreaterThan(0);
  expect(paint).toBeGreaterThan(0);
  expect(first['twin']).toBeGreaterThan(pressed as number);
  expect(costs['twin']).toHaveLength(3);
});

test('a lane that is not there is told, not waited for in vain, and an abort ends it', async () => {
  const opening = {
    url: `${app.url}/#world=support&lanes=twin`,
    executablePath: await ensureChromium(),
    lanes: ['twin', 'mdlm'],
    steps: 0,
    patience: 1500,
  };
  const measured = await measure(opening, new AbortController().signal);
  expect(measured.failures['mdlm']).toContain('no answer within 1500 ms');
  const reason = new Error('enough');
  await expect(measure(opening, AbortSignal.abort(reason))).rejects.toBe(reason);
});
