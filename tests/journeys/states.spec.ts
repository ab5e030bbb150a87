import type { Page } from 'playwright/test';
import { expect, test } from './journey.ts';
import { arrive, changeAnswer, register } from './person.ts';

/** Mocks the answer of one call; all others go to the real server. */
async function answer(page: Page, path: string | RegExp, body: unknown, status = 200): Promise<void> {
  const url = typeof path === 'string' ? `**${path}` : path;
  await page.route(url, (route) => route.fulfill({ status, json: body }));
}

/** @shows S1-2.8 */
test('while the account is loading the header shows a placeholder', async ({ page }) => {
  let release = () => {};
  const wait = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/auth/status', async (route) => {
    await wait;
    await route.continue();
  });
  await page.goto('/');
  await expect(page.getByText('Loading your account')).toBeAttached();
  release();
  await expect(page.getByRole('link', { name: 'Log in' })).toHaveAttribute('href', '/auth');
  await expect(page.getByRole('link', { name: 'Sign up' }).first()).toHaveAttribute('href', '/auth?tab=signup');
  await arrive(page);
  await page.reload();
  await expect(page.getByRole('banner').getByText('1 agent active · 0 waiting')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Account menu, Ada Okafor' })).toHaveText('A');
});

/** @shows S1-1.4, S1-2.12, S2-8.3, /workspace no permission, /arc-chat no permission */
test('the trial warns when it is nearly over, and blurs the dashboard when it is', async ({ page, backstage }) => {
  const { accountId, agentId } = await arrive(page);
  await backstage.trialEndsIn(accountId, 3);
  await page.goto('/');
  await expect(page.getByRole('region', { name: 'Chat' })).toBeVisible();
  await expect(page.getByText('3 days left in your trial')).toBeVisible();
  await backstage.trialEndsIn(accountId, 4);
  await expect(page.getByText(/left in your trial/)).toBeHidden();
  await backstage.trialEndsIn(accountId, 2);
  await expect(page.getByText('2 days left in your trial')).toBeVisible();
  await page.getByRole('button', { name: 'See plans' }).click();
  await expect(page.getByRole('tab', { name: 'Billing' })).toHaveAttribute('aria-selected', 'true');

  await backstage.ask(accountId, agentId, {
    interruptType: 'approval',
    prompt: 'Save the draft to the sandbox workspace?',
  });
  await backstage.trialEndsIn(accountId, -1);
  await expect(page.getByRole('heading', { name: 'Your trial is over' })).toBeVisible();
  for (const name of ['Preferences', 'Team', 'Integrations']) {
    await expect(page.getByRole('tab', { name })).toBeDisabled();
  }
  await expect(page.getByRole('tab', { name: 'Chat' })).toBeHidden();
  // Blurred content can't be reached, and the keyboard skips it.
  await expect(page.getByRole('region', { name: 'Credit history' })).toBeAttached();
  await page.getByRole('button', { name: 'Upgrade' }).focus();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Privacy Policy' })).toBeFocused();
  await page.getByRole('button', { name: 'Upgrade' }).click();
  await expect(page.getByRole('heading', { name: 'Plans' })).toBeVisible();
  // No payment provider is configured: every plan has its button, with the reason why it is disabled.
  for (const name of ['Choose Starter', 'Choose Pro']) {
    const choose = page.getByRole('button', { name });
    await expect(choose).toBeDisabled();
    await expect(choose).toHaveAccessibleDescription(/no payment provider is configured/);
  }

  // Existing data stays readable, and pending questions can be answered; new work is refused.
  await page.goto('/arc-chat');
  await expect(page.getByText('Your trial is over')).toBeVisible();
  await page.goto('/workspace');
  await expect(page.getByText('Your trial is over')).toBeVisible();
  await expect(page.getByRole('article', { name: 'Clinical safety officer' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'See plans' })).toHaveAttribute('href', '/#billing');
  await page.goto('/agent-inbox');
  await page.getByRole('radio', { name: 'Approve' }).check();
  await page.getByRole('button', { name: 'Send answer' }).click();
  await expect(page.getByText('Interrupt Resolved')).toBeVisible();
});

