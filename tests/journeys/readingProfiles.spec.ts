import type { Page } from 'playwright/test';
import { openLog } from '../factories/openLog.ts';
import { expectAccessible } from './expectAccessible.ts';
import { expectLoadingAndFailure } from './heldRead.ts';
import { expect, test } from './journey.ts';
import { arrive } from './person.ts';

const ADDRESS = '/agents/clinical_safety/reading';
const READ = '**/api/reading-profiles';

/** Adds a log in the chat and starts its analysis. */
async function analyse(page: Page, agentId: number): Promise<void> {
  const file = { name: 'Ward log.csv', mimeType: 'text/csv', buffer: Buffer.from(openLog()) };
  const uploaded = await page.request.post('/api/arc-chat/upload-hazard-log', {
    multipart: { hazardLogFile: file, sessionId: 'chat_1' },
  });
  expect(uploaded.ok()).toBe(true);
  const begun = await page.request.post(`/api/clinical-safety-agent/${agentId}/analyze-hazard-log`, { data: {} });
  expect(begun.ok()).toBe(true);
}

/** @shows /agents/:agentId/:path empty, /agents/:agentId/:path loading, /agents/:agentId/:path error */
test('the page of how logs are read says that it loads, fails or has nothing yet', async ({ page }) => {
  await arrive(page);
  await expectLoadingAndFailure(page, ADDRESS, READ);
  await expect(page.getByRole('heading', { name: 'Nothing had to be asked yet' })).toBeVisible();
  await expectAccessible(page, 'how logs are read, empty');
  await page.goto('/agents/clinical_safety/made-up');
  await expect(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible();
});

test('how a log is read is asked in the chat, and the result says whose choice it was', async ({ page }) => {
  test.setTimeout(120_000);
  const { agentId } = await arrive(page);
  await analyse(page, agentId);
  await page.goto('/arc-chat');
  const question = page.getByRole('group', { name: 'Which matrix gives the risk?' });
  await expect(question).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText('The risk would be 4; 2 is recorded')).toBeVisible();
  const send = page.getByRole('button', { name: 'Send answer' });
  await expect(send).toBeDisabled();
  // The next step is the answer, not another analysis.
  await expect(page.getByRole('button', { name: 'Analyse hazard log' })).toHaveCount(0);
  await expectAccessible(page, 'the question how a log is read');
  await question.getByRole('radio', { name: 'Severity times likelihood' }).check();
  // What was chosen and not sent outlives a reload.
  await page.reload();
  await expect(question.getByRole('radio', { name: 'Severity times likelihood' })).toBeChecked();
  await send.click();
  await expect(page.getByText(/Read as Ada Okafor chose on/)).toBeVisible({ timeout: 30_000 });
  await page.goto(`/workspace?agent=${agentId}`);
  await page.getByRole('tab', { name: 'Workspace' }).click();
  await page.getByText('How the log was read').click();
  await page.getByRole('link', { name: 'Change how it’s read' }).click();
  await expect(
    page.getByRole('article', { name: 'Ward log.csv' }).getByText('Severity times likelihood'),
  ).toBeVisible();
});

/** @shows /agents/:agentId/:path signed out, /agents/:agentId/:path no permission */
test('how a log is read is changed, forgotten and restored on its page', async ({ page }) => {
  test.setTimeout(120_000);
  await page.goto(ADDRESS);
  await expect(page.getByText('Please sign in to see how your logs are read.')).toBeVisible();
  const { agentId } = await arrive(page);
  await analyse(page, agentId);
  const asked = async () => (await (await page.request.get(`/api/agents/${agentId}/interrupts`)).json())[0];
  await expect.poll(async () => (await asked())?.status, { timeout: 30_000 }).toBe('pending');
  const answer = { userResponse: { choices: { choice1: 'option2' } } };
  await page.request.patch(`/api/interrupts/${(await asked()).id}/resolve`, { data: answer });

  await page.goto(ADDRESS);
  const profile = page.getByRole('article', { name: 'Ward log.csv' });
  await expect(profile.getByText('Severity times likelihood')).toBeVisible({ timeout: 30_000 });
  await expectAccessible(page, 'how logs are read');
  await profile.getByRole('button', { name: 'Change' }).focus();
  await page.keyboard.press('Enter');
  await profile.getByRole('radio', { name: 'The NHS table (DCB0129 4.2)' }).check();
  await profile.getByRole('button', { name: 'Save' }).click();
  await expect(profile.getByText('The NHS table (DCB0129 4.2)')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(profile.getByText('Severity times likelihood')).toBeVisible();

  const forget = profile.getByRole('button', { name: 'Forget' });
  await expect(forget).not.toHaveAttribute('aria-busy', 'true');
  await forget.click();
  await expect(page.getByRole('heading', { name: 'Nothing had to be asked yet' })).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(profile.getByText('Severity times likelihood')).toBeVisible();

  await page.route(READ, async (route) => {
    const list = await (await route.fetch()).json();
    await route.fulfill({ json: { ...list, mayChange: false } });
  });
  await page.reload();
  await expect(page.getByText('Only the owner and approvers can change how a log is read.')).toBeVisible();
  await expect(profile.getByText('Severity times likelihood')).toBeVisible();
  await expect(profile.getByRole('button')).toHaveCount(0);
});
