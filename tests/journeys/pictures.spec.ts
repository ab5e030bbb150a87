import type { HazardAnalysis } from '../../models/contracts/clinical_safety/hazardAnalysis.ts';
import { expect, test } from './journey.ts';
import { arriveAnalysed, arriveWithReview } from './person.ts';

/* Charts: each must show the server's own figures. */
/** @shows S2-2.9, S2-2.8 */
test('the charts of an analysis show its figures, on the screen and on paper', async ({ page }) => {
  const { userId, agentId } = await arriveAnalysed(page);
  const analysis: HazardAnalysis = await (await page.request.get(`/api/hazard-analysis/latest/${userId}`)).json();
  const metadata = analysis.analysisMetadata;
  if (!metadata) throw new Error('the analysis has no figures');
  await page.goto(`/workspace?agent=${agentId}&tab=workspace`);
  const result = page.getByRole('region', { name: 'Latest hazard analysis' });
  const { matrix } = metadata.log;
  const all = analysis.existingHazards;

  await test.step('the heat map, initial beside residual, with the hazards in their cells', async () => {
    for (const [stage, title] of [
      ['initial', 'Initial risk'],
      ['residual', 'Residual risk'],
    ] as const) {
      const grid = result.getByRole('table', { name: title });
      await expect(grid.getByRole('button')).toHaveCount(25);
      for (const [column, severity] of matrix.severities.entries()) {
        for (const [row, likelihood] of matrix.likelihoods.entries()) {
          const here = all.filter((it) => it[stage].severity === severity && it[stage].likelihood === likelihood);
          if (here.length === 0) continue;
          const risk = matrix.cells[row]?.[column];
          const ids = here.map(({ id }) => id).sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));
          const name = `${title}: ${likelihood}, ${severity}, risk ${risk}, ${here.length} hazard${here.length > 1 ? 's' : ''}: ${ids.join(', ')}`;
          const cell = grid.getByRole('button', { name, exact: true });
          await expect(cell).toContainText(`${risk}${here.length}${ids.slice(0, 3).join('')}`);
          // Each risk has a colour of its own besides its number.
          const colour = await page.evaluate((step) => {
            const probe = document.body.appendChild(document.createElement('span'));
            probe.style.color = `var(--arc-risk-${step})`;
            const { color } = getComputedStyle(probe);
            probe.remove();
            return color;
          }, risk);
          await expect(cell.locator('xpath=..')).toHaveCSS('background-color', colour);
        }
      }
    }
    const [initial, residual] = await Promise.all(
      ['Initial risk', 'Residual risk'].map((name) => result.getByRole('table', { name }).boundingBox()),
    );
    if (!initial || !residual) throw new Error('a grid is not drawn');
    expect(residual.y).toBe(initial.y);
    expect(residual.x).toBeGreaterThan(initial.x + initial.width);
  });

  await test.step('an arrow on hover; a cell filters the list', async () => {
    const moved = all.find(({ initial, residual }) => initial.likelihood !== residual.likelihood && initial.severity);
    await result.locator(`[data-hazard="initial:${moved?.id}"]`).first().hover();
    await expect(result.locator('svg line[marker-end]')).toHaveCount(1);
    const cell = result.getByRole('button', { name: /^Initial risk: .*, [2-9]\d* hazards/ }).first();
    const number = Number(/, (\d+) hazards/.exec((await cell.getAttribute('aria-label')) ?? '')?.[1]);
    // By keyboard as well as by mouse.
    await cell.press('Enter');
    const list = result.getByRole('region', { name: 'Hazards' });
    await expect(list.locator('tbody tr')).toHaveCount(number);
    await result.getByRole('button', { name: `Show all ${all.length}` }).click();
    await expect(list).toBeHidden();
  });

  const { covered, possible = 0, none = 0, relevant, unsure } = metadata.coverage;
  await test.step('the coverage as a bar with its unsure band', async () => {
    const bar = result.locator('[class*="bar"]').filter({ has: page.locator('[class*="unsure"]') });
    const widths = await bar
      .locator('> div')
      .evaluateAll((parts) => parts.map((it) => it.getBoundingClientRect().width));
    const whole = widths.reduce((sum, width) => sum + width, 0);
    const total = relevant + unsure;
    for (const [at, part] of [covered, possible, none, unsure].entries())
      expect((widths[at] ?? 0) / whole).toBeCloseTo(part / total, 2);
    for (const words of [
      `${covered} covered`,
      `${possible} possible matches, not counted`,
      `${none} with no hazard`,
      `${unsure} unsure, listed and not counted`,
    ])
      await expect(result.getByText(words, { exact: true })).toBeVisible();
  });

  await test.step('on paper: a document, complete, black on white, with date and digest', async () => {
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    for (const name of ['Overview', 'Findings', 'Hazards', 'Proposed'])
      await expect(result.getByRole('heading', { name, exact: true })).toBeVisible();
    await expect(result.getByText(metadata.logDigest)).toBeVisible();
    const day = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'Europe/London' } as const;
    await expect(result).toContainText(new Date(analysis.createdAt).toLocaleDateString('en-GB', day));
    await expect(result.getByRole('region', { name: 'Findings' }).locator('tbody tr')).toHaveCount(
      analysis.findings.length,
    );
    for (const { evidence } of analysis.newHazards)
      await expect(result.getByText(`${evidence[0]?.ticketKey} ${evidence[0]?.quote}`).last()).toBeVisible();
    await expect(page.getByRole('textbox').and(page.locator(':visible'))).toHaveCount(0);
    await expect(page.getByRole('button', { name: /^Inbox of/ })).toBeHidden();
    await expect(page.locator('html')).toHaveCSS('color-scheme', 'light');
    // The colours of the charts are printed too, and a card longer than a page starts on the first page.
    const cell = result.getByRole('table', { name: 'Initial risk' }).locator('td').first();
    await expect(cell).toHaveCSS('print-color-adjust', 'exact');
    await expect(page.getByRole('article', { name: 'Clinical safety officer' })).toHaveCSS('break-inside', 'auto');
    await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
    await expect(result.getByRole('tab', { name: 'Overview' })).toBeVisible();
  });

  await test.step('a printed conversation is complete', async () => {
    await page.goto('/arc-chat');
    const list = page.getByRole('region', { name: 'Messages' });
    await expect(list).toBeVisible();
    await page.emulateMedia({ media: 'print' });
    expect(await list.evaluate((it) => it.scrollHeight - it.clientHeight)).toBeLessThanOrEqual(1);
    await expect(page.getByRole('textbox', { name: 'Message' })).toBeHidden();
    await page.emulateMedia({ media: 'screen' });
  });
});

