import type { Page } from 'playwright/test';
import { expect, test } from './journey.ts';
import { arrive, tooLarge } from './person.ts';

type Chosen = string | { name: string; mimeType: string; buffer: Buffer };

async function choose(page: Page, file: Chosen): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page
      .getByRole('complementary', { name: 'Hazard log upload' })
      .getByRole('button', { name: 'Upload a file' })
      .click(),
  ]);
  await chooser.setFiles(file);
}

test.beforeEach(async ({ page }) => {
  await arrive(page);
  await page.goto('/#chat');
});

/** @shows S1-5.4 */
test('files are checked before they are sent, and again by the server', async ({ page }) => {
  const toast = page.getByRole('region', { name: 'Notifications (F8)' });
  await choose(page, { name: 'log.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') });
  await expect(toast).toContainText('Invalid file type');
  await expect(toast).toContainText('Please select an Excel (.xlsx, .xls) or CSV file.');
  await choose(page, await tooLarge('log.csv'));
  await expect(toast).toContainText('File too large');
  await expect(toast).toContainText('Please select a file smaller than 10MB.');
  await choose(page, { name: 'log.xlsx', mimeType: '', buffer: Buffer.from('MZ not a workbook') });
  await expect(toast).toContainText('Upload failed');
  // The refusal is in the conversation too, with the next step.
  await expect(page.getByRole('region', { name: 'Messages' })).toContainText('log.xlsx');

  const log = 'Hazard ID,Hazard name,Cause,Severity,Likelihood,Initial risk\nH1,Wrong patient,Selection,Major,Low,3\n';
  await choose(page, { name: 'small log.csv', mimeType: 'text/csv', buffer: Buffer.from(log) });
  // What arrives where one looks needs no announcement.
  await expect(page.getByRole('complementary', { name: 'Hazard log upload' })).toContainText('small log.csv');
});

test('nothing is analysed or merged while a file is on its way', async ({ page }) => {
  await page.request.post('/api/arc-chat/sample', { data: {} });
  const analyse = page.getByRole('button', { name: 'Analyse hazard log' });
  await expect(analyse).toBeEnabled();
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/arc-chat/upload-hazard-log', async (route) => {
    await held;
    await route.continue();
  });
  const log = 'Hazard ID,Hazard name,Cause,Severity,Likelihood,Initial risk\nH1,Wrong patient,Selection,Major,Low,3\n';
  await choose(page, { name: 'next log.csv', mimeType: 'text/csv', buffer: Buffer.from(log) });
  await expect(analyse).toBeDisabled();
  release();
  await expect(page.getByRole('complementary', { name: 'Hazard log upload' })).toContainText('next log.csv');
  await expect(analyse).toBeEnabled();
});

/** @shows S1-2.16 */
test('Enter sends, Shift+Enter starts a new line, and blank text is not sent', async ({ page }) => {
  const box = page.getByRole('textbox', { name: 'Message' });
  await box.fill('   ');
  await box.press('Enter');
  await expect(page.getByRole('button', { name: 'Send' })).toBeDisabled();
  await box.fill('Hello');
  await box.press('Shift+Enter');
  await box.pressSequentially('what can you do?');
  await expect(box).toHaveValue('Hello\nwhat can you do?');
  await box.press('Enter');
  await expect(box).toHaveValue('');
  const messages = page.getByRole('region', { name: 'Messages' });
  await expect(messages).toContainText('what can you do?');
  await expect(messages.getByText('Clara').first()).toBeVisible();

  // A draft survives a reload.
  await box.fill('Not sent yet');
  await page.reload();
  await expect(box).toHaveValue('Not sent yet');
});

/** @shows S1-9.5, S2-9.2 */
test('toasts show one at a time, F8 focuses them, and Escape closes them', async ({ page }) => {
  const region = page.getByRole('region', { name: 'Notifications (F8)' });
  await choose(page, { name: 'one.pdf', mimeType: 'application/pdf', buffer: Buffer.from('x') });
  await choose(page, await tooLarge('log.csv'));
  await expect(region.locator('[data-toast]')).toHaveCount(1);
  await page.keyboard.press('F8');
  await expect(region.locator('[data-toast]')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(region.locator('[data-toast]')).toHaveCount(0);

  await page.emulateMedia({ reducedMotion: 'reduce' });
  await choose(page, { name: 'two.pdf', mimeType: 'application/pdf', buffer: Buffer.from('x') });
  // With reduced motion it appears at once; otherwise it moves in.
  await expect(region.locator('[data-toast]')).toHaveCSS('animation-duration', '1e-06s');
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await expect(region.locator('[data-toast]')).toHaveCSS('animation-duration', '0.12s');
  const box = await region.locator('[data-toast]').boundingBox();
  if (!box) throw new Error('no toast');
  await page.mouse.move(box.x + 20, box.y + box.height / 2);
  await page.mouse.down();
  // Dragged less than fifty pixels it returns, and to the left it does not move at all.
  for (const to of [69, -40]) {
    await page.mouse.move(box.x + to, box.y + box.height / 2, { steps: 4 });
    await page.mouse.up();
    await expect(region.locator('[data-toast]')).toHaveCount(1);
    await page.mouse.move(box.x + 20, box.y + box.height / 2);
    await page.mouse.down();
  }
  await page.mouse.move(box.x + 70, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  await expect(region.locator('[data-toast]')).toHaveCount(0);
});

/** @shows S1-2.15, S1-5.5 */
test('work can be scheduled, paused and removed', async ({ page }) => {
  await page.getByText('Stay compliant in future').click();
  await page.getByRole('button', { name: 'Schedule' }).click();
  await expect(page.getByText('Configuration incomplete')).toBeVisible();
  await page.getByLabel('Action').selectOption({ label: 'Analyse the hazard log' });
  await page.getByLabel('How often').selectOption({ label: 'Custom (cron expression)' });
  await page.getByRole('button', { name: 'Schedule' }).click();
  await expect(page.getByText('Invalid CRON expression')).toBeVisible();
  await page.getByLabel('Cron expression').fill('0 7 * * 2');
  await page.getByRole('button', { name: 'Schedule' }).click();
  await expect(page.getByText(/^0 7 \* \* 2, Europe\/London\. Next /)).toBeVisible();
  await page.getByText('Next times and history').click();
  await expect(page.getByText('It has not run yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Run now' }).click();
  const history = page.getByRole('listitem').filter({ hasText: 'Next times and history' });
  await expect(history.getByText('Next, Europe/London')).toBeVisible();
  await expect(history.locator('ol li')).toHaveCount(5);
  // There is no log to analyse.
  await expect(history.getByText('Not run', { exact: true })).toBeVisible();
  const on = page.getByRole('switch', { name: 'Analyse the hazard log on' });
  await on.press('Space');
  await expect(page.getByText(/Paused\./)).toBeVisible();
  const remove = page.getByRole('button', { name: 'Remove Analyse the hazard log' });
  await remove.click();
  await expect(page.getByText(/Nothing is scheduled yet/)).toBeVisible();
  // Undo restores the removed schedule unchanged: the same times, and paused.
  const toast = page.getByRole('region', { name: 'Notifications (F8)' });
  await expect(toast).toContainText('Automation removed');
  await toast.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('0 7 * * 2, Europe/London. Paused.')).toBeVisible();
  await expect(on).not.toBeChecked();
  await remove.click();
  await expect(page.getByText(/Nothing is scheduled yet/)).toBeVisible();
});