/** @shows S1-8.7, S1-9.2 */
test('credits have three levels, from the ledger', async ({ page, backstage }) => {
  const { accountId } = await arrive(page);
  await page.goto('/#billing');
  await expect(page.getByText('Good Balance')).toBeVisible();
  await expect(page.getByText('0 used of 50,000')).toBeVisible();
  for (const [remaining, level] of [
    [10_000, 'Good Balance'],
    [9999, 'Running Low'],
    [5000, 'Running Low'],
    [4999, 'Running Low'],
    [1000, 'Running Low'],
    [999, 'Low Credits'],
  ] as const) {
    await backstage.leaveCredits(accountId, remaining);
    await expect(page.getByText(`${(50_000 - remaining).toLocaleString('en-GB')} used of 50,000`)).toBeVisible();
    await expect(page.getByText(level)).toBeVisible();
    await expect(page.getByText(/^Work stops when credits run out/)).toHaveCount(remaining < 5000 ? 1 : 0);
  }
  await answer(page, '/api/user/tokens/balance', { error: 'no', code: 'internal' }, 500);
  await page.reload();
  await expect(page.getByText('Failed to fetch token balance')).toBeVisible();
});

test('without credits a question is answered with what is missing', async ({ page, backstage }) => {
  const { accountId } = await arrive(page);
  await backstage.leaveCredits(accountId, 5);
  await page.goto('/arc-chat');
  await page
    .getByRole('textbox', { name: 'Message' })
    .fill('What could go wrong when a dose is shown in the wrong unit?');
  await page.getByRole('textbox', { name: 'Message' }).press('Enter');
  await expect(page.getByText(/5 remain and 10 are needed/)).toBeVisible();
});

/** @shows S2-2.4 */
test('the inbox pages by three, and its badge counts to nine', async ({ page, backstage }) => {
  const { accountId, agentId } = await arrive(page);
  const ask = (number: number) =>
    backstage.ask(accountId, agentId, {
      interruptType: 'decision',
      prompt: `Which version is question ${number} about?`,
      options: ['Version 1.6', 'Version 1.7'],
    });
  for (let number = 1; number <= 9; number += 1) await ask(number);
  await page.goto('/workspace');
  for (const name of ['Agent inbox, 9 waiting', 'Inbox of Clara, 9 waiting'])
    await expect(page.getByRole('button', { name })).toHaveText('9');
  await ask(10);
  await expect(page.getByRole('button', { name: 'Inbox of Clara, 10 waiting' })).toHaveText('9+');
  await expect(page.getByRole('button', { name: 'Agent inbox, 10 waiting' })).toContainText('9+');
  await expect(page).toHaveTitle('(10) Agent Workspace · Arc');
  await page.getByRole('button', { name: 'Inbox of Clara, 10 waiting' }).click();
  const inbox = page.getByRole('dialog', { name: 'Agent Inbox - Clara' });
  await expect(inbox.getByText('Page 1 of 4')).toBeVisible();
  await expect(inbox.getByRole('article')).toHaveCount(3);
  await expect(inbox.getByRole('button', { name: 'Previous' })).toBeDisabled();
  await inbox.getByRole('button', { name: 'Next' }).click();
  await expect(inbox.getByText('Page 2 of 4')).toBeVisible();
  await inbox.getByRole('tab', { name: /Resolved/ }).click();
  await expect(inbox.getByText('Nothing answered yet')).toBeVisible();
  await inbox.getByRole('tab', { name: /Pending/ }).click();
  await expect(inbox.getByText('Page 1 of 4')).toBeVisible();
});

