import { expect, test } from './journey.ts';
import { startOwnServer } from './ownServer.ts';
import { arrive, colourOf } from './person.ts';

/** @shows S1-2.10, S2-2.16, S2-2.17, /admin loading, /admin/tokens loading */
test('up to a thousand users are paged in the browser, and more by the server, which also sorts them', async ({
  page,
  backstageOf,
}) => {
  // A thousand users are created, on a server of their own.
  test.slow();
  const server = await startOwnServer();
  const backstage = await backstageOf(server.directory);
  try {
    const { email, accountId, userId } = await arrive(page, { origin: server.url });
    await backstage.makeAdmin(email);

    await test.step('tokens in three colours', async () => {
      const low = page.getByText('Low Token Users').locator('xpath=following-sibling::dd[1]');
      const remaining = page.getByRole('row').filter({ hasText: email }).getByRole('cell').nth(2).locator('span');
      for (const [tokens, colour, users] of [
        [999, '--arc-red', 1],
        [1000, '--arc-amber', 1],
        [9999, '--arc-amber', 1],
        [10_000, '--arc-green', 0],
      ] as const) {
        await backstage.leaveCredits(accountId, tokens);
        await page.goto(`${server.url}/admin/tokens`);
        await expect(remaining).toHaveText(tokens.toLocaleString('en-GB'));
        await expect(remaining).toHaveCSS('color', await colourOf(page, colour));
        await expect(low).toHaveText(String(users));
      }
    });

    await backstage.fillUsers(999);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/admin/users/stats')) asked.push(new URL(request.url()).search);
    });
    const next = page.getByRole('button', { name: 'Next' });
    const rows = page.getByRole('region', { name: 'Users' }).getByRole('row');

    await test.step('a thousand are paged in the browser, with a loading text', async () => {
      let read = () => {};
      const reading = new Promise<void>((resolve) => {
        read = resolve;
      });
      await page.route('**/api/admin/users/stats*', async (route) => {
        await reading;
        await route.continue();
      });
      await page.goto(server.url);
      await page.getByRole('button', { name: /^Account menu/ }).click();
      await page.getByRole('menuitem', { name: 'Admin Dashboard' }).click();
      await expect(page.getByRole('status', { name: 'Loading' }).first()).toBeVisible();
      read();
      await expect(page.getByText('Showing 1 to 20 of 1000 users')).toBeVisible();
      await next.click();
      await expect(page.getByText('Showing 21 to 40 of 1000 users')).toBeVisible();
      await expect(rows).toHaveCount(21);
      expect(asked.filter((search) => search.includes('page=2'))).toEqual([]);
    });

    await test.step('with one more, the server pages', async () => {
      await backstage.fillUsers(1, 1_000_999);
      await page.reload();
      await expect(page.getByText('Showing 1 to 20 of 1001 users')).toBeVisible();
      await next.click();
      await expect(page.getByText('Showing 21 to 40 of 1001 users')).toBeVisible();
      expect(asked.filter((search) => search.includes('page=2'))).not.toEqual([]);
      // A plan can be set for every one of them, not for those of this page alone.
      await page.getByRole('button', { name: 'Set a plan' }).click();
      const dialog = page.getByRole('dialog', { name: 'Set the plan of a company' });
      // By element: the role of each of a thousand options takes two seconds to tell.
      await expect(dialog.getByLabel('User').locator('option')).toHaveCount(1002, { timeout: 30_000 });
      await dialog.getByRole('button', { name: 'Cancel' }).click();
    });

    await test.step('tokens of a thousand users, with a loading text', async () => {
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route('**/api/admin/user-tokens', async (route) => {
        await held;
        await route.continue();
      });
      await page.goto(`${server.url}/admin/tokens`);
      await expect(page.getByText('Loading user token data...')).toBeVisible();
      release();
      const low = page.getByText('Low Token Users').locator('xpath=following-sibling::dd[1]');
      await expect(low).toHaveText('1,000', { timeout: 30_000 });
    });

    await backstage.fillUsers(44, 1_001_000);
    await page.goto(`${server.url}/admin`);

    await test.step('the columns of each user', async () => {
      await expect(page.getByRole('link', { name: 'Back to Home' })).toHaveAttribute('href', '/');
      for (const text of ['Registered users', 'Total hired agents', 'Total active integrations', 'Admin users'])
        await expect(page.getByText(text, { exact: true })).toBeVisible();
      await expect(page.getByText('Showing 1 to 20 of 1045 users')).toBeVisible();
      await expect(page.getByText('Page 1 of 53')).toBeVisible();
      const own = rows.filter({ hasText: 'Ada Okafor' });
      await expect(rows.nth(1)).toContainText('AOAda Okafor');
      await expect(rows.nth(2)).toContainText('PN');
      for (const [plan, billing, colour] of [
        ['trial', 'free', '--arc-ink-soft'],
        ['pro', 'pro', '--arc-blue'],
        ['enterprise', 'premium', '--arc-green'],
      ] as const) {
        await page.request.post(`${server.url}/api/admin/plan`, { data: { userId, plan } });
        await page.reload();
        const badge = own.getByText(billing, { exact: true });
        await expect(badge).toHaveCSS('color', await colourOf(page, colour));
      }
      await expect(own.getByText('Admin', { exact: true })).toHaveCSS('color', await colourOf(page, '--arc-accent'));
      await expect(rows.nth(2).getByText('User', { exact: true })).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
      await expect(rows.nth(2)).toContainText('ID: 1001043');
      await expect(rows.nth(2)).toContainText('Feb 13, 2025');
    });

    await test.step('the server pages and sorts', async () => {
      await expect(page.getByRole('button', { name: 'Previous' })).toBeDisabled();
      await next.click();
      await expect(page.getByText('Showing 21 to 40 of 1045 users')).toBeVisible();
      await expect(rows.nth(1)).toContainText('ID: 1001024');
      expect(asked.at(-1)).toContain('page=2');
      await page.getByLabel('Sort users by').selectOption({ label: 'By email' });
      await expect(page.getByText('Page 1 of 53')).toBeVisible();
      await expect(rows.nth(2)).toContainText('person-0000@filled.test');
      await page.getByLabel('Sort users by').selectOption({ label: 'Most agents first' });
      // Sorted over all users, not only the page: every one of the first twenty has an agent.
      await expect(rows.nth(1).getByRole('cell').nth(3)).toHaveText('1');
      await expect(rows.nth(20).getByRole('cell').nth(3)).toHaveText('1');
    });
  } finally {
    await server.stop();
  }
});
