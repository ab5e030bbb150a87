import { expectAccessible } from './expectAccessible.ts';
import { expect, test } from './journey.ts';
import { arriveInPreferences, logIn, newEmail, PASSWORD } from './person.ts';

test('preferences are changed and stored', async ({ page }) => {
  await arriveInPreferences(page);
  const save = page.getByRole('button', { name: 'Save preferences' });
  await expect(save).toBeDisabled();
  await page.getByLabel('First name').fill('Adaeze');
  await page.getByLabel('Time zone').selectOption('Europe/Dublin');
  await page.getByLabel('What Arc may send to Slack').selectOption({ label: 'Full text' });
  const off = page.getByRole('group', { name: 'Days off' });
  const calendar = ['BEGIN:VEVENT', 'DTSTART;VALUE=DATE:20990102', 'SUMMARY:Second of January', 'END:VEVENT'].join(
    '\r\n',
  );
  await off
    .getByLabel('Calendar file')
    .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') });
  await expect(off.getByText('This file has no all-day events from the last year on.')).toBeVisible();
  const file = { name: 'scotland.ics', mimeType: 'text/calendar', buffer: Buffer.from(calendar) };
  await off.getByLabel('Calendar file').setInputFiles(file);
  await expect(off.getByText('1 day added.')).toBeVisible();
  await off.getByLabel('Day', { exact: true }).fill('2099-01-01');
  await off.getByLabel('Name').fill('Founders’ Day');
  await off.getByLabel('Name').press('Enter');
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
  await expect(page.getByLabel('What Arc may send to Slack')).toHaveValue('full');
  await expect(page.getByLabel('What Arc may send to Teams')).toHaveValue('reference-only');
  await expect(page.getByLabel('Registration number')).toHaveValue('2041234');
  await expect(off.getByRole('listitem')).toHaveText([/Founders’ Day 1 Jan 2099/, /Second of January 2 Jan 2099/]);
  await off.getByRole('button', { name: 'Remove Founders’ Day, 1 Jan 2099' }).click();
  await expect(off.getByRole('listitem')).toHaveCount(1);
  await expect(save).toBeEnabled();
  await expect(page.getByRole('button', { name: 'Account menu, Adaeze Okafor' })).toBeVisible();
});

test('the password is changed, another browser signed out, and a company is not left by its last owner', async ({
  page,
  browser,
}) => {
  const email = await arriveInPreferences(page);
  const other = await (await browser.newContext()).newPage();
  await logIn(other, email);

  await page.reload();
  const section = page.getByRole('region', { name: 'Your sign-in' });
  const sessions = section.getByRole('list', { name: 'Where you are signed in' }).getByRole('listitem');
  await expect(sessions).toHaveCount(2);
  await section.getByRole('button', { name: 'Change password' }).click();
  await section.getByLabel('Current password', { exact: true }).fill('wrong-horse-1');
  await section.getByLabel('New password', { exact: true }).fill('another-horse-2');
  await section.getByRole('button', { name: 'Change password' }).click();
  await expect(section.getByText('This is not your current password.')).toBeVisible();
  await expectAccessible(page, 'changing the password');
  await section.getByLabel('Current password', { exact: true }).fill(PASSWORD);
  await section.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('You are signed out everywhere else.')).toBeVisible();
  await expect(sessions).toHaveCount(1);
  await other.reload();
  await expect(other.getByRole('heading', { name: 'Dashboard' })).toBeHidden();

  await section.getByRole('button', { name: /^Leave the company / }).click();
  await section.getByRole('button', { name: /^Leave .* now$/ }).click();
  await expect(page.getByText('A company needs an owner')).toBeVisible();
});

