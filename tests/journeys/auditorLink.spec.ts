import { expectAccessible } from './expectAccessible.ts';
import { expect, test } from './journey.ts';
import { arriveAnalysed, newEmail, PASSWORD } from './person.ts';

/** @shows /auditor/:secret signed out, /auditor/:secret no permission */
test('an owner makes a link, an auditor reads just that analysis without an account, and the owner revokes it', async ({
  page,
  browser,
  baseURL,
}) => {
  test.setTimeout(120_000);
  await arriveAnalysed(page);
  const id = (await (await page.request.get('/api/hazard-analyses')).json())[0].id;
  await page.goto(`/analyses/${id}`);
  const menu = page.getByRole('button', { name: 'Evidence pack' });
  await menu.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Links for auditors' }).press('Enter');
  const links = page.getByRole('dialog', { name: 'Links for auditors' });
  await expect(links.getByText('There is none.')).toBeVisible();
  await expectAccessible(page, 'no links');
  const days = links.getByLabel('Days that it works');
  await days.fill('91');
  await days.press('Enter');
  await expect(links.getByText('Choose 1 to 90 days.')).toBeVisible();
  await days.fill('7');
  await days.press('Enter');
  const address = (await links.getByText(/\/auditor\/[\w-]{43}$/).textContent()) ?? '';
  await expect(links.getByText(/nobody has opened it yet/)).toBeVisible();
  await expectAccessible(page, 'a new link');
  await links.getByRole('button', { name: 'I have copied it' }).click();
  await expect(links.getByText(/\/auditor\//)).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(links).toBeHidden();
  await expect(menu).toBeFocused();

  const context = await browser.newContext({ baseURL, reducedMotion: 'reduce', locale: 'en-GB' });
  const auditor = await context.newPage();
  const asked: string[] = [];
  auditor.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/')) asked.push(`${request.method()} ${pathname}`);
  });
  const answer = await auditor.goto(address);
  expect(answer?.headers()).toMatchObject({
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
    'cache-control': 'no-store',
  });
  await expect(auditor.getByRole('heading', { level: 1 })).toContainText('Evidence of the analysis of Quillmere');
  for (const name of [/^Findings \d/, /^Hazards \d/, /^Proposals \d/, /^Matches \d/, /^Tickets \d/])
    await expect(auditor.getByRole('heading', { level: 2, name })).toBeVisible();
  await expect(auditor.getByRole('link')).toHaveCount(0);
  // In each cell of the matrix the ids stand in the order of their numbers, wherever the log has their rows.
  const cells = await auditor
    .locator('td[data-ids]')
    .evaluateAll((all) => all.map((cell) => cell.getAttribute('data-ids')?.split('\n').filter(Boolean) ?? []));
  expect(cells.some((ids) => ids.length > 1)).toBe(true);
  const byNumber = new Intl.Collator('en-GB', { numeric: true });
  for (const ids of cells) expect(ids).toEqual([...ids].sort(byNumber.compare));
  // It asks for nothing but the link, and for no session.
  expect(asked).toEqual(['POST /api/shared-links/open']);
  expect(await context.cookies()).toEqual([]);
  await expectAccessible(auditor, 'a copy for an auditor');

  await menu.click();
  await page.getByRole('menuitem', { name: 'Links for auditors' }).click();
  await expect(links.getByText(/opened 1 time, last/)).toBeVisible();
  await links.getByRole('button', { name: /^Revoke the link until/ }).click();
  await links.getByRole('button', { name: /^Revoke the link until/ }).click();
  await expect(links.getByText('There is none.')).toBeVisible();
  await auditor.reload();
  await expect(auditor.getByRole('heading', { name: 'This link does not work' })).toBeVisible();
  await expectAccessible(auditor, 'a link that does not work');
  await context.close();

  await page.goto('/audit');
  await expect(page.getByRole('cell', { name: 'Auditor, by a link' })).toBeVisible();
  await expect(page.getByRole('cell', { name: 'Link for an auditor revoked' })).toBeVisible();
});

/** @shows /auditor/:secret loading, /auditor/:secret error */
test('a link says that it loads, fails, was tried too often, or shows a result that is no longer kept', async ({
  page,
}) => {
  const open = '**/api/shared-links/open';
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(open, async (route) => {
    await held;
    await route.fulfill({ status: 500, json: { error: 'Something went wrong on our side.', code: 'internal' } });
  });
  await page.goto(`/auditor/${'x'.repeat(43)}`);
  await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible();
  release();
  await expect(page.getByRole('heading', { name: 'This could not be loaded' })).toBeVisible();
  for (const [status, code, heading] of [
    [429, 'too_many', 'Too many tries'],
    [410, 'expired', 'The result is no longer kept'],
  ] as const) {
    await page.unroute(open);
    await page.route(open, (route) => route.fulfill({ status, json: { error: 'Refused.', code } }));
    await page.reload();
    await expect(page.getByRole('heading', { name: heading })).toBeVisible();
  }
});

test('a member who is no owner is offered no links', async ({ page, browser, baseURL }) => {
  test.setTimeout(120_000);
  await arriveAnalysed(page);
  const id = (await (await page.request.get('/api/hazard-analyses')).json())[0].id;
  const invited = await page.request.post('/api/account/members', { data: { email: newEmail(), roles: ['member'] } });
  const token = new URL((await invited.json()).invitation.link).searchParams.get('invitation');
  const context = await browser.newContext({ baseURL });
  const member = await context.newPage();
  const joined = await member.request.post('/api/account/invitations/accept', { data: { token, password: PASSWORD } });
  expect(joined.ok()).toBe(true);
  await member.goto(`/analyses/${id}`);
  await member.getByRole('button', { name: 'Evidence pack' }).click();
  await expect(member.getByRole('menuitem', { name: 'Download as PDF' })).toBeVisible();
  await expect(member.getByRole('menuitem', { name: 'Links for auditors' })).toHaveCount(0);
  await context.close();
});

/** @shows /auditor/:secret loading */
test('a copy for an auditor has its frame, and says that it loads, before the page itself has come', async ({
  page,
}) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/AuditorPage[^/]*\.js$/, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/auditor/none');
  await expect(page.getByText('Read-only copy')).toBeVisible();
  await expect(page.getByRole('main').getByRole('status', { name: 'Loading' })).toBeVisible();
  release();
  await expect(page.getByRole('heading', { name: 'This link does not work' })).toBeVisible();
});
