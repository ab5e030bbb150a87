import { readFile } from 'node:fs/promises';
import ExcelJS from 'exceljs';
import type { Page } from 'playwright/test';
import { pagesOf, textOf } from '../factories/pdf.ts';
import { expectAccessible } from './expectAccessible.ts';
import { expectLoadingAndFailure } from './heldRead.ts';
import { expect, test } from './journey.ts';
import { arrive, arriveAnalysed } from './person.ts';
import { splitWords, squeezedLines } from './printed.ts';

/** Counts the print dialogs that a page asks for: a headless browser shows none. */
const countPrints = (page: Page) =>
  page.addInitScript(() => {
    const counted = window as unknown as { prints: number };
    counted.prints = 0;
    window.print = () => {
      counted.prints += 1;
    };
  });
const prints = (page: Page) => page.evaluate(() => (window as unknown as { prints: number }).prints);

async function newestAnalysis(page: Page): Promise<number> {
  return (await (await page.request.get('/api/hazard-analyses')).json())[0].id;
}

test('the evidence pack is printed from its own page: figures first, whole words, page numbers and digest', async ({
  page,
}) => {
  test.setTimeout(120_000);
  await countPrints(page);
  await arriveAnalysed(page);
  const id = await newestAnalysis(page);
  await page.goto(`/analyses/${id}`);
  await page.getByRole('button', { name: 'Evidence pack' }).click();
  await page.getByRole('menuitem', { name: 'Print' }).click();
  await expect(page).toHaveURL(`/analyses/${id}/print`);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Evidence of the analysis of Quillmere');
  await expect.poll(() => prints(page)).toBe(1);
  await page.getByRole('button', { name: 'Print or save as PDF' }).click();
  expect(await prints(page)).toBe(2);
  const { seal, content } = await (await page.request.get(`/api/hazard-analysis/${id}/evidence`)).json();
  for (const [heading, count] of [
    ['Findings', content.findings.length],
    ['Hazards', content.hazards.length],
    ['Proposals', content.proposals.length],
    ['Matches', content.matches.length],
  ])
    await expect(page.getByRole('heading', { level: 2, name: `${heading} ${count}`, exact: true })).toBeVisible();
  await expectAccessible(page, 'evidence for printing');

  const { words, split } = await splitWords(page);
  expect(words).toBeGreaterThan(1000);
  expect(split).toEqual([]);
  // The check notices columns of a letter.
  const squeezed = await page.addStyleTag({ content: 'dd { width: 1ch; }' });
  expect((await splitWords(page)).split.length).toBeGreaterThan(100);
  await squeezed.evaluate((style) => (style as Element).remove());
  const pdf = await page.pdf({ preferCSSPageSize: true });
  // The same log took 51 pages while its tables were printed as tables.
  expect(pagesOf(pdf)).toBeLessThan(36);
  const pages = textOf(pdf);
  test.info().annotations.push({ type: 'pdftotext', description: pages ? 'used' : 'absent: the text was not read' });
  if (!pages) return;
  expect(pages).toHaveLength(pagesOf(pdf));
  expect(squeezedLines(pages)).toEqual([]);
  for (const [at, text] of pages.entries()) {
    expect(text).toContain(seal.digest);
    expect(text).toContain(`Page ${at + 1} of ${pages.length}`);
  }
  // Figures first.
  expect(pages[0]).toMatch(/relevant tickets covered/);
  // Each finding's first words stand whole on one line.
  const all = pages.join('\n');
  for (const { title } of content.findings) expect(all).toContain(title.split(' ').slice(0, 3).join(' '));
});

