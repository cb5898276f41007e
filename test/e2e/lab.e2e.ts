/** The batch lab in the page: a thousand rollouts beside a page that stays quick, and batches that go on after a reload. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aggregate, LabRunner, MemorySink, parseLabSpec, tableFiles, type LabResults } from '../../src/rollouts/lab';
import { TwinSimulator } from '../../src/twins';
import { startApp, type App } from './app.ts';
import { SOON, rows } from './steps.ts';

let app: App;

beforeAll(async () => {
  // Memory is measured when asked; without this a minute or more later.
  app = await startApp({ flags: ['--enable-blink-features=ForceEagerMeasureMemory'] });
});
afterAll(async () => {
  await app.close();
});

const TWINS = {
  title: 'Twins',
  worlds: { families: ['support', 'terminal', 'grid'], seeds: { from: 1, count: 8 } },
  simulators: ['twin'],
  agents: ['expert', 'random'],
  steps: 3,
};

/** Long enough to be paused on a quick machine: two seconds or more. */
const LONG = { ...TWINS, worlds: { ...TWINS.worlds, seeds: { from: 1, count: 40 } } };

/** Puts a spec into the form as a file. */
async function take(page: Page, spec: object): Promise<void> {
  await page.getByText('Spec', { exact: true }).first().click();
  const buffer = Buffer.from(JSON.stringify(spec));
  await page.getByLabel('File with a spec').setInputFiles({ name: 'spec.json', mimeType: 'application/json', buffer });
  await page.getByText('The form is as the spec says.').waitFor();
}

/** Rollouts that are done, as the panel of the batch at work says; null when none is at work. */
async function done(page: Page): Promise<number | null> {
  const bar = page.getByRole('progressbar', { name: 'Rollouts done' });
  return (await bar.count()) === 0 ? null : Number(await bar.getAttribute('value'));
}

async function saved(page: Page, name: string): Promise<string> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: `Save ${name}` }).click(),
  ]);
  return readFile(await file.path(), 'utf8');
}

/** Bytes in use after a collection: those of workers, and those of the page. */
async function heaps(page: Page): Promise<{ workers: number; page: number }> {
  return page.evaluate(async () => {
    interface Part {
      bytes: number;
      attribution: { scope: string }[];
    }
    const measured = performance as unknown as { measureUserAgentSpecificMemory(): Promise<{ breakdown: Part[] }> };
    const { breakdown } = await measured.measureUserAgentSpecificMemory();
    const inWorker = ({ attribution }: Part) => attribution.some(({ scope }) => scope === 'DedicatedWorkerGlobalScope');
    const sum = (parts: Part[]) => parts.reduce((total, { bytes }) => total + bytes, 0);
    return { workers: sum(breakdown.filter(inWorker)), page: sum(breakdown.filter((part) => !inWorker(part))) };
  });
}

test('a thousand rollouts neither freeze the page nor grow memory', async () => {
  const { page, errors } = await app.open('/#view=lab&lanes=twin');
  await take(page, { ...TWINS, worlds: { families: ['support', 'grid'], seeds: { count: 500 } }, agents: ['random'] });
  await page.evaluate(() => {
    const seen = { tasks: [] as number[], gap: 0 };
    Object.assign(globalThis, { seen });
    new PerformanceObserver((list) => seen.tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
      type: 'longtask',
    });
  });
  await page.getByRole('button', { name: 'Start 1000 rollouts' }).click();
  const at: { workers: number; page: number }[] = [];
  for (const least of [250, 950]) {
    await expect.poll(async () => (await done(page)) ?? 1000, { ...SOON, interval: 50 }).toBeGreaterThanOrEqual(least);
    at.push(await heaps(page));
  }
  await expect.poll(() => done(page), SOON).toBeNull();
  await page.getByRole('button', { name: /^Show Twins, 1000 of 1000 rollouts/ }).waitFor();
  const tasks = await page.evaluate(() => (globalThis as unknown as { seen: { tasks: number[] } }).seen.tasks);

  expect(tasks.filter((ms) => ms > 200)).toEqual([]);
  // Seven hundred rollouts later: their steps alone would take 20 MB. Tables in the making take some, more or less as it hits.
  for (const part of ['workers', 'page'] as const) {
    expect((at[1]?.[part] ?? NaN) - (at[0]?.[part] ?? NaN)).toBeLessThan(10e6);
  }
  expect(errors).toEqual([]);
});