test('a colleague is invited with a link, joins and sees the same account', async ({ page, browser }) => {
  await arriveInPreferences(page);
  await page.getByLabel('Invite by email').fill('no address');
  await page.getByRole('button', { name: 'Invite' }).click();
  await expect(page.getByText('Please enter a valid email address.')).toBeVisible();
  const email = newEmail();
  await page.getByLabel('Invite by email').fill(email);
  await page.getByLabel('Role', { exact: true }).selectOption({ label: 'Approver' });
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
  await page.getByLabel('Invite by email').fill(email);
  await page.getByRole('button', { name: 'Invite' }).click();
  await expect(page.getByText('Ben Hughes is a member already. Change their roles in the list above.')).toBeVisible();
  await page.getByRole('button', { name: 'Change the roles of Ben Hughes' }).click();
  const roles = page.getByRole('group', { name: 'Roles of Ben Hughes' });
  await expect(roles.getByLabel('Approver')).toBeChecked();
  await roles.getByLabel('Approver').uncheck();
  await roles.getByLabel('Deputy').check();
  await expectAccessible(page, 'changing roles');
  await roles.getByRole('button', { name: 'Save roles' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'Ben Hughes' })).toContainText('MemberDeputy');
  await page.getByRole('button', { name: 'Change the roles of Ada Okafor' }).click();
  const owner = page.getByRole('group', { name: 'Roles of Ada Okafor' });
  await owner.getByLabel('Owner').uncheck();
  await owner.getByRole('button', { name: 'Save roles' }).click();
  await expect(owner.getByRole('alert')).toContainText('A company needs an owner');
  await owner.getByRole('button', { name: 'Cancel' }).click();
  await page.reload();
  await page.getByRole('button', { name: 'Remove Ben Hughes' }).click();
  await page.getByRole('button', { name: 'Keep' }).click();
  await expect(page.getByText('Ben Hughes')).toBeVisible();
  await page.getByRole('button', { name: 'Remove Ben Hughes' }).click();
  await page.getByRole('button', { name: 'Remove Ben Hughes from the company' }).click();
  await expect(page.getByText('Ben Hughes')).toBeHidden();
  await other.context().close();
});

test('an access token is made with scopes, copied once, and revoked', async ({ page }) => {
  await arriveInPreferences(page);
  const form = page.getByRole('form', { name: 'Make an access token' });
  await expect(page.getByText('No program has access. Make a token for the first one.')).toBeVisible();
  await form.getByRole('button', { name: 'Make token' }).click();
  await expect(form.getByText('Name the program that will use it.')).toBeVisible();
  await form.getByLabel('Name of the program').fill('Release robot');
  await expect(form.getByText(/Whoever holds this token reads/)).toBeHidden();
  await form.getByLabel('Read analyses and their results').check();
  await expect(form.getByText(/Whoever holds this token reads/)).toBeVisible();
  await form.getByLabel('Expires in').selectOption({ label: '30 days' });
  await form.getByRole('button', { name: 'Make token' }).click();
  const secret = (await page.getByText(/^arc_[\w-]{43}$/).textContent()) ?? '';
  await expect(page.getByText(/^whsec_/)).toBeVisible();
  await expectAccessible(page, 'a new access token');
  const asked = await page.request.get('/api/questions', { headers: { Authorization: `Bearer ${secret}` } });
  expect(asked.status()).toBe(200);
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await expect(page.getByText(secret)).toBeHidden();
  await page.reload();
  await expect(page.getByText(`…${secret.slice(-4)}`)).toBeVisible();
  await expect(page.getByText(/last used/)).toBeVisible();
  await page.getByRole('button', { name: 'Revoke Release robot' }).click();
  await page.getByRole('button', { name: 'Keep' }).click();
  await page.getByRole('button', { name: 'Revoke Release robot' }).click();
  await page.getByRole('button', { name: 'Revoke the token Release robot' }).click();
  await expect(page.getByText('No program has access.')).toBeVisible();
  const refused = await page.request.get('/api/questions', { headers: { Authorization: `Bearer ${secret}` } });
  expect(refused.status()).toBe(401);
});

test('an owner downloads everything of the company and then erases it', async ({ page }) => {
  const email = await arriveInPreferences(page);
  const section = page.getByRole('region', { name: 'Everything that Arc holds of your company' });
  await section.getByRole('button', { name: 'Export everything' }).click();
  const download = section.getByRole('link', { name: 'Download' });
  await expect(download).toBeVisible({ timeout: 30_000 });
  const [file] = await Promise.all([page.waitForEvent('download'), download.click()]);
  expect(file.suggestedFilename()).toMatch(/^Everything in Arc, [\d-]+\.jsonl\.gz$/);

  await section.getByRole('button', { name: 'Erase the company' }).click();
  const form = section.getByRole('form', { name: 'Erase Ada’s company' });
  await expect(form.getByText('Your own sign-in is deleted.')).toBeVisible();
  await expectAccessible(page, 'erasing the company');
  const erase = form.getByRole('button', { name: 'Erase for good' });
  await expect(erase).toBeDisabled();
  await form.getByLabel('Type Ada’s company or your email').fill(email);
  await form.getByLabel('Your password', { exact: true }).fill('wrong-horse-1');
  await erase.click();
  await expect(form.getByText('This is not your password.')).toBeVisible();
  await form.getByLabel('Your password', { exact: true }).fill(PASSWORD);
  await erase.click();
  // The page leaves by itself, once the answer is there.
  await page.waitForURL(({ pathname, hash }) => pathname === '/' && hash === '');
  await expect(page.getByRole('link', { name: 'Log in' }).first()).toBeVisible();
  await page.goto('/auth');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(page.getByText('Invalid email or password')).toBeVisible();
});
