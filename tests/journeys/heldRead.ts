import type { Page } from 'playwright/test';
import { expect } from './journey.ts';

/** Opens a page whose read is held, then fails: it says that it loads, then what to do, and a second try reads. */
export async function expectLoadingAndFailure(page: Page, address: string, read: string): Promise<void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(read, async (route) => {
    await held;
    await route.fulfill({ status: 500, json: { error: 'Something went wrong on our side.', code: 'internal' } });
  });
  await page.goto(address);
  await expect(page.getByRole('status', { name: 'Loading' }).first()).toBeVisible();
  release();
  await expect(page.getByRole('heading', { name: 'This could not be loaded' })).toBeVisible();
  await page.unroute(read);
  await page.getByRole('button', { name: 'Try again' }).click();
}
