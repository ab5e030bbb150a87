import type { HazardAnalysis } from '../../models/contracts/clinical_safety/hazardAnalysis.ts';
import type { Interrupt } from '../../models/contracts/interrupts.ts';
import { decisionsIn } from '../../models/contracts/questionRows.ts';
import { expectAccessible } from './expectAccessible.ts';
import { expect, test } from './journey.ts';
import { arrive, arriveWithReview, changeAnswer } from './person.ts';

test('a match chosen before its row is accepted changes the row’s text, and survives a reload', async ({ page }) => {
  await arriveWithReview(page);
  await page.getByRole('button', { name: /^Review \d+/ }).click();
  const dialog = page.getByRole('dialog');
  const line = dialog.locator('tr', { has: page.getByRole('group', { name: 'Which match is right?' }) }).first();
  const choice = line.getByRole('radio').nth(1);
  await choice.check();
  const label = await choice.locator('xpath=..').innerText();
  const title = label.replace(/^[A-Z]+-\d+ (New hazard: )?/, '').replace(/\s+[\d.]+$/, '');
  const read = line.locator('td').first().locator('p').nth(1);
  await expect(read).toHaveText(title);
  await page.reload();
  await page.getByRole('button', { name: /^Review \d+/ }).click();
  await expect(dialog.getByText(/^0 of \d+ decided$/)).toBeVisible();
  await expect(choice).toBeChecked();
  await expect(read).toHaveText(title);
});

test('a proposal is turned into a cause of a hazard and back by choices that say so, and keeps its category', async ({
  page,
}) => {
  await arriveWithReview(page);
  await page.getByRole('button', { name: /^Review \d+/ }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.locator('tr[data-active]')).toBeFocused();
  // Rows that need no choice show their options once they are opened.
  const cause = page.getByRole('radio', { name: /^New cause of [A-Z]+-\d+: / });
  const rows = await dialog.locator('tr[data-line]').count();
  for (let at = 1; at < rows && (await cause.count()) === 0; at += 1) {
    await page.keyboard.press('j');
    await expect(dialog.locator(`tr[data-line="${at}"]`)).toHaveAttribute('data-active', 'true');
  }
  const line = dialog.locator('tr[data-line]', { has: cause }).first();
  const source = line.locator('td').first().locator('p').first();
  const hazard = line.getByRole('radio', { name: /^[A-Z]+-\d+ New hazard: / }).first();
  await hazard.check({ timeout: 5000 });
  const about = await source.innerText();
  expect(about).toMatch(/^[A-Z]+-\d+\s*\S.*, [A-Z]+-\d+$/);
  await line.locator(cause).first().check();
  await expect(source).toContainText(about.replace(/^[A-Z]+-\d+\s*/, '').replace(/, [A-Z]+-\d+$/, ''));
  await expect(line).not.toContainText(/(cause|control):/);
  await hazard.check();
  await expect(source).toHaveText(about, { useInnerText: true });
});

