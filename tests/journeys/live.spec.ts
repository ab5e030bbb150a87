import type { Page } from 'playwright/test';
import { expect, test } from './journey.ts';
import { arrive, newEmail, PASSWORD } from './person.ts';
import { settled, stopClock } from './stopClock.ts';

/** Number of a page's calls to a path. */
function callsOf(page: Page): (path: string) => number {
  const calls: string[] = [];
  page.on('request', (request) => calls.push(new URL(request.url()).pathname));
  return (path) => calls.filter((it) => it === path).length;
}

/** Number of a path's answers to a page, and of calls that the page gave up. */
function answersOf(page: Page): (path: string) => number {
  const answers: string[] = [];
  for (const end of ['requestfinished', 'requestfailed'] as const)
    page.on(end as 'requestfinished', (request) => answers.push(new URL(request.url()).pathname));
  return (path) => answers.filter((it) => it === path).length;
}

/** Onboards a designer in the signed-in person's company. @returns its id */
async function onboardedDesigner(page: Page): Promise<number> {
  await page.request.post('/api/user-agents/hire', { data: { agentId: 'designer' } });
  const designer = { agentId: 'designer', tools: [] };
  return (await (await page.request.post('/api/user-agents/onboard', { data: designer })).json()).id;
}

test('a colleague’s change appears in an open form and is not sent back', async ({ page, browser, baseURL }) => {
  await arrive(page);
  const email = newEmail();
  const { invitation } = await (
    await page.request.post('/api/account/members', { data: { email, roles: ['owner'] } })
  ).json();
  const colleague = await browser.newContext({ baseURL: baseURL ?? '' });
  const token = new URL(invitation.link).searchParams.get('invitation');
  const joined = await colleague.request.post('/api/account/invitations/accept', {
    data: { token, password: PASSWORD, firstName: 'Ben', lastName: 'Hughes' },
  });
  expect(joined.ok()).toBe(true);

  await page.goto('/#preferences');
  await expect(page.getByText('Ben Hughes')).toBeVisible();
  await page.getByLabel('First name').fill('Adaeze');
  const zone = page.getByLabel('Time zone');
  await expect(zone).toHaveValue('Europe/London');
  await colleague.request.put('/api/preferences', { data: { companyName: 'Quillmere', timeZone: 'Europe/Dublin' } });
  // By the socket, as this page polls nothing, and the text being typed stays.
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Quillmere');
  await expect(zone).toHaveValue('Europe/Dublin');
  await expect(page.getByLabel('First name')).toHaveValue('Adaeze');
  const sent = page.waitForRequest((request) => request.method() === 'PUT');
  await page.getByRole('button', { name: 'Save preferences' }).click();
  expect((await sent).postDataJSON()).toEqual({ firstName: 'Adaeze' });
  await expect(page.getByText('Preferences saved')).toBeVisible();
  await colleague.close();
});

/** @shows S2-2.13, S2-2.14 */
test('the Slack and Teams pages show changes on the server before their next poll', async ({ page }) => {
  await page.clock.install();
  const calls = callsOf(page);
  await arrive(page);
  let said = 0;
  // A socket is connected once the server has answered its first packet, 40 in socket.io's protocol.
  let lines = 0;
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      if (String(payload).startsWith('40')) lines += 1;
    }),
  );
  for (const [address, status] of [
    ['/slack-agent', '/api/slack/test'],
    ['/teams-bot', '/api/teams/status'],
  ] as const) {
    await page.goto(address);
    const interactions = page.getByText('Interactions', { exact: true }).locator('xpath=following-sibling::dd');
    await expect(interactions).toHaveText(String(said));
    await expect.poll(() => lines).toBeGreaterThan(said);
    await stopClock(page);
    await settled(page);
    const before = calls(status);
    await page.request.post('/api/arc-chat/send', { data: { message: 'What can you do?' } });
    said += 1;
    await expect(interactions).toHaveText(String(said));
    await page.request.post('/api/integrations/toggle', { data: { integrationId: 'sandbox', enabled: said !== 1 } });
    await expect.poll(() => calls(status)).toBeGreaterThan(before);
    await page.clock.resume();
  }
});

const PLACES = [
  {
    address: '/agent-inbox',
    shown: 'Nothing waits for you',
    reads: { '/api/user-agents': 3000, '/api/agents/{agent}/interrupts': 5000 },
  },
  { address: '/workspace', shown: 'Waiting for you', reads: { '/api/user-agents/{agent}': 2000 } },
  { address: '/arc-chat', shown: 'Talk to your agents', reads: { '/api/arc-chat/history': 5000 } },
  { address: '/#integrations', shown: 'Sandbox workspace', reads: { '/api/oauth/status/all': 30_000 } },
  {
    address: '/slack-agent',
    shown: 'Active conversations',
    reads: { '/api/slack/test': 30_000, '/api/arc/status': 30_000 },
  },
  { address: '/teams-bot', shown: 'Messaging endpoint', reads: { '/api/teams/status': 30_000 } },
  {
    address: '/workspace?agent={agent}&tab=workspace',
    shown: 'No analysis yet',
    reads: { '/api/hazard-analysis/latest/{user}': 5000, '/api/agents/{agent}/interrupts': 3000 },
  },
  {
    address: '/workspace?agent={designer}&tab=workspace',
    shown: 'Design service',
    reads: { '/api/ux-agent/health': 30_000 },
  },
];

/** @shows S1-9.1, S2-9.4 */
test('without a live connection each page is read again, at its own interval', async ({ page }) => {
  await page.route('**/socket.io/**', (route) => route.abort());
  await page.routeWebSocket('**/socket.io/**', (socket) => socket.close());
  const { agentId, userId } = await arrive(page);
  const designer = await onboardedDesigner(page);
  await page.clock.install();
  const calls = callsOf(page);
  const answers = answersOf(page);
  const filled = (text: string) =>
    text.replace('{agent}', `${agentId}`).replace('{user}', `${userId}`).replace('{designer}', `${designer}`);
  for (const { address, shown, reads } of PLACES) {
    const paths = Object.entries(reads).map(([path, every]) => ({ own: filled(path), every }));
    await page.goto('about:blank');
    const asked = paths.map(({ own }) => ({ own, before: answers(own) }));
    await page.goto(filled(address));
    await expect(page.getByText(shown).first()).toBeVisible();
    for (const { own, before } of asked) await expect.poll(() => answers(own)).toBeGreaterThan(before);
    await stopClock(page);
    for (const { own, every } of paths) {
      // Nothing is pending, so the next delayed call is the next poll.
      await settled(page);
      await expect.poll(() => calls(own) - answers(own)).toBe(0);
      // One poll is answered while the clock is stopped, so that the interval of the next one starts here.
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      const at = (url: URL) => url.pathname === own;
      await page.route(at, async (route) => {
        await held;
        await route.continue();
      });
      const answered = answers(own);
      await page.clock.runFor(every);
      release();
      await expect.poll(() => answers(own)).toBe(answered + 1);
      await settled(page);
      await page.unroute(at);
      const before = calls(own);
      await page.clock.runFor(every - 1);
      await settled(page);
      expect(calls(own), `${address}, ${own} before ${every} ms`).toBe(before);
      await page.clock.runFor(1);
      await expect.poll(() => calls(own), `${address}, ${own} after ${every} ms`).toBe(before + 1);
    }
    await page.clock.resume();
  }
});
