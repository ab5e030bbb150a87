import type { Page } from 'playwright/test';
import { expectAccessible } from './expectAccessible.ts';
import { expect, test } from './journey.ts';
import { arrive, arriveAnalysed, arriveInPreferences, arriveWithReview, follow } from './person.ts';

// Each place is checked three times.
test.describe.configure({ timeout: 120_000 });
test.beforeEach(({ page }) => page.emulateMedia({ colorScheme: 'light' }));

/**
 * Opens an address, waits for its content, and checks it. Within the product it navigates by link, without a new
 * document, so that scripts and axe are loaded only once.
 */
async function look(page: Page, address: string, ready: string | RegExp): Promise<void> {
  const fromInside = page.url().startsWith('http') && !address.startsWith('/api/');
  const drawn = page.getByText(ready).filter({ visible: true });
  // The text that identifies the page must not be on the previous page.
  if (fromInside) await expect(drawn, `${address}, before`).toHaveCount(0);
  await (fromInside ? follow(page, address) : page.goto(address));
  await expect(drawn.first()).toBeVisible();
  await expectAccessible(page, address);
}

/** @shows page-1, page-2, page-3 */
test('the visitor’s pages are accessible in light, in dark and at 360 px', async ({ page }) => {
  await look(page, '/', 'Meet your candidates');
  await page.getByRole('button', { name: 'Hire Clara' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page, 'sign-up prompt');
  await page.evaluate(() => localStorage.clear());
  await look(page, '/auth', 'Welcome back');
  await look(page, '/auth?tab=signup', 'Create your account');
  await look(page, '/auth?tab=reset', 'Reset your password');
  await look(page, '/workspace', 'Authentication Required');
  await look(page, '/nowhere', 'Page Not Found');
  await look(page, '/privacy-policy', 'Last updated 28 June 2025');
  await look(page, '/terms-and-conditions', 'Last updated 17 June 2025');
  await look(page, '/api/docs', 'OpenAPI as JSON');
});

/** @shows page-1, page-2, page-3 */
test('the onboarding and an empty dashboard are accessible in light, in dark and at 360 px', async ({ page }) => {
  await arriveInPreferences(page);
  await expectAccessible(page, 'preferences');
  for (const step of ['preferences', 'team']) {
    await page.request.post('/api/user/onboarding/update', { data: { step, completed: true } });
  }
  // The page may have been notified of these steps and moved on already, so it is opened again.
  await page.goto('about:blank');
  await look(page, '/#integrations', 'Setup Your Agent Workspace');
  // Leave before another person signs in, because an open page would say that its session has ended.
  await page.goto('about:blank');
  await page.context().clearCookies();
  await arrive(page);
  await look(page, '/#chat', 'Talk to your agents');
  await look(page, '/slack-agent', 'Agent engine');
  await look(page, '/teams-bot', 'Features');
  await look(page, '/admin', 'Access Denied');
});

/** @shows page-1, page-2, page-3 */
test('the dashboard and administration are accessible in light, in dark and at 360 px', async ({ page, backstage }) => {
  const { accountId, email } = await arriveAnalysed(page);
  await look(page, '/#chat', 'Findings to fix');
  await look(page, '/#team', 'Your team');
  await look(page, '/#integrations', 'Communication');
  await look(page, '/#billing', 'Plans');
  await look(page, '/#preferences', 'Members');
  await backstage.makeAdmin(email);
  await look(page, '/admin', 'All registered users and their activity summary');
  await look(page, '/admin/tokens', 'User Token Balances');
  await page.getByRole('button', { name: 'Add Tokens' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page, 'add tokens');
  await backstage.trialEndsIn(accountId, -1);
  await look(page, '/', 'Your trial is over');
});

/** @shows page-1, page-2, page-3 */
test('a review and the inbox are accessible in light, in dark and at 360 px', async ({ page, backstage }) => {
  const { accountId, agentId } = await arriveWithReview(page);
  await page.getByRole('button', { name: /^Review \d+/ }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page, 'review');
  await backstage.ask(accountId, agentId, {
    interruptType: 'project_preview',
    prompt: 'Does this layout fit?',
    options: [{ id: 'edit', label: 'Change something', action: 'edit' }],
    context: {
      components: [{ name: 'Title', type: 'heading' }],
      style_options: [{ name: 'Calm', description: 'Warm greys.', colors: ['#08574f', '#faf9f7'] }],
    },
  });
  await look(page, '/agent-inbox', 'Does this layout fit?');
  await look(page, '/arc-chat', 'Files for the analysis');
  await page.getByRole('button', { name: /^Account menu/ }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await expectAccessible(page, 'user menu');
});

/** @shows page-1, page-2, page-3 */
test('a result is accessible in light, in dark and at 360 px', async ({ page }) => {
  await arriveAnalysed(page);
  await look(page, '/workspace?tab=tools', 'Agent Workspace');
  const card = page.getByRole('article', { name: 'Clinical safety officer' });
  await card.getByRole('tab', { name: 'Workspace' }).click();
  for (const tab of ['Overview', 'Findings', 'Hazards', 'Tickets', 'Proposed']) {
    const result = page.getByRole('region', { name: 'Latest hazard analysis' });
    await result.getByRole('tab', { name: tab }).click();
    await expect(result.getByRole('tabpanel', { name: tab })).toBeVisible();
    await expectAccessible(page, `result, ${tab}`);
  }
  await card.getByRole('tab', { name: 'Tools' }).click();
  await expectAccessible(page, 'tools');
});
