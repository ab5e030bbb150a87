import { expect, type Page, test } from 'playwright/test';
import { signUp } from './person.ts';

const users = Array.from({ length: 45 }, (_, at) => ({
  id: at + 1,
  email: `user${at + 1}@northwind.test`,
  firstName: at === 1 ? null : 'Grace',
  lastName: at === 0 ? 'Hopper' : null,
  createdAt: at === 2 ? null : '2025-06-05T10:00:00.000Z',
  agentCount: at,
  integrationCount: 1,
  billingStatus: (['free', 'pro', 'premium'] as const)[at % 3],
  isAdmin: at === 0,
}));
const balances = [
  { id: 1, email: 'user1@northwind.test', tokensUsed: 49_500, tokensRemaining: 500 },
  { id: 2, email: 'user2@northwind.test', tokensUsed: 45_000, tokensRemaining: 5000 },
  { id: 3, email: 'user3@northwind.test', tokensUsed: 0, tokensRemaining: 50_000 },
];

/** The person of this browser becomes an administrator, in what the page is told. */
async function becomeAdmin(page: Page): Promise<void> {
  await page.route('**/api/auth/status', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { user: object | null };
    await route.fulfill({ json: { ...body, user: body.user ? { ...body.user, isAdmin: true } : null } });
  });
}

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

test('the users, twenty a page', async ({ page }) => {
  await signUp(page);
  await becomeAdmin(page);
  await page.route('**/api/admin/users/stats*', (route) =>
    route.fulfill({
      json: { users, total: users.length, paged: false, totals: { agents: 990, integrations: 45, admins: 1 } },
    }),
  );
  await page.goto('/');
  await page.getByRole('button', { name: /^Account menu/ }).click();
  await page.getByRole('menuitem', { name: 'Admin Dashboard' }).click();
  await expect(page.getByText('User management and analytics')).toBeVisible();
  for (const text of ['Registered users', 'Total hired agents', 'Total active integrations', 'Admin users']) {
    await expect(page.getByText(text, { exact: true })).toBeVisible();
  }
  const table = page.getByRole('region', { name: 'Users' });
  await expect(table.getByText('Grace Hopper')).toBeVisible();
  await expect(table.getByText('ID: 1', { exact: true })).toBeVisible();
  await expect(table.getByText('Jun 5, 2025').first()).toBeVisible();
  await expect(table.getByText('Unknown')).toBeVisible();
  await expect(page.getByText('Showing 1 to 20 of 45 users')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Previous' })).toBeDisabled();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByText('Showing 41 to 45 of 45 users')).toBeVisible();
  await expect(page.getByText('Page 3 of 3')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Next' })).toBeDisabled();
});

test('tokens are added to one user', async ({ page }) => {
  await signUp(page);
  await becomeAdmin(page);
  await page.route('**/api/admin/user-tokens', (route) => route.fulfill({ json: { users: balances } }));
  const sent: unknown[] = [];
  await page.route('**/api/admin/add-tokens', (route) => {
    sent.push(route.request().postDataJSON());
    return route.fulfill({ json: { success: true, message: 'Added 50,000 tokens to user1@northwind.test.' } });
  });
  await page.goto('/admin/tokens');
  await expect(page.getByRole('heading', { name: 'Token Management' })).toBeVisible();
  await expect(page.getByText('< 10,000 tokens')).toBeVisible();
  await expect(page.getByRole('region', { name: 'User Token Balances' })).toContainText('45,000');

  await page.getByRole('button', { name: 'Add Tokens' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add Tokens to User Account' });
  await dialog.getByRole('button', { name: 'Add Tokens' }).click();
  await expect(page.getByText('Please select a user and enter the number of tokens to add.')).toBeVisible();
  await dialog.getByLabel('User').selectOption({ label: 'user1@northwind.test (Current: 500 tokens)' });
  await dialog.getByLabel('Tokens to Add').fill('-5');
  await dialog.getByRole('button', { name: 'Add Tokens' }).click();
  await expect(page.getByText('Please enter a valid positive number of tokens.')).toBeVisible();
  await dialog.getByLabel('Tokens to Add').fill('50000');
  await dialog.getByRole('button', { name: 'Add Tokens' }).click();
  await expect(page.getByText('Tokens Added Successfully')).toBeVisible();
  await expect(page.getByText('Added 50,000 tokens to user1@northwind.test.')).toBeVisible();
  await expect(dialog).toBeHidden();
  expect(sent).toEqual([{ userId: 1, tokensToAdd: 50_000, requestId: expect.any(String) }]);
});

test('the channels say how they stand', async ({ page }) => {
  await page.goto('/slack-agent');
  await expect(page.getByRole('heading', { name: 'Authentication Required' })).toBeVisible();
  await signUp(page);
  await page.goto('/slack-agent');
  await expect(page.getByRole('heading', { name: 'Agent engine' })).toBeVisible();
  await expect(page.getByText('built-in engine')).toBeVisible();
  await page.goto('/teams-bot');
  await expect(page.getByText('Messaging endpoint', { exact: true })).toBeVisible();
  await expect(page.getByText('Not configured').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Download app package' })).toBeHidden();
});
