import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from './journey.ts';
import { analyseSample, onboard, signUp } from './person.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const looks = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1280, height: 860 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 860 } },
  { name: '360px', colorScheme: 'light', viewport: { width: 360, height: 740 } },
] as const;

for (const look of looks) {
  test(`screenshots of every page, ${look.name}`, async ({ browser, backstage }) => {
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

    const email = await signUp(page);
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
    await open('/analyses', 'analyses', 'Started by');
    await page.getByRole('region', { name: 'Analyses' }).getByRole('link').first().click();
    await expect(page.getByRole('region', { name: 'Hazard analysis' })).toBeVisible();
    await shot('analysis');
    await open('/#team', 'team', 'Your team');
    await open('/#integrations', 'integrations', 'Communication');
    const choose = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Add documents' }).click();
    await (await choose).setFiles([
      {
        name: 'Safety case, extract.md',
        mimeType: 'text/markdown',
        buffer: Buffer.from('# Safety case\n'.repeat(400)),
      },
      {
        name: 'Minutes of the hazard workshop.txt',
        mimeType: 'text/plain',
        buffer: Buffer.from('Present: '.repeat(90)),
      },
    ]);
    await expect(page.getByRole('link', { name: 'Minutes of the hazard workshop.txt' })).toBeVisible();
    await shot('integrations-documents');
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
    const { user } = await (await page.request.get('/api/auth/status')).json();
    await backstage.ask(user.accountId, (await (await page.request.get('/api/user-agents')).json())[0].id, {
      interruptType: 'decision',
      prompt: 'The log names two versions of the product. Which one is this review about?',
      options: ['2.3, as in the file name', '2.2, as on the sheet “About”'],
      context: { objective: 'Analyse my hazard log', step: 'read' },
    });
    await open('/agent-inbox', 'agent-inbox-decision', 'Which one is this review about?');
    await backstage.makeAdmin(email);
    await open('/admin', 'admin', 'All registered users');
    await open('/admin/tokens', 'admin-tokens', 'User Token Balances');
    await page.getByRole('button', { name: 'Add Tokens' }).click();
    await shot('admin-add-tokens', false);
    await backstage.trialEndsIn(user.accountId, 2);
    await open('/#team', 'trial-nearly-over', '2 days left');
    await backstage.trialEndsIn(user.accountId, -1);
    await open('/', 'trial-over', 'Your trial is over');
    await context.close();
  });
}
