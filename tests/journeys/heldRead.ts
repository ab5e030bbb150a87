import type { Page } from 'playwright/test';
import { expect } from './journey.ts';

/** Opens a page whose read is held, then fails: it says that it loads, then what to do, and a second try reads. */
export async function expectLoadingAndFailure(page: Page, address: string, read: string): Promise<void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const isPressed = () => page.evaluate(() => document.documentElement.dataset.pressed !== undefined);
  await page.route(read, async (route) => {
    await held;
    // Until the button is pressed: pages read again by themselves, which would take the button away.
    if (await isPressed()) return route.continue();
    return route.fulfill({ status: 500, json: { error: 'Something went wrong on our side.', code: 'internal' } });
  });
  await page.goto(address);
  await expect(page.getByRole('status', { name: 'Loading' }).first()).toBeVisible();
  release();
  await expect(page.getByRole('heading', { name: 'This could not be loaded' })).toBeVisible();
  await page.evaluate(() =>
    document.addEventListener('click', () => document.documentElement.setAttribute('data-pressed', ''), {
      capture: true,
      once: true,
    }),
  );
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'This could not be loaded' })).toBeHidden();
  await page.unroute(read);
}
