import { expectAccessible } from './expectAccessible.ts';
import { expectLoadingAndFailure } from './heldRead.ts';
import { expect, test } from './journey.ts';
import { acceptAllByKeyboard, arrive, arriveWithReview } from './person.ts';

test('possible matches are reviewed by keyboard after the proposals, and change the coverage', async ({ page }) => {
  test.setTimeout(120_000);
  await arriveWithReview(page);
  await page.getByRole('button', { name: /^Review \d+ proposals?$/ }).click();
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

  // What was confirmed is taken back on the page that lists it, restored, and counts at once.
  await result.getByText(/^All \d+$/).click();
  await result.getByRole('link', { name: 'confirmed by a person' }).first().click();
  const decisions = page.getByRole('region', { name: 'Decisions' });
  await expect(decisions.getByText('Ada Okafor')).toHaveCount(1);
  await expectAccessible(page, 'decisions on matches');
  await decisions.getByRole('button', { name: /^Take back/ }).press('Enter');
  await expect(decisions.getByText(/^Taken back by Ada Okafor/)).toBeVisible();
  const confirmedNow = async () => {
    const user = await (await page.request.get('/api/auth/status')).json();
    const latest = await (await page.request.get(`/api/hazard-analysis/latest/${user.user.id}`)).json();
    return latest.analysisMetadata.coverage.covered;
  };
  const withoutIt = await confirmedNow();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(decisions.getByRole('button', { name: /^Take back/ })).toBeVisible();
  await expect.poll(confirmedNow).toBe(withoutIt + 1);
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(decisions.getByText('Does not cover').first()).toBeVisible();
});

const READ = '**/api/match-decisions';

test('the page of decisions on matches says that it loads, fails, has nothing yet, or may not be changed', async ({
  page,
}) => {
  await arrive(page);
  await expectLoadingAndFailure(page, '/agents/clinical_safety/matches', READ);
  await expect(page.getByRole('heading', { name: 'Nothing was decided yet' })).toBeVisible();
  await expectAccessible(page, 'decisions on matches, empty');

  const decision = { id: 'a', ticketKey: 'EX-1', hazardId: 'H1', covers: true, by: 'Bo', via: 'slack', interruptId: 1 };
  const shown = { ...decision, at: '2026-05-03T10:00:00.000Z', takenBack: null };
  await page.route(READ, (route) => route.fulfill({ json: { mayChange: false, decisions: [shown] } }));
  await page.reload();
  await expect(page.getByText('Only those who may answer clinical questions can take a decision back.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Decisions' }).getByText('EX-1')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Take back/ })).toHaveCount(0);
});
