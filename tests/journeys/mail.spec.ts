import type { Page } from 'playwright/test';
import { expectAccessible } from './expectAccessible.ts';
import { expect, test } from './journey.ts';
import { newEmail, PASSWORD } from './person.ts';

async function fillSignUp(page: Page, url: string, email: string): Promise<void> {
  await page.goto(`${url}/auth?tab=signup`);
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Last name').fill('Okafor');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
}

/** @shows S1-2.18, S1-8.1, S1-5.3 */
test('sign-up goes form, code from the mail, account', async ({ page, channels }) => {
  const { codeFor, url } = channels;
  const email = newEmail();
  await fillSignUp(page, url, email);
  const code = await codeFor(email);
  const field = page.getByLabel(/code/i);
  const alert = page.getByRole('alert');
  const confirm = page.getByRole('button', { name: /confirm|verify/i });
  await field.fill('12');
  await confirm.click();
  await expect(alert).toContainText('Invalid code');
  await expect(alert).toContainText('Please enter the 6-digit confirmation code');
  await field.fill(code === '000000' ? '111111' : '000000');
  await confirm.click();
  await expect(alert).toContainText('Verification failed');
  await expect(alert).toContainText('Invalid or expired code');
  await field.fill(code);
  await confirm.click();
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
  await expect(page.getByText('Verified', { exact: true })).toBeVisible();
});

test('an undeliverable mail is reported, and the typed text stays', async ({ page, channels }) => {
  const { url } = channels;
  await fillSignUp(page, url, 'ada@refused.example');
  await expect(page.getByRole('alert').first()).toContainText('Failed to send confirmation');
  await expect(page.getByText('The mail server refused this address.').first()).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue('ada@refused.example');
  await expect(page.getByLabel('First name')).toHaveValue('Ada');
});

