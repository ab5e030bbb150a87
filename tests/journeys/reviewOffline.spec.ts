import type { Page, Route } from 'playwright/test';
import { expectAccessible } from './expectAccessible.ts';
import { expect, test } from './journey.ts';
import { arriveWithReview, logIn } from './person.ts';
import { stopClock } from './stopClock.ts';

const openReview = async (page: Page) => {
  await page.getByRole('button', { name: /^Review \d+/ }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.locator('tr[data-active]')).toBeFocused();
  return dialog;
};
const draftOf = async (page: Page, agentId: number) =>
  (await (await page.request.get(`/api/agents/${agentId}/interrupts`)).json())[0].draft as {
    rows: { id: string; outcome: string; reason?: string }[];
    version: number;
  };

test('decisions made offline are kept on the device and sent when the connection is back', async ({
  page,
  context,
}) => {
  const { agentId } = await arriveWithReview(page);
  const dialog = await openReview(page);
  await context.setOffline(true);
  await page.keyboard.press('r');
  await dialog.getByLabel('Reason (optional)').fill('Covered by hazard 3');
  await page.keyboard.press('Enter');
  await page.keyboard.press('r');
  await expect(dialog.getByText('2 decisions not sent yet.')).toBeVisible();
  await expect(dialog.getByText(/kept on this device/i).first()).toBeVisible();
  // Closed, the review still says what is unsent.
  await dialog.getByRole('button', { name: 'Close the review' }).click();
  await expect(page.getByText('2 decisions not sent yet.')).toBeVisible();

  // Leaving warns. Unsent decisions are there when the page is opened again, and are sent automatically.
  const warned = page.waitForEvent('dialog');
  // The simulated outage ends with the page, but its last call outlives it: offline it would not be sent.
  await page.evaluate(() => {
    window.fetch = () => Promise.reject(new TypeError('Failed to fetch'));
  });
  await page.close({ runBeforeUnload: true });
  expect((await warned).type()).toBe('beforeunload');
  await Promise.all([page.waitForEvent('close'), (await warned).accept()]);
  await context.setOffline(false);
  const calls = '**/api/interrupts/*/draft';
  await context.route(calls, (route) => route.abort());
  const again = await context.newPage();
  await again.clock.install();
  await again.goto('/arc-chat');
  await expect(again.getByText('2 decisions not sent yet.')).toBeVisible();
  expect((await draftOf(again, agentId)).version).toBe(0);
  await expect((await openReview(again)).getByText(/^2 of \d+ decided$/)).toBeVisible();
  // The page retries automatically; with its clock stopped, only the button can send.
  await stopClock(again);
  await context.unroute(calls);
  await again.getByRole('dialog').getByRole('button', { name: 'Send now' }).click();
  await expect(again.getByText(/not sent yet/)).toHaveCount(0);
  const { rows } = await draftOf(again, agentId);
  expect(rows.map(({ outcome }) => outcome)).toEqual(['rejected', 'rejected']);
  expect(rows[0]?.reason).toBe('Covered by hazard 3');
});

test('a colleague’s decision in the meantime is shown beside mine, and I choose', async ({
  page,
  context,
  browser,
}) => {
  const { agentId, email } = await arriveWithReview(page);
  const dialog = await openReview(page);
  const second = await browser.newContext();
  const other = await second.newPage();
  await logIn(other, email);
  await other.goto('/agent-inbox');
  await other.getByRole('button', { name: 'Review the proposals' }).click();
  const theirs = other.getByRole('dialog');
  await expect(theirs.locator('tr[data-active]')).toBeFocused();

  await context.setOffline(true);
  await dialog.locator('tr[data-line="0"]').getByRole('button', { name: 'Reject' }).click();
  await dialog.locator('tr[data-line="2"]').getByRole('button', { name: 'Reject' }).click();
  await expect(dialog.getByText('2 decisions not sent yet.')).toBeVisible();
  for (const line of [0, 1]) {
    const row = theirs.locator(`tr[data-line="${line}"]`);
    const choices = row.getByRole('radio');
    if ((await choices.count()) > 0) await choices.first().check();
    await row.getByRole('button', { name: 'Accept' }).click();
  }
  await expect(theirs.getByText('Saved', { exact: false }).first()).toBeVisible();
  await expect.poll(async () => (await draftOf(other, agentId)).rows.length).toBe(2);

  await context.setOffline(false);
  await expect(dialog.getByText(/not sent yet/)).toBeHidden({ timeout: 20_000 });
  await expect(dialog.getByText(/^3 of \d+ decided$/)).toBeVisible();
  const clash = dialog.locator('tr[data-line="0"]').getByRole('group', { name: /^Decided by .* meanwhile$/ });
  await expect(clash).toContainText('Theirs: Accepted');
  await expect(clash).toContainText('Yours: Rejected');
  const differs = /^1 row was decided differently by .+\./;
  await expect(dialog.getByRole('status').filter({ hasText: differs })).toContainText(/3 of \d+ decided$/);
  await dialog.locator('tr[data-line="3"]').click();
  await dialog.getByRole('button', { name: 'Look at it' }).click();
  await expect(dialog.locator('tr[data-line="0"]')).toBeFocused();
  await expectAccessible(page, 'a review with a conflict');
  // It survives a reload, and nothing is sent before somebody has chosen.
  await page.reload();
  await openReview(page);
  await expect(clash).toBeVisible();
  await page.keyboard.press('Control+Enter');
  await expect(dialog.getByRole('alert')).toContainText('was also decided by a colleague');
  await clash.getByRole('button', { name: 'Use mine' }).click();
  await expect(clash).toBeHidden();
  await expect(dialog.getByText('Choose which decision to keep.')).toBeHidden();
  await expect
    .poll(async () => (await draftOf(page, agentId)).rows.map(({ outcome }) => outcome).sort())
    .toEqual(['accepted', 'rejected', 'rejected']);
  await second.close();
});

