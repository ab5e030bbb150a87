import { expect, test } from './journey.ts';
import { arriveNew, newEmail, PASSWORD } from './person.ts';

test('preferences are changed and stored', async ({ page }) => {
  await arriveNew(page);
  const save = page.getByRole('button', { name: 'Save preferences' });
  await expect(save).toBeDisabled();
  await page.getByLabel('First name').fill('Adaeze');
  await page.getByLabel('Time zone').selectOption('Europe/Dublin');
  await page.getByRole('switch', { name: 'Quiet hours: no reminders' }).press('Space');
  await page.getByLabel('From').fill('19:00');
  await page.getByLabel('What Arc may send to Slack').selectOption({ label: 'Full text' });
  await page.getByRole('switch', { name: 'A registered clinician signs clinical documents' }).press('Space');
  await save.click();
  await expect(page.getByText('The preferences were not saved')).toBeVisible();
  await page.getByLabel('Profession').fill('Pharmacist');
  await page.getByLabel('Register', { exact: true }).fill('GPhC');
  await page.getByLabel('Registration number').fill('2041234');
  await save.click();
  await expect(page.getByText('Preferences saved')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('First name')).toHaveValue('Adaeze');
  await expect(page.getByLabel('Time zone')).toHaveValue('Europe/Dublin');
  await expect(page.getByLabel('From')).toHaveValue('19:00');
  await expect(page.getByLabel('What Arc may send to Slack')).toHaveValue('full');
  await expect(page.getByLabel('What Arc may send to Teams')).toHaveValue('reference-only');
  await expect(page.getByLabel('Registration number')).toHaveValue('2041234');
  await expect(page.getByRole('button', { name: 'Account menu, Adaeze Okafor' })).toBeVisible();
});

test('a colleague is invited with a link, joins and sees the same account', async ({ page, browser }) => {
  await arriveNew(page);
  await page.getByLabel('Invite by email').fill('no address');
  await page.getByRole('button', { name: 'Invite' }).click();
  await expect(page.getByText('Please enter a valid email address.')).toBeVisible();
  const email = newEmail();
  await page.getByLabel('Invite by email').fill(email);
  await page.getByLabel('Role').selectOption({ label: 'Approver' });
  await page.getByRole('button', { name: 'Invite' }).click();
  const link = page.getByText(/\/auth\?invitation=/);
  await expect(link).toBeVisible();

  const other = await (await browser.newContext()).newPage();
  await other.goto((await link.textContent()) ?? '');
  await expect(other.getByText(`You are invited as ${email}.`)).toBeVisible();
  await other.getByLabel('First name').fill('Ben');
  await other.getByLabel('Last name').fill('Hughes');
  await other.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await other.getByRole('button', { name: 'Join' }).click();
  await expect(other.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
  await other.goto('/#preferences');
  await expect(other.getByText('Ada Okafor')).toBeVisible();
  await expect(other.getByRole('button', { name: 'Invite' })).toBeHidden();

  await page.reload();
  await expect(page.getByText('Ben Hughes')).toBeVisible();
  await page.getByRole('button', { name: 'Remove Ben Hughes' }).click();
  await page.getByRole('button', { name: 'Keep' }).click();
  await expect(page.getByText('Ben Hughes')).toBeVisible();
  await page.getByRole('button', { name: 'Remove Ben Hughes' }).click();
  await page.getByRole('button', { name: 'Remove Ben Hughes from the company' }).click();
  await expect(page.getByText('Ben Hughes')).toBeHidden();
  await other.context().close();
});