/** @shows S1-2.19, S1-5.3 */
test('a forgotten password is reset with the mailed code, and earlier sessions end', async ({
  page,
  browser,
  channels,
}) => {
  const { codeFor, smtp, url } = channels;
  const email = newEmail();
  await fillSignUp(page, url, email);
  await page.getByLabel(/code/i).fill(await codeFor(email));
  await page.getByRole('button', { name: /confirm|verify/i }).click();
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();

  const other = await (await browser.newContext()).newPage();
  await other.goto(`${url}/auth?tab=reset`);
  await other.getByLabel('Email').fill(email);
  await other.getByRole('button', { name: 'Send reset code' }).click();
  await expect(other.getByText('If an account exists with this email, a reset code has been sent.')).toBeVisible();
  await expect.poll(() => smtp.mails.filter(({ to }) => to === email).length).toBe(2);
  await other.getByLabel('Reset code').fill('12');
  await other.getByRole('button', { name: 'Set new password' }).click();
  await expect(other.getByRole('alert')).toContainText('Please enter the 6-digit confirmation code');
  const code = await codeFor(email);
  await other.getByLabel('Reset code').fill(code === '123456' ? '654321' : '123456');
  await other.getByLabel('New password').fill('safety-case-8');
  await other.getByRole('button', { name: 'Set new password' }).click();
  await expect(other.getByRole('alert')).toContainText('Verification failed');
  await expect(other.getByRole('alert')).toContainText('Invalid or expired code');
  await other.getByLabel('New password').fill('password1');
  await other.getByRole('button', { name: 'Set new password' }).click();
  await expect(other.getByRole('alert')).toContainText('Password too weak');
  await other.getByLabel('Reset code').fill(code);
  await other.getByLabel('New password').fill('safety-case-8');
  const set = other.waitForResponse((response) => response.url().includes('reset') && response.ok());
  await other.getByRole('button', { name: 'Set new password' }).click();
  await set;
  await expect(other.getByRole('alert')).toBeHidden();

  // The earlier session is over.
  await page.goto(`${url}/workspace`);
  await expect(page.getByRole('heading', { name: 'Authentication Required' })).toBeVisible();
  await page.getByRole('link', { name: 'Sign In' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('Invalid email or password');
  await page.getByLabel('Password', { exact: true }).fill('safety-case-8');
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Agent Workspace' })).toBeVisible();
  await other.context().close();
});

test('a colleague is invited by mail and joins with the link in it', async ({ page, browser, channels }) => {
  const { codeFor, mailTo, url } = channels;
  const email = newEmail();
  await fillSignUp(page, url, email);
  await page.getByLabel(/code/i).fill(await codeFor(email));
  await page.getByRole('button', { name: /confirm|verify/i }).click();
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
  // Members are invited once the first step is done.
  await page.request.post(`${url}/api/user/onboarding/update`, { data: { step: 'preferences', completed: true } });
  await page.goto(`${url}/#preferences`);
  await page.reload();
  const invited = newEmail();
  await page.getByLabel('Invite by email').fill(invited);
  await page.getByRole('button', { name: 'Invite' }).click();
  const link = await mailTo(invited, /(http:\/\/127\.0\.0\.1:\d+\/auth\?invitation=\S+)/);
  const other = await (await browser.newContext()).newPage();
  await other.goto(link.replace(/=3D/g, '='));
  await expect(other.getByText(`You are invited as ${invited}.`)).toBeVisible();
  await other.getByLabel('First name').fill('Ben');
  await other.getByLabel('Last name').fill('Hughes');
  await other.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await other.getByRole('button', { name: 'Join' }).click();
  await expect(other.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
  // The owner's page shows it without a reload.
  await expect(page.getByText('Ben Hughes')).toBeVisible();
  await other.goto(link.replace(/=3D/g, '='));
  await expect(other.getByText('This invitation can’t be used')).toBeVisible();
  await other.context().close();
});

/** @shows /unsubscribe/:token signed out, /unsubscribe/:token error, /unsubscribe/:token no permission */
test('mails on questions are chosen in Preferences, kept out of quiet hours, and stopped by the link in one', async ({
  page,
  browser,
  channels,
}) => {
  const { codeFor, mailTo, url } = channels;
  const email = newEmail();
  await fillSignUp(page, url, email);
  await page.getByLabel(/code/i).fill(await codeFor(email));
  await page.getByRole('button', { name: /confirm|verify/i }).click();
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
  await page.request.post(`${url}/api/user/onboarding/update`, { data: { step: 'preferences', completed: true } });
  await page.goto(`${url}/#preferences`);
  await page.reload();
  const mails = page.getByLabel('Mails about questions that wait for you');
  await expect(mails).toHaveValue('hourly');
  await mails.selectOption({ label: 'A mail for each question' });
  await page.getByLabel('Sat').check();
  await page.getByLabel('Work ends').fill('08:00');
  await page.getByLabel('Quiet hours').check();

  await expectAccessible(page, 'times and mails');
  const save = page.getByRole('button', { name: 'Save preferences' });
  await save.click();
  await expect(page.getByText('Choose an end that is later than the start.')).toBeVisible();
  await page.getByLabel('Work ends').fill('18:00');
  await save.click();
  await expect(page.getByText('Preferences saved')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Quiet until')).toHaveValue('07:00');
  await expect(page.getByLabel('Work ends')).toHaveValue('18:00');
  await page.getByLabel('Quiet hours').uncheck();
  await save.click();
  await expect(page.getByText('Preferences saved')).toBeVisible();

  const agent = { agentId: 'clinical_safety', tools: ['hazardanalysis'] };
  for (const step of ['hire', 'onboard']) await page.request.post(`${url}/api/user-agents/${step}`, { data: agent });
  const token = await page.request.post(`${url}/api/access-tokens`, {
    data: { name: 'n8n', scopes: ['questions:ask'], expiresInDays: 30 },
  });
  const { secret } = await token.json();
  const asked = await page.request.post(`${url}/api/questions`, {
    headers: { Authorization: `Bearer ${secret}` },
    data: { kind: 'approval', prompt: 'Release it?', idempotencyKey: 'one' },
  });
  expect(asked.status()).toBe(200);
  const link = await mailTo(email, /Stop these mails: (\S+)/);
  const other = await (await browser.newContext()).newPage();
  await other.goto(link);
  await expectAccessible(other, 'stopping mails');
  await other.context().setOffline(true);
  await other.getByRole('button', { name: 'Stop these mails' }).click();
  await expect(other.getByText('The mails were not stopped')).toBeVisible();
  await other.context().setOffline(false);
  await other.getByRole('button', { name: 'Stop these mails' }).click();
  await expect(other.getByRole('heading', { name: 'No more mails about questions' })).toBeVisible();
  await page.reload();
  await expect(mails).toHaveValue('never');
  await other.goto(link.slice(0, -2));
  await other.getByRole('button', { name: 'Stop these mails' }).click();
  await expect(other.getByRole('heading', { name: 'This link does not work' })).toBeVisible();
  await other.context().close();
});
