import { expect, test } from './journey.ts';
import { arrive, arriveAnalysed, arriveNew, arriveWithReview } from './person.ts';

const toasts = '[data-toast]';

test('what the chat shows is not announced over it', async ({ page }) => {
  await arrive(page);
  await page.goto('/arc-chat');
  await page.getByRole('button', { name: 'Try it with a sample' }).first().click();
  await page.getByRole('button', { name: 'Analyse hazard log' }).click();
  await expect(page.getByRole('button', { name: /^Review \d+ proposals?$/ })).toBeVisible({ timeout: 30_000 });
  // Longer than the announcement waits for the message of its question.
  await page.waitForTimeout(900);
  await expect(page.locator(toasts)).toHaveCount(0);
});

test('the sample is added once, however often it is asked for, and the files say so at once', async ({ page }) => {
  await arrive(page);
  await page.goto('/arc-chat');
  const files = page.getByRole('complementary', { name: 'Hazard log upload' });
  const sample = page.getByRole('button', { name: 'Try it with a sample' });
  await sample.first().click();
  await sample
    .first()
    .click({ force: true, timeout: 1000 })
    .catch(() => undefined);
  await expect(page.getByText('Here is a sample:')).toBeVisible();
  await expect(files).toContainText('Quillmere e-prescribing hazard log v2.3.xlsx', { timeout: 1500 });
  await expect(page.getByText('Here is a sample:')).toHaveCount(1);
});

test('an announcement stands below an open dialog', async ({ page, backstage }) => {
  const { accountId, agentId } = await arriveAnalysed(page);
  await page.goto('/workspace');
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(page.getByRole('dialog', { name: 'Search' })).toBeVisible();
  await backstage.ask(accountId, agentId, { interruptType: 'approval', prompt: 'Shall I write to the owner?' });
  const toast = page.locator(toasts);
  await expect(toast).toContainText('Agent Needs Input');
  const covered = await toast.evaluate((card) => {
    const { left, top, width, height } = card.getBoundingClientRect();
    const above = document.elementFromPoint(left + width / 2, top + height / 2);
    return above !== null && !card.contains(above);
  });
  expect(covered).toBe(true);
});

test('the message box is in view on a low screen', async ({ page }) => {
  await arriveWithReview(page);
  await page.setViewportSize({ width: 1366, height: 768 });
  await page.goto('/#chat');
  await expect(page.getByRole('button', { name: /^Review \d+ proposals?$/ })).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('button', { name: 'Send' })).toBeInViewport({ ratio: 1 });
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
});

test('on a screen lower than the chat, the newest message ends above the message box, wherever the page is scrolled', async ({
  page,
}) => {
  await arriveWithReview(page);
  const review = page.getByRole('button', { name: /^Review \d+ proposals?$/ }).first();
  const boxOf = async (name: string) => {
    const box = await page
      .locator(name === 'message' ? '[aria-label="Messages"] ol > li:last-child' : 'form:has([aria-label="Message"])')
      .boundingBox();
    return box ?? { y: Number.NaN, height: Number.NaN };
  };
  /** Pixels between the end of the newest message and the message box; below zero where it lies under it. */
  const room = async () => {
    const [message, box] = [await boxOf('message'), await boxOf('box')];
    return Math.round(box.y - message.y - message.height);
  };
  for (const height of [720, 800, 900, 940]) {
    await page.setViewportSize({ width: 1366, height });
    await page.goto('/#chat');
    await expect(review).toBeInViewport({ ratio: 1 });
    await expect.poll(room, { message: `${height} px high` }).toBeGreaterThanOrEqual(0);
    await expect
      .poll(() =>
        review.evaluate(
          (it) =>
            document.elementFromPoint(it.getBoundingClientRect().x + 5, it.getBoundingClientRect().y + 5) !== null &&
            it.contains(document.elementFromPoint(it.getBoundingClientRect().x + 5, it.getBoundingClientRect().y + 5)),
        ),
      )
      .toBe(true);
    // The page is moved up by 60 px: the box stays, the message follows it and leaves no gap.
    await page.evaluate(() => window.scrollBy(0, 60));
    await expect.poll(room).toBeGreaterThanOrEqual(0);
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await expect.poll(room).toBeGreaterThanOrEqual(0);
    await expect.poll(room).toBeLessThan(90);
  }
});