/** @shows S2-2.2, S2-2.12, S1-4.2 */
test('a tool that an agent needs is connected first, and switched on for that agent after the return', async ({
  page,
}) => {
  await register(page);
  for (const agentId of ['clinical_safety', 'mdr'])
    await page.request.post('/api/user-agents/hire', { data: { agentId } });
  await page.request.post('/api/user/onboarding/update', { data: { step: 'preferences', completed: true } });
  // No vendor can be configured in this version, so the server's answer about Google Drive is mocked.
  let authenticated = false;
  const drive = () => ({ authenticated, enabled: authenticated, error: null, configured: true });
  await changeAnswer(page, '**/api/oauth/status/all', (states: object) => ({ ...states, googledrive: drive() }));
  await page.route('**/api/oauth/status/googledrive', (route) => route.fulfill({ json: drive() }));
  const asked: URL[] = [];
  await page.route('**/api/oauth/google/authorize?*', (route) => {
    asked.push(new URL(route.request().url()));
    authenticated = true;
    const location = '/?oauth=success&service=googledrive&agent=clinical_safety#team';
    return route.fulfill({ status: 302, headers: { location } });
  });
  await page.goto('/#team');
  const clara = page.getByRole('article', { name: 'Clinical safety officer' });
  await clara.getByRole('button', { name: 'Onboard Clara' }).click();
  await expect(clara.getByRole('switch', { name: 'Google Drive' })).toBeEnabled();
  // A tool without a connection flow is switched in place.
  await clara.getByRole('switch', { name: 'Risk management' }).press('Space');
  await expect(clara.getByRole('switch', { name: 'Risk management' })).not.toBeChecked();
  expect(asked).toEqual([]);

  await clara.getByRole('switch', { name: 'Google Drive' }).press('Space');
  // What connecting means is said first; leaving the dialog changes nothing.
  const consent = page.getByRole('dialog', { name: 'Connect Google Drive' });
  await consent.getByRole('button', { name: 'Cancel' }).click();
  await expect(clara.getByRole('switch', { name: 'Google Drive' })).not.toBeChecked();
  expect(asked).toEqual([]);
  await clara.getByRole('switch', { name: 'Google Drive' }).press('Space');
  await consent.getByRole('button', { name: 'Connect' }).click();
  await expect(page.getByText('Google Drive is connected.')).toBeVisible();
  expect(asked.map(({ searchParams }) => searchParams.get('scope'))).toEqual(['drive']);
  await expect(clara.getByRole('switch', { name: 'Google Drive' })).toBeChecked();
  await expect(clara.getByRole('switch', { name: 'Google Docs' })).not.toBeChecked();
  expect(await page.evaluate(() => localStorage.getItem('arc.pendingToggle'))).toBeNull();
  const onboarded = page.waitForRequest('**/api/user-agents/onboard');
  await clara.getByRole('button', { name: 'Complete Onboarding' }).click();
  expect((await onboarded).postDataJSON().tools).toContain('googledrive');

  // Another agent's panel ignores what was not meant for it.
  await page.evaluate(() =>
    localStorage.setItem('arc.pendingToggle', '{"tool":"googledrive","agent":"clinical_safety","timestamp":1}'),
  );
  await page.reload();
  const marta = page.getByRole('article', { name: 'EU MDR technical file' });
  await marta.getByRole('button', { name: 'Onboard Marta' }).click();
  await expect(marta.getByRole('switch', { name: 'Risk management' })).toBeChecked();
  await expect(marta.getByRole('switch', { name: 'Google Drive' })).not.toBeChecked();
});

