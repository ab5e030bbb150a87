import type { Page } from 'playwright/test';
import { expectAccessible } from './expectAccessible.ts';
import { expectLoadingAndFailure } from './heldRead.ts';
import { expect, test } from './journey.ts';
import { arrive, arriveAnalysed } from './person.ts';

const LIST = '**/api/hazard-analyses';

/** @shows /analyses signed out, /analyses empty, /analyses loading, /analyses error */
test('the list of analyses asks to sign in, loads, fails, and says what it is for while it is empty', async ({
  page,
}) => {
  await page.goto('/analyses');
  await expect(page.getByText('Please sign in to see your analyses.')).toBeVisible();
  await arrive(page);
  await expectLoadingAndFailure(page, '/analyses', LIST);
  await expect(page.getByRole('heading', { name: 'No analysis yet' })).toBeVisible();
  await expectAccessible(page, 'analyses, empty');
});

test('an analysis is found in the list, by keyboard, and has an address of its own', async ({ page }) => {
  test.setTimeout(120_000);
  const { agentId } = await arriveAnalysed(page);
  await page.goto(`/workspace?agent=${agentId}&tab=workspace`);
  await page.getByRole('link', { name: 'All analyses' }).click();
  await expect(page.getByRole('heading', { name: 'Analyses', level: 1 })).toBeVisible();
  const row = page.getByRole('region', { name: 'Analyses' }).getByRole('row').nth(1);
  await expect(row).toContainText('Sample');
  await expect(row).toContainText(/\d+ to fix/);
  await expect(row).toContainText(/\d+ of \d+/);
  await expect(row).toContainText('Waiting for review');
  await expect(row).toContainText('Ada Okafor');
  await expectAccessible(page, 'analyses');
  await page.getByText('Without samples 0').click();
  await expect(page.getByText('No analysis matches. Change or clear the filter.')).toBeVisible();
  await page.getByText('All 1', { exact: true }).click();
  await row.getByRole('link').focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/analyses\/\d+$/);
  const result = page.getByRole('region', { name: 'Hazard analysis' });
  await expect(result.getByRole('button', { name: /^\d+ hazards$/ })).toBeVisible();
  await expectAccessible(page, 'one analysis');
  await result.getByRole('button', { name: 'Review the proposals' }).click();
  await expect(page.getByRole('dialog').getByText(/of \d+ decided/)).toBeVisible();
});

test('the card of an earlier analysis in the chat opens that analysis', async ({ page }) => {
  test.setTimeout(120_000);
  const { agentId } = await arriveAnalysed(page);
  const analyse = `/api/clinical-safety-agent/${agentId}/analyze-hazard-log`;
  expect((await page.request.post(analyse, { data: {} })).ok()).toBe(true);
  const ids = async () =>
    (await (await page.request.get('/api/hazard-analyses')).json()).map(({ id }: { id: number }) => id);
  await expect.poll(ids).toHaveLength(2);
  const [, earlier] = await ids();
  await page.goto('/arc-chat');
  const first = page.getByRole('link', { name: 'Full result' }).first();
  await expect(first).toHaveAttribute('href', `/analyses/${earlier}`);
  await page.getByRole('button', { name: 'Show the evidence' }).first().click();
  await expect(page.getByText('First findings').first()).toBeVisible();
  await first.click();
  await expect(page).toHaveURL(`/analyses/${earlier}`);
  await expect(page.getByRole('region', { name: 'Hazard analysis' })).toBeVisible();
});

/**
 * @shows /analyses/:id signed out, /analyses/:id loading, /analyses/:id error, /analyses/:id empty,
 * /analyses/:id no permission
 */
