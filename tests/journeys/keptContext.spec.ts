import type { BrowserContext, Page } from 'playwright/test';
import { expect, test } from './journey.ts';
import { register } from './person.ts';

/** What a browser still has of an earlier person. */
const held = async (page: Page, context: BrowserContext) => ({
  contexts: context.browser()?.contexts().length,
  cookies: (await context.cookies()).length > 0,
  permission: await page.evaluate(async () => (await navigator.permissions.query({ name: 'geolocation' })).state),
  dark: await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches),
  line: await page.evaluate(() => navigator.onLine),
  year: await page.evaluate(() => new Date().getFullYear() === 1999),
  width: await page.evaluate(() => innerWidth),
  pages: context.pages().length,
  stored: await page.evaluate(async () => ({
    local: Object.keys(localStorage),
    session: Object.keys(sessionStorage),
    databases: (await indexedDB.databases()).map(({ name }) => name),
    caches: await caches.keys(),
    workers: (await navigator.serviceWorker.getRegistrations()).length,
  })),
});
const NOTHING = {
  contexts: 1,
  cookies: false,
  permission: 'prompt',
  dark: false,
  line: true,
  year: false,
  width: 1280,
  pages: 2,
  stored: { local: [], session: [], databases: [], caches: [], workers: 0 },
};

// In one worker, one after the other: each finds nothing and leaves everything behind. A clock has a round of its own,
// because the context ends with it.
test.describe.configure({ mode: 'default' });
for (const [turn, clock] of [
  ['first', false],
  ['second', true],
  ['third', false],
] as const) {
  test(`a journey finds nothing of another one in the browser, the ${turn} time`, async ({
    page,
    context,
    browser,
  }) => {
    await page.goto('/');
    await expect(page.getByRole('link', { name: 'Log in' })).toBeVisible();
    expect(await held(page, context)).toEqual(NOTHING);

    await register(page);
    await context.grantPermissions(['geolocation']);
    await context.route('**/*', (route) => route.abort());
    await context.newPage();
    await browser.newContext();
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 360, height: 800 });
    await page.evaluate(async () => {
      localStorage.setItem('left', 'here');
      sessionStorage.setItem('left', 'here');
      await caches.open('left');
      await new Promise((done) => Object.assign(indexedDB.open('left'), { onsuccess: done }));
    });
    if (clock) await page.clock.install({ time: new Date('1999-06-01') });
    await context.setOffline(true);
    expect(await held(page, context)).toEqual({
      contexts: 2,
      cookies: true,
      permission: 'granted',
      dark: true,
      line: false,
      year: clock,
      width: 360,
      pages: 3,
      stored: { local: ['left'], session: ['left'], databases: ['left'], caches: ['left'], workers: 0 },
    });
    // A clock exists in the whole context, even after the page that installed it is closed.
    if (clock) await page.close();
  });
}
