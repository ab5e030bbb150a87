import { expectAccessible } from './expectAccessible.ts';
import { expect, test } from './journey.ts';
import { arrive } from './person.ts';

const TEXT = `Make a controlled document
# Cold chain

Owner: Priya Shah

## Rule

Keep the vaccines between 2 and 8 °C, as needed. Send an e-mail to the pharmacist within 30 minutes; the email is kept.`;

/** @shows S2-8.4 */
test('a rough text becomes a controlled document from the panel: a choice and an approval in the inbox, then a draft', async ({
  page,
}) => {
  await arrive(page);
  await page.request.post('/api/user-agents/hire', { data: { agentId: 'professionaliser' } });
  const onboarded = await page.request.post('/api/user-agents/onboard', {
    data: { agentId: 'professionaliser', tools: [] },
  });
  const panel = `/workspace?agent=${(await onboarded.json()).id}&tab=workspace`;
  const list = '**/api/professionaliser/*/controlled';
  await page.route(list, (route) => route.fulfill({ status: 503, json: { error: 'Not now.' } }));
  await page.goto(panel);
  const card = page.getByRole('article', { name: 'Document professionaliser' });
  await expect(card.getByRole('alert')).toContainText('Your documents can’t be shown');
  await page.unroute(list);
  await card.getByRole('button', { name: 'Try again' }).click();
  await expect(card.getByText('No document yet.')).toBeVisible();

  await card.getByLabel('Task for Petra').fill(TEXT);
  await card.getByRole('button', { name: 'Assign task' }).click();
  await expect(page.getByText('Document Management Started')).toBeVisible();
  await card.getByRole('link', { name: 'Answer it in the inbox' }).click();
  await page
    .getByRole('group', { name: 'Word 1: which spelling should stand?' })
    .getByRole('radio', { name: 'email', exact: true })
    .check();
  await page.getByRole('button', { name: 'Send answer' }).click();
  await expect(page.getByText('Save “Cold chain” as a draft in your company’s documents?').first()).toBeVisible();

  await page.goto(panel);
  const document = card.getByRole('article', { name: 'Cold chain' });
  await expect(document.getByText('Waits for approval')).toBeVisible();
  await expectAccessible(page, 'a controlled document');
  const saved = page.waitForEvent('download');
  await document.getByRole('button', { name: 'Download Cold chain' }).click();
  expect((await saved).suggestedFilename()).toBe('Cold chain, controlled draft.docx');
  await card.getByRole('link', { name: 'Answer it in the inbox' }).click();
  await page.getByRole('radio', { name: 'Approve' }).check();
  await page.getByRole('button', { name: 'Send answer' }).click();
  await page.goto(panel);
  await expect(document.getByText('Saved as a draft')).toBeVisible();
  const { documents } = await (await page.request.get('/api/documents')).json();
  expect(documents.map(({ name, addedBy }: { name: string; addedBy: string }) => [name, addedBy])).toEqual([
    ['Cold chain, controlled draft.docx', 'Petra'],
  ]);
});
