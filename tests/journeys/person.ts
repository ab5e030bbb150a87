import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, type Page, test } from 'playwright/test';

export const PASSWORD = 'safety-case-7';

/** An address that no other journey uses. */
export function newEmail(): string {
  return `ada-${randomUUID()}@northwind.test`;
}

/** Signs up with the form; without mail the account exists at once. */
export async function signUp(page: Page, email = newEmail()): Promise<string> {
  await page.goto('/auth?tab=signup');
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Last name').fill('Okafor');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
  return email;
}

async function post(page: Page, address: string, data: object) {
  const answer = await page.request.post(address, { data });
  expect(answer.ok(), `${address}: ${answer.status()} ${await answer.text()}`).toBe(true);
  return answer.json();
}

/** Signs up by a call, before any page is open. */
export async function register(page: Page, { email = newEmail(), origin = '' } = {}): Promise<string> {
  const person = { email, password: PASSWORD, firstName: 'Ada', lastName: 'Okafor' };
  await post(page, `${origin}/api/auth/send-signup-confirmation`, person);
  return email;
}

/** Someone who has just signed up, by a call, on the dashboard. */
export async function arriveNew(page: Page): Promise<void> {
  await register(page);
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
}

/** Someone who has completed the first step, on the preferences, which then have all their sections. @returns the e-mail */
export async function arriveInPreferences(page: Page): Promise<string> {
  const email = await register(page);
  await post(page, '/api/user/onboarding/update', { step: 'preferences', completed: true });
  await page.goto('/#preferences');
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
  return email;
}

/** Signs in with the form. */
export async function logIn(page: Page, email: string): Promise<void> {
  await page.goto('/auth');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
}

/** Goes to another address like a link of the product, without a new document. */
export function follow(page: Page, address: string): Promise<void> {
  return page.evaluate((to) => {
    history.pushState({ idx: (history.state?.idx ?? 0) + 1 }, '', to);
    dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
  }, address);
}

/** Completes the onboarding as a new owner does: team, sandbox workspace, arc-chat, billing. */
export async function onboard(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Continue' }).click();
  const clara = page.getByRole('article', { name: 'Clinical safety officer' });
  await clara.getByRole('button', { name: 'Hire Clara' }).click();
  await clara.getByRole('button', { name: 'Complete Onboarding' }).click();
  await expect(clara.getByText('Active team member')).toBeVisible();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { name: 'Setup Your Agent Workspace' })).toBeVisible();
  for (const name of ['Sandbox workspace on', 'arc-chat on']) {
    const control = page.getByRole('switch', { name });
    if (!(await control.isChecked())) await control.press('Space');
    await expect(control).toBeChecked();
  }
  await expect(page.getByText('Setup Complete!')).toBeVisible();
  await page.getByRole('button', { name: 'Continue to Billing' }).click();
  await expect(page.getByRole('heading', { name: 'Credits', exact: true })).toBeVisible();
  // Billing completes automatically after two seconds, and the chat opens.
  await expect(page.getByRole('region', { name: 'Chat' })).toBeVisible();
}

/** Adds the sample, asks for the analysis, and waits for its result and for the question. */
export async function analyseSample(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Try it with a sample' }).first().click();
  await page.getByRole('button', { name: 'Analyse hazard log' }).click();
  await expect(page.getByRole('button', { name: /^Review \d+ proposals?$/ })).toBeVisible({ timeout: 30_000 });
}

/** Decides every row with the keyboard: chooses the first match if needed, then accepts. */
export async function acceptAllByKeyboard(page: Page): Promise<number> {
  const dialog = page.getByRole('dialog');
  const total = Number(
    /of (\d+) decided/.exec((await dialog.getByText(/^\d+ of \d+ decided$/).textContent()) ?? '')?.[1],
  );
  for (let at = 0; at < total; at += 1) {
    const choice = dialog.locator('tr[data-active]').getByRole('radio').first();
    if ((await choice.count()) > 0) await choice.check();
    await dialog.locator('tr[data-active]').focus();
    await page.keyboard.press('a');
    await expect(dialog.getByText(`${at + 1} of ${total} decided`, { exact: true })).toBeVisible();
  }
  return total;
}

/** The current value of a theme colour, in the form of computed styles. */
export function colourOf(page: Page, token: string): Promise<string> {
  return page.evaluate((name) => {
    const probe = document.body.appendChild(document.createElement('span'));
    probe.style.color = `var(${name})`;
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  }, token);
}

export type Arrived = { email: string; userId: number; accountId: number; agentId: number };

/**
 * A person created by calls alone, which is much faster: signed in, Clara onboarded, the onboarding done. The sandbox
 * and arc-chat are on from the beginning.
 */
export async function arrive(page: Page, { email = newEmail(), origin = '' } = {}): Promise<Arrived> {
  const call = (path: string, data: object) => post(page, origin + path, data);
  await register(page, { email, origin });
  await call('/api/user-agents/hire', { agentId: 'clinical_safety' });
  const agent = await call('/api/user-agents/onboard', {
    agentId: 'clinical_safety',
    tools: ['clinicalsafety', 'hazardanalysis'],
  });
  for (const step of ['preferences', 'team', 'integrations', 'billing']) {
    await call('/api/user/onboarding/update', { step, completed: true });
  }
  const { user } = await (await page.request.get(`${origin}/api/auth/status`)).json();
  return { email, userId: user.id, accountId: user.accountId, agentId: agent.id };
}

/** Someone whose sample is analysed and whose review is pending, created by calls before any page is open. */
export async function arriveAnalysed(page: Page): Promise<Arrived> {
  const person = await arrive(page);
  await page.request.post('/api/arc-chat/sample', { data: {} });
  const path = `/api/clinical-safety-agent/${person.agentId}/analyze-hazard-log`;
  await expect.poll(async () => (await page.request.post(path, { data: {} })).status(), { intervals: [50] }).toBe(200);
  const questions = async () => (await page.request.get(`/api/agents/${person.agentId}/interrupts`)).json();
  await expect.poll(questions, { intervals: [100], timeout: 30_000 }).toHaveLength(1);
  return person;
}

/** The same person, in the chat. */
export async function arriveWithReview(page: Page): Promise<Arrived> {
  const person = await arriveAnalysed(page);
  await page.goto('/arc-chat');
  await expect(page.getByRole('button', { name: /^Review \d+ proposals?$/ })).toBeVisible();
  return person;
}

/** A file one byte over the 10 MB upload limit, on disk, so that the browser itself reads it. */
export async function tooLarge(name: string): Promise<string> {
  const path = test.info().outputPath(name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, Buffer.alloc(10 * 1024 * 1024 + 1, 'a'));
  return path;
}

/** Changes a call's answer on its way to the page. Calls still pending at the end of the test are dropped. */
export async function changeAnswer<T>(page: Page, url: string, change: (answer: T) => object): Promise<void> {
  await page.route(url, async (route) => {
    try {
      const answer = (await (await route.fetch()).json()) as T;
      await route.fulfill({ json: change(answer) });
    } catch {
      await route.abort().catch(() => undefined);
    }
  });
}
