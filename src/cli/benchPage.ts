/** One opening of the page in a fresh profile, timed from inside the page. */
import { chromium, type Page } from 'playwright';
import { CHROMIUM_FLAGS } from '../../scripts/chromium.mjs';
import type { Cost } from '../world/simulator';

/** What an opening is measured with. */
export interface Opening {
  url: string;
  executablePath: string;
  lanes: readonly string[];
  /** Steps after the first one, for the cost of a transition. */
  steps: number;
  /** Milliseconds to wait for the answers of the first step, and for all others. */
  patience: number;
}

/** Milliseconds are since navigation began; a lane that gave no answer has none. */
export interface Measured {
  paint: number | null;
  /** The Step button was there and was pressed. */
  pressed: number | null;
  /** First answer of each lane on screen. */
  first: { [lane: string]: number };
  /** Why a lane gave none. */
  failures: { [lane: string]: string };
  /** Costs of the later answers, by lane. */
  costs: { [lane: string]: Cost[] };
  cores: number;
  isolated: boolean;
}

/** What the script in the page leaves in `window.bench`. */
type Marks = Pick<Measured, 'pressed' | 'first' | 'failures'>;

/**
 * Opens the page in a browser and profile of their own and presses Step as soon as it can be pressed. Lanes are found by
 * `article[data-lane]`, their answers by `[data-status]`.
 * @throws Error when the page does not open or has no Step button
 */
export async function measure(opening: Opening, signal: AbortSignal): Promise<Measured> {
  const browser = await chromium.launch({ executablePath: opening.executablePath, args: CHROMIUM_FLAGS });
  const close = () => void browser.close().catch(() => {});
  signal.addEventListener('abort', close);
  try {
    signal.throwIfAborted();
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    // tsx keeps names of functions by a helper that pages do not have.
    await page.addInitScript('globalThis.__name = (value) => value');
    await page.addInitScript(watch, opening.lanes);
    await page.goto(opening.url);
    await page.getByRole('button', { name: /^(Step|Stop)$/ }).waitFor({ timeout: 20_000 });
    await page
      .waitForFunction(settled, opening.lanes, { timeout: opening.patience, polling: 50 })
      .catch((error: unknown) => {
        if (!(error instanceof Error && error.name === 'TimeoutError')) throw error;
      });
    const marks = await page.evaluate(() => (globalThis as unknown as { bench: Marks }).bench);
    for (const lane of opening.lanes) {
      if (marks.first[lane] === undefined) marks.failures[lane] ??= `no answer within ${opening.patience} ms`;
    }
    if (opening.steps > 0) await runMore(page, opening);
    const facts = await page.evaluate(() => ({
      paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null,
      cores: navigator.hardwareConcurrency,
      isolated: crossOriginIsolated,
    }));
    return { ...marks, ...facts, costs: await recordedCosts(page) };
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', close);
    await browser.close();
  }
}

/** Runs in the page from its first moment: presses Step once and notes when answers are on screen. */
function watch(lanes: readonly string[]): void {
  const bench: Marks = { pressed: null, first: {}, failures: {} };
  Object.assign(globalThis, { bench });
  const seen = new Set<string>();
  new MutationObserver(() => {
    const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent?.trim() === 'Step');
    if (button && !button.disabled && bench.pressed === null) {
      bench.pressed = performance.now();
      button.click();
    }
    for (const lane of lanes) {
      const card = document.querySelector(`article[data-lane="${lane}"]`);
      const failure = card?.querySelector('[role="alert"]')?.textContent;
      if (failure) bench.failures[lane] = failure.replace(/\s+/g, ' ').trim();
      if (seen.has(lane) || !card?.querySelector('[data-status]')) continue;
      seen.add(lane);
      // The frame after the change: then it can be read.
      requestAnimationFrame(() => (bench.first[lane] = performance.now()));
    }
  }).observe(document, { childList: true, subtree: true, attributes: true, characterData: true });
}

function settled(lanes: readonly string[]): boolean {
  const { first, failures } = (globalThis as unknown as { bench: Marks }).bench;
  return lanes.every((lane) => lane in first || lane in failures);
}

/** Lets the random agent act, for transitions with a warm model and a growing history. */
async function runMore(page: Page, { steps, patience }: Opening): Promise<void> {
  await page.getByRole('button', { name: 'Step', exact: true }).waitFor({ timeout: patience });
  const input = page.getByRole('spinbutton', { name: 'Steps of a run' });
  await input.fill(String(steps));
  await input.blur();
  await page.getByRole('combobox', { name: 'Agent', exact: true }).selectOption('random');
  await page.getByRole('button', { name: `Run random ${steps}` }).click();
  await page.getByRole('button', { name: 'Step', exact: true }).waitFor({ timeout: patience });
}

/** Costs of the recorded answers of every lane, without the first step, from the page's own records. */
async function recordedCosts(page: Page): Promise<Measured['costs']> {
  const records = await page.evaluate(async () => {
    const asked = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error('IndexedDB failed'));
      });
    const known = await indexedDB.databases();
    if (!known.some(({ name }) => name === 'terrarium')) return [];
    const db = await asked(indexedDB.open('terrarium'));
    const rows = await asked(db.transaction('steps').objectStore('steps').getAll());
    db.close();
    return rows.map(({ record }: { record: unknown }) => record);
  });
  const out: Measured['costs'] = {};
  for (const record of records as StoredStep[]) {
    if (record.type !== 'step' || record.index === 0) continue;
    for (const [lane, { prediction }] of Object.entries(record.results)) {
      if (prediction) (out[lane] ??= []).push(prediction.cost);
    }
  }
  return out;
}

interface StoredStep {
  type: string;
  index: number;
  results: { [lane: string]: { prediction: { cost: Cost } | null } };
}