test('the evidence names who decided each proposal, when and where, and what became of a finding', async ({ page }) => {
  test.setTimeout(120_000);
  await arriveAnalysed(page);
  const id = await newestAnalysis(page);
  const read = async () => (await page.request.get(`/api/hazard-analysis/${id}`)).json();
  const { interruptId, findings } = await read();
  const patch = (path: string, data: object) => page.request.patch(path, { data });
  expect((await patch(`/api/interrupts/${interruptId}/resolve`, { approved: true })).ok()).toBe(true);
  await expect.poll(async () => (await read()).decisions?.length).toBeGreaterThan(0);
  const [{ id: findingId, title }] = findings;
  const accepted = { findingId, version: 0, change: { accept: 'Agreed with the ward' } };
  expect((await patch(`/api/hazard-analysis/${id}/findings`, accepted)).ok()).toBe(true);
  await page.goto(`/analyses/${id}/print`);
  const finding = page.getByRole('article').filter({ hasText: title }).first();
  await expect(finding.getByRole('heading')).toContainText('Accepted');
  await expect(finding).toContainText(/Agreed with the ward \(Ada Okafor, \d+ \w+ \d{4}, \d\d:\d\d\)/);
  const decided = page.getByText(/^Ada Okafor, \d+ \w+ \d{4}, \d\d:\d\d, in the inbox$/);
  await expect(decided).toHaveCount((await read()).decisions.length);
});

test('the page of an analysis prints without squeezed columns too', async ({ page }) => {
  test.setTimeout(120_000);
  await arriveAnalysed(page);
  await page.goto(`/analyses/${await newestAnalysis(page)}`);
  await expect(page.getByRole('region', { name: 'Hazard analysis' })).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('heading', { level: 4, name: 'Hazards' })).toBeVisible();
  const { words, split } = await splitWords(page);
  expect(words).toBeGreaterThan(500);
  expect(split).toEqual([]);
});

test('the evidence pack is a workbook that a spreadsheet opens, and a PDF', async ({ page }) => {
  test.setTimeout(120_000);
  await arriveAnalysed(page);
  const id = await newestAnalysis(page);
  await page.goto(`/analyses/${id}`);
  await page.getByRole('button', { name: 'Evidence pack' }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await expectAccessible(page, 'evidence menu');
  const saving = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Download as Excel (.xlsx)' }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toBe(`evidence-of-analysis-${id}.xlsx`);
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.readFile(await saved.path());
  expect(workbook.getWorksheet('Hazards')?.rowCount).toBeGreaterThan(5);

  // One press gives the same as a PDF.
  await page.getByRole('button', { name: 'Evidence pack' }).click();
  const printing = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Download as PDF' }).click();
  const printed = await printing;
  expect(printed.suggestedFilename()).toBe(`evidence-of-analysis-${id}.pdf`);
  expect(pagesOf(await readFile(await printed.path()))).toBeGreaterThan(10);
});

/**
 * @shows /analyses/:id/print signed out, /analyses/:id/print loading, /analyses/:id/print error,
 * /analyses/:id/print empty, /analyses/:id/print no permission
 */
test('the page for printing says that it loads, fails, does not exist, has no result, or is no longer kept', async ({
  page,
}) => {
  await countPrints(page);
  await page.goto('/analyses/7/print');
  await expect(page.getByText('Please sign in to see the evidence of this analysis.')).toBeVisible();
  await arrive(page);
  const read = '**/api/hazard-analysis/7/evidence';
  await expectLoadingAndFailure(page, '/analyses/7/print', read);
  // Another company's analysis answers as one that does not exist.
  await expect(page.getByRole('heading', { name: 'This analysis can’t be shown' })).toBeVisible();
  await expectAccessible(page, 'no such evidence');
  for (const [status, code, heading] of [
    [422, 'no_result', 'There is nothing to print yet'],
    [410, 'expired', 'The result is no longer kept'],
  ] as const) {
    await page.route(read, (route) => route.fulfill({ status, json: { error: 'Refused.', code } }));
    await page.reload();
    await expect(page.getByRole('heading', { name: heading })).toBeVisible();
    await page.unroute(read);
  }
  expect(await prints(page)).toBe(0);
});
