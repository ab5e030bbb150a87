import type { Page } from 'playwright/test';
import { expect, test } from './journey.ts';
import { type Arrived, arrive, PASSWORD } from './person.ts';

async function companyOf(page: Page, name: string): Promise<Arrived> {
  const person = await arrive(page);
  const answer = await page.request.put('/api/preferences', { data: { firstName: name, companyName: `${name} Ltd` } });
  expect(answer.ok()).toBe(true);
  return person;
}

async function fillLogin(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
}

const firstName = (page: Page) => page.getByLabel('First name');
const company = (page: Page) => page.getByLabel('Name', { exact: true });

async function expectBen(page: Page): Promise<void> {
  await expect(firstName(page)).toHaveValue('Ben');
  await expect(company(page)).toHaveValue('Ben Ltd');
  await expect(page.getByRole('button', { name: 'Account menu, Ben Okafor' })).toBeVisible();
}

test('the next person in the same browser sees and changes only their own data', async ({ page, context }) => {
  const ben = await companyOf(page, 'Ben');
  await context.clearCookies();
  await companyOf(page, 'Ann');
  await page.goto('/#preferences');
  await expect(company(page)).toHaveValue('Ann Ltd');
  // The form is left by a link, so that its data stays in memory, and the session ends elsewhere.
  await page.getByRole('link', { name: 'Privacy Policy' }).click();
  const other = await context.newPage();
  await other.goto('/');
  await other.getByRole('button', { name: /^Account menu/ }).click();
  await other.getByRole('menuitem', { name: 'Log out' }).click();
  await expect(other.getByRole('heading', { name: 'Build Your AI Dream Team' })).toBeVisible();
  await page.getByRole('link', { name: 'Log in' }).click();
  await fillLogin(page, ben.email);
  await page.getByRole('tab', { name: 'Preferences' }).click();
  await expectBen(page);
});

test('a tab of one person is redrawn when another person signs in beside it', async ({ page, context }) => {
  const ben = await companyOf(page, 'Ben');
  await context.clearCookies();
  await companyOf(page, 'Ann');
  await page.goto('/#preferences');
  await expect(company(page)).toHaveValue('Ann Ltd');
  await firstName(page).fill('half typed by Ann');
  await context.clearCookies();
  const other = await context.newPage();
  await other.goto('/auth?next=%2F%23preferences');
  await fillLogin(other, ben.email);
  await expectBen(other);
  await expectBen(page);
});

test('a call from a page of one person is not written into another one’s account', async ({ page, context }) => {
  await companyOf(page, 'Ann');
  await page.goto('/#preferences');
  await expect(company(page)).toHaveValue('Ann Ltd');
  await company(page).fill('Ann and daughters');
  // Nothing is read before the write, so that no poll notifies the page first.
  let written = false;
  await page.route('**/api/**', (route) => {
    written ||= route.request().method() === 'PUT';
    return written ? route.fallback() : route.abort();
  });
  await context.clearCookies();
  await companyOf(page, 'Ben');
  const refused = page.waitForResponse((it) => it.request().method() === 'PUT');
  await page.getByRole('button', { name: 'Save preferences' }).click();
  expect((await refused).status()).toBe(412);
  await expectBen(page);
});

/** @shows S1-2.16 */
test('an ended session says so, keeps the typed text and leads back', async ({ page, context }) => {
  const ann = await companyOf(page, 'Ann');
  await page.goto('/arc-chat?from=journey#here');
  await page.getByLabel('Message', { exact: true }).fill('half a thought');
  await context.clearCookies();
  await page.getByLabel('Message', { exact: true }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Your session has ended' })).toBeVisible();
  await page.getByRole('link', { name: 'Sign In' }).click();
  await fillLogin(page, ann.email);
  await expect(page).toHaveURL('/arc-chat?from=journey#here');
  await expect(page.getByLabel('Message', { exact: true })).toHaveValue('half a thought');
});

test('forms keep typed text across an ended session, only for whoever typed it', async ({ page, context }) => {
  const ben = await companyOf(page, 'Ben');
  await context.clearCookies();
  const ann = await companyOf(page, 'Ann');
  const concern = page.getByLabel('Message', { exact: true });
  const openChat = () => page.goto('/arc-chat');
  await openChat();
  await concern.fill('A dose in the wrong unit');
  await page.goto('/#preferences');
  await firstName(page).fill('Annabel');
  await page.getByLabel('Invite by email').fill('bo@northwind');
  await page.getByLabel('Role', { exact: true }).selectOption({ label: 'Deputy' });
  // Everything is drawn before the session ends: the next poll would notice its end, too.
  const save = page.getByRole('button', { name: 'Save preferences' });
  await save.hover();
  await context.clearCookies();
  await save.press('Enter');
  await expect(page.getByRole('heading', { name: 'Your session has ended' })).toBeVisible();
  await expect(page.getByText('What you typed is kept in this tab, except passwords and secrets.')).toBeVisible();
  await page.getByRole('link', { name: 'Sign In' }).click();
  await fillLogin(page, ann.email);
  await expect(firstName(page)).toHaveValue('Annabel');
  await expect(page.getByLabel('Invite by email')).toHaveValue('bo@northwind');
  await expect(page.getByLabel('Role', { exact: true })).toHaveValue('deputy');
  await openChat();
  await expect(concern).toHaveValue('A dose in the wrong unit');
  // Saved text is no draft any more.
  await page.goto('/#preferences');
  await page.getByRole('button', { name: 'Save preferences' }).click();
  await expect(page.getByText('Preferences saved')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save preferences' })).toBeDisabled();
  await firstName(page).fill('not to be seen by Ben');
  // A new document does not know who was signed in, but each draft names its owner.
  await page.goto('about:blank');
  await context.clearCookies();
  await page.goto('/auth?next=%2F%23preferences');
  await fillLogin(page, ben.email);
  await expectBen(page);
  await expect(page.getByLabel('Invite by email')).toHaveValue('');
});

test('if the signed-in person can’t be determined, no page pretends to know', async ({ page }) => {
  await arrive(page);
  await page.route('**/api/auth/status', (route) =>
    route.fulfill({ status: 500, json: { error: 'Something went wrong on our side.', code: 'internal' } }),
  );
  for (const address of ['/', '/admin', '/workspace']) {
    await page.goto('about:blank');
    await page.goto(address);
    await expect(page.getByRole('heading', { name: 'Arc could not be reached' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Reload' })).toBeVisible();
  }
});
