import { expect, test } from './journey.ts';
import { arrive } from './person.ts';

test('an administrator sets a plan, and a company whose trial was over can work again', async ({
  page,
  browser,
  backstage,
}) => {
  const owner = await (await browser.newContext()).newPage();
  const { accountId, email } = await arrive(owner);
  await backstage.trialEndsIn(accountId, -1);
  await owner.goto('/workspace');
  await expect(owner.getByText('Your trial is over')).toBeVisible();

  const administrator = await arrive(page);
  await backstage.makeAdmin(administrator.email);
  await page.goto('/admin');
  await page.getByRole('button', { name: 'Set a plan' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set the plan of a company' });
  await dialog.getByRole('button', { name: 'Set plan' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Choose a user.');
  await dialog.getByLabel('User').selectOption({ label: email });
  await dialog.getByLabel('Plan').selectOption({ label: 'Pro' });
  await dialog.getByLabel('Last day (optional)').fill('2020-01-01');
  await dialog.getByRole('button', { name: 'Set plan' }).click();
  await expect(dialog.getByLabel('Last day (optional)')).toHaveAttribute('aria-invalid', 'true');
  await dialog.getByLabel('Last day (optional)').fill('');
  await dialog.getByRole('button', { name: 'Set plan' }).click();
  await expect(page.getByText('Plan set')).toBeVisible();
  await expect(dialog).toBeHidden();

  await expect(owner.getByText('Your trial is over')).toBeHidden();
  await owner.context().close();
});

test('a member of two companies switches between them, and returns to the last one', async ({ page, browser }) => {
  const host = await (await browser.newContext()).newPage();
  const theirs = await arrive(host);
  const mine = await arrive(page);
  const invited = await host.request.post('/api/account/members', { data: { email: mine.email, roles: ['member'] } });
  const { link } = (await invited.json()).invitation;
  await page.goto(link);
  await page.getByRole('button', { name: /^(Join|Accept)/ }).click();
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();

  const accountNow = async () => (await (await page.request.get('/api/auth/status')).json()).user?.accountId as number;
  const first = await accountNow();
  const other = first === mine.accountId ? theirs.accountId : mine.accountId;
  await page.getByRole('button', { name: /^Account menu/ }).click();
  await expect(page.getByText('Switch company')).toBeVisible();
  await expect(page.getByRole('menuitem', { name: /\(you are here\)$/ })).toBeDisabled();
  await page
    .getByRole('menuitem')
    .filter({ hasNotText: /you are here|Chat|Analyses|Inbox|My Workspace|Log out|Admin/ })
    .first()
    .click();
  await expect.poll(accountNow).toBe(other);
  await page.getByRole('button', { name: /^Account menu/ }).click();
  await expect(page.getByRole('menuitem', { name: /\(you are here\)$/ })).toBeVisible();
  await page.reload();
  expect(await accountNow()).toBe(other);
  await host.context().close();
});