/** @shows S2-2.12 */
test('a broken connection is restored from its card, and a working one is ended there', async ({ page }) => {
  await arrive(page);
  // No vendor can be configured in this version, so the server's answer about two of them is mocked.
  const broken = { authenticated: false, enabled: true, configured: true };
  const error = 'Linear no longer renews the access. Connect it again to continue.';
  let notion = { ...broken, authenticated: true, error: null as string | null };
  await changeAnswer(page, '**/api/oauth/status/all', (states: object) => ({
    ...states,
    linear: { ...broken, error },
    notion,
  }));
  await page.goto('/#integrations');
  const linear = page.getByRole('article', { name: 'Linear' });
  await expect(linear.getByText('Error', { exact: true })).toBeVisible();
  await expect(linear.getByRole('alert')).toHaveText(error);
  await expect(linear.getByRole('button', { name: 'Disconnect' })).toBeVisible();

  const card = page.getByRole('article', { name: 'Notion' });
  await expect(card.getByText('Connected', { exact: true })).toBeVisible();
  await expect(card.getByRole('button', { name: 'Reconnect' })).toHaveCount(0);
  let revoked = true;
  await page.route('**/api/oauth/notion', (route) => {
    expect(route.request().method()).toBe('DELETE');
    notion = { ...notion, authenticated: false };
    return route.fulfill({ json: { success: true, revoked } });
  });
  const toast = page.getByRole('region', { name: 'Notifications (F8)' });
  await card.getByRole('button', { name: 'Disconnect' }).click();
  await expect(toast).toContainText('Integration Disconnected');
  await expect(toast).toContainText('Arc can’t reach Notion any more.');
  await expect(card.getByText('Not connected')).toBeVisible();
  await expect(card.getByRole('button')).toHaveCount(0);

  // A missing confirmation of the provider is reported, with the next step.
  notion = { ...notion, authenticated: true };
  revoked = false;
  await page.reload();
  await card.getByRole('button', { name: 'Disconnect' }).click();
  await expect(toast).toContainText('To be sure, remove Arc in the settings of Notion.');

  const asked = page.waitForRequest('**/api/oauth/linear/authorize');
  await page.route('**/api/oauth/linear/authorize', (route) => route.fulfill({ body: 'The page of the provider' }));
  await linear.getByRole('button', { name: 'Reconnect' }).click();
  await page.getByRole('dialog', { name: 'Connect Linear' }).getByRole('button', { name: 'Connect' }).click();
  await asked;
});

/** @shows S1-8.4 */
test('the return from a provider reports its outcome once', async ({ page }) => {
  await register(page);
  const toast = page.getByRole('region', { name: 'Notifications (F8)' });
  await page.goto('/?oauth=error&service=notion&error=access_denied');
  await expect(toast).toContainText('Authentication Failed');
  await expect(toast).toContainText('Failed to connect Notion. Please try again. The connection was not allowed.');
  await expect(page).toHaveURL('/');
  // Any address can claim a connection, so only what the server confirms is reported.
  await page.goto('/?oauth=success&service=googledrive#preferences');
  await expect(toast).toContainText('Failed to connect Google Drive. Please try again. Google Drive is not connected.');
  await expect(page).toHaveURL('/#preferences');
  await page.goto('/?oauth=success&service=sandbox');
  await expect(toast).toContainText('Integration Connected');
  await expect(toast).toContainText('Sandbox workspace is connected.');

  // The workspace handles both ways in which a provider returns.
  await page.goto('/workspace?error=access_denied&figmaToken=secret');
  await expect(toast).toContainText('Figma Connection Failed');
  await expect(toast).toContainText('The connection was not allowed.');
  await expect(page).toHaveURL('/workspace');
  await page.goto('/workspace?oauth=error&service=figma&error=not_configured');
  await expect(toast).toContainText('Authentication Failed');
  await expect(toast).toContainText('Failed to connect Figma. Please try again. Figma is not configured');
  await expect(page).toHaveURL('/workspace');
  await page.goto('/workspace?success=true');
  await expect(toast).toContainText('Figma Connection Failed');
  await expect(toast).toContainText('Figma is not connected.');
  await answer(page, '/api/oauth/status/figma', { authenticated: true, enabled: true, error: null, configured: true });
  await page.goto('/workspace?success=true&figmaToken=secret');
  await expect(toast).toContainText('Figma Connected!');
  await expect(page).toHaveURL('/workspace');
});
