import type { Page } from 'playwright/test';

/** Stops a page's clock: from here on, changes come only from presses, live messages, or moving the clock. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
}

/** Waits until the calls that a page has made so far are sent. */
export const settled = (page: Page): Promise<string> =>
  page.evaluate(() => fetch('/healthz').then((answer) => answer.text()));
