import { readFileSync } from 'node:fs';
import type { Page } from 'playwright/test';
import { readSample } from '../../bot/agents/clinical_safety/sample/readSample.ts';
import { expect, test } from './journey.ts';
import { arrive, changeAnswer, colourOf, register, tooLarge } from './person.ts';

async function choose(
  page: Page,
  files: string[] | { name: string; mimeType: string; buffer: Buffer }[],
): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('region', { name: 'Sandbox workspace' }).getByRole('button', { name: 'Add documents' }).click(),
  ]);
  await chooser.setFiles(files);
}

/** @shows S1-2.11, S1-2.13, S1-8.8, S2-2.12 */
test('the onboarding is completed with documents stored in Arc', async ({ page }) => {
  await register(page);
  for (const step of ['preferences', 'team']) {
    await page.request.post('/api/user/onboarding/update', { data: { step, completed: true } });
  }
  await page.goto('/#integrations');
  await expect(page.getByRole('heading', { name: 'Setup Your Agent Workspace' })).toBeVisible();
  await expect(page.getByText('Which tools hold the context for your agents?')).toBeVisible();
  await expect(page.getByText('How will you communicate with your agents?')).toBeVisible();
  await expect(page.getByText('Additional Enterprise Integrations')).toBeVisible();
  const figma = page.getByRole('article', { name: 'Figma', exact: true });
  await expect(figma.getByText('Enterprise', { exact: true })).toBeVisible();
  await expect(figma.getByRole('button', { name: 'Contact Sales' })).toBeDisabled();
  // Both are on from the start.
  await expect(page.getByRole('tab')).toHaveCount(5);
  await expect(page.getByText('Setup Complete!')).toBeVisible();
  // The server's word on the setup is still the one from before: nobody gets on by it.
  let release = () => {};
  const late = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/user/onboarding/status', async (route) => {
    await late;
    await route.continue();
  });
  await page.getByRole('switch', { name: 'Sandbox workspace on' }).press('Space');
  await page.getByRole('switch', { name: 'arc-chat on' }).press('Space');
  await expect(page.getByRole('tab')).toHaveCount(4);
  for (const name of ['Notion', 'SharePoint']) {
    const card = page.getByRole('article', { name, exact: true });
    await expect(card.getByText('Not configured')).toBeVisible();
    await expect(card.getByRole('switch')).toBeDisabled();
  }
  await page.getByRole('button', { name: 'Continue to Billing' }).click();
  await expect(page.getByText('Complete Integration Setup')).toBeVisible();
  release();

  // The place takes documents as soon as its switch is moved, before that is saved.
  let save = () => {};
  const saved = new Promise<void>((resolve) => {
    save = resolve;
  });
  await page.route('**/api/integrations/toggle', async (route) => {
    await saved;
    await route.continue();
  });
  await page.getByRole('switch', { name: 'Sandbox workspace on' }).press('Space');
  const place = page.getByRole('region', { name: 'Sandbox workspace' });
  await expect(place.getByText('Documents kept in Arc')).toBeVisible();
  await expect(place.getByText(/Add what your agents should know/)).toBeVisible();
  await choose(page, [{ name: 'Safety case.md', mimeType: 'text/markdown', buffer: Buffer.from('# Safety case') }]);
  save();
  await expect(place.getByRole('link', { name: 'Safety case.md' })).toBeVisible();
  await expect(place.getByText(/13 B, added by Ada Okafor/)).toBeVisible();
  await page.getByRole('switch', { name: 'arc-chat on' }).press('Space');
  await expect(page.getByText('Setup Complete!')).toBeVisible();
  await expect(page.getByRole('tab')).toHaveCount(5);
  await page.getByRole('button', { name: 'Continue to Billing' }).click();
  await expect(page.getByRole('heading', { name: 'Credits', exact: true })).toBeVisible();
});

