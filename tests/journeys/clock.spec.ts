import type { Page } from 'playwright/test';
import { expect, test } from './journey.ts';
import { arrive, register } from './person.ts';
import { settled, stopClock } from './stopClock.ts';

/*
 * Behaviour that takes time, tested with the browser's clock: it is stopped, moved to just before the moment, and to
 * the moment.
 */
/** Moves the clock, and waits until the requests that this triggers are sent. */
async function run(page: Page, milliseconds: number): Promise<void> {
  await page.clock.runFor(milliseconds);
  await settled(page);
}

/** @shows S1-9.5 */
test('a toast stays five seconds', async ({ page }) => {
  await page.clock.install();
  await page.goto('/');
  const toast = page.getByRole('region', { name: 'Notifications (F8)' }).locator('[data-toast]');
  await page.route('**/api/collaborate', (route) => route.abort());
  await stopClock(page);
  await page.getByRole('button', { name: 'Start Agent Collaboration' }).click();
  await expect(toast).toContainText('Collaboration Failed');
  await run(page, 4999);
  await expect(toast).toBeVisible();
  await run(page, 1);
  await expect(toast).toHaveCount(0);
});

/** @shows S1-2.11, S1-7.1 */
test('a failed read is not retried automatically, and returning to the page does not read again', async ({ page }) => {
  await arrive(page);
  await page.clock.install();
  const calls: string[] = [];
  page.on('request', (request) => calls.push(new URL(request.url()).pathname));
  const read = () => calls.filter((path) => ['/api/preferences', '/api/account/members'].includes(path)).sort();
  await page.route('**/api/account/members', (route) => route.fulfill({ status: 500, json: { error: 'no' } }));
  await page.goto('/#preferences');
  await expect(page.getByText('The members could not be loaded')).toBeVisible();
  await expect(page.getByLabel('Time zone')).toHaveValue('Europe/London');
  await stopClock(page);
  const before = read();
  expect(before).toContain('/api/preferences');
  expect(before).toContain('/api/account/members');
  await run(page, 20_000);
  await page.evaluate(() => {
    document.dispatchEvent(new Event('visibilitychange'));
    window.dispatchEvent(new Event('focus'));
  });
  await run(page, 1000);
  expect(read()).toEqual(before);
});

test('the billing step completes automatically two seconds after it is shown', async ({ page }) => {
  await register(page);
  await page.request.post('/api/user-agents/hire', { data: { agentId: 'clinical_safety' } });
  for (const step of ['preferences', 'team', 'integrations'])
    await page.request.post('/api/user/onboarding/update', { data: { step, completed: true } });
  const updates: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/user/onboarding/update')) updates.push(request.postData() ?? '');
  });
  // Delayed until the clock is stopped: the two seconds start when the step is shown.
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.clock.install();
  await page.route('**/api/user/onboarding/status', async (route) => {
    await held;
    await route.continue();
  });
  const asked = page.waitForRequest('**/api/user/onboarding/status');
  await page.goto('/');
  await asked;
  // The page asks before it is drawn, and with a stopped clock it never would be.
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
  await stopClock(page);
  release();
  await expect(page.getByText('Finishing your setup…')).toBeVisible();
  await run(page, 1999);
  expect(updates).toEqual([]);
  await run(page, 1);
  await expect.poll(() => updates).toEqual([JSON.stringify({ step: 'billing', completed: true })]);
  await page.clock.resume();
  await expect(page.getByRole('region', { name: 'Chat' })).toBeVisible();
});

/** @shows S1-4.2 */
test('a tool is switched on one second after the return from its provider, once', async ({ page }) => {
  await arrive(page);
  await page.request.post('/api/integrations/toggle', { data: { integrationId: 'sandbox', enabled: false } });
  const switched: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/integrations/toggle')) switched.push(request.postData() ?? '');
  });
  await page.goto('/#integrations');
  const control = page.getByRole('switch', { name: 'Sandbox workspace on' });
  await expect(control).not.toBeChecked();
  const come = async (pending: string) => {
    await page.evaluate((kept) => localStorage.setItem('arc.pendingToggle', kept), pending);
    // Delayed until the clock is stopped: the second starts when the connection is known.
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/oauth/status/sandbox', async (route) => {
      await held;
      await route.continue();
    });
    const asked = page.waitForRequest('**/api/oauth/status/sandbox');
    await page.goto('/?oauth=success&service=sandbox#integrations');
    await asked;
    await stopClock(page);
    release();
    await expect(page.getByText('Sandbox workspace is connected.')).toBeVisible();
    await page.unroute('**/api/oauth/status/sandbox');
  };
  await page.clock.install();
  // An unreadable note, or one of another card, switches nothing on.
  for (const pending of ['{', '{"tool":"notion","agent":null}', '{"tool":"sandbox","agent":"mdr"}']) {
    await come(pending);
    await run(page, 3000);
    expect(switched, pending).toEqual([]);
    await page.clock.resume();
  }
  await come(JSON.stringify({ tool: 'sandbox', agent: null, timestamp: 1 }));
  await run(page, 999);
  expect(switched).toEqual([]);
  await run(page, 1);
  await expect.poll(() => switched).toEqual([JSON.stringify({ integrationId: 'sandbox', enabled: true })]);
  await page.clock.resume();
  await expect(control).toBeChecked();
  expect(await page.evaluate(() => localStorage.getItem('arc.pendingToggle'))).toBeNull();
});