test('on a phone whose page is scrolled to its end, a message brings its answer into view', async ({ page }) => {
  await arriveWithReview(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/#chat');
  await expect(page.getByRole('button', { name: /^Review \d+ proposals?$/ }).first()).toBeVisible();
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  await page.getByRole('textbox', { name: 'Message' }).fill('How many hazards are there?');
  await page.getByRole('textbox', { name: 'Message' }).press('Enter');
  const list = page.getByRole('region', { name: 'Messages' });
  await expect(list.getByText(/^25 hazards/).last()).toBeVisible();
  // The list's end is in the middle of the screen, not above it, and the message box is below it.
  await expect.poll(() => list.evaluate((it) => Math.round(it.getBoundingClientRect().bottom))).toBeGreaterThan(400);
  await expect(page.getByRole('button', { name: 'Send' })).toBeInViewport({ ratio: 1 });
});

test('a cell of the matrix shows an arrow for each of its hazards, with the keyboard too', async ({ page }) => {
  const { agentId } = await arriveAnalysed(page);
  await page.goto(`/workspace?agent=${agentId}&tab=workspace`);
  // Eight hazards, of which the cell names three.
  const cell = page.getByRole('button', { name: /^Initial risk: Low, Major, risk 3, 8 hazards/ });
  await cell.focus();
  await expect(page.locator('svg:has(#arc-arrow)')).toHaveCount(8);
  await cell.blur();
  await expect(page.locator('svg:has(#arc-arrow)')).toHaveCount(0);
  // The pointer chooses one of the ids, or with the rest of the cell all of them.
  await cell.getByText('QM-04').hover();
  await expect(page.locator('svg:has(#arc-arrow)')).toHaveCount(1);
  await cell.hover({ position: { x: 60, y: 12 } });
  await expect(page.locator('svg:has(#arc-arrow)')).toHaveCount(8);
});

test('the steps of the onboarding are one press each', async ({ page }) => {
  await arriveNew(page);
  await page.getByLabel('First name').fill('Grace');
  await expect(page.getByLabel('Invite by email')).toHaveCount(0);
  // “Continue” alone is the word of the strip above the tabs, for whoever has work already.
  await expect(page.getByRole('button', { name: 'Continue', exact: true })).toHaveCount(0);
  await page.getByRole('button', { name: 'Save and continue' }).click();
  await expect(page.getByRole('article', { name: 'Clinical safety officer' }).getByText('Suggested')).toBeVisible();
  await page.getByRole('button', { name: 'Continue with Clara' }).click();
  await expect(page.getByText('Setup Complete!')).toBeVisible();
  await page.getByRole('button', { name: 'Continue to Billing' }).click();
  // Billing completes by itself.
  await expect(page.getByRole('region', { name: 'Chat' })).toBeVisible();
  expect((await (await page.request.get('/api/auth/status')).json()).user.firstName).toBe('Grace');
  const agents = await (await page.request.get('/api/user-agents')).json();
  expect(agents).toMatchObject([{ agentId: 'clinical_safety', status: 'onboarded' }]);
});

test('a step begins at its top, and going back returns to where one was', async ({ page }) => {
  await arriveNew(page);
  await page.getByRole('button', { name: 'Continue' }).click();
  const skip = page.getByRole('button', { name: 'Skip for now' });
  await skip.scrollIntoViewIfNeeded();
  const place = () => page.evaluate(() => Math.round(window.scrollY));
  await expect.poll(place).toBeGreaterThan(200);
  const left = await place();
  await page.getByRole('link', { name: 'Privacy Policy' }).click();
  await expect(page.getByRole('heading', { name: 'Privacy Policy', level: 1 })).toBeVisible();
  await expect.poll(place).toBe(0);
  await page.goBack();
  await expect(skip).toBeVisible();
  await expect.poll(async () => Math.abs((await place()) - left)).toBeLessThan(140);
  await skip.click();
  await expect(page.getByRole('heading', { name: 'Setup Your Agent Workspace' })).toBeVisible();
  await expect.poll(place).toBe(0);
});
