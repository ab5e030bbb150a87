import { expect, test } from './journey.ts';
import { acceptAllByKeyboard, arriveWithReview } from './person.ts';

test('possible matches are reviewed by keyboard after the proposals, and change the coverage', async ({ page }) => {
  test.setTimeout(120_000);
  await arriveWithReview(page);
  await page.getByRole('button', { name: /^Review \d+ proposed hazards?$/ }).click();
  await acceptAllByKeyboard(page);
  await page.keyboard.press('Control+Enter');
  // The matches don't hold up the merge.
  await expect(page.getByRole('button', { name: 'Merge new lines into Hazard Log' }).last()).toBeVisible();

  await page.getByRole('button', { name: /^Review \d+ tickets$/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Review of possible matches' });
  const line = (at: number) => dialog.locator(`tr[data-line="${at}"]`);
  await expect(line(0)).toBeFocused();
  await expect(dialog.getByRole('columnheader')).toHaveText(['Ticket', 'What speaks for the match', 'Decision']);
  // Both sides, verbatim, the hazard’s with its cell.
  await expect(line(0).locator('figcaption').nth(1)).toHaveText(/^\S+, .+!\S+$/);
  await expect(dialog.getByRole('button', { name: /^Accept the/ })).toHaveCount(0);

  await page.keyboard.press('a');
  await expect(line(0).getByText('This hazard').first()).toBeVisible();
  await expect(line(1)).toBeFocused();
  await page.keyboard.press('e');
  const options = line(1).getByRole('group', { name: 'Which hazard covers it?' }).getByRole('radio');
  await expect(options.first()).toBeFocused();
  const chosen = await options.nth(1).locator('xpath=..').locator('.mono').innerText();
  await options.nth(1).check();
  await expect(line(1).getByText(`Another hazard: ${chosen}`)).toBeVisible();
  await line(2).click();
  await page.keyboard.press('r');
  await expect(line(2).getByText('No hazard', { exact: true })).toBeVisible();
  await expect(dialog.getByText(/^3 of \d+ decided$/)).toBeVisible();
  await page.reload();
  await page.getByRole('button', { name: /^Review \d+ tickets$|^Continue/ }).click();
  await expect(dialog.getByText(/^3 of \d+ decided$/)).toBeVisible();
  await dialog.getByRole('button', { name: /^No hazard for the \d+ undecided$/ }).click();
  await dialog.getByRole('button', { name: /^No hazard for \d+$/ }).click();
  await page.keyboard.press('Control+Enter');
  await expect(dialog).toBeHidden();
  await expect(
    page.getByText(/^Matches recorded: 1 confirmed, 1 with another hazard, \d+ with no hazard\./),
  ).toBeVisible();

  await page.goto('/workspace');
  await page.getByRole('tab', { name: 'Workspace' }).click();
  const result = page.getByRole('region', { name: 'Latest hazard analysis' });
  await expect(result).toContainText(/\d+ possible, \d+ none, \d+ unsure/);
  await result.getByRole('tab', { name: 'Tickets' }).click();
  await result.getByText(/^Relevant \d+$/).click();
  await expect(result.getByText('confirmed by a person')).toHaveCount(2);
  await result.getByText(/^Possible match \d+$/).click();
  await expect(result.getByText(/^Possible:/).first()).toBeVisible();
});
