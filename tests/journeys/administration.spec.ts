import { expect, type Page, test } from 'playwright/test';
import { type Backstage, openBackstage, startOwnServer } from './backstage.ts';
import { type Arrived, arrive, colourOf, signUp } from './person.ts';

/** @shows /admin signed out, /admin no permission, /admin/tokens signed out, /admin/tokens no permission */
test('who is not an administrator is told so', async ({ page }) => {
  for (const address of ['/admin', '/admin/tokens']) {
    await page.goto(address);
    await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
    await expect(page.getByText('You need admin privileges to access this page.')).toBeVisible();
  }
  await signUp(page);
  await page.goto('/admin');
  await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
  await page.getByRole('link', { name: 'Return to Home' }).click();
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
});

test.describe('of more than a thousand users', () => {
  // One server for them all: they stay in one worker.
  test.describe.configure({ mode: 'default' });
  let server: Awaited<ReturnType<typeof startOwnServer>>;
  let backstage: Backstage;
  test.beforeAll(async () => {
    server = await startOwnServer();
    backstage = await openBackstage(server.directory);
    await backstage.fillUsers(1044);
  });
  test.afterAll(async () => {
    await backstage.close();
    await server.stop();
  });

  /** An administrator of the server, as `npm run admin -- grant` makes one while it runs. */
  async function administrator(page: Page): Promise<Arrived> {
    const person = await arrive(page, { origin: server.url });
    await page.goto(`${server.url}/admin`);
    await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
    await backstage.makeAdmin(person.email);
    // Within a second, without a reload: the server hears of it and tells the page.
    await expect(page.getByText('User management and analytics')).toBeVisible();
    return person;
  }

  /** @shows S2-2.16 */
  test('the server pages and sorts them', async ({ page }) => {
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/admin/users/stats')) asked.push(new URL(request.url()).search);
    });
    const { userId } = await administrator(page);
    await expect(page.getByRole('link', { name: 'Back to Home' })).toHaveAttribute('href', '/');
    for (const text of ['Registered users', 'Total hired agents', 'Total active integrations', 'Admin users']) {
      await expect(page.getByText(text, { exact: true })).toBeVisible();
    }
    const table = page.getByRole('region', { name: 'Users' });
    const rows = table.getByRole('row');
    await expect(page.getByText('Showing 1 to 20 of 1045 users')).toBeVisible();
    await expect(page.getByText('Page 1 of 53')).toBeVisible();
    const own = rows.filter({ hasText: 'Ada Okafor' });
    await expect(rows.nth(1)).toContainText('AOAda Okafor');
    await expect(rows.nth(2)).toContainText('PN');
    for (const [plan, billing, colour] of [
      ['trial', 'free', '--arc-ink-soft'],
      ['pro', 'pro', '--arc-accent'],
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
    await expect(page.getByRole('button', { name: 'Previous' })).toBeDisabled();
    await page.getByRole('button', { name: 'Next' }).click();
    await expect(page.getByText('Showing 21 to 40 of 1045 users')).toBeVisible();
    await expect(rows.nth(1)).toContainText('ID: 1001024');
    expect(asked.at(-1)).toContain('page=2');

    await page.getByLabel('Sort users by').selectOption({ label: 'By email' });
    await expect(page.getByText('Page 1 of 53')).toBeVisible();
    await expect(rows.nth(2)).toContainText('person-0000@filled.test');
    await page.getByLabel('Sort users by').selectOption({ label: 'Most agents first' });
    // Of all users, not of the page at hand: every one of the first twenty has an agent.
    await expect(rows.nth(1).getByRole('cell').nth(3)).toHaveText('1');
    await expect(rows.nth(20).getByRole('cell').nth(3)).toHaveText('1');
  });

  /** @shows S2-2.17, S2-5.4, S2-8.2, S2-8.3 */
  test('tokens are added to one user', async ({ page }) => {
    const { email } = await administrator(page);
    await page.getByRole('link', { name: 'Manage Tokens' }).click();
    await expect(page.getByRole('heading', { name: 'Token Management' })).toBeVisible();
    await expect(page.getByText('Manage user API token credits')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Back to Admin' })).toHaveAttribute('href', '/admin');
    await expect(page.getByText('< 10,000 tokens')).toBeVisible();
    for (const name of ['User ID', 'Email', 'Tokens Remaining', 'Tokens Used', 'Total Granted']) {
      await expect(page.getByRole('columnheader', { name })).toBeVisible();
    }
    await page.getByRole('button', { name: 'Add Tokens' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add Tokens to User Account' });
    await expect(
      dialog.getByText('Select a user and specify the number of tokens to add to their account.'),
    ).toBeVisible();
    await dialog.getByRole('button', { name: 'Add Tokens' }).click();
    await expect(page.getByText('Validation Error')).toBeVisible();
    await expect(page.getByText('Please select a user and enter the number of tokens to add.')).toBeVisible();
    await expect(dialog.getByLabel('User').locator('option').first()).toHaveText('Choose a user...');
    await expect(dialog.getByPlaceholder('50000')).toBeVisible();
    await dialog.getByLabel('User').selectOption({ label: `${email} (Current: 50,000 tokens)` });
    await dialog.getByLabel('Tokens to Add').fill('-5');
    await dialog.getByRole('button', { name: 'Add Tokens' }).click();
    await expect(page.getByText('Invalid Token Amount')).toBeVisible();
    await expect(page.getByText('Please enter a valid positive number of tokens.')).toBeVisible();
    await dialog.getByLabel('Tokens to Add').fill('50000');
    let add = () => {};
    const pressed = new Promise<void>((resolve) => {
      add = resolve;
    });
    await page.route('**/api/admin/add-tokens', async (route) => {
      await pressed;
      await route.continue();
    });
    await dialog.getByRole('button', { name: 'Add Tokens' }).click();
    await expect(dialog.getByRole('button', { name: 'Adding...' })).toBeDisabled();
    add();
    await expect(page.getByText('Tokens Added Successfully')).toBeVisible();
    await expect(page.getByText(`Added 50,000 tokens to ${email}. 100,000 remain.`)).toBeVisible();
    await expect(dialog).toBeHidden();
    const balance = await page.request.get(`${server.url}/api/user/tokens/balance`);
    expect((await balance.json()).balance).toMatchObject({ tokensRemaining: 100_000 });

    // A refusal of the server is said in its own words.
    await page.getByRole('button', { name: 'Add Tokens' }).click();
    await dialog.getByLabel('User').selectOption({ label: `${email} (Current: 100,000 tokens)` });
    await dialog.getByLabel('Tokens to Add').fill('99999999999');
    await dialog.getByRole('button', { name: 'Add Tokens' }).click();
    await expect(page.getByText('Error Adding Tokens')).toBeVisible();
    await expect(page.getByText('Failed to add tokens')).toBeHidden();
    // A line that is cut has none: the specification's own words, and what was typed stays.
    await page.route('**/api/admin/add-tokens', (route) => route.abort());
    await dialog.getByRole('button', { name: 'Add Tokens' }).click();
    await expect(page.getByText('Failed to add tokens')).toBeVisible();
    await expect(dialog.getByLabel('Tokens to Add')).toHaveValue('99999999999');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toBeHidden();
  });

  /** @shows S2-8.2, /admin error, /admin/tokens error */
  test('what can not be read says so', async ({ page }) => {
    await administrator(page);
    for (const [call, path, text] of [
      ['**/api/admin/users/stats*', '/admin', 'Failed to fetch users'],
      ['**/api/admin/user-tokens', '/admin/tokens', 'Failed to fetch user tokens'],
    ] as const) {
      await page.route(call, (route) => route.fulfill({ status: 500, json: { error: 'no', code: 'internal' } }));
      await page.goto(`${server.url}${path}`);
      await expect(page.getByText(text)).toBeVisible();
    }
  });
});

/** @shows S1-2.10, S2-2.16, S2-2.17, /admin loading, /admin/tokens loading */
test('up to a thousand users are paged here, and from there on by the server', async ({ page }) => {
  const server = await startOwnServer();
  const backstage = await openBackstage(server.directory);
  try {
    const { email, accountId } = await arrive(page, { origin: server.url });
    await backstage.makeAdmin(email);
    await backstage.fillUsers(999);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/admin/users/stats')) asked.push(new URL(request.url()).search);
    });
    // What is said while the users are read.
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
    const next = page.getByRole('button', { name: 'Next' });
    await expect(page.getByText('Showing 1 to 20 of 1000 users')).toBeVisible();
    await next.click();
    await expect(page.getByText('Showing 21 to 40 of 1000 users')).toBeVisible();
    await expect(page.getByRole('region', { name: 'Users' }).getByRole('row')).toHaveCount(21);
    expect(asked.filter((search) => search.includes('page=2'))).toEqual([]);
    await backstage.fillUsers(1, 1_000_999);
    await page.reload();
    await expect(page.getByText('Showing 1 to 20 of 1001 users')).toBeVisible();
    await next.click();
    await expect(page.getByText('Showing 21 to 40 of 1001 users')).toBeVisible();
    expect(asked.filter((search) => search.includes('page=2'))).not.toEqual([]);

    // Tokens: what is said while they are read, and the three colours with their borders.
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
    const remaining = page.getByRole('row').filter({ hasText: email }).getByRole('cell').nth(2).locator('span');
    for (const [tokens, colour, users] of [
      [999, '--arc-red', 1],
      [1000, '--arc-amber', 1],
      [9999, '--arc-amber', 1],
      [10_000, '--arc-green', 0],
    ] as const) {
      await backstage.leaveCredits(accountId, tokens);
      await page.reload();
      await expect(remaining).toHaveText(tokens.toLocaleString('en-GB'));
      await expect(remaining).toHaveCSS('color', await colourOf(page, colour));
      await expect(low).toHaveText((1000 + users).toLocaleString('en-GB'));
    }
  } finally {
    await backstage.close();
    await server.stop();
  }
});

/** @shows S2-2.13, S2-2.14, /slack-agent empty, /teams-bot empty */
test('the channels say how they stand', async ({ page }) => {
  await page.goto('/slack-agent');
  await expect(page.getByRole('heading', { name: 'Authentication Required' })).toBeVisible();
  await signUp(page);
  await page.goto('/slack-agent');
  for (const name of ['Connection', 'Agent engine', 'Capabilities', 'Slack app configuration', 'Examples']) {
    await expect(page.getByRole('heading', { name, exact: true })).toBeVisible();
  }
  await expect(page.getByText('built-in engine')).toBeVisible();
  await page.getByRole('button', { name: 'Test connection' }).click();
  await expect(page.getByText('Slack is not configured', { exact: true })).toBeVisible();
  await page.goto('/teams-bot');
  for (const name of ['Status', 'Agent engine', 'Setup', 'Features']) {
    await expect(page.getByRole('heading', { name, exact: true })).toBeVisible();
  }
  await expect(page.getByText('Messaging endpoint', { exact: true })).toBeVisible();
  await expect(page.getByText('Not configured').first()).toBeVisible();
  // What is not configured is no fault: grey, as on the page of Slack.
  await expect(page.getByText('Microsoft Teams is not configured', { exact: true })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Download app package' })).toBeHidden();
  // What to do next is there to be done: nothing is said to be below that is not, nor an address that Teams can't reach.
  await expect(page.getByText(/Teams reaches https addresses only: the administrator sets BASE_URL/)).toBeVisible();
  await expect(page.getByText(/registration of its own enters it below/)).toBeHidden();
});
