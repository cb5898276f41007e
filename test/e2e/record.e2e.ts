/** Runs are recorded: a reload restores them, and files carry them from one browser to another. */
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

const MICRO = '/?models=/micro/#provider=wasm&seed=7&sampler=confidence:steps=8';

/** Presses a button that downloads, and gives the file's text and name. */
async function downloaded(page: Page, button: string): Promise<{ text: string; name: string }> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: button }).click()]);
  return { text: await readFile(await file.path(), 'utf8'), name: file.suggestedFilename() };
}

async function importFile(page: Page, text: string, name: string): Promise<void> {
  const path = join(tmpdir(), `terrarium-${process.pid}-${name}`);
  await writeFile(path, text);
  await page.getByLabel('Files of recorded runs').setInputFiles(path);
}

async function stepped(page: Page, n: number): Promise<void> {
  await step(page);
  await expect.poll(() => rows(page).count(), SOON).toBe(n);
}

test('reload restores the run with every lane; export, import, export is byte-identical', async () => {
  const { page, errors, foreign } = await app.open(MICRO);
  await stepped(page, 1);
  await page.getByRole('checkbox', { name: 'terse' }).check();
  await stepped(page, 2);
  const shown = async () => ({
    rows: await rows(page).allTextContents(),
    mdlm: await lane(page, 'mdlm').locator('.token').allTextContents(),
    hash: new URL(page.url()).hash,
  });
  const before = await shown();
  expect(before.mdlm.length).toBeGreaterThan(3);

  await page.reload();
  await expect.poll(() => rows(page).count(), SOON).toBe(2);
  await expect.poll(() => lane(page, 'mdlm').locator('.token').allTextContents(), SOON).toEqual(before.mdlm);
  expect(await shown()).toEqual(before);

  // The run goes on where it was, once with a pin, which the models' answers have.
  await lane(page, 'twin').getByRole('button', { name: 'Pin values of Twin' }).click();
  const value = await status(page, 'twin').getAttribute('data-status');
  const pin = { slot: 'status', pointer: '', value, path: [] };
  await lane(page, 'twin').getByRole('button', { name: 'Pin the whole status' }).click();
  await page.getByRole('list', { name: 'Pins of the next step' }).getByText(`status = "${value}"`).waitFor();
  await stepped(page, 3);
  await status(page, 'ar').waitFor();
  await lane(page, 'mdlm').getByText('holds', { exact: true }).waitFor();
  expect(await status(page, 'mdlm').getAttribute('data-status')).toBe(value);
  await lane(page, 'twin').getByText('Not pinned: the twin executes the call.').waitFor();
  expect(await page.getByRole('list', { name: 'Pins of the next step' }).count()).toBe(0);

  const first = await downloaded(page, 'Export Support desk, seed 1');
  expect(first.name).toMatch(/\.wmtrace\.jsonl$/);
  const lines = first.text.trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { type: string }).type)).toEqual([
    'header',
    'step',
    'step',
    'step',
    'footer',
  ]);
  // Recorded with the step it was for, in the lanes that were asked for it.
  const pins = lines.slice(1, -1).map((line) => {
    const { results } = JSON.parse(line) as { results: { [lane: string]: { sampler: { pins?: unknown } } } };
    return Object.fromEntries(
      Object.entries(results).flatMap(([id, { sampler }]) => (sampler.pins ? [[id, sampler.pins]] : [])),
    );
  });
  expect(pins).toEqual([{}, {}, { mdlm: [pin], ar: [pin] }]);

  // Another browser.
  const other = await app.open('/?models=/micro/#provider=wasm&lanes=twin');
  await importFile(other.page, first.text, 'one.jsonl');
  await expect.poll(() => rows(other.page).count(), SOON).toBe(3);
  expect((await downloaded(other.page, 'Export Support desk, seed 1')).text).toBe(first.text);
  expect((await downloaded(other.page, 'Export all')).text).toBe(first.text);

  // The same file again changes nothing.
  await importFile(other.page, first.text, 'one.jsonl');
  await other.page.getByText('1 run already here.').waitFor();
  expect(errors).toEqual([]);
  expect(other.errors).toEqual([]);
  expect([...foreign(), ...other.foreign()]).toEqual([]);
  await page.context().close();
  await other.page.context().close();
});

test('runs are listed, opened, and deleted only after a second press', async () => {
  const { page, errors } = await app.open('/#lanes=twin&world=support&world-seed=3');
  await stepped(page, 1);
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await expect.poll(() => rows(page).count(), SOON).toBe(0);
  await stepped(page, 1);
  await stepped(page, 2);
  const list = page.getByRole('list', { name: 'Recorded runs' }).getByRole('listitem');
  await expect.poll(() => list.count(), SOON).toBe(2);
  await page.getByRole('button', { name: /^Open .*seed 3, 1 step/ }).click();
  await expect.poll(() => rows(page).count(), SOON).toBe(1);
  expect(page.url()).toContain('world-seed=3');
  await page.getByRole('button', { name: /^Delete .*seed 4$/ }).click();
  expect(await list.count()).toBe(2);
  await page.getByRole('button', { name: /^Delete .*seed 4 for good$/ }).click();
  await expect.poll(() => list.count(), SOON).toBe(1);
  expect(errors).toEqual([]);
  await page.context().close();
});

test('a file that is no recording is refused whole, with the reason', async () => {
  const { page } = await app.open('/#lanes=twin');
  await importFile(page, '{"type":"header"', 'broken.jsonl');
  await page.locator('.notice.error').waitFor();
  expect(await page.getByRole('list', { name: 'Recorded runs' }).count()).toBe(0);
  await page.context().close();
});

test('without storage the run goes on in memory, and a banner says so', async () => {
  const { page } = await app.open('about:blank');
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('no storage here', 'SecurityError');
    };
  });
  await page.goto(`${app.url}/#lanes=twin`);
  await page.getByText(/does not give this page storage/).waitFor();
  await stepped(page, 1);
  expect((await downloaded(page, 'Export all')).text).toContain('"type":"step"');
  await page.context().close();
});