test('the page of an analysis says that it loads, fails, does not exist, has no result, or is no longer kept', async ({
  page,
}) => {
  await page.goto('/analyses/7');
  await expect(page.getByText('Please sign in to see this analysis.')).toBeVisible();
  await arrive(page);
  await expectLoadingAndFailure(page, '/analyses/7', '**/api/hazard-analysis/7');
  // Another company's analysis answers as one that does not exist.
  await expect(page.getByRole('heading', { name: 'This analysis can’t be shown' })).toBeVisible();
  await expectAccessible(page, 'no such analysis');
  await page.goto('/analyses/seven');
  await expect(page.getByRole('heading', { name: 'This analysis can’t be shown' })).toBeVisible();

  await page.route('**/api/hazard-analysis/7', (route) =>
    route.fulfill({ status: 410, json: { error: 'It has expired.', code: 'expired' } }),
  );
  await page.goto('/analyses/7');
  await expect(page.getByRole('heading', { name: 'The result is no longer kept' })).toBeVisible();
  await page.unroute('**/api/hazard-analysis/7');

  const none = { existingHazards: [], newHazards: [], findings: [], analysisMetadata: null };
  const row = { id: 7, userAgentId: 1, headline: '', decisions: null, interruptId: null, matchesInterruptId: null };
  const files = { files: { newHazards: null, merged: null }, conflicts: [], readAs: null };
  const log = { createdAt: '2026-05-03T10:00:00.000Z', logFileName: 'log.xlsx', ticketsFileName: null };
  await page.route('**/api/hazard-analysis/7', (route) =>
    route.fulfill({ json: { ...none, ...row, ...files, ...log, status: 'failed' } }),
  );
  await page.reload();
  await expect(page.getByText('The analysis failed before it had a result.')).toBeVisible();
  await expect(page.getByText('hazards', { exact: true })).toHaveCount(0);
  await expectAccessible(page, 'an analysis without a result');
});

test('a log without ratings says so instead of drawing empty matrices, each for itself', async ({ page }) => {
  test.setTimeout(120_000);
  const { agentId } = await arrive(page);
  const analyse = async (fileName: string, heading: string, values: string[]) => {
    const rows = values.map((value, at) => `H-0${at + 1},Hazard number ${at + 1},A cause,Harm,${value}`);
    const text = `Hazard ID,Hazard,Cause,Clinical impact,${heading}\n${rows.join('\n')}\n`;
    const file = { name: fileName, mimeType: 'text/csv', buffer: Buffer.from(text) };
    const multipart = { hazardLogFile: file, sessionId: 'chat_1' };
    expect((await page.request.post('/api/arc-chat/upload-hazard-log', { multipart })).ok()).toBe(true);
    const start = `/api/clinical-safety-agent/${agentId}/analyze-hazard-log`;
    expect((await page.request.post(start, { data: {} })).ok()).toBe(true);
    const newest = async () => (await (await page.request.get('/api/hazard-analyses')).json())[0];
    await expect
      .poll(async () => {
        const last = await newest();
        return last?.logFileName === fileName && last.figures !== null;
      })
      .toBe(true);
    await page.goto(`/analyses/${(await newest()).id}`);
  };
  await analyse('Unrated.csv', 'Owner', ['Ada', 'Bo']);
  await expect(page.getByText('This log has no ratings, so no matrix is drawn.')).toBeVisible();
  await expect(page.getByText(/^Matrix: /)).toHaveCount(0);
  await expect(page.getByRole('table', { name: /risk/ })).toHaveCount(0);
  await expectAccessible(page, 'an analysis without ratings');

  const rated = 'Initial severity,Initial likelihood,Initial risk,Residual severity,Residual likelihood,Residual risk';
  await analyse('Initial.csv', rated, ['Major,Low,3,,,', 'Minor,Low,1,,,']);
  await expect(page.getByRole('table', { name: /^Initial risk/ })).toBeVisible();
  await expect(page.getByText('This log has no residual ratings, so no matrix is drawn.')).toBeVisible();
  await expect(page.getByRole('table', { name: /^Residual risk/ })).toHaveCount(0);
});

