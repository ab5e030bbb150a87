import { expect, test } from './journey.ts';
import { arrive, arriveInPreferences } from './person.ts';
import { settled, stopClock } from './stopClock.ts';

/** Each page with the call that it depends on, and its texts while that is loading or fails. */
const PAGES = [
  { address: '/', read: '**/api/user/onboarding/status', failed: 'The dashboard could not be loaded' },
  { address: '/', read: '**/api/user/trial/status', failed: 'The dashboard could not be loaded' },
  { address: '/#preferences', read: '**/api/preferences', failed: 'Your preferences could not be loaded' },
  { address: '/#preferences', read: '**/api/account/members', failed: 'The members could not be loaded' },
  { address: '/#team', read: '**/api/user-agents', failed: 'Your team could not be loaded' },
  { address: '/#integrations', read: '**/api/oauth/status/all', failed: 'The dashboard could not be loaded' },
  { address: '/#integrations', read: '**/api/documents', failed: 'The documents could not be loaded' },
  { address: '/#billing', read: '**/api/billing', failed: 'Usage could not be loaded' },
  { address: '/#chat', read: '**/api/arc-chat/history*', failed: 'The conversation could not be loaded' },
  { address: '/arc-chat', read: '**/api/user/trial/status', failed: 'The chat could not be loaded' },
  { address: '/workspace', read: '**/api/user-agents', failed: 'Your agents could not be loaded' },
  { address: '/agent-inbox', read: '**/api/agents/*/interrupts', failed: 'The inbox could not be loaded' },
  { address: '/teams-bot', read: '**/api/teams/status', failed: 'The status could not be read' },
  { address: '/slack-agent', read: '**/api/arc/status', failed: 'The engine’s status could not be read' },
] as const;

/**
 * @shows /#preferences loading, /#preferences error, /#team loading, /#team error, /#integrations loading,
 * /#billing loading, /#billing error, /workspace loading, /workspace error, /agent-inbox loading, /agent-inbox error,
 * /arc-chat loading, /arc-chat error, /slack-agent loading, /slack-agent error, /teams-bot loading, /teams-bot error
 */
test('every page says that it is loading, and what to do if that fails', async ({ page }) => {
  test.setTimeout(120_000);
  await arrive(page);
  await page.goto('/');
  for (const { address, read, failed } of PAGES) {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(read, async (route) => {
      await held;
      await route.fulfill({ status: 500, json: { error: 'Something went wrong on our side.', code: 'internal' } });
    });
    // A new page each time, so that cached data of another one can't be used.
    await page.goto('about:blank');
    await page.goto(address);
    await expect(page.getByRole('status', { name: 'Loading' }).first(), `${address} loading`).toBeVisible();
    release();
    await expect(page.getByText(failed).first(), `${address} failing`).toBeVisible();
    await page.unroute(read);
  }
});

test('trying again is enough once the server answers', async ({ page }) => {
  // Only the button reads again: there is no live connection, and the clock of the polls is stopped.
  await page.route('**/socket.io/**', (route) => route.abort());
  await page.routeWebSocket('**/socket.io/**', (socket) => socket.close());
  await arrive(page);
  await page.clock.install();
  await page.route('**/api/user-agents', (route) => route.abort());
  await page.goto('/workspace');
  await expect(page.getByText('Your agents could not be loaded')).toBeVisible();
  await stopClock(page);
  await settled(page);
  await page.unroute('**/api/user-agents');
  await expect(page.getByText('Your agents could not be loaded')).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('article', { name: 'Clinical safety officer' })).toBeVisible();
});

