import { expectAccessible } from './expectAccessible.ts';
import { expect, test } from './journey.ts';
import { arrive, arriveInPreferences, arriveNew, PASSWORD } from './person.ts';

/** @shows /audit empty */
test('an owner reads who did what, filters it, and verifies the chain', async ({ page }) => {
  await arriveNew(page);
  const data = { integrationId: 'sandbox', enabled: true };
  await page.request.post('/api/integrations/toggle', { data });
  await page.request.put('/api/preferences', { data: { channelConsent: { slack: 'full' } } });
  await page.getByRole('button', { name: /^Account menu/ }).click();
  await page.getByRole('menuitem', { name: 'Audit' }).click();
  await expect(page.getByRole('heading', { name: 'Audit' })).toBeVisible();
  const rows = page.getByRole('row');
  await expect(rows.filter({ hasText: 'Company created' })).toContainText('Ada Okafor');
  await expect(rows.filter({ hasText: 'Consent of a channel changed' })).toContainText('slack full');
  await expectAccessible(page, 'the audit');

  await page.getByRole('radiogroup', { name: 'Events' }).getByText('Sign-ins').click();
  await expect(rows).toHaveCount(2);
  await page.getByRole('textbox', { name: 'Search events' }).fill('nothing of the kind');
  await expect(page.getByText('No event matches. Change or clear the filter.')).toBeVisible();

  await page.getByRole('button', { name: 'Verify chain' }).click();
  await expect(page.getByText(/^The chain is whole: \d+ rows\.$/)).toBeVisible();
  await expect(page.getByText(/^Head [0-9a-f]{64}$/)).toBeVisible();
});

/** @shows /audit signed out, /audit loading, /audit error */
test('the audit asks who is signed out to sign in, says that it loads, and that it could not be loaded', async ({
  page,
}) => {
  await page.goto('/audit');
  await expect(page.getByText('Please sign in to see the audit.')).toBeVisible();
  await arriveNew(page);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/audit?*', async (route) => {
    await held;
    await route.fulfill({ status: 500, json: { error: 'Something went wrong on our side.', code: 'internal' } });
  });
  await page.goto('/audit');
  await expect(page.getByRole('status', { name: 'Loading' }).first()).toBeVisible();
  release();
  await expect(page.getByText('This could not be loaded')).toBeVisible();
  await page.unroute('**/api/audit?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'Company created' })).toBeVisible();
});

/** @shows /audit no permission */
test('a member is told that only owners see the audit', async ({ page, browser }) => {
  await arriveInPreferences(page);
  const email = `ben-${Date.now()}@northwind.test`;
  const invited = await page.request.post('/api/account/members', { data: { email, roles: ['member'] } });
  const { link } = (await invited.json()).invitation;
  const other = await (await browser.newContext()).newPage();
  await other.goto(link);
  await other.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await other.getByRole('button', { name: 'Join' }).click();
  await expect(other.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
  await other.goto('/audit');
  await expect(other.getByRole('heading', { name: 'Only owners see the audit' })).toBeVisible();
  await other.getByRole('button', { name: /^Account menu/ }).click();
  await expect(other.getByRole('menuitem', { name: 'My Workspace' })).toBeVisible();
  await expect(other.getByRole('menuitem', { name: 'Audit' })).toBeHidden();
});

test('older rows follow the newest ones without a gap, also when newer ones came before a reconnect', async ({
  page,
}) => {
  await arrive(page);
  const act = async (times: number) => {
    for (let at = 0; at < times; at += 1) {
      const data = { integrationId: 'sandbox', enabled: at % 2 === 1 };
      expect((await page.request.post('/api/integrations/toggle', { data })).ok()).toBe(true);
    }
  };
  await act(60);
  const { events } = await (await page.request.get('/api/audit?limit=200')).json();
  await page.goto('/audit');
  await page.getByRole('button', { name: 'Show older rows' }).click();
  const cells = page.getByRole('region', { name: 'Audit' }).locator('tbody td:first-child');
  const numbers = async () => (await cells.allTextContents()).map(Number);
  await expect.poll(async () => (await numbers()).length).toBe(events.length);
  await act(60);
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  const newest = events.length + 60;
  await expect.poll(async () => (await numbers())[0]).toBe(newest);
  const shown = await numbers();
  expect(shown).toEqual(shown.map((_, at) => newest - at));
});