test('an earlier analysis is opened in the chat and from the list of work, and answers there', async ({ page }) => {
  test.setTimeout(120_000);
  const { agentId } = await arriveAnalysed(page);
  await page.goto(`/workspace?agent=${agentId}&tab=workspace`);
  await page.getByRole('link', { name: /^Open the result/ }).click();
  await expect(page).toHaveURL(/\/analyses\/\d+$/);
  await page.getByRole('button', { name: 'Ask about it in the chat' }).press('Enter');
  await expect(page).toHaveURL('/arc-chat');
  await expect(page.getByText(/^This conversation works on the analysis of Quillmere/)).toBeVisible();
  await expectAccessible(page, 'an analysis opened in the chat');
  await page.getByRole('textbox', { name: 'Message' }).fill('Which hazards have a residual risk above 2?');
  await page.keyboard.press('Enter');
  const rows = page.getByRole('link', { name: 'Show these hazards in the table' });
  await expect(rows).toHaveAttribute('href', /&of=\d+&/);
  await rows.click();
  await expect(page.getByRole('region', { name: 'Hazard analysis' })).toContainText(/\d+ hazards of 25/);
});

/** Uploads a log of hazards with their ratings and analyses it. @returns the analysis */
async function analyseRated(page: Page, agentId: number, fileName: string, hazards: [string, string, string][]) {
  const rows = hazards.map(([id, name, residual]) => `${id},${name},A cause,Harm,Major,Low,3,${residual}`);
  const heading =
    'Hazard ID,Hazard,Cause,Clinical impact,Initial severity,Initial likelihood,Initial risk,Residual severity,Residual likelihood,Residual risk';
  const file = { name: fileName, mimeType: 'text/csv', buffer: Buffer.from(`${heading}\n${rows.join('\n')}\n`) };
  const multipart = { hazardLogFile: file, sessionId: 'chat_1' };
  expect((await page.request.post('/api/arc-chat/upload-hazard-log', { multipart })).ok()).toBe(true);
  const start = `/api/clinical-safety-agent/${agentId}/analyze-hazard-log`;
  expect((await page.request.post(start, { data: {} })).ok()).toBe(true);
  const newest = async () => (await (await page.request.get('/api/hazard-analyses')).json())[0];
  await expect
    .poll(async () => {
      const last = await newest();
      return last?.logFileName === fileName && last.figures !== null;
    })
    .toBe(true);
  return (await newest()).id as number;
}

test('a second version is compared with the first: in the chat, and with arrows on the matrix', async ({ page }) => {
  test.setTimeout(120_000);
  const { agentId } = await arrive(page);
  const first = await analyseRated(page, agentId, 'Ward v1.7.csv', [
    ['H-01', 'Wrong patient', 'Major,Very low,2'],
    ['H-02', 'Wrong dose', 'Major,Low,3'],
    ['H-03', 'Lost message', 'Minor,Low,1'],
  ]);
  await page.goto(`/analyses/${first}`);
  await page.getByRole('tab', { name: 'Changes' }).click();
  await expect(page.getByText('There is no earlier analysis of this log.')).toBeVisible();
  await expectAccessible(page, 'changes, none');
  const second = await analyseRated(page, agentId, 'Ward v1.8.csv', [
    ['H-01', 'Wrong patient', 'Major,Very low,2'],
    ['H-02', 'Wrong dose', 'Major,Very low,2'],
    ['H-04', 'Late alert', 'Minor,Low,1'],
  ]);
  await page.goto('/arc-chat');
  await expect(
    page.getByText(/Since the earlier analysis \(v1\.7, .+\): 1 hazard added, 1 removed, 1 re-rated\./),
  ).toBeVisible();
  await page.goto(`/analyses/${second}`);
  await page.getByRole('tab', { name: 'Changes' }).click();
  await expect(page.getByRole('img', { name: 'Residual risk: 1 hazard moved, listed below' })).toBeVisible();
  await expect(page.getByRole('img', { name: /^Initial risk/ })).toHaveCount(0);
  const row = page.getByRole('region', { name: 'Re-rated hazards' }).getByRole('row').nth(1);
  await expect(row).toContainText('H-02');
  await expect(row).toContainText('3 (Major × Low)');
  await expect(row).toContainText('2 (Major × Very low)');
  await expect(page.getByRole('heading', { name: 'Hazards added: 1' })).toBeVisible();
  await expect(page.getByText('H-04 Late alert')).toBeVisible();
  await expect(page.getByText('H-03 Lost message')).toBeVisible();
  await expectAccessible(page, 'changes');
  // The other way round, by the address of the choice.
  await page.goto(`/analyses/${first}?with=${second}`);
  await expect(page.getByRole('heading', { name: 'Hazards added: 1' })).toBeVisible();
  await expect(page.getByText('H-03 Lost message')).toBeVisible();
  await page.goto('/');
  await expect(page.getByText(/^Changed: 1 hazard added, 1 hazard removed, 1 hazard re-rated/)).toBeVisible();
});

