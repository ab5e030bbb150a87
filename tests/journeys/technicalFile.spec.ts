import { expectAccessible } from './expectAccessible.ts';
import { expect, test } from './journey.ts';
import { arrive } from './person.ts';

const FACTS = [
  'Name: MoleView\nIntended purpose: Shows suspicious moles.\nMedical purpose: yes\nProcessing: interprets',
  'Individual patients: yes\nMarket: both\nDecisions: diagnosis\nSignificance: informs\nWorst consequence: serious',
  'State of the condition: serious\nMonitoring: no\nDriven device: no\nCertificate date: 2026-01-10',
].join('\n');

test('a technical file is drafted from the panel: facts in lines, choices in the inbox, files to download', async ({
  page,
}) => {
  await arrive(page);
  await page.request.post('/api/user-agents/hire', { data: { agentId: 'mdr' } });
  const onboarded = await page.request.post('/api/user-agents/onboard', {
    data: { agentId: 'mdr', tools: ['mdrtools'] },
  });
  const { id } = await onboarded.json();
  const panel = `/workspace?agent=${id}&tab=workspace`;
  await page.goto(panel);
  const card = page.getByRole('article', { name: 'EU MDR technical file' });
  await expect(card.getByText('No product yet.')).toBeVisible();
  await card.getByLabel('Facts to begin with, a line each (optional)').fill(FACTS);
  const begun = page.waitForResponse('**/api/mdr/technical-file/*');
  await card.getByRole('button', { name: 'Draft the technical file' }).click();
  expect((await begun).status()).toBe(200);
  await expect(card.getByText('The draft continues once its question is answered.')).toBeVisible();
  await card.getByRole('link', { name: 'Answer it in the inbox' }).click();
  await expect(page.getByText(/Facts 3 of 3/).first()).toBeVisible();
  const choose = (question: string, option: string) =>
    page.getByRole('group', { name: question }).getByRole('radio', { name: option, exact: true }).check();
  await choose('What could a failure of the software lead to?', 'A serious injury or death');
  for (const question of [
    'Do lay people use it, for example patients?',
    'Does it work together with other devices or products?',
    'Does it run on phones or tablets?',
  ])
    await choose(question, 'No');
  await choose('Does it measure something, in units?', 'I don’t know');
  await page.getByRole('button', { name: 'Send answer' }).click();
  await expect(page.getByText(/Facts 3 of 3/)).toHaveCount(0);

  await page.goto(panel);
  const product = card.getByRole('article', { name: 'MoleView' });
  await expect(product.getByText('EU: IIb')).toBeVisible();
  await expect(product.getByText('1 open fact')).toBeVisible();
  await expect(product.getByText(/numbers of Annex I apply/)).toBeVisible();
  await expectAccessible(page, 'a drafted technical file');
  const saved = page.waitForEvent('download');
  await product.getByRole('button', { name: 'Checklist of MoleView' }).click();
  expect((await saved).suggestedFilename()).toBe('MoleView, GSPR checklist.xlsx');
  await product.getByText('17 facts').click();
  await expect(product.getByText('Shows suspicious moles.')).toBeVisible();
});

test('products that can’t be read say so, and are read again by one press', async ({ page }) => {
  await arrive(page);
  await page.request.post('/api/user-agents/hire', { data: { agentId: 'mdr' } });
  const onboarded = await page.request.post('/api/user-agents/onboard', { data: { agentId: 'mdr', tools: [] } });
  await page.route('**/api/mdr/devices/*', (route) => route.fulfill({ status: 503, json: { error: 'Not now.' } }));
  await page.goto(`/workspace?agent=${(await onboarded.json()).id}&tab=workspace`);
  const card = page.getByRole('article', { name: 'EU MDR technical file' });
  await expect(card.getByRole('alert')).toContainText('Your products can’t be shown');
  await page.unroute('**/api/mdr/devices/*');
  await card.getByRole('button', { name: 'Try again' }).click();
  await expect(card.getByText('No product yet.')).toBeVisible();
  // A tool that is off is said where the work was asked for.
  await card.getByRole('button', { name: 'Draft the technical file' }).click();
  await expect(card.getByRole('alert')).toContainText('MDR tools is switched off for Marta');
});