/** @shows S1-9.3, S2-2.10 */
test('runs are a timeline, credits a chart over time, and times are in the account’s zone', async ({
  page,
  backstage,
}) => {
  const { agentId, accountId } = await arriveWithReview(page);
  await page.getByRole('button', { name: /^Review \d+/ }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Reject the \d+ undecided$/ })
    .click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Reject \d+$/ })
    .click();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('Interrupt Resolved')).toBeVisible();
  await page.request.post(`/api/clinical-safety-agent/${agentId}/analyze-hazard-log`, { data: { message: 'Again' } });
  await page.request.put('/api/preferences', { data: { timeZone: 'Asia/Tokyo' } });

  await page.goto(`/workspace?agent=${agentId}&tab=workspace`);
  const runs = page.getByRole('list', { name: 'Runs, newest first' }).getByRole('listitem');
  await expect(runs).toHaveCount(2);
  // Its review is recorded; its question about possible matches went with the newer analysis.
  await expect(runs.last()).toContainText('The open review of possible matches was withdrawn.');
  await expect(runs.last()).toContainText('Completed');
  const works = await (await page.request.get(`/api/workspaces/${agentId}`)).json();
  expect(Date.parse(works[0].createdAt)).toBeGreaterThan(Date.parse(works[1].createdAt));
  const inTokyo = (iso: string) =>
    new Date(iso).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'Asia/Tokyo' });
  for (const at of [0, 1]) await expect(runs.nth(at)).toContainText(inTokyo(works[at].createdAt));
  // Each run has one line to the one before, down to the first.
  const line = (at: number) =>
    runs.nth(at).evaluate((it) => {
      const { display, width, position } = getComputedStyle(it, '::before');
      return { display, width, position };
    });
  expect(await line(0)).toEqual({ display: 'block', width: '1px', position: 'absolute' });
  expect((await line(1)).display).toBe('none');

  await backstage.leaveCredits(accountId, 49_000);
  await page.goto('/#billing');
  const usage = page.getByRole('figure');
  const { usage: days } = await (await page.request.get('/api/billing')).json();
  const used = days.reduce((sum: number, it: { used: number }) => sum + it.used, 0);
  await expect(usage.getByText(`${used.toLocaleString('en-GB')} credits used in the last 30 days`)).toBeVisible();
  const bars = usage.locator('[class*="bars"] > div');
  await expect(bars).toHaveCount(30);
  const heights = await bars.evaluateAll((all) => all.map((it) => (it as HTMLElement).style.height));
  const most = Math.max(...days.map((it: { used: number }) => it.used));
  expect(heights).toEqual(days.map((it: { used: number }) => `${(it.used / most) * 100}%`));
  // The browser is in London: a ledger entry is shown in the company's own time.
  const movement = page.getByRole('region', { name: 'Credit history' }).locator('tbody tr').last();
  const { movements } = await (await page.request.get('/api/billing')).json();
  await expect(movement.locator('td').first()).toContainText(inTokyo(movements.at(-1).at));
});
