import { expectAccessible } from './expectAccessible.ts';
import { expectLoadingAndFailure } from './heldRead.ts';
import { expect, test } from './journey.ts';
import { arrive, arriveAnalysed } from './person.ts';

/** @shows /rows signed out, /rows loading, /rows error, /rows no permission */
test('the page of rows asks to sign in, loads, fails, and shows no other company’s', async ({
  page,
  browser,
  baseURL,
}) => {
  await arriveAnalysed(page);
  await page.request.post('/api/arc-chat/send', { data: { message: 'Which controls have no evidence?' } });
  await page.goto('/arc-chat');
  const link = page.getByRole('link', { name: 'Show these controls in a table' });
  const address = (await link.getAttribute('href')) ?? '';
  await expectLoadingAndFailure(page, address, '**/api/arc-chat/ask-again');
  await expect(page.getByRole('heading', { level: 1, name: 'Controls' })).toBeVisible();
  const stranger = await (await browser.newContext({ ...(baseURL ? { baseURL } : {}) })).newPage();
  await stranger.goto(address);
  await expect(stranger.getByText('Please sign in to see these rows.')).toBeVisible();
  // Somebody of another company has no such result.
  await arrive(stranger);
  await stranger.goto(address);
  await expect(stranger.getByRole('heading', { name: 'This could not be loaded' })).toBeVisible();
  await expect(stranger.getByRole('region', { name: 'Controls' })).toHaveCount(0);
  await stranger.context().close();
});

test('rows that no result has a table of are seen as a table, from the answer', async ({ page }) => {
  await arriveAnalysed(page);
  await page.request.post('/api/arc-chat/send', { data: { message: 'Which controls have no evidence?' } });
  await page.goto('/arc-chat');
  await page.getByRole('link', { name: 'Show these controls in a table' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Controls' })).toBeVisible();
  await expect(page.getByText(/controls of \d+ have no evidence/)).toBeVisible();
  const table = page.getByRole('region', { name: 'Controls' });
  await expect(table.getByRole('columnheader').first()).toHaveText('Control');
  await table.getByRole('button', { name: 'Control', exact: true }).click();
  await expect(table.getByRole('columnheader').first()).toHaveAttribute('aria-sort', 'ascending');
  await page.setViewportSize({ width: 360, height: 740 });
  await expectAccessible(page, 'a list of rows on a small screen');
  await page.goto('/rows');
  await expect(page.getByText('This address names no question')).toBeVisible();
});
