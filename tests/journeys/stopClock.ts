import type { Page } from 'playwright/test';

/** Stops a page's own clock where it stands: what comes now comes by a press, by the live line, or when it is moved. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
}

/** Waits until what a page has sent so far is on its way. */
export const settled = (page: Page): Promise<string> =>
  page.evaluate(() => fetch('/healthz').then((answer) => answer.text()));
