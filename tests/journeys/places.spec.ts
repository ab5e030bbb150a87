import { expect, test } from './journey.ts';
import { arrive, arriveNew, arriveWithReview, changeAnswer, follow } from './person.ts';

/**
 * @shows S2-2.21, /workspace signed out, /agent-inbox signed out, /arc-chat signed out, /slack-agent signed out,
 * /teams-bot signed out, /admin signed out, /admin/tokens signed out, /admin/failures signed out,
 * /admin/users/:id signed out, any other address signed out
 */
test('signed-out people are told so on every page that needs an account', async ({ page }) => {
  const goTo = async (address: string) => {
    // Another page in between, so that no text remains from the one before.
    await follow(page, '/no-such-place');
    await expect(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible();
    await follow(page, address);
  };
  await page.goto('/no-such-place');
  await expect(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible();
  await expect(page).toHaveTitle(/Page Not Found/);
  for (const [address, button] of [
    ['/workspace', 'Sign In'],
    ['/agent-inbox', /Sign In|Go to Login/],
    ['/arc-chat', 'Go to Login'],
    ['/slack-agent', /Sign In|Go to Login/],
    ['/teams-bot', /Sign In|Go to Login/],
  ] as const) {
    await goTo(address);
    await expect(page.getByRole('heading', { name: 'Authentication Required' })).toBeVisible();
    const signIn = page.getByRole('main').getByRole('link', { name: button });
    await expect(signIn).toHaveAttribute('href', `/auth?next=${encodeURIComponent(address)}`);
    await expect(signIn).toBeVisible();
  }
  for (const address of ['/admin', '/admin/tokens', '/admin/failures', '/admin/users/1']) {
    await goTo(address);
    await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
    await expect(page.getByText('You need admin privileges to access this page.')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Return to Home' })).toHaveAttribute('href', '/');
  }
});

/** @shows S2-2.1, S2-2.2, S2-4.2 */
test('/workspace opens the agent and the tab in its address', async ({ page }) => {
  const { agentId } = await arrive(page);
  await page.goto('/workspace');
  await expect(page.getByRole('heading', { name: 'Agent Workspace', level: 1 })).toBeVisible();
  await expect(page.getByText('Manage your AI team')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Back to Dashboard' })).toHaveAttribute('href', '/');
  await expect(page.getByRole('link', { name: 'Hire More Agents' })).toBeVisible();
  const card = page.getByRole('article', { name: 'Clinical safety officer' });
  await expect(card.getByRole('tab', { name: 'Overview' })).toHaveAttribute('aria-selected', 'true');
  await expect(card.getByText('onboarded', { exact: true })).toBeVisible();
  const today = new Date().toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
  for (const [term, fact] of [
    ['Hired', today],
    ['Onboarded', today],
    ['Status', 'Active team member'],
  ] as const)
    await expect(card.locator('dt', { hasText: term }).locator('xpath=following-sibling::dd')).toHaveText(fact);

  await page.goto(`/workspace?agent=${agentId}&tab=tools`);
  await expect(card.getByRole('tab', { name: 'Tools' })).toHaveAttribute('aria-selected', 'true');
  await expect(card.getByText('Managed globally').first()).toBeVisible();
  await expect(card.getByText(/Not configured/).first()).toBeVisible();
  // The states of a tool's connection. No vendor is configured here, so two states are mocked.
  await changeAnswer(page, '**/api/oauth/status/all', (states: { googledrive: object }) => {
    const known = { ...states.googledrive, configured: true };
    return { ...states, googledrive: { ...known, authenticated: true }, notion: { ...known, authenticated: false } };
  });
  await page.request.post('/api/user-agents/hire', { data: { agentId: 'mdr' } });
  const mdr = await page.request.post('/api/user-agents/onboard', { data: { agentId: 'mdr', tools: [] } });
  await page.goto(`/workspace?agent=${(await mdr.json()).id}&tab=tools`);
  const tools = page.getByRole('article', { name: 'EU MDR technical file' }).getByRole('listitem');
  await expect(tools.filter({ hasText: 'Google Drive' })).toContainText('Connected & Available');
  await expect(tools.filter({ hasText: 'Notion' })).toContainText('Needs connection');
  await page.unroute('**/api/oauth/status/all');
  await page.goto(`/workspace?agent=${agentId}&tab=tools`);
  await card
    .getByRole('link', { name: /^Configure / })
    .first()
    .click();
  await expect(page.getByRole('heading', { name: 'Integrations' })).toBeVisible();
});

/** @shows S1-8.4 */
test('connecting a vendor that this server is not configured for returns with the reason', async ({ page }) => {
  await arrive(page);
  await page.goto('/api/oauth/notion/authorize');
  await expect(page.getByText('Authentication Failed')).toBeVisible();
  await expect(
    page.getByText('Failed to connect Notion. Please try again. Notion is not configured on this server.'),
  ).toBeVisible();
  await expect(page).toHaveURL('/#integrations');
  // The built-in project builder needs no consent, so it is connected at once.
  await page.goto('/api/oauth/bolt/authorize?from=/workspace');
  await expect(page.getByRole('heading', { name: 'Agent Workspace' })).toBeVisible();
  await expect(page.getByText('Bolt is connected.')).toBeVisible();
  await expect(page).toHaveURL('/workspace');
});

/** @shows S1-8.5 */
test('an expired file is reported as such, with the next step', async ({ page, backstage }) => {
  const { accountId } = await arriveWithReview(page);
  await expect(page.getByRole('button', { name: 'Download New Hazards' })).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download New Hazards' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^proposed-hazards-\d+\.xlsx$/);
  await backstage.expireFiles(accountId);
  await page.getByRole('button', { name: 'Download New Hazards' }).click();
  await expect(page.getByText('Download failed')).toBeVisible();
  await expect(page.getByText(/The analysis may have expired/)).toBeVisible();
  await expect(page.getByText(/Please run the hazard analysis again to generate a new report\./)).toBeVisible();
});

test('everything can be reached by keyboard', async ({ page }) => {
  await arriveNew(page);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  // Tabs and the menu by their arrow keys; closing each returns the focus.
  for (const step of ['preferences', 'team']) {
    await page.request.post('/api/user/onboarding/update', { data: { step, completed: true } });
  }
  await page.reload();
  await page.getByRole('tab', { name: 'Integrations' }).focus();
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('tab', { name: 'Team' })).toBeFocused();
  await expect(page.getByRole('heading', { name: 'Your team' })).toBeVisible();
  const menu = page.getByRole('button', { name: /^Account menu/ });
  await menu.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menu')).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Escape');
  await expect(menu).toBeFocused();
  // After following a link, the focus is in the new page.
  await menu.press('Enter');
  await page.getByRole('menuitem', { name: 'My Workspace' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Agent Workspace' })).toBeVisible();
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
});

/** @shows S1-2.6 */
test('a result and a collaboration print well', async ({ page }) => {
  await page.addInitScript(() => {
    window.print = () => document.documentElement.setAttribute('data-printed', '');
  });
  await page.goto('/');
  await page.getByRole('button', { name: 'Start Agent Collaboration' }).click();
  await expect(page.getByRole('heading', { name: 'Collaboration Complete' })).toBeVisible();
  for (const step of [/review and refine/i, /A\/B testing/, /tech stack/]) {
    await expect(page.getByText(step)).toBeVisible();
  }
  await page.getByRole('button', { name: 'Export Results' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-printed');
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Export Results' })).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Collaboration Complete' })).toBeVisible();
  // Black on white in either theme.
  const ink = await page.evaluate(() => getComputedStyle(document.body).color);
  const [red = 255, green = 255, blue = 255] = (ink.match(/\d+/g) ?? []).map(Number);
  expect(Math.max(red, green, blue)).toBeLessThan(80);
});
