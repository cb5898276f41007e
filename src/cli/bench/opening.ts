/** One opening of the page in a fresh profile, timed from inside the page. */
import { chromium } from 'playwright';
import { CHROMIUM_FLAGS } from '../../../scripts/chromium.mjs';

/** What an opening is measured with. */
export interface Opening {
  url: string;
  executablePath: string;
  lanes: readonly string[];
  /** Milliseconds to wait for the answers of the first step. */
  patience: number;
  /** Flags of Chromium; those of the tests unless given. */
  flags?: readonly string[];
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
  cores: number;
  isolated: boolean;
  /** Name and version. */
  browser: string;
}

/** What the script in the page leaves in `window.bench`. */
type Marks = Pick<Measured, 'pressed' | 'first' | 'failures'>;

/**
 * Opens the page in a browser and profile of their own and presses Step as soon as it can be pressed. Lanes are found by
 * `article[data-lane]`, their answers by `[data-status]`.
 * @throws Error when the page does not open or has no Step button
 */
export async function measure(opening: Opening, signal: AbortSignal): Promise<Measured> {
  const { executablePath, flags = CHROMIUM_FLAGS } = opening;
  const browser = await chromium.launch({ executablePath, args: [...flags], handleSIGINT: false });
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
    const facts = await page.evaluate(() => ({
      paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null,
      cores: navigator.hardwareConcurrency,
      isolated: crossOriginIsolated,
    }));
    return { ...marks, ...facts, browser: `Chromium ${browser.version()}` };
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
