import { readFileSync } from 'node:fs';
import { expect, test } from './journey.ts';
import { acceptAllByKeyboard, arrive, arriveWithReview, logIn, onboard, signUp } from './person.ts';

/** @shows S1-2.11, S1-2.14, S1-4.4 */
test('from sign-up to a merged hazard log', async ({ page }) => {
  test.setTimeout(120_000);
  await signUp(page);
  await onboard(page);
  await expect(page.getByText('1 agent active · 0 waiting')).toBeVisible();

  await page.getByRole('button', { name: 'Try it with a sample' }).first().click();
  await expect(page.getByRole('complementary', { name: 'Hazard log upload' })).toContainText('.xlsx');
  await page.getByRole('button', { name: 'Analyse hazard log' }).click();

  const review = page.getByRole('button', { name: /^Review \d+ proposals?$/ });
  await expect(review).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText('Findings to fix', { exact: true })).toBeVisible();
  await expect(page.getByText('1 agent active · 1 waiting')).toBeVisible();
  await expect(page).toHaveTitle(/^\(1\) /);

  await page.getByRole('button', { name: 'Show the evidence' }).click();
  await expect(page.getByRole('heading', { name: 'Coverage' })).toBeVisible();

  await review.click();
  const dialog = page.getByRole('dialog', { name: 'Review of proposals' });
  await expect(dialog).toBeVisible();
  const total = await acceptAllByKeyboard(page);
  await page.keyboard.press('Control+Enter');
  // The notice that it is resolved may be replaced at once by the question about possible matches.
  await expect(page.getByText(`Review recorded: ${total} accepted`)).toBeVisible();
  await expect(dialog).toBeHidden();

  const merge = page.getByRole('button', { name: 'Merge new lines into Hazard Log' }).last();
  await expect(merge).toBeVisible();
  const [merged] = await Promise.all([page.waitForEvent('download'), merge.click()]);
  expect(merged.suggestedFilename()).toMatch(/\.xlsx$/);
  const bytes = readFileSync(await merged.path());
  expect(bytes.subarray(0, 2).toString()).toBe('PK');
  await expect(page.getByRole('button', { name: 'Download merged Hazard Log' })).toBeVisible();

  const [added] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download New Hazards' }).click(),
  ]);
  expect(added.suggestedFilename()).toMatch(/\.xlsx$/);

  // The agent's card shows the same, and the inbox has the answer.
  await page.goto('/workspace');
  await page.getByRole('tab', { name: 'Workspace' }).click();
  await expect(page.getByRole('region', { name: 'Latest hazard analysis' })).toContainText('Merged');
  await page.getByRole('button', { name: 'Agent inbox' }).click();
  const inbox = page.getByRole('dialog', { name: 'Agent Inbox - Clara' });
  await inbox.getByRole('tab', { name: /Resolved/ }).click();
  await expect(inbox.getByText(/by Ada Okafor/)).toBeVisible();
});

