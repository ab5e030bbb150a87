import { expectAccessible } from './expectAccessible.ts';
import { expect, test } from './journey.ts';
import { arrive } from './person.ts';

test('a question to the documents becomes a brief with quotes on the panel', async ({ page }) => {
  await arrive(page);
  await page.request.post('/api/documents', {
    multipart: {
      document: { name: 'Night round.md', mimeType: 'text/markdown', buffer: Buffer.from('The guard walks at 22:00.') },
    },
  });
  await page.request.post('/api/user-agents/hire', { data: { agentId: 'researcher' } });
  const onboarded = await page.request.post('/api/user-agents/onboard', { data: { agentId: 'researcher', tools: [] } });
  const list = '**/api/researcher/*/briefs';
  await page.route(list, (route) => route.fulfill({ status: 503, json: { error: 'Not now.' } }));
  await page.goto(`/workspace?agent=${(await onboarded.json()).id}&tab=workspace`);
  const card = page.getByRole('article', { name: 'Researcher' });
  await expect(card.getByRole('alert')).toContainText('Your briefs can’t be shown');
  await page.unroute(list);
  await card.getByRole('button', { name: 'Try again' }).click();
  await expect(card.getByText('No brief yet.')).toBeVisible();
  await card.getByLabel('Task for Rhea').fill('What do our documents say about the guard?');
  await card.getByRole('button', { name: 'Assign task' }).click();
  const brief = card.getByRole('article', { name: 'the guard' });
  await expect(brief.getByText('1 quote from 1 document; 1 read.')).toBeVisible();
  await expectAccessible(page, 'a brief');
  const saved = page.waitForEvent('download');
  await brief.getByRole('button', { name: 'Download the brief on the guard' }).click();
  expect((await saved).suggestedFilename()).toBe('the guard, brief.docx');
  // In the chat, lines that hold the subject's words stay: the title and the quotes.
  await page.goto('/arc-chat');
  const said = page.getByRole('listitem').filter({ hasText: 'Night round.md, line 1' });
  await expect(said.getByText('“The guard walks at 22:00.” [1]')).toBeVisible();
  await expect(said.getByText('the guard', { exact: true })).toBeVisible();
});
