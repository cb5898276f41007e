/** What the end-to-end tests do again and again on the page. */
import type { Locator, Page } from 'playwright';

/** How long a busy machine may take for what a person would not wait for; a test fails by it, but measures nothing. */
export const SOON = { timeout: 100_000 };

/** The card of a lane. */
export function lane(page: Page, id: string): Locator {
  return page.locator(`article[data-lane="${id}"]`);
}

/** The status an answer shows, or nothing while there is no answer. */
export function status(page: Page, id: string): Locator {
  return lane(page, id).locator('[data-status]');
}

/** Waits until a lane shows an answer with this status. */
export async function statusIs(page: Page, id: string, wanted: string): Promise<void> {
  await lane(page, id).locator(`[data-status="${wanted}"]`).waitFor();
}

/** Rows of the history. */
export function rows(page: Page): Locator {
  return page.locator('section[aria-labelledby="history-title"] tbody tr');
}

/** Presses Step. */
export async function step(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Step', exact: true }).click();
}