test('new hazards and additions to existing ones are counted apart in the chat and on the page', async ({ page }) => {
  const { agentId } = await arriveWithReview(page);
  await expect(
    page.getByText(/^Please review \d+ proposals for .+: \d+ new hazards?, \d+ additions? to /),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Show the evidence' }).click();
  await expect(page.getByRole('heading', { name: /^Proposed: \d+ new hazards?, \d+ additions? to / })).toBeVisible();

  await page.goto(`/workspace?agent=${agentId}`);
  await page.getByRole('tab', { name: 'Workspace' }).click();
  const result = page.getByRole('region', { name: 'Latest hazard analysis' });
  const figure = result.locator('dl > div', { hasText: /new hazards? proposed/ });
  await expect(figure).toContainText(/additions? to (an existing one|existing ones)$/);
  await figure.getByRole('button').click();
  const addition = result
    .getByRole('listitem')
    .filter({ hasText: /^New cause of / })
    .first();
  await addition.locator('summary').click();
  await expect(addition.getByText('Its ratings stay as they are.')).toBeVisible();
  await expect(addition.getByText('For discussion')).toHaveCount(0);
});

test('the evidence in the chat says which findings are to fix, to check and a note, in that order', async ({
  page,
}) => {
  await changeAnswer<HazardAnalysis>(page, '**/api/hazard-analysis/*', (analysis) => {
    const levels = ['note', 'fix', 'check'] as const;
    return { ...analysis, findings: levels.map((level, at) => ({ ...analysis.findings[at], level })) };
  });
  await arriveWithReview(page);
  await page.getByRole('button', { name: 'Show the evidence' }).click();
  const findings = page.getByRole('heading', { name: 'Findings' }).locator('xpath=following-sibling::ul[1]/li');
  await expect(findings).toHaveText([/Fix /, /Check /, /Note /]);
});

test('Accepting the rest says how many rows take their closest match, and the record keeps it', async ({ page }) => {
  const { agentId } = await arriveWithReview(page);
  await page.getByRole('button', { name: /^Review \d+/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: /^Accept the \d+ undecided$/ }).click();
  const confirm = dialog.getByRole('group', { name: 'Accept the undecided' });
  await expect(confirm).toContainText('more than one match and none is chosen');
  await expect(dialog.getByText(/^0 of \d+ decided$/)).toBeVisible();
  await confirm.getByRole('button', { name: 'Choose myself' }).click();
  await expect(confirm).toBeHidden();
  await dialog.getByRole('button', { name: /^Accept the \d+ undecided$/ }).click();
  // The answer is sent while the draft of these decisions is still on its way.
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/interrupts/*/draft', async (route) => {
    await held;
    await route.continue();
  });
  const saving = page.waitForRequest('**/api/interrupts/*/draft');
  await confirm.getByRole('button', { name: /^Accept \d+, \d+ with the closest match$/ }).click();
  await expect(dialog.getByText(/^(\d+) of \1 decided$/)).toBeVisible();
  const taken = await dialog.getByText('Accepted, closest match').count();
  expect(taken).toBeGreaterThan(0);
  // An answered question has no draft, so nothing more is saved of it.
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 409) refused.push(response.url());
  });
  await saving;
  await page.keyboard.press('Control+Enter');
  await expect(dialog.getByRole('button', { name: 'Send decisions' })).toHaveAttribute('aria-busy', 'true');
  release();
  await expect(dialog).toBeHidden();
  await expect(page.getByText(new RegExp(`Arc picked the closest match in ${taken} rows?\\.`))).toBeVisible();

  const list = (await (await page.request.get(`/api/agents/${agentId}/interrupts`)).json()) as Interrupt[];
  // The question about possible matches, which follows, is another one.
  const review = list.find(({ interruptType }) => interruptType === 'hazard_review');
  const rows = decisionsIn(review?.userResponse);
  expect(rows.filter((row) => row.bestMatch)).toHaveLength(taken);
  // Answered in the chat, and recorded as answered there.
  expect(review?.resolution?.via).toBe('arc-chat');
  expect(refused).toEqual([]);
});

test('the keyboard focus is never lost while work goes on', async ({ page }) => {
  await arrive(page);
  await page.goto('/arc-chat');
  const place = () => page.evaluate(() => document.activeElement?.tagName ?? 'none');
  const sample = page.getByRole('region', { name: 'Chat' }).getByRole('button', { name: 'Try it with a sample' });
  await sample.focus();
  await page.keyboard.press('Enter');
  expect(await place()).not.toBe('BODY');
  const analyse = page.getByRole('button', { name: 'Analyse hazard log' });
  await expect(analyse).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused();

  await analyse.focus();
  await page.keyboard.press('Enter');
  expect(await place()).not.toBe('BODY');
  const review = page.getByRole('button', { name: /^Review \d+/ });
  await expect(review).toBeVisible({ timeout: 30_000 });
  expect(await place()).not.toBe('BODY');

  await page.getByRole('textbox', { name: 'Message' }).fill('help');
  await page.getByRole('button', { name: 'Send' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused();

  await review.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog.locator('tr[data-active]')).toBeFocused();
  // One banner: that of the page.
  await expect(page.getByRole('banner')).toHaveCount(1);
  await dialog.getByRole('button', { name: /^Reject the \d+ undecided$/ }).press('Enter');
  await dialog.getByRole('button', { name: /^Reject \d+$/ }).press('Enter');
  await page.keyboard.press('Control+Enter');
  await expect(dialog).toBeHidden();
  await expect.poll(place).not.toBe('BODY');
});

/** @shows S2-2.5 */
test('a new question announces itself on any page, and View opens it', async ({ page }) => {
  const { agentId } = await arrive(page);
  await page.request.post('/api/arc-chat/sample', { data: {} });
  await page.goto('/workspace');
  await expect(page.getByText('1 agent active · 0 waiting')).toBeVisible();
  await expect
    .poll(async () => {
      const path = `/api/clinical-safety-agent/${agentId}/analyze-hazard-log`;
      return (await page.request.post(path, { data: { message: 'Go' } })).status();
    })
    .toBe(200);
  const toast = page.getByRole('region', { name: 'Notifications (F8)' });
  await expect(toast.getByText('Agent Needs Input')).toBeVisible({ timeout: 30_000 });
  await expect(toast.getByRole('button', { name: 'Dismiss' })).toBeVisible();
  await page.keyboard.press('F8');
  await page.keyboard.press('Tab');
  await expect(toast.getByRole('button', { name: 'View' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Review of proposals' })).toBeVisible();
});

/** @shows S2-2.8 */
test('a new analysis asks before it withdraws a review, and marks the decisions that it keeps', async ({ page }) => {
  const { agentId } = await arriveWithReview(page);
  await page.getByRole('button', { name: /^Review \d+/ }).click();
  const review = page.getByRole('dialog', { name: 'Review of proposals' });
  for (const line of [0, 1])
    await review.locator(`tr[data-line="${line}"]`).getByRole('button', { name: 'Reject' }).click();
  await expect(review.getByText(/Saved/)).toBeVisible();

  await page.goto(`/workspace?agent=${agentId}&tab=workspace`);
  const start = page.getByRole('button', { name: 'Analyse hazard log' });
  await start.click();
  const question = page.getByRole('dialog', { name: 'A review is open' });
  await expect(question).toContainText(/2 of \d+ proposals decided\./);
  await question.getByRole('button', { name: 'Continue the review' }).click();
  await expect(review.getByText(/^2 of \d+ decided$/)).toBeVisible();
  await review.getByRole('button', { name: 'Close the review' }).click();

  await start.click();
  await question.getByRole('button', { name: 'Withdraw it and analyse again' }).click();
  await expect(question).toBeHidden();
  const kept = review.getByText('Kept from the previous review. Check it.');
  await page.goto('/arc-chat');
  await expect(page.getByText(/2 decisions are kept from the withdrawn review/).first()).toBeVisible({
    timeout: 30_000,
  });
  await page.getByRole('button', { name: /^Review \d+/ }).click();
  await expect(review.getByText(/^2 of \d+ decided$/)).toBeVisible();
  await expect(kept).toHaveCount(2);
  await review.getByRole('link', { name: 'Open as a page' }).click();
  await page.getByRole('button', { name: 'Show the 2 decisions kept from before' }).click();
  await expect(page.getByLabel('Show')).toHaveValue('kept');
  await expect(page.getByRole('navigation', { name: 'Proposal' }).getByRole('button')).toHaveCount(2);
  // Sent unseen, they are named first.
  await page.getByRole('button', { name: /^Reject the \d+ undecided$/ }).click();
  await page.getByRole('button', { name: /^Reject \d+$/ }).click();
  await page.keyboard.press('Control+Enter');
  const asked = page.getByRole('group', { name: 'Decisions kept from before' });
  await expect(asked).toContainText(
    /2 decisions were kept from the previous review\. Nobody has changed them since: .+ and .+\./,
  );
  await expectAccessible(page, 'a question about decisions kept from before');
  await page.keyboard.press('Escape');
  await expect(asked).toBeHidden();
  await page.keyboard.press('z');
  await expect(page.getByText(/^2 of \d+ decided$/)).toBeVisible();
  await page.goto('/arc-chat');
  await page.getByRole('button', { name: /^Review \d+/ }).click();
  // Changed decisions are no longer marked, even after a reload.
  const first = review.locator('tr', { has: page.getByText('Kept from the previous review. Check it.') }).first();
  await first.getByLabel('Reason (optional)').fill('Seen again');
  await expect(kept).toHaveCount(1);
  await page.reload();
  await page.getByRole('button', { name: /^Review \d+/ }).click();
  await expect(kept).toHaveCount(1);
});