/** @shows /workspace empty, /agent-inbox empty, /arc-chat empty */
test('every page that can be empty says what it is for, and the next step', async ({ page }) => {
  await arriveInPreferences(page);
  await expect(page.getByLabel('Invite by email')).toBeVisible();
  await page.goto('/workspace');
  await expect(page.getByText('Nobody is hired yet')).toBeVisible();
  await page.goto('/agent-inbox');
  await expect(page.getByText('Nobody can ask yet')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Choose your team' })).toBeVisible();
  await page.request.post('/api/integrations/toggle', { data: { integrationId: 'arc-chat', enabled: false } });
  await page.goto('/arc-chat');
  await expect(page.getByText('arc-chat is switched off')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Open Integrations' })).toBeVisible();
  await page.request.post('/api/integrations/toggle', { data: { integrationId: 'arc-chat', enabled: true } });
  await expect(page.getByText('Talk to your agents')).toBeVisible();
  await expect(page.getByText('No agent is onboarded yet')).toBeVisible();
  await page.getByText('Stay compliant in future').click();
  await expect(page.getByText(/Nothing is scheduled yet/)).toBeVisible();
  // A page of the first person would reload itself when it meets the second.
  await page.goto('about:blank');
  await page.context().clearCookies();
  const { agentId } = await arrive(page);
  await page.goto('/agent-inbox');
  await expect(page.getByText('Nothing waits for you')).toBeVisible();
  await page.goto(`/workspace?agent=${agentId}`);
  await page.getByRole('tab', { name: 'Workspace' }).click();
  await expect(page.getByText('No analysis yet')).toBeVisible();
  await expect(page.getByText('Clara has not worked on anything yet.')).toBeVisible();
});

test('a page that crashes says so in its place, and the next page works', async ({ page }) => {
  await arrive(page);
  const fault = page.getByRole('heading', { name: 'This page could not be shown' }).first();
  await page.route('**/api/teams/status', (route) => route.fulfill({ json: { endpoint: 'https://[' } }));
  await page.goto('/teams-bot');
  await expect(fault).toBeVisible();
  await expect(page.getByText('Nothing you saved is lost. Reload the page')).toBeVisible();
  // The frame around it stays.
  await page.getByRole('contentinfo').getByRole('link', { name: /terms/i }).click();
  await expect(page.getByRole('heading', { name: /terms/i }).first()).toBeVisible();
  await expect(fault).toBeHidden();
  // A crash in the frame itself is reported, too.
  await page.route('**/api/user-agents', (route) => route.fulfill({ json: [null] }));
  await page.goto('/workspace');
  await expect(fault).toBeVisible();
  await page.unroute('**/api/user-agents');
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect(page.getByRole('article', { name: 'Clinical safety officer' })).toBeVisible();
});

test('a page of an outdated build says that Arc was updated, and a reload shows it', async ({ page }) => {
  await page.goto('/');
  const terms = page.getByRole('contentinfo').getByRole('link', { name: /terms/i });
  await expect(terms).toBeVisible();
  await page.route('**/*.js', (route) => route.abort());
  await terms.click();
  await expect(page.getByRole('heading', { name: 'This page was updated' }).first()).toBeVisible();
  await page.unroute('**/*.js');
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect(page.getByRole('heading', { name: /terms/i }).first()).toBeVisible();
});

/** @shows S2-4.2, S2-5.3, /#integrations error */
test('a switch that is refused returns to its position and says why', async ({ page }) => {
  await arrive(page);
  await page.goto('/#integrations');
  const chat = page.getByRole('switch', { name: 'arc-chat on' });
  await expect(chat).toBeChecked();
  await page.route('**/api/integrations/toggle', (route) =>
    route.fulfill({ status: 500, json: { error: 'Something went wrong on our side.', code: 'internal' } }),
  );
  await chat.press('Space');
  await expect(page.getByText('Toggle Failed')).toBeVisible();
  await expect(chat).toBeChecked();
  await page.unroute('**/api/integrations/toggle');
  // The session ends elsewhere while the page is open.
  await page.context().clearCookies();
  await chat.press('Space');
  await expect(page.getByText('Please sign in to manage integrations')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Your session has ended' })).toBeVisible();
});