/** @shows /#integrations empty, S2-2.12, S2-4.2 */
test('integrations are shown in groups, each with a badge whose text and colour show its state', async ({ page }) => {
  await arrive(page);
  const known = { authenticated: false, enabled: false, error: null, configured: true };
  await changeAnswer(page, '**/api/oauth/status/all', (states: object) => ({
    ...states,
    ...{ notion: { ...known, authenticated: true }, jira: { ...known, error: 'The token was revoked.' } },
    ...{ linear: known },
  }));
  await page.goto('/#integrations');
  await expect(page.getByRole('heading', { level: 3 })).toHaveText([
    ...[
      'Documentation and Process',
      'Sandbox workspace',
      'Notion',
      'Google Drive',
      'SharePoint',
      'Linear',
      'Jira',
      'Confluence',
    ],
    // The current place of the documents.
    'Sandbox workspace',
    ...['Communication', 'arc-chat', 'Slack', 'Microsoft Teams'],
    ...['Enterprise', 'GitHub', 'Figma', 'Mailchimp', 'Twitter', 'Airtable', 'Salesforce', 'HubSpot'],
  ]);
  for (const [name, badge, colour] of [
    ['Notion', 'Connected', '--arc-green'],
    ['arc-chat', 'Connected', '--arc-green'],
    ['Linear', 'Not connected', '--arc-ink-soft'],
    ['Jira', 'Error', '--arc-red'],
    ['Google Drive', 'Not configured', '--arc-ink-soft'],
    ['SharePoint', 'Not configured', '--arc-ink-soft'],
    ['Slack', 'Not configured', '--arc-ink-soft'],
    ['GitHub', 'Enterprise', '--arc-ink-soft'],
  ] as const) {
    const tag = page.getByRole('article', { name, exact: true }).getByText(badge, { exact: true });
    await expect(tag).toHaveCSS('color', await colourOf(page, colour));
  }
  await expect(page.getByRole('article', { name: 'Jira' }).getByRole('alert')).toHaveText('The token was revoked.');
});

test('documents are checked, opened, used in the chat and deleted', async ({ page }) => {
  await arrive(page);
  await page.goto('/#integrations');
  const place = page.getByRole('region', { name: 'Sandbox workspace' });
  await choose(page, [{ name: 'run.exe', mimeType: '', buffer: Buffer.from('MZ') }]);
  await expect(place.getByRole('alert')).toContainText('Invalid file type');
  await choose(page, [await tooLarge('big.txt')]);
  await expect(place.getByRole('alert')).toContainText('File too large');
  // The server checks what the page can't see.
  await choose(page, [{ name: 'not a.pdf', mimeType: 'application/pdf', buffer: Buffer.from('<html>') }]);
  await expect(place.getByRole('alert')).toContainText('not a.pdf was not added.');

  const { log } = await readSample();
  await choose(page, [{ name: log.fileName, mimeType: '', buffer: Buffer.from(log.bytes) }]);
  const link = place.getByRole('link', { name: log.fileName });
  await expect(link).toBeVisible();
  await expect(place.getByRole('alert')).toBeHidden();
  const [opened] = await Promise.all([page.waitForEvent('download'), link.click()]);
  expect(readFileSync(await opened.path()).equals(Buffer.from(log.bytes))).toBe(true);

  await place.getByRole('button', { name: `Use ${log.fileName} in the chat` }).click();
  await expect(page.getByText('Hazard log added to the chat')).toBeVisible();
  await page.getByRole('tab', { name: 'Chat' }).click();
  await expect(page.getByRole('complementary', { name: 'Hazard log upload' })).toContainText(log.fileName);

  await page.getByRole('tab', { name: 'Integrations' }).click();
  await place.getByRole('button', { name: `Delete ${log.fileName}` }).press('Enter');
  await expect(place.getByText('Delete permanently?')).toBeVisible();
  await place.getByRole('button', { name: 'Keep' }).click();
  await expect(link).toBeVisible();
  await place.getByRole('button', { name: `Delete ${log.fileName}` }).click();
  await place.getByRole('button', { name: `Delete ${log.fileName}` }).click();
  await expect(link).toBeHidden();
  await expect(place.getByText(/Add what your agents should know/)).toBeVisible();

  await page.route('**/api/documents', (route) => route.abort());
  await page.reload();
  await expect(place.getByText('The documents could not be loaded')).toBeVisible();
  await page.unroute('**/api/documents');
  await place.getByRole('button', { name: 'Try again' }).click();
  await expect(place.getByText(/Add what your agents should know/)).toBeVisible();
});
