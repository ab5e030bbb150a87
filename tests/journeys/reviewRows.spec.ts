import type { Locator, Page } from 'playwright/test';
import { expect, test } from './journey.ts';
import { arriveWithReview } from './person.ts';

async function openReview(page: Page): Promise<Locator> {
  await arriveWithReview(page);
  await page.getByRole('button', { name: /^Review \d+/ }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.locator('tr[data-active]')).toBeFocused();
  return dialog;
}

const isWhole = (line: Locator) =>
  line.evaluate((row) => {
    const box = row.getBoundingClientRect();
    const scroller = row.closest('table')?.parentElement?.getBoundingClientRect() ?? box;
    const head = row.closest('table')?.querySelector('thead')?.getBoundingClientRect();
    const top = scroller.top + (head?.height ?? 0);
    // For a row taller than the view, its beginning.
    return box.top >= top - 1 && box.top + Math.min(box.height, scroller.bottom - top) <= scroller.bottom + 1;
  });
const decidedIs = (dialog: Locator, number: number) =>
  expect(dialog.getByText(new RegExp(`^${number} of \\d+ decided$`))).toBeVisible();
const outcomeOf = (line: Locator) => line.getAttribute('data-outcome');

test('shortcuts act on the marked row, first scroll to one that is out of view, and decide one row while held', async ({
  page,
}) => {
  const dialog = await openReview(page);
  for (let at = 1; at <= 6; at += 1) {
    await page.keyboard.press('j');
    const line = dialog.locator(`tr[data-line="${at}"]`);
    await expect(line).toHaveAttribute('data-active', 'true');
    expect(await isWhole(line), `row ${at} is all in view`).toBe(true);
  }
  const current = dialog.locator('tr[data-line="6"]');
  await current.evaluate((row) => {
    const scroller = row.closest('table')?.parentElement;
    if (scroller) scroller.scrollTop = scroller.scrollHeight;
  });
  expect(await isWhole(current)).toBe(false);
  await page.keyboard.press('r');
  await expect.poll(() => isWhole(current)).toBe(true);
  await decidedIs(dialog, 0);
  await expect(dialog.getByText(/is in view now\. Nothing was decided; press again\.$/)).toBeVisible();
  await page.keyboard.press('r');
  await decidedIs(dialog, 1);
  expect(await outcomeOf(current)).toBe('rejected');

  // A held key repeats, and decides nothing more.
  await page.keyboard.press('Enter');
  await expect(dialog.locator('tr[data-line="7"]')).toBeFocused();
  for (let times = 0; times < 4; times += 1) await page.keyboard.down('a');
  await page.keyboard.up('a');
  await expect(dialog.getByText(/^[12] of \d+ decided$/)).toBeVisible();
});

test('a click anywhere in a row makes it the one for the next shortcut', async ({ page }) => {
  const dialog = await openReview(page);
  const second = dialog.locator('tr[data-line="1"]');
  await second.getByRole('button', { name: 'Reject' }).click();
  await expect(second).toHaveAttribute('data-active', 'true');
  await decidedIs(dialog, 1);
  expect(await outcomeOf(second)).toBe('rejected');
  // The next shortcut acts there too, not on the row after it.
  await page.keyboard.press('e');
  await expect(second.getByRole('group', { name: /^Edit / })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(second).toBeFocused();
  await page.keyboard.press('r');
  await expect(second).toBeFocused();
  await page.keyboard.press('n');
  // In a field, keys are text.
  await page.keyboard.type('jazz kra');
  await expect(second.getByLabel('Reason (optional)')).toHaveValue('jazz kra');
  await decidedIs(dialog, 1);

  const choice = dialog.locator('tr:not([data-active])', { has: page.getByRole('radio') }).first();
  const line = dialog.locator(`tr[data-line="${await choice.getAttribute('data-line')}"]`);
  await line.getByRole('radio').nth(1).check();
  await expect(line).toHaveAttribute('data-active', 'true');
  await page.keyboard.press('a');
  await decidedIs(dialog, 2);
  expect(await outcomeOf(line)).toBe('accepted');
});

test('one word for the rest asks first, leaves existing decisions, and can be undone', async ({ page }) => {
  const dialog = await openReview(page);
  const first = dialog.locator('tr[data-line="0"]');
  await first.getByRole('button', { name: 'Edit' }).click();
  await first.getByRole('textbox', { name: 'Hazard' }).fill('A clearer name');
  await first.getByRole('button', { name: 'Save edit' }).click();
  await expect(first).toBeFocused();
  const total = await dialog.locator('tbody tr').count();
  const rest = dialog.getByRole('button', { name: `Reject the ${total - 1} undecided` });
  await rest.click();
  const asked = dialog.getByRole('group', { name: 'Reject the undecided' });
  await expect(asked).toContainText('The 1 decision already made stays as it is.');
  await decidedIs(dialog, 1);
  // While it asks, shortcuts decide nothing; Escape cancels the question and leaves the review open.
  await page.keyboard.press('r');
  await decidedIs(dialog, 1);
  await page.keyboard.press('Escape');
  await expect(asked).toBeHidden();
  await expect(dialog).toBeVisible();

  await rest.click();
  await asked.getByRole('button', { name: `Reject ${total - 1}` }).click();
  await decidedIs(dialog, total);
  await expect(first).toHaveAttribute('data-outcome', 'edited');
  await expect(dialog.getByText('A clearer name')).toBeVisible();
  await expect(dialog.getByRole('button', { name: /undecided$/ })).toHaveCount(0);
  await page.keyboard.press('z');
  await decidedIs(dialog, 1);
  await expect(first).toHaveAttribute('data-outcome', 'edited');
  await page.reload();
  await page.getByRole('button', { name: /^Review \d+/ }).click();
  await decidedIs(dialog, 1);
});

test('on a phone, one word for all rows is far from the thumb, and affects no row out of view', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const dialog = await openReview(page);
  const accept = dialog.getByRole('button', { name: 'Accept', exact: true });
  await expect(accept).toHaveCount(1);
  const mass = dialog.getByRole('button', { name: /^Reject the \d+ undecided$/ });
  await mass.scrollIntoViewIfNeeded();
  const [thumb, far] = [await accept.boundingBox(), await mass.boundingBox()];
  expect((thumb?.y ?? 0) - ((far?.y ?? 0) + (far?.height ?? 0))).toBeGreaterThan(120);
  await dialog.locator('tbody').evaluate((body) => {
    const scroller = body.closest('table')?.parentElement;
    if (scroller) scroller.scrollTop = scroller.scrollHeight;
  });
  await dialog.getByRole('button', { name: 'Reject', exact: true }).click();
  await decidedIs(dialog, 0);
  await dialog.getByRole('button', { name: 'Reject', exact: true }).click();
  await decidedIs(dialog, 1);
});
