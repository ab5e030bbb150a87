import type { Page } from 'playwright/test';
import { makeSender as makeSlackSender } from '../fakes/slack/sender.ts';
import { postsOf, verbsOf, wordsOf } from '../fakes/teams/organisation.ts';
import { makeSender, type Place } from '../fakes/teams/sender.ts';
import { addConversation, addUser } from '../fakes/teams/server.ts';
import type { Tenant } from '../fakes/teams/tenant.ts';
import type { Channels } from './channels.ts';
import { expectAccessible } from './expectAccessible.ts';
import { expect, test } from './journey.ts';

/** The owner enters the company's own registration on the page, and installs the app in Teams. */
async function connectTeams(
  page: Page,
  { teams, url }: Channels,
  email: string,
): Promise<{ tenant: Tenant; place: Place }> {
  const tenant = teams.addTenant();
  await page.goto(`${url}/teams-bot`);
  await page.getByLabel('App id').fill(tenant.appId);
  await page.getByLabel('Tenant id').fill(tenant.id);
  await page.getByLabel('Client secret').fill('not it');
  await page.getByRole('button', { name: 'Check and save' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'does not accept this app id' })).toBeVisible();
  await page.getByLabel('Client secret').fill(tenant.secret);
  await page.getByRole('button', { name: 'Check and save' }).click();
  await expect(page.getByText('Registration saved')).toBeVisible();
  const user = addUser(tenant, 'Ada', email);
  const place = { tenant, user, conversation: addConversation(tenant, 'personal', [user]) };
  await makeSender(teams, () => url).install(place);
  await page.reload();
  await expect(page.getByText('Active', { exact: true })).toBeVisible();
  return { tenant, place };
}

const questionIn = (tenant: Tenant) =>
  postsOf(tenant).find(({ card }) => JSON.stringify(card ?? {}).includes('"verb":"refresh"'));

/** @shows S2-2.15 */
test('the server’s own organisation waits on the page until its owner connects it', async ({ page, channels }) => {
  const { own, teams, url } = channels;
  const email = await channels.arriveVerified(page);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.goto(`${url}/teams-bot`);
  for (const client of ['1fec8e78-bce4-4aaf-ab1b-5451cc387264', '5e3ce6c0-2b1f-4285-8d4b-75ee78787346'])
    await expect(page.getByText(client)).toBeVisible();
  const waiting = page.getByRole('heading', { name: 'Waiting to be connected' });
  await expect(waiting).toBeHidden();
  const user = addUser(own, 'Ada', email);
  const place = { tenant: own, user, conversation: addConversation(own, 'personal', [user]) };
  await makeSender(teams, () => url).message(place, 'help');
  // The page shows it without a reload.
  await expect(waiting).toBeVisible();
  await expect(page.getByText(own.id)).toBeVisible();
  await expect(page.getByText('Ada Okafor').last()).toBeVisible();
  await expectAccessible(page, '/teams-bot with a tenant that waits');
  await page.getByRole('button', { name: 'Connect this tenant' }).click();
  await expect(waiting).toBeHidden();
  await expect(page.getByText('Active', { exact: true })).toBeVisible();
  const said = (words: RegExp) => postsOf(own).some((post) => words.test(wordsOf(post)));
  await expect.poll(() => said(/connected to this organisation now/)).toBe(true);
  expect(said(/I never set a severity/)).toBe(false);
  await makeSender(teams, () => url).message(place, 'help');
  await expect.poll(() => said(/I never set a severity/)).toBe(true);
});

test('asked in Teams, answered in Slack, seen on the web', async ({ page, channels }) => {
  const { slack, teams, url } = channels;
  const email = await channels.arriveVerified(page);
  const workspace = slack.addWorkspace('T1', 'Northwind');
  workspace.users.set('U1', { id: 'U1', email, name: 'Ada' });
  await page.goto(`${url}/api/oauth/slack/authorize?from=/%23integrations`);
  await expect(page.getByRole('switch', { name: /^Slack/ })).toBeChecked();
  const { tenant, place } = await connectTeams(page, channels, email);
  await page.goto(`${url}/#integrations`);
  await expect(page.getByRole('switch', { name: /^Microsoft Teams/ })).toBeChecked();

  const inTeams = makeSender(teams, () => url);
  const inSlack = makeSlackSender(
    () => url,
    () => `${slack.url}/response`,
  );
  await inSlack.event(workspace, { type: 'app_home_opened', user: 'U1', channel: 'D1', tab: 'home' });
  await inTeams.message(place, 'Try it with a sample');
  await expect.poll(() => postsOf(tenant).some((post) => /sample/.test(wordsOf(post)))).toBe(true);
  await inTeams.message(place, 'Analyse my hazard log');
  await expect.poll(() => questionIn(tenant) !== undefined, { timeout: 20_000 }).toBe(true);
  const question = questionIn(tenant);

  await page.goto(`${url}/agent-inbox`);
  await expect(page.getByRole('button', { name: 'Review the proposals' })).toBeVisible();
  const home = () => JSON.stringify(workspace.homes.get('U1') ?? {});
  await expect.poll(() => home().includes('answer:review')).toBe(true);
  const id = /interrupt=(\d+)/.exec(JSON.stringify(question?.card))?.[1] ?? '';
  await inSlack.click(workspace, 'U1', 'answer:approve', id, 'home');

  // The web, without a reload, and the card in Teams say who, where and when.
  await expect(page.getByRole('button', { name: 'Review the proposals' })).toBeHidden();
  const closed = () => tenant.posts.get(question?.id ?? '');
  await expect.poll(() => wordsOf(closed() as never)).toMatch(/Approved by Ada Okafor in Slack, \d\d:\d\d/);
  expect(verbsOf(closed()?.card)).toEqual([]);
  await page.getByRole('tab', { name: /Resolved/ }).click();
  await expect(page.getByText(/Approved by Ada Okafor in Slack, \d\d:\d\d/).first()).toBeVisible();
  await expect.poll(() => postsOf(tenant).some((post) => /Review recorded/.test(wordsOf(post)))).toBe(true);
});