test('a batch goes on after a reload, ends with the bytes of the command line, and is deleted when asked twice', async () => {
  const { page, errors, violations } = await app.open('/#view=lab&lanes=twin');
  await take(page, LONG);
  await page.getByText('= 240 rollouts, 720 steps at most').waitFor();
  await page.getByRole('button', { name: 'Start 240 rollouts' }).click();
  await expect.poll(() => done(page), { ...SOON, interval: 20 }).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.locator('[data-phase="paused"]').waitFor();
  const kept = await done(page);

  const other = await app.open('/#view=lab&lanes=twin', { context: page.context() });
  await other.page.getByRole('button', { name: 'Go on with Twins' }).click();
  await other.page.getByText('This batch is at work in another tab.').waitFor();
  await other.page.close();
  await page.reload();
  await page.getByRole('button', { name: `Show Twins, ${kept} of 240 rollouts` }).waitFor();
  expect(kept).toBeLessThan(240);
  await page.getByRole('button', { name: 'Go on with Twins' }).click();
  await page.getByRole('button', { name: /^Show Twins, 240 of 240 rollouts/ }).waitFor();

  const spec = parseLabSpec(JSON.stringify(LONG));
  const sink = new MemorySink();
  await new LabRunner(spec, { twin: { simulator: new TwinSimulator(), options: { lane: 0 } } }, sink).run();
  const { results, timings } = await aggregate(spec, sink.records, { twin: null });
  expect(await saved(page, 'results.json')).toBe(tableFiles(results, timings)['results.json']);
  expect((await saved(page, 'steps.jsonl')).match(/"type":"footer"/g)).toHaveLength(240);
  expect(await saved(page, 'report.html')).toContain('All 240 rollouts are done.');

  await page.getByText('Rollouts', { exact: true }).click();
  await page
    .getByRole('status')
    .filter({ hasText: /^0 of 240$/ })
    .waitFor();
  await page.getByRole('combobox', { name: 'Show' }).selectOption('all');
  expect(await violations()).toEqual([]);
  await page.getByRole('button', { name: 'Open grid/1/1/random/1/twin in the playground' }).click();
  await expect.poll(() => rows(page).count(), SOON).toBe(3);
  await page.getByRole('button', { name: 'Lab', exact: true }).click();

  await page.getByRole('button', { name: 'Delete Twins' }).click();
  await page.getByRole('button', { name: 'Delete Twins for good' }).click();
  await page.getByText('Batches are kept in this browser').waitFor();
  expect(errors).toEqual([]);
});

test('models answer in workers of their own, are named in the results, and a wrong spec says where it is wrong', async () => {
  const { page, errors } = await app.open('/?models=/micro/#view=lab&lanes=twin');
  await page.getByText('Spec', { exact: true }).first().click();
  await page.getByRole('textbox', { name: 'Spec as JSON' }).fill('{"worlds":{"families":["nowhere"],"seeds":[1]}}');
  await page.getByRole('button', { name: 'Take this spec' }).click();
  await page.getByText('/worlds/families/0 is "nowhere": it has to be one of').waitFor();
  await page.getByText('/simulators is missing').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Spec', { exact: true }).first().click();

  const models = ['mdlm', { id: 'ar', kind: 'ar' }];
  await take(page, {
    ...TWINS,
    worlds: { families: ['grid'], seeds: [1] },
    simulators: models,
    agents: ['expert'],
    steps: 1,
  });
  await page.getByRole('combobox', { name: 'Runs on' }).last().selectOption('wasm');
  await page.getByRole('button', { name: 'Start 2 rollouts' }).click();
  await page.getByRole('button', { name: /^Show Twins, 2 of 2 rollouts/ }).waitFor();
  const results = JSON.parse(await saved(page, 'results.json')) as LabResults;
  expect(results.models).toMatchObject({
    mdlm: { kind: 'mdlm', provider: 'wasm' },
    ar: { kind: 'ar', provider: 'wasm' },
  });
  expect(results.simulators['ar']?.all).toMatchObject({ n: 1, steps: 1, failures: {} });
  expect(errors).toEqual([]);
});