test('a review closed in the meantime says which decisions came too late', async ({ page, context, browser }) => {
  const { agentId, email } = await arriveWithReview(page);
  const dialog = await openReview(page);
  await context.setOffline(true);
  await dialog.locator('tr[data-line="0"]').getByRole('button', { name: 'Reject' }).click();
  await expect(dialog.getByText('1 decision not sent yet.')).toBeVisible();
  const second = await browser.newContext();
  const other = await second.newPage();
  await logIn(other, email);
  const [question] = await (await other.request.get(`/api/agents/${agentId}/interrupts`)).json();
  const answered = await other.request.patch(`/api/interrupts/${question.id}/resolve`, { data: { approved: true } });
  expect(answered.status()).toBe(200);
  await context.setOffline(false);
  await expect(dialog.getByText('1 decision of yours came too late')).toBeVisible({ timeout: 20_000 });
  await expect(dialog.getByText(/ rejected\.$/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Remove from this device' }).click();
  await expect(dialog.getByText('1 decision of yours came too late')).toBeHidden();
  await second.close();
});

test.describe('an undo right before a reload is kept', () => {
  const DRAFT = '**/api/interrupts/*/draft';
  /** A row rejected, its send under way, and undone; with `onSend` in place of the server for that one send. */
  async function undoWhileSending(page: Page, onSend: (route: Route) => Promise<unknown>) {
    const { agentId } = await arriveWithReview(page);
    const dialog = await openReview(page);
    let sends = 0;
    await page.route(DRAFT, async (route) => {
      sends += 1;
      if (sends === 1) await onSend(route);
      else await route.continue();
    });
    const sending = page.waitForRequest(DRAFT);
    await page.keyboard.press('r');
    const request = await sending;
    return { agentId, dialog, request };
  }
  const outcomes = async (page: Page, agentId: number) =>
    (await draftOf(page, agentId)).rows.map(({ outcome }) => outcome);

  test('though the server has saved what was undone, and its answer never came', async ({ page }) => {
    // The server saves; the page hears nothing of it.
    const { agentId, dialog } = await undoWhileSending(page, (route) => route.fetch());
    await expect.poll(() => outcomes(page, agentId)).toEqual(['rejected']);
    await page.keyboard.press('z');
    await expect(dialog.getByText(/^0 of \d+ decided$/)).toBeVisible();
    await page.reload();
    await expect((await openReview(page)).getByText(/^0 of \d+ decided$/)).toBeVisible();
    await expect.poll(() => outcomes(page, agentId)).toEqual([]);
    await expect(dialog.getByText(/decided differently/)).toHaveCount(0);
  });

  test('and a send that arrives after the reload changes nothing', async ({ page }) => {
    const { agentId, dialog, request } = await undoWhileSending(page, async () => undefined);
    await page.keyboard.press('z');
    await expect(dialog.getByText(/^0 of \d+ decided$/)).toBeVisible();
    await page.reload();
    await expect((await openReview(page)).getByText(/^0 of \d+ decided$/)).toBeVisible();
    await expect.poll(async () => (await draftOf(page, agentId)).version).toBeGreaterThan(0);
    const late = await page.request.fetch(request.url(), {
      method: request.method(),
      data: request.postDataJSON(),
    });
    expect(late.status()).toBe(409);
    expect(await outcomes(page, agentId)).toEqual([]);
    await expect(dialog.getByText(/^0 of \d+ decided$/)).toBeVisible();
  });

  test('and what was decided after it, also where both sends were saved or neither', async ({ page }) => {
    const { agentId, dialog } = await undoWhileSending(page, (route) => route.fetch());
    await expect.poll(() => outcomes(page, agentId)).toEqual(['rejected']);
    await page.keyboard.press('z');
    await dialog.locator('tr[data-line="1"]').getByRole('button', { name: 'Reject' }).click();
    await page.reload();
    const again = await openReview(page);
    await expect(again.getByText(/^1 of \d+ decided$/)).toBeVisible();
    await expect(again.locator('tr[data-line="1"]')).toHaveAttribute('data-outcome', 'rejected');
    await expect.poll(() => outcomes(page, agentId)).toEqual(['rejected']);
    await expect(again.getByText(/decided differently/)).toHaveCount(0);
  });
});