test('shortcuts ask for a reason and for a name, and a reload in between loses nothing', async ({ page }) => {
  await arriveWithReview(page);
  await page.getByRole('button', { name: /^Review \d+/ }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.locator('tr[data-active]')).toBeFocused();
  await expect(dialog.getByText('Esc leave a field')).toBeVisible();
  await page.keyboard.press('r');
  await page.keyboard.press('n');
  await page.keyboard.type('ready already, era');
  await expect(dialog.getByLabel('Reason (optional)')).toHaveValue('ready already, era');
  await expect(dialog.getByText(/^1 of \d+ decided$/)).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(dialog.locator('tr[data-line="1"]')).toBeFocused();
  await page.keyboard.press('e');
  await expect(dialog.getByRole('textbox', { name: 'Hazard' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog.getByRole('textbox', { name: 'Hazard' })).toBeHidden();
  await expect(dialog).toBeVisible();

  await dialog.getByLabel('Reason (optional)').fill('Covered by hazard 3');
  await dialog.locator('tr[data-line="1"]').focus();
  await page.keyboard.press('e');
  await dialog.getByRole('textbox', { name: 'Hazard' }).fill('A clearer name');
  // No pause: what was typed and is not saved yet is there again.
  await page.reload();
  await page.getByRole('button', { name: /^Review \d+/ }).click();
  await expect(dialog.getByText(/^1 of \d+ decided$/)).toBeVisible();
  await expect(dialog.getByRole('textbox', { name: 'Hazard' })).toHaveValue('A clearer name');
  await dialog.getByRole('button', { name: 'Save edit' }).click();
  // No pause: unsaved decisions are saved as the page closes.
  await page.reload();
  await page.getByRole('button', { name: /^Review \d+/ }).click();
  await expect(dialog.getByText(/^2 of \d+ decided$/)).toBeVisible();
  await expect(dialog.getByText('A clearer name')).toBeVisible();
  await expect(dialog.getByText('changed').first()).toBeVisible();
  await expect(dialog.getByLabel('Reason (optional)')).toHaveValue('Covered by hazard 3');
});

/** @shows S2-4.1 */
test('an answer given in one browser appears in the other', async ({ page, browser }) => {
  const { email } = await arriveWithReview(page);
  await page.getByRole('button', { name: /^Review \d+/ }).click();

  const second = await browser.newContext();
  const other = await second.newPage();
  await logIn(other, email);
  await other.goto('/agent-inbox');
  await other.getByRole('button', { name: 'Review the proposals' }).click();
  const theirs = other.getByRole('dialog');
  await theirs.getByRole('button', { name: /^Reject the \d+ undecided$/ }).click();
  await theirs.getByRole('button', { name: /^Reject \d+$/ }).click();
  // One reviewer sees what the other saves.
  await expect(page.getByRole('dialog').getByText(/^(\d+) of \1 decided$/)).toBeVisible();
  await theirs.getByRole('button', { name: 'Send decisions' }).click();
  await expect(theirs).toBeHidden();
  await expect(page.getByRole('dialog').getByText(/by Ada Okafor/)).toBeVisible();
  await expect(page.getByRole('dialog').getByText('This answer is final.')).toBeVisible();
  await second.close();
});

test('long work shows its progress, can be left and found again, and cancelled', async ({ page }) => {
  await arrive(page);
  await page.goto('/#chat');
  const hazards = Array.from(
    { length: 8000 },
    (_, at) => `H${at + 1},Wrong dose ${at},The dose of medicine ${at} is read wrongly,Selection,Major,Low,3`,
  );
  const log = ['Hazard ID,Hazard name,Description,Cause,Initial severity,Initial likelihood,Initial risk', ...hazards];
  const tickets = Array.from(
    { length: 24_000 },
    (_, at) =>
      `T-${at + 1},Dose of medicine ${at} shown twice,The prescribing screen shows the dose twice for item ${at}`,
  );
  const files = [
    { name: 'large log.csv', mimeType: 'text/csv', buffer: Buffer.from(log.join('\n')) },
    {
      name: 'many tickets.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(['Key,Summary,Description', ...tickets].join('\n')),
    },
  ];
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Upload a hazard log or tickets' }).click(),
  ]);
  await chooser.setFiles(files);
  const panel = page.getByRole('complementary', { name: 'Hazard log upload' });
  await expect(panel).toContainText('many tickets.csv', { timeout: 20_000 });
  await expect(panel).toContainText('large log.csv');
  await page.getByRole('button', { name: 'Analyse hazard log' }).click();

  const work = page.getByRole('region', { name: /^Clara is working/ });
  await expect(work).toBeVisible();
  await expect(work.getByText(/^\d+ s$/)).toBeVisible();
  await page.goto('/arc-chat');
  await expect(work.getByRole('progressbar')).toBeVisible();
  await work.getByRole('button', { name: 'Cancel' }).click();
  await expect(work).toBeHidden();
  await expect(page.getByRole('region', { name: 'Messages' })).toContainText(/cancelled/i);
});
