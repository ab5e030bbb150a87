import { expectAccessible } from './expectAccessible.ts';
import { expect, test } from './journey.ts';
import { analyseSample, arrive, arriveNew, arriveWithReview, newEmail, PASSWORD } from './person.ts';

test('one press leads from sign-up to a result', async ({ page }) => {
  await arriveNew(page);
  const first = page.getByRole('region', { name: 'Your first result' });
  await expectAccessible(page, 'the dashboard of somebody new');
  await first.getByRole('button', { name: 'Start with a sample' }).click();
  await expect(page.getByRole('region', { name: 'Chat' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Review \d+ proposals$/ })).toBeVisible({ timeout: 30_000 });
  // The onboarding has not been skipped.
  await expect(page.getByRole('tab', { name: 'Preferences' })).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Billing' })).toBeDisabled();
});

test('who comes back sees what waits, the newest figures and the next run, and continues', async ({ page }) => {
  await arriveWithReview(page);
  await page.request.post('/api/automation/jobs', {
    data: { name: 'Weekly check', actionType: 'hazard_log_analysis', prompt: '', cronExpression: '0 9 * * 1' },
  });
  await page.goto('/#team');
  const desk = page.getByRole('region', { name: 'Where you left off' });
  await expect(desk.getByText('Review, 0 of 25')).toBeVisible();
  await expect(desk.getByRole('link', { name: '25 hazards, 7 findings to fix, coverage 3 of 69' })).toBeVisible();
  await expect(desk.getByText('Weekly check')).toBeVisible();
  await expectAccessible(page, 'the dashboard of who comes back');
  await desk.getByRole('link', { name: 'Continue' }).click();
  await expect(page).toHaveURL(/\/agent-inbox\?interrupt=\d+$/);
  await expect(page.getByText(/Please review 25 proposals/).first()).toBeVisible();
});

test('Ctrl+K finds hazards, tickets and pages, by keyboard alone', async ({ page }) => {
  await arrive(page);
  await page.goto('/arc-chat');
  await analyseSample(page);
  await page.goto('/#billing');
  const opener = page.getByRole('button', { name: 'Search' });
  await opener.focus();
  await page.keyboard.press('Control+k');
  const search = page.getByRole('dialog', { name: 'Search' });
  const field = search.getByRole('combobox', { name: 'Search everything' });
  await expect(field).toBeFocused();
  await field.fill('QM-07');
  const options = search.getByRole('option');
  await expect(options.first()).toContainText('QM-07');
  await expect(field).toHaveAttribute('aria-activedescendant', /-0$/);
  await expectAccessible(page, 'the search');
  await page.keyboard.press('ArrowUp');
  await expect(options.last()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(search).toBeHidden();
  await expect(page).toHaveURL(/\/analyses\/\d+\?show=hazards&hazard=QM-07&row=\d+$/);
  const drawer = page.getByRole('dialog', { name: /^QM-07 / });
  await expect(drawer.getByRole('heading', { name: /^Cause entries/ })).toBeVisible();
  await page.keyboard.press('Escape');
  const result = page.getByRole('region', { name: /hazard analysis/i });
  await expect(result.getByRole('tab', { name: 'Hazards' })).toHaveAttribute('aria-selected', 'true');
  await expect(result.getByText('QM-07', { exact: true }).first()).toBeVisible();
  // The tab is in the address, and stays over a reload.
  await result.getByRole('tab', { name: 'Proposed' }).click();
  await expect(page).toHaveURL(/\/analyses\/\d+\?show=proposed$/);
  await page.reload();
  await expect(result.getByRole('tab', { name: 'Proposed' })).toHaveAttribute('aria-selected', 'true');

  await page.keyboard.press('Control+k');
  await field.fill('billing');
  await expect(search.getByRole('status')).toHaveText(/^1 result\./);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/#billing');
  await opener.click();
  await field.fill('no such thing');
  await expect(search.getByRole('status')).toHaveText('Nothing found. Try an id, or fewer words.');
  await page.keyboard.press('Escape');
  await expect(opener).toBeFocused();
});

test('the main pages are a link away', async ({ page }) => {
  await arrive(page);
  await page.goto('/');
  const pages = page.getByRole('navigation', { name: 'Main pages' });
  await pages.getByRole('link', { name: 'Chat' }).click();
  await expect(page).toHaveURL('/arc-chat');
  await expect(pages.getByRole('link', { name: 'Chat' })).toHaveAttribute('aria-current', 'page');
  await pages.getByRole('link', { name: 'Inbox' }).click();
  await expect(page).toHaveURL('/agent-inbox');
  await expect(pages.getByRole('link', { name: 'Analyses' })).toHaveAttribute('href', '/analyses');
});

test('a member and an approver are told what they may do first', async ({ page, browser }) => {
  const host = await (await browser.newContext()).newPage();
  await arrive(host);
  for (const [role, text] of [
    ['member', 'Other people answer the agents’ questions; each question says who can.'],
    ['approver', 'Questions that you can answer appear here and in your inbox; every other question says who can.'],
  ] as const) {
    const invited = await host.request.post('/api/account/members', { data: { email: newEmail(), roles: [role] } });
    const token = new URL((await invited.json()).invitation.link).searchParams.get('invitation');
    await page.context().clearCookies();
    await page.request.post('/api/account/invitations/accept', { data: { token, password: PASSWORD } });
    await page.goto('/#team');
    await page.reload();
    await expect(page.getByRole('region', { name: 'Your first result' })).toContainText(text);
  }
  await host.context().close();
});
