import { expectAccessible } from './expectAccessible.ts';
import { expect, test } from './journey.ts';
import { arrive, register } from './person.ts';

/** @shows /admin no permission, /admin/tokens no permission, /admin/failures no permission, /admin/users/:id no permission */
test('somebody who is not an administrator is told so', async ({ page }) => {
  await register(page);
  for (const address of ['/admin/failures', '/admin/tokens', '/admin/users/1', '/admin']) {
    await page.goto(address);
    await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
    await expect(page.getByText('You need admin privileges to access this page.')).toBeVisible();
  }
  await page.getByRole('link', { name: 'Return to Home' }).click();
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
});

/** @shows S2-2.17, S2-5.4, S2-8.2, S2-8.3 */
test('an administrator adds tokens to one user', async ({ page, backstage }) => {
  const { email } = await arrive(page);
  await page.goto('/admin');
  await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
  // Within a second and without a reload, because the server notifies the page.
  await backstage.makeAdmin(email);
  await expect(page.getByText('User management and analytics')).toBeVisible();
  const users = page.getByRole('region', { name: 'Users', exact: true });
  await page.getByRole('textbox', { name: 'Search users' }).fill(`okafor ${email.slice(0, 12)}`);
  await expect(users.getByRole('row')).toHaveCount(2);
  await expect(users).toContainText(email);
  await page.getByRole('textbox', { name: 'Search users' }).fill('nobody-has-this');
  await expect(page.getByText('No user has these words in name or email.')).toBeVisible();
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
  const balance = await page.request.get('/api/user/tokens/balance');
  expect((await balance.json()).balance).toMatchObject({ tokensRemaining: 100_000 });

  // The server's refusal is shown in its own words.
  await page.getByRole('button', { name: 'Add Tokens' }).click();
  await dialog.getByLabel('User').selectOption({ label: `${email} (Current: 100,000 tokens)` });
  await dialog.getByLabel('Tokens to Add').fill('1000000001');
  await dialog.getByRole('button', { name: 'Add Tokens' }).click();
  await expect(page.getByText('Please enter at most 1,000,000,000 tokens.')).toBeVisible();
  await dialog.getByLabel('Tokens to Add').fill('1000000000');
  await dialog.getByRole('button', { name: 'Add Tokens' }).click();
  // More than a million is asked about once; another number is asked about again.
  await expect(dialog.getByText('Add 1,000,000,000 tokens?')).toBeVisible();
  await dialog.getByLabel('Tokens to Add').fill('1000001');
  await dialog.getByRole('button', { name: 'Add Tokens' }).click();
  await expect(dialog.getByRole('button', { name: 'Yes, add 1,000,001' })).toBeVisible();
  const refused = { error: 'The account is being erased.', code: 'conflict' };
  await page.route('**/api/admin/add-tokens', (route) => route.fulfill({ status: 409, json: refused }));
  await dialog.getByRole('button', { name: 'Yes, add 1,000,001' }).click();
  await expect(page.getByText('Error Adding Tokens')).toBeVisible();
  await expect(page.getByText(refused.error)).toBeVisible();
  await expect(page.getByText('Failed to add tokens')).toBeHidden();
  // A lost connection has no server text, so the specification's words are shown, and the typed text stays.
  await page.route('**/api/admin/add-tokens', (route) => route.abort());
  await dialog.getByRole('button', { name: /^Yes, add / }).click();
  await expect(page.getByText('Failed to add tokens')).toBeVisible();
  await expect(dialog.getByLabel('Tokens to Add')).toHaveValue('1000001');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
});

/** @shows S2-8.2, /admin error, /admin/tokens error, /admin/failures error, /admin/users/:id error */
test('data that can’t be loaded says so', async ({ page, backstage }) => {
  const { email } = await arrive(page);
  await backstage.makeAdmin(email);
  for (const [call, path, text] of [
    ['**/api/admin/users/stats*', '/admin', 'Failed to fetch users'],
    ['**/api/admin/user-tokens', '/admin/tokens', 'Failed to fetch user tokens'],
    ['**/api/admin/failures', '/admin/failures', 'The failures could not be loaded'],
    ['**/api/admin/users/1', '/admin/users/1', 'This could not be loaded'],
  ] as const) {
    await page.route(call, (route) => route.fulfill({ status: 500, json: { error: 'no', code: 'internal' } }));
    await page.goto(path);
    await expect(page.getByText(text)).toBeVisible();
  }
});

