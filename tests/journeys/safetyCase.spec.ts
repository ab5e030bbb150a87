import { expect, test } from './journey.ts';
import { arrive } from './person.ts';

/** @shows S2-5.1 */
test('drafts of the safety case report and the compliance sheet are written from the analysis, listed and downloaded', async ({
  page,
}) => {
  const { agentId } = await arrive(page);
  await page.request.post('/api/arc-chat/sample', { data: {} });
  await page.goto(`/workspace?agent=${agentId}&tab=workspace`);
  const report = page.getByRole('region', { name: 'Safety case report and compliance' });
  const write = report.getByRole('button', { name: 'Write the safety case report' });
  await expect(report.getByText(/Analyse your hazard log first/)).toBeVisible();
  await expect(write).toBeDisabled();

  await page.getByRole('button', { name: 'Analyse hazard log' }).click();
  await expect(page.getByRole('button', { name: 'Review the proposals' })).toBeVisible({ timeout: 30_000 });
  await write.click();
  const draft = report.getByRole('list', { name: 'Drafts' }).getByRole('listitem');
  await expect(draft).toHaveCount(1, { timeout: 30_000 });
  await expect(draft).toContainText('Safety case report (draft), Quillmere');
  await expect(report.getByText(/is being written/)).toHaveCount(0);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    draft.getByRole('button', { name: /^Download Safety case report/ }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^Safety case report \(draft\), Quillmere.*\.docx$/);

  await report.getByRole('button', { name: 'Write the DCB0129 compliance sheet' }).click();
  await expect(draft).toHaveCount(2, { timeout: 30_000 });
  await expect(draft.first()).toContainText('DCB0129 compliance (draft), Quillmere');

  await page.goto('/arc-chat');
  const said = page.getByText(/Here is a draft of the safety case report/);
  await expect(said).toBeVisible();
  await expect(page.getByRole('button', { name: /Safety case report \(draft\), Quillmere/ })).toBeVisible();
});

/** @shows S2-2.22 */
test('a safety case report is checked from a file and from its text, and a memo is told that it is none', async ({
  page,
}) => {
  const { agentId } = await arrive(page);
  await page.goto(`/workspace?agent=${agentId}&tab=workspace`);
  const check = page.getByRole('region', { name: 'Check a safety case report' });
  const lines = ['# Clinical Safety Case Report for Quillmere', '## Clinical risk analysis', '## Hazard log', 'TBC'];
  const report = lines.join('\n');
  const give = (name: string, text: string) =>
    check
      .getByLabel('Safety case report', { exact: true })
      .setInputFiles({ name, mimeType: 'text/markdown', buffer: Buffer.from(text) });
  await give('Our report.md', report);
  await expect(check.getByRole('status')).toContainText('Our report.md is a safety case report: 0 of 13 sections');
  await expect(check.getByRole('status')).toContainText('TBC, under “Hazard log”');

  await check.getByText('Or paste its text').click();
  await expect(check.getByRole('button', { name: 'Check the text' })).toBeDisabled();
  await check.getByLabel('Text of the report').fill(`# Memo\n${report}`);
  await check.getByRole('button', { name: 'Check the text' }).click();
  await expect(check.getByRole('status')).toContainText('it reads as a memo');

  await give('Our report.pdf', '%PDF-1.7');
  await expect(check.getByRole('alert')).toContainText('This is a PDF');
});

/** @shows S2-2.22, S2-5.1 */
test('a product in words gives hazards to consider, step by step, without ratings', async ({ page }) => {
  const { agentId } = await arrive(page);
  await page.goto(`/workspace?agent=${agentId}&tab=workspace`);
  const assess = page.getByRole('region', { name: 'Hazards to consider' });
  await assess.getByRole('button', { name: 'Analyse', exact: true }).click();
  await expect(assess.getByRole('alert')).toContainText(
    'Please describe your digital health product or safety concern.',
  );
  await assess
    .getByLabel('A digital health product or a safety concern')
    .fill('Nurses on a ward search for the patient, record the pulse, and the app calculates a score.');
  await assess.getByRole('button', { name: 'Analyse', exact: true }).click();
  const list = assess.getByRole('status');
  await expect(list).toContainText('This is a preliminary prompt list for people');
  await expect(list).toContainText('What if it picks the wrong patient or item?');
  await expect(assess.getByRole('alert')).toHaveCount(0);
});

test('an incident in words is put in order, and what was typed stays until it is taken', async ({ page }) => {
  const { agentId } = await arrive(page);
  await page.goto(`/workspace?agent=${agentId}&tab=workspace`);
  const incident = page.getByRole('region', { name: 'Incident, first hour' });
  const start = incident.getByRole('button', { name: 'Prepare the incident record' });
  await expect(start).toBeDisabled();
  const told = incident.getByLabel('What happened');
  await told.fill('A patient got a double dose at 14:05 and is stable.');
  await page.route('**/incident-record', (route) => route.abort(), { times: 1 });
  await start.click();
  await expect(incident.getByRole('alert').filter({ hasText: 'Not Recorded' })).toBeVisible();
  await expect(told).toHaveValue(/double dose/);
  await start.click();
  await expect(incident.getByText(/Nothing is sent\./)).toBeVisible();
  await expect(told).toHaveValue('');
  await page.goto('/arc-chat');
  await expect(page.getByText(/First, outside of Arc: make sure that the patients/)).toBeVisible();
  await expect(page.getByRole('button', { name: /Incident record \(draft\)/ })).toBeVisible();
});
