import type { Workspace } from '../fakes/slack/methods.ts';
import { makeSender } from '../fakes/slack/sender.ts';
import { expect, test } from './journey.ts';

const posted = (workspace: Workspace) => [...workspace.messages.values()];
const buttons = (workspace: Workspace) =>
  posted(workspace).filter(({ blocks }) => JSON.stringify(blocks).includes('answer:review'));

/** @shows S2-2.13, S2-4.1 */
test('connected on the web, asked in Slack, answered on the web, closed in Slack', async ({ browser, channels }) => {
  const { slack, url } = channels;
  const workspace = slack.addWorkspace('T2', 'Northwind');
  workspace.users.set('U2', { id: 'U2', email: 'colleague@northwind.test', name: 'Bo' });
  const page = await (await browser.newContext({ baseURL: url })).newPage();
  await channels.arriveVerified(page);

  await page.goto('/api/oauth/slack/authorize?from=/%23integrations');
  await expect(page.getByRole('switch', { name: /^Slack/ })).toBeChecked();
  const installations = await (await page.request.get('/api/channels/slack/installations')).json();
  expect(installations[0].name).toBe('Northwind');
  await page.request.put(`/api/channels/slack/installations/${installations[0].id}`, { data: { admits: 'workspace' } });

  const sender = makeSender(
    () => url,
    () => `${slack.url}/response`,
  );
  await sender.message(workspace, 'U2', 'D2', 'Try it with a sample');
  await expect.poll(() => posted(workspace).length).toBeGreaterThan(0);
  await sender.message(workspace, 'U2', 'D2', 'Analyse my hazard log');
  await expect.poll(() => buttons(workspace).length, { timeout: 20_000 }).toBe(1);
  const review = buttons(workspace)[0]?.ts;

  await page.goto(`/arc-chat?conversation=${'0'.repeat(24)}`);
  await expect(page.getByText('This conversation can’t be shown')).toBeVisible();

  // The bell counts it without a reload, and it is the same review.
  await page.goto('/agent-inbox');
  await page.getByRole('button', { name: 'Review the proposals' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: /^Reject the \d+ undecided$/ }).click();
  await dialog.getByRole('button', { name: /^Reject \d+$/ }).click();
  await dialog.getByRole('button', { name: 'Send decisions' }).click();
  await expect(dialog).toBeHidden();
  // The review of possible matches may follow at once, with buttons of its own.
  await expect.poll(() => buttons(workspace).some(({ ts }) => ts === review)).toBe(false);
  expect(posted(workspace).some(({ text }) => /^Rejected by Ada Okafor in the inbox, \d\d:\d\d/.test(text))).toBe(true);
  await expect.poll(() => posted(workspace).some(({ text }) => /Review recorded/.test(text))).toBe(true);

  // Disconnecting on the page revokes the token at Slack.
  await page.goto('/#integrations');
  const card = page.getByRole('article', { name: 'Slack' });
  await card.getByRole('button', { name: 'Disconnect' }).click();
  await expect(page.getByRole('region', { name: 'Notifications (F8)' })).toContainText(
    'Arc can’t reach Slack any more.',
  );
  await expect(card.getByText('Not connected')).toBeVisible();
  expect(slack.callsOf('auth.revoke', workspace)).toHaveLength(1);
  expect(workspace.tokens.size).toBe(0);
});