test('a finding is assigned, accepted with a reason and commented on by keyboard, and fixed by the next version', async ({
  page,
}) => {
  test.setTimeout(60_000);
  const { agentId } = await arrive(page);
  const first = await analyseRated(page, agentId, 'Ward v1.7.csv', [
    ['H-01', 'Wrong patient', 'Major,Low,2'],
    ['H-02', 'Wrong dose', 'Major,Low,3'],
  ]);
  await page.goto(`/analyses/${first}`);
  await page.getByRole('tab', { name: 'Findings' }).click();
  const table = page.getByRole('region', { name: 'Findings' });
  const title = /^H-01: residual risk is 2, the matrix gives 3/;
  await table.getByRole('button', { name: title }).press('Enter');
  const drawer = page.getByRole('dialog', { name: title });
  await drawer.getByLabel('Assigned to').selectOption('Ada Okafor');
  await expect(drawer.getByLabel('Assigned to')).toBeEnabled();
  await drawer.getByLabel('Your comment').fill('Asked the ward.');
  await drawer.getByRole('button', { name: 'Comment', exact: true }).press('Enter');
  await expect(drawer.getByText('Asked the ward.')).toBeVisible();
  await expectAccessible(page, 'a finding');
  // What was assigned waits on the dashboard, and leads back.
  await page.goto('/#team');
  // Until then the page is the server's text, whose links are replaced.
  await expect(page.getByRole('tablist')).toBeVisible();
  await page.getByRole('region', { name: 'Where you left off' }).getByText('1 finding assigned to you').click();
  await expect(drawer.getByText('Asked the ward.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.locator('#main')).toBeFocused();
  await table.getByRole('button', { name: title }).press('Enter');
  const before = (await (await page.request.get(`/api/hazard-analysis/${first}`)).json()).findings.filter(
    ({ level }: { level: string }) => level === 'fix',
  ).length;
  await drawer.getByLabel('Reason for accepting it').fill('The rationale is in the safety case.');
  await drawer.getByRole('button', { name: 'Accept with this reason' }).press('Enter');
  await expect(drawer.getByText(/^Accepted by Ada Okafor, .+: The rationale is in the safety case\.$/)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(table.getByRole('button', { name: title })).toBeFocused();
  // The figures name it apart, as the home page does.
  const toFix = page.locator('dl div').filter({ hasText: 'to fix' });
  await expect(toFix).toHaveText(`${before - 1}findings to fix1 accepted`);
  await page.getByLabel('Mine').check();
  await expect(table.getByRole('row')).toHaveCount(2);
  await expect(table.getByRole('row').nth(1)).toContainText('Accepted');
  await expect(table.getByRole('row').nth(1)).toContainText('Ada Okafor');
  await page.getByLabel('State').selectOption('Open');
  await expect(page.getByText('No findings match. Change or clear the filter.')).toBeVisible();
  await expectAccessible(page, 'findings with their states');

  const second = await analyseRated(page, agentId, 'Ward v1.8.csv', [
    ['H-01', 'Wrong patient', 'Major,Very low,2'],
    ['H-02', 'Wrong dose', 'Major,Low,3'],
  ]);
  await page.goto(`/analyses/${first}`);
  await page.getByRole('tab', { name: 'Findings' }).click();
  await page.getByLabel('State').selectOption('fixed');
  await table.getByRole('button', { name: title }).click();
  await page
    .getByRole('dialog')
    .getByRole('link', { name: /^in v1\.8, by the analysis of/ })
    .click();

  // The version that fixed it offers it too, and leads to it.
  await expect(page).toHaveURL(`/analyses/${second}`);
  await page.getByRole('tab', { name: 'Findings' }).click();
  await page.getByLabel('State').selectOption('fixed-since');
  await expectAccessible(page, 'findings that were fixed since');
  await table.getByRole('link', { name: title }).click();
  await expect(page.getByRole('dialog', { name: title }).getByText('Asked the ward.')).toBeVisible();
  await page.goto(`/analyses/${second}?show=hazards&hazard=H-01`);
  const history = page.getByRole('dialog').getByRole('list').last();
  await expect(history.getByRole('listitem').first()).toContainText(
    'Residual risk 2 (Major × Very low), was 2 (Major × Low)',
  );
  await expect(history.getByRole('listitem').first()).toContainText('Fixed: H-01: residual risk is 2');
  await expectAccessible(page, 'the history of a hazard');

  // Until the button is pressed: pages read again by themselves, which would take the button away.
  const isPressed = () => page.evaluate(() => document.documentElement.dataset.pressed !== undefined);
  await page.route('**/api/hazard-analysis/*/findings', async (route) =>
    (await isPressed()) ? route.continue() : route.abort(),
  );
  await page.goto(`/analyses/${second}?show=findings`);
  await expect(page.getByText('What people decided on these findings could not be read')).toBeVisible();
  await page.evaluate(() =>
    document.addEventListener(
      'click',
      () => {
        document.documentElement.dataset.pressed = '';
      },
      true,
    ),
  );
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('What people decided on these findings could not be read')).toBeHidden();
});

test('a hazard opens with its fields, causes, controls, findings and tickets', async ({ page }) => {
  test.setTimeout(60_000);
  await arriveAnalysed(page);
  const [{ id }] = await (await page.request.get('/api/hazard-analyses')).json();
  await page.goto(`/analyses/${id}`);
  await page.getByRole('tab', { name: 'Hazards' }).click();
  const row = page.getByRole('region', { name: 'Hazards' }).getByRole('row').filter({ hasText: 'QM-04' });
  await row.getByRole('button').press('Enter');
  const drawer = page.getByRole('dialog', { name: /^QM-04 / });
  await expect(drawer.getByText('QM-04: initial risk is 2, the matrix gives 3')).toBeVisible();
  for (const name of [/^Cause entries \d/, /^Control entries \d/, 'Findings 1', /^Tickets/])
    await expect(drawer.getByRole('heading', { name })).toBeVisible();
  await expect(drawer.getByText('No other analysed version of this log has this hazard.')).toBeVisible();
  await expectAccessible(page, 'a hazard');
  await page.keyboard.press('Escape');
  await expect(row.getByRole('button')).toBeFocused();

  const tickets = await (await page.request.get(`/api/hazard-analysis/${id}/tickets`)).json();
  const { quote, hazardIds } = tickets.find((ticket: { hazardIds: string[] }) => ticket.hazardIds.length > 0);
  await page.goto(`/analyses/${id}?hazard=${hazardIds[0]}`);
  await expect(page.getByRole('dialog').getByRole('blockquote').filter({ hasText: quote }).first()).toBeVisible();
});
