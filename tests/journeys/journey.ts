import { type Browser, type BrowserContextOptions, test as base, type Page } from 'playwright/test';

import type { Backstage } from './backstage.ts';
import type { Channels } from './channels.ts';

export { expect } from 'playwright/test';

type KeptContext = ReturnType<typeof keepContext>;

/** A browser context that tests use one after the other. */
function keepContext(browser: Browser, options: BrowserContextOptions) {
  const open = async () => {
    const context = await browser.newContext(options);
    // An unused page keeps the renderer process alive, with the code that it has compiled.
    const idle = await context.newPage();
    return { context, idle, devTools: await context.newCDPSession(idle) };
  };
  let kept: ReturnType<typeof open> | undefined;
  return {
    /** The context, with nothing but the browser's caches left in it, and the only one of the browser. */
    async emptied() {
      kept ??= open();
      const { context, idle, devTools } = await kept;
      // What a test has opened for another person would go on asking the server until the browser ends.
      for (const other of browser.contexts()) if (other !== context) await other.close();
      for (const page of context.pages()) if (page !== idle) await page.close();
      await context.unrouteAll({ behavior: 'ignoreErrors' });
      await context.setOffline(false);
      await context.clearPermissions();
      // Cookies belong to the context.
      await devTools.send('Storage.clearDataForOrigin', { origin: '*', storageTypes: 'all' });
      return context;
    },
    /** Closes the context; the next test gets a new one. */
    async close(): Promise<void> {
      const context = (await kept)?.context;
      kept = undefined;
      await context?.close();
    },
  };
}

/** A fake clock can't be removed from its context. */
const hasOwnClock = (page: Page) => page.evaluate(() => !String(setTimeout).includes('[native code]'));

/** The data directory of the journeys' server. */
const journeyData = () => process.env.JOURNEY_DATA ?? '';

type OfWorker = {
  keptContext: KeptContext;
  /** Access to the data behind the server. A process has one open; a call for another directory closes it. */
  backstageOf: (directory: string) => Promise<Backstage>;
  channels: Channels;
};

/**
 * The test function of every journey. Each test starts on a new page without another test's cookies, stored data,
 * routes, permissions or clock. The page's context is reused, so that scripts are loaded and compiled once for all
 * tests of a worker.
 */
export const test = base.extend<{ backstage: Backstage }, OfWorker>({
  keptContext: [
    async ({ browser }, use, { project }) => {
      const { baseURL, locale, timezoneId, contextOptions } = project.use;
      const kept = keepContext(browser, { ...contextOptions, baseURL, locale, timezoneId });
      await use(kept);
      await kept.close();
    },
    { scope: 'worker' },
  ],
  context: async ({ keptContext }, use) => use(await keptContext.emptied()),
  page: async ({ context, keptContext }, use) => {
    const page = await context.newPage();
    await use(page);
    // Any page of the test may have installed a clock, and it then exists in the whole context.
    const clocks = await Promise.all(context.pages().map((one) => hasOwnClock(one).catch(() => true)));
    if (clocks.includes(true)) await keptContext.close();
    else await page.close();
  },
  backstageOf: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern which fixtures are asked for
    async ({}, use) => {
      let open: { directory: string; backstage: Backstage } | undefined;
      await use(async (directory) => {
        if (open?.directory !== directory) {
          await open?.backstage.close();
          const { openBackstage } = await import('./backstage.ts');
          open = { directory, backstage: await openBackstage(directory) };
        }
        return open.backstage;
      });
      await open?.backstage.close();
    },
    { scope: 'worker' },
  ],
  backstage: async ({ backstageOf }, use) => use(await backstageOf(journeyData())),
  channels: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern which fixtures are asked for
    async ({}, use) => {
      const { openChannels } = await import('./channels.ts');
      const channels = await openChannels();
      await use(channels);
      await channels.close();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
});
