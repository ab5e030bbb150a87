import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'playwright/test';
import { analyseSample, onboard, signUp } from './person.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const looks = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1280, height: 860 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 860 } },
  { name: '360px', colorScheme: 'light', viewport: { width: 360, height: 740 } },
] as const;

for (const look of looks) {
  test(`pictures of every page, ${look.name}`, async ({ browser }) => {
    const context = await browser.newContext({ colorScheme: look.colorScheme, viewport: look.viewport });
    const page = await context.newPage();
    const shot = async (name: string, fullPage = true) => {
      await page.waitForTimeout(350);
      await page.screenshot({ path: join(root, 'shots', look.name, `${name}.png`), fullPage });
    };
    const open = async (address: string, name: string, ready: string | RegExp) => {
      await page.goto(address);
      await expect(page.getByText(ready).first()).toBeVisible();
      await shot(name);
    };
    await open('/', 'landing', 'Meet your candidates');
    await page.getByRole('button', { name: 'Hire Clara' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await shot('landing-sign-up-prompt', false);
    await page.evaluate(() => localStorage.clear());
    await open('/auth', 'auth-log-in', 'Welcome back');
    await open('/auth?tab=signup', 'auth-sign-up', 'Create your account');
    await open('/auth?tab=reset', 'auth-reset', 'Reset your password');
    await open('/workspace', 'signed-out', 'Authentication Required');
    await open('/no-such-place', 'not-found', 'Page Not Found');
    await open('/privacy-policy', 'privacy-policy', 'Last updated');
    await open('/terms-and-conditions', 'terms-and-conditions', 'Last updated');

    await signUp(page);
    await shot('onboarding-preferences');
    await onboard(page);
    await open('/#chat', 'chat-empty', 'Talk to your agents');
    await open('/workspace', 'workspace-overview', 'Agent Workspace');
    await open('/arc-chat', 'arc-chat-empty', 'Talk to your agents');
    await analyseSample(page);
    await shot('arc-chat-result');
    await page.getByRole('button', { name: 'Show the evidence' }).click();
    await shot('arc-chat-evidence');
    await page.getByRole('button', { name: /^Agent inbox, / }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await shot('inbox-dialog', false);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Review \d+/ }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await shot('review', false);
    await page.getByRole('dialog').getByRole('button', { name: 'Edit' }).first().click();
    await shot('review-edit', false);
    await open('/agent-inbox', 'agent-inbox', 'Pending');
    await open('/#team', 'team', 'Your team');
    await open('/#integrations', 'integrations', 'Communication');
    await open('/#billing', 'billing', 'Plans');
    await open('/#preferences', 'preferences', 'Members');
    await open('/slack-agent', 'slack-agent', 'Agent engine');
    await open('/teams-bot', 'teams-bot', 'Features');
    await open('/admin', 'access-denied', 'Access Denied');
    await page.goto('/workspace');
    const card = page.getByRole('article', { name: 'Clinical safety officer' });
    await card.getByRole('tab', { name: 'Workspace' }).click();
    for (const tab of ['Overview', 'Findings', 'Hazards', 'Tickets', 'Proposed']) {
      const result = page.getByRole('region', { name: 'Latest hazard analysis' });
      await result.getByRole('tab', { name: tab }).click();
      await shot(`workspace-${tab.toLowerCase()}`);
    }
    await card.getByRole('tab', { name: 'Tools' }).click();
    await shot('workspace-tools');
    await page.getByRole('button', { name: /^Account menu/ }).click();
    await shot('user-menu', false);
    await context.close();
  });
}