/** @shows /admin/failures loading, /admin/failures empty */
test('an administrator has what failed tried again', async ({ page, backstage }) => {
  const { email, accountId } = await arrive(page);
  await backstage.makeAdmin(email);
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/admin/failures', async (route) => {
    await held;
    await route.fulfill({ json: { failures: [], total: 0 } });
  });
  await page.goto('/admin/failures');
  await expect(page.getByRole('heading', { name: 'What failed' })).toBeVisible();
  await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible();
  answer();
  await expect(page.getByText('Nothing has failed.')).toBeVisible();
  await page.unroute('**/api/admin/failures');

  const error = `channel_not_found ${accountId}`;
  await backstage.failDelivery(accountId, error);
  await page.goto('/admin');
  await page.getByRole('link', { name: 'What failed' }).click();
  const row = page.getByRole('row').filter({ hasText: error });
  await expect(row).toContainText('After 12 attempts.');
  await expectAccessible(page, 'what failed');
  await row.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('Trying again')).toBeVisible();
  await expect(row).toHaveCount(0);

  const other = `is_archived ${accountId}`;
  await backstage.failDelivery(accountId, other);
  await page.reload();
  const dropped = page.getByRole('row').filter({ hasText: other });
  await dropped.getByRole('button', { name: /^Drop/ }).click();
  await dropped.getByRole('button', { name: /^Drop for good/ }).click();
  await expect(dropped).toHaveCount(0);
});

/** @shows /admin/users/:id loading, /admin/users/:id empty */
test('an administrator looks at one user and signs them out', async ({ page, browser, backstage }) => {
  const { email } = await arrive(page);
  await backstage.makeAdmin(email);
  const other = await (await browser.newContext()).newPage();
  const them = await register(other);
  await page.goto('/admin');
  await page.getByRole('textbox', { name: 'Search users' }).fill(them);
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/admin/users/*', async (route) => {
    if (!route.request().url().includes('stats')) await held;
    await route.continue();
  });
  await page.getByRole('row').filter({ hasText: them }).getByRole('link', { name: 'Ada Okafor' }).click();
  await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible();
  answer();
  await expect(page.getByRole('heading', { name: 'Ada Okafor', level: 1 })).toBeVisible();
  for (const text of [
    'No agent is hired.',
    'No work has been started.',
    'Nothing was ever connected.',
    'Nothing has failed.',
  ])
    await expect(page.getByText(text)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Companies' })).toContainText('Owner');
  await expect(page.getByRole('region', { name: 'Credits granted' })).toContainText('50,000');
  await expectAccessible(page, 'a user');
  await page.getByRole('button', { name: 'Sign out everywhere Ada Okafor' }).click();
  await page.getByRole('button', { name: 'Sign Ada Okafor out everywhere now' }).click();
  await expect(page.getByText('Not signed in anywhere.')).toBeVisible();
  expect((await (await other.request.get('/api/auth/status')).json()).authenticated).toBe(false);
  await other.context().close();
  await page.goto('/admin/users/987654321');
  await expect(page.getByRole('heading', { name: 'There is no such user' })).toBeVisible();
});

/** @shows S2-2.13, S2-2.14, /slack-agent empty, /teams-bot empty */
test('the channels show their state', async ({ page }) => {
  await page.goto('/slack-agent');
  await expect(page.getByRole('heading', { name: 'Authentication Required' })).toBeVisible();
  await register(page);
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
  // A channel that is not configured is not a fault, so it is grey, as on the Slack page.
  await expect(page.getByText('Microsoft Teams is not configured', { exact: true })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Download app package' })).toBeHidden();
  // The next step is possible here: no text refers to a missing section, or to an address that Teams can't reach.
  await expect(page.getByText(/Teams only reaches https addresses: the administrator sets BASE_URL/)).toBeVisible();
  await expect(page.getByText(/its own registration, enter it below/)).toBeHidden();
});
