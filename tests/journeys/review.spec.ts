import { expect, test } from 'playwright/test';
import { arrive, arriveWithReview } from './person.ts';

test('a match chosen before its row is accepted outlives a reload', async ({ page }) => {
  await arriveWithReview(page);
  await page.getByRole('button', { name: /^Review \d+/ }).click();
  const dialog = page.getByRole('dialog');
  const choice = dialog.getByRole('group', { name: 'Which is it? Choose one.' }).first().getByRole('radio').nth(1);
  await choice.check();
  await page.reload();
  await page.getByRole('button', { name: /^Review \d+/ }).click();
  await expect(dialog.getByText(/^0 of \d+ decided$/)).toBeVisible();
  await expect(choice).toBeChecked();
});

test('Accept all says how many rows take their best match, and the record keeps it', async ({ page }) => {
  const { agentId } = await arriveWithReview(page);
  await page.getByRole('button', { name: /^Review \d+/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Accept all', exact: true }).click();
  const confirm = dialog.getByRole('group', { name: 'Accept all' });
  await expect(confirm).toContainText('more than one match and nobody chose');
  await expect(dialog.getByText(/^0 of \d+ decided$/)).toBeVisible();
  await confirm.getByRole('button', { name: 'Choose myself' }).click();
  await expect(confirm).toBeHidden();
  await dialog.getByRole('button', { name: 'Accept all', exact: true }).click();
  await confirm.getByRole('button', { name: /^Accept all, \d+ with the best match$/ }).click();
  await expect(dialog.getByText(/^(\d+) of \1 decided$/)).toBeVisible();
  const taken = await dialog.getByText('Accepted, best match').count();
  expect(taken).toBeGreaterThan(0);
  // What has been answered has no draft: nothing more is saved of it.
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 409) refused.push(response.url());
  });
  await page.keyboard.press('Control+Enter');
  await expect(dialog).toBeHidden();
  await expect(
    page.getByText(new RegExp(`${taken} rows? ha(s|ve) more than one match and nobody chose`)),
  ).toBeVisible();

  const list = await (await page.request.get(`/api/agents/${agentId}/interrupts`)).json();
  const rows = list[0].userResponse.rows as { bestMatch?: boolean }[];
  expect(rows.filter((row) => row.bestMatch)).toHaveLength(taken);
  // Given in the chat, so it is said to have been given there.
  expect(list[0].resolution.via).toBe('arc-chat');
  expect(refused).toEqual([]);
});

test('the keyboard is never left without a place while work goes on', async ({ page }) => {
  await arrive(page);
  await page.goto('/arc-chat');
  const place = () => page.evaluate(() => document.activeElement?.tagName ?? 'none');
  const sample = page.getByRole('region', { name: 'Chat' }).getByRole('button', { name: 'Try it with a sample' });
  await sample.focus();
  await page.keyboard.press('Enter');
  expect(await place()).not.toBe('BODY');
  const analyse = page.getByRole('button', { name: 'Analyse hazard log' });
  await expect(analyse).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused();

  await analyse.focus();
  await page.keyboard.press('Enter');
  expect(await place()).not.toBe('BODY');
  const review = page.getByRole('button', { name: /^Review \d+/ });
  await expect(review).toBeVisible({ timeout: 30_000 });
  expect(await place()).not.toBe('BODY');

  await page.getByRole('textbox', { name: 'Message' }).fill('help');
  await page.getByRole('button', { name: 'Send' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused();

  await review.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog.locator('tr[data-active]')).toBeFocused();
  // One banner: that of the page.
  await expect(page.getByRole('banner')).toHaveCount(1);
  await dialog.getByRole('button', { name: 'Reject all' }).press('Enter');
  await page.keyboard.press('Control+Enter');
  await expect(dialog).toBeHidden();
  await expect.poll(place).not.toBe('BODY');
});

test('a question that has just been asked says so wherever one is, and View opens it', async ({ page }) => {
  const { agentId } = await arrive(page);
  await page.request.post('/api/arc-chat/sample', { data: {} });
  await page.goto('/workspace');
  await expect(page.getByText('1 agent active · 0 waiting')).toBeVisible();
  await expect
    .poll(async () => {
      const path = `/api/clinical-safety-agent/${agentId}/analyze-hazard-log`;
      return (await page.request.post(path, { data: { message: 'Go' } })).status();
    })
    .toBe(200);
  const toast = page.getByRole('region', { name: 'Notifications (F8)' });
  await expect(toast.getByText('Agent Needs Input')).toBeVisible({ timeout: 30_000 });
  await expect(toast.getByRole('button', { name: 'Dismiss' })).toBeVisible();
  await page.keyboard.press('F8');
  await page.keyboard.press('Tab');
  await expect(toast.getByRole('button', { name: 'View' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Review of proposed hazards' })).toBeVisible();
});
