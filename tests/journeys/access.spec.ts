import AxeBuilder from '@axe-core/playwright';
import { type Browser, expect, type Page, test } from 'playwright/test';
import { type Backstage, journeyData, openBackstage } from './backstage.ts';
import { analyseSample, arrive, signUp } from './person.ts';

/**
 * WCAG 2.2 AA and good practice (one banner, headings in order), all of it in light and in dark. At 360 px the colours
 * are those of the wide page.
 */
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const COLOURS = ['color-contrast', 'link-in-text-block'];

let backstage: Backstage;
test.beforeAll(async () => {
  backstage = await openBackstage(journeyData());
});
test.afterAll(() => backstage.close());

async function noViolations(page: Page, where: string): Promise<void> {
  // Colours are judged where they rest, not half way through a change.
  await page.waitForTimeout(200);
  const axe = new AxeBuilder({ page });
  const judge = where.includes('360') ? axe.withTags(WCAG).disableRules(COLOURS) : axe.withTags(WCAG);
  const { violations } = await judge.analyze();
  const found = violations.map((it) => `${it.id}: ${it.nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`);
  expect(found, where).toEqual([]);
}

async function everyPlace(browser: Browser, colorScheme: 'light' | 'dark', width: number): Promise<void> {
  const style = `${colorScheme} ${width}`;
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 800 } });
  const page = await context.newPage();
  const wide = async (where: string) => {
    const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(over, `${where} is wider than the window`).toBeLessThanOrEqual(0);
  };
  const look = async (address: string, ready: string | RegExp) => {
    await page.goto(address);
    await expect(page.getByText(ready).first()).toBeVisible();
    await noViolations(page, `${address} ${style}`);
    await wide(address);
  };
  await look('/', 'Meet your candidates');
  await page.getByRole('button', { name: 'Hire Clara' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await noViolations(page, `sign-up prompt ${style}`);
  await page.evaluate(() => localStorage.clear());
  await look('/auth', 'Welcome back');
  await look('/auth?tab=signup', 'Create your account');
  await look('/auth?tab=reset', 'Reset your password');
  await look('/workspace', 'Authentication Required');
  await look('/nowhere', 'Page Not Found');
  await look('/privacy-policy', 'Last updated 28 June 2025');
  await look('/terms-and-conditions', 'Last updated 17 June 2025');
  await look('/api/docs', 'OpenAPI as JSON');

  await signUp(page);
  await noViolations(page, `preferences ${style}`);
  for (const step of ['preferences', 'team']) {
    await page.request.post('/api/user/onboarding/update', { data: { step, completed: true } });
  }
  await look('/#integrations', 'Setup Your Agent Workspace');
  // Left before another person comes: a page that stands would say that its session has ended.
  await page.goto('about:blank');
  await page.context().clearCookies();
  const { email, accountId, agentId } = await arrive(page);
  await look('/#chat', 'Talk to your agents');
  await analyseSample(page);
  await noViolations(page, `chat with a result ${style}`);
  await look('/#team', 'Your team');
  await look('/#integrations', 'Communication');
  await look('/#billing', 'Plans');
  await look('/#preferences', 'Members');
  await look('/slack-agent', 'Agent engine');
  await look('/teams-bot', 'Features');
  await look('/admin', 'Access Denied');
  await backstage.ask(accountId, agentId, {
    interruptType: 'project_preview',
    prompt: 'Does this layout fit?',
    options: [{ id: 'edit', label: 'Change something', action: 'edit' }],
    context: {
      components: [{ name: 'Title', type: 'heading' }],
      style_options: [{ name: 'Calm', description: 'Warm greys.', colors: ['#08574f', '#faf9f7'] }],
    },
  });
  await look('/agent-inbox', 'Does this layout fit?');
  await look('/arc-chat', 'Files for the analysis');
  await page.getByRole('button', { name: /^Review \d+/ }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await noViolations(page, `review ${style}`);
  await wide('review');
  await look('/workspace?tab=tools', 'Agent Workspace');
  const card = page.getByRole('article', { name: 'Clinical safety officer' });
  await card.getByRole('tab', { name: 'Workspace' }).click();
  for (const tab of ['Overview', 'Findings', 'Hazards', 'Tickets', 'Proposed']) {
    const result = page.getByRole('region', { name: 'Latest hazard analysis' });
    await result.getByRole('tab', { name: tab }).click();
    await expect(result.getByRole('tabpanel', { name: tab })).toBeVisible();
    await noViolations(page, `result, ${tab}, ${style}`);
    await wide(`result, ${tab}`);
  }
  await card.getByRole('tab', { name: 'Tools' }).click();
  await noViolations(page, `tools ${style}`);
  await page.getByRole('button', { name: /^Account menu/ }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await noViolations(page, `user menu ${style}`);
  await page.keyboard.press('Escape');
  await backstage.makeAdmin(email);
  await look('/admin', 'All registered users and their activity summary');
  await look('/admin/tokens', 'User Token Balances');
  await page.getByRole('button', { name: 'Add Tokens' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await noViolations(page, `add tokens ${style}`);
  await backstage.trialEndsIn(accountId, -1);
  await look('/', 'Your trial is over');
  await context.close();
}

/** @shows page-1 */
test('no page has an axe violation in light', async ({ browser }) => {
  test.setTimeout(300_000);
  await everyPlace(browser, 'light', 1280);
});

/** @shows page-2 */
test('no page has an axe violation in dark', async ({ browser }) => {
  test.setTimeout(300_000);
  await everyPlace(browser, 'dark', 1280);
});

/** @shows page-3 */
test('every page fits 360 px and has no axe violation there', async ({ browser }) => {
  test.setTimeout(300_000);
  await everyPlace(browser, 'light', 360);
});