test('the inbox is a tab of Teams: signed in by Teams, answered in the frame, framed by nobody else', async ({
  page,
  browser,
  channels,
}) => {
  const { teams, url } = channels;
  const email = await channels.arriveVerified(page);
  const { tenant, place } = await connectTeams(page, channels, email);
  const inTeams = makeSender(teams, () => url);
  await inTeams.message(place, 'Try it with a sample');
  await expect.poll(() => postsOf(tenant).some((post) => /sample/.test(wordsOf(post)))).toBe(true);
  await inTeams.message(place, 'Analyse my hazard log');
  await expect.poll(() => questionIn(tenant) !== undefined, { timeout: 20_000 }).toBe(true);

  const token = await teams.keys.sign({
    iss: `${teams.url}/${tenant.id}/v2.0`,
    aud: tenant.appId,
    tid: tenant.id,
    oid: place.user.aadObjectId,
    exp: Math.floor(Date.now() / 1000) + 3600,
  });
  // A browser new to Arc, with a simulated Teams around it: a page that answers tabs as Teams does.
  const client = await (await browser.newContext({ permissions: ['local-network-access'] })).newPage();
  const answers = {
    initialize: ['content', 'web', JSON.stringify({ apiVersion: 4, supports: {} }), '2.58.0'],
    'authentication.getAuthToken': [true, token],
  };
  const frameOf = (origin: string) =>
    client.route(`${origin}/**`, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<!doctype html><script>
          const answers = ${JSON.stringify(answers)};
          addEventListener('message', ({ data, source, origin }) => {
            const args = answers[data?.func];
            if (args) source.postMessage({ id: data.id, uuidAsString: data.uuidAsString, args }, origin);
          });
        </script>
        <iframe title="Arc" width="1200" height="700" src="${url}/teams-tab?tenant=${tenant.id}"></iframe>`,
      }),
    );
  await frameOf('https://teams.microsoft.com');
  await client.goto('https://teams.microsoft.com/v2/');
  const tab = client.frameLocator('iframe[title="Arc"]');
  await tab.getByRole('button', { name: 'Review the proposals' }).click();
  const dialog = tab.getByRole('dialog');
  await dialog.getByRole('button', { name: /^Reject the \d+ undecided$/ }).click();
  await dialog.getByRole('button', { name: /^Reject \d+$/ }).click();
  await dialog.getByRole('button', { name: 'Send decisions' }).click();
  await expect(dialog).toBeHidden();
  const closed = () => tenant.posts.get(questionIdOf(tenant));
  await expect.poll(() => wordsOf(closed() as never)).toContain('Rejected by Ada Okafor in the inbox');

  await frameOf('https://elsewhere.example');
  const refused = client.waitForEvent('console', (said) => said.text().includes('frame-ancestors'));
  await client.goto('https://elsewhere.example/');
  await refused;
  await expect(client.frameLocator('iframe[title="Arc"]').getByRole('button', { name: 'Review' })).toHaveCount(0);
  expect(client.frames().some((frame) => frame.url().includes('/teams-tab'))).toBe(false);

  // Outside Teams the page says where the inbox is.
  const alone = await (await browser.newContext()).newPage();
  await alone.goto(`${url}/teams-tab`);
  await expect(alone.getByRole('link', { name: 'Open the inbox on the web' })).toHaveAttribute('href', '/agent-inbox');
});

/** @shows S2-2.14, S2-5.3 */
test('what is not possible with Teams yet is said in plain words', async ({ page, channels }) => {
  const { url } = channels;
  await channels.arriveVerified(page);
  const toast = page.getByRole('region', { name: 'Notifications (F8)' });
  // Configured but not connected: there is no link, because Teams itself connects.
  await page.goto(`${url}/#integrations`);
  await page.getByRole('switch', { name: 'Microsoft Teams on' }).press('Space');
  await expect(toast).toContainText('Connection Failed');
  await expect(toast).toContainText('OAuth not supported for this integration');
  await page.goto(`${url}/teams-bot`);
  await page.getByRole('button', { name: 'Download app package' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Failed to generate manifest' })).toContainText(
    'Teams opens https addresses only.',
  );
});

const questionIdOf = (tenant: Tenant) =>
  postsOf(tenant).find(({ card }) => JSON.stringify(card ?? {}).includes('/agent-inbox?interrupt='))?.id ?? '';
