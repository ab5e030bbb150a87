import type { Page } from 'playwright/test';
import type { Backstage } from './backstage.ts';
import { expectAccessible } from './expectAccessible.ts';
import { expect, test } from './journey.ts';
import { arrive, newEmail, PASSWORD } from './person.ts';

const projectOptions = [
  { id: 'approve', label: 'Use it as it is', action: 'approve' },
  { id: 'edit', label: 'Change something', action: 'edit' },
];
const read = async (page: Page, agentId: number) =>
  (await page.request.get(`/api/agents/${agentId}/interrupts`)).json() as Promise<
    { prompt: string; status: string; userResponse: unknown; resolution: { via: string; text: string } | null }[]
  >;

/** @shows GET /api/interrupts/:id */
test('a link to a question opens it, answered or not, and says so if it can’t be shown', async ({
  page,
  browser,
  backstage,
}) => {
  const { accountId, agentId } = await arrive(page);
  const { _id: id } = await backstage.ask(accountId, agentId, {
    interruptType: 'input',
    prompt: 'Who owns hazard H7?',
  });
  await backstage.ask(accountId, agentId, { interruptType: 'input', prompt: 'Who owns hazard H8?' });
  await page.goto(`/agent-inbox?interrupt=${id}`);
  const article = page.getByRole('article', { name: 'Who owns hazard H7?' });
  await article.getByLabel('Your answer').fill('Priya Nair');
  await expect(page.getByRole('article')).toHaveCount(1);
  await article.getByRole('button', { name: 'Send answer' }).click();
  await expect(article.getByText(/^Answered by/)).toBeVisible();
  await page.reload();
  await expect(article.getByText(/^Answered by/)).toBeVisible();
  await page.getByRole('link', { name: 'See the whole inbox' }).click();
  await expect(page.getByRole('article', { name: 'Who owns hazard H8?' })).toBeVisible();

  const context = await browser.newContext();
  const stranger = await context.newPage();
  await arrive(stranger);
  await stranger.goto(`/agent-inbox?interrupt=${id}`);
  await expect(stranger.getByText('This question can’t be shown')).toBeVisible();
  await expect(stranger.getByText('Nothing waits for you')).toBeVisible();
  await expect(stranger.getByText('hazard H7')).toHaveCount(0);
  await context.close();
});

/** @shows S2-2.5 */
test('the notice that an agent needs input can be dismissed, and the question stays pending', async ({
  page,
  backstage,
}) => {
  const { accountId, agentId } = await arrive(page);
  await page.goto('/workspace');
  await expect(page.getByText('1 agent active · 0 waiting')).toBeVisible();
  await backstage.ask(accountId, agentId, { interruptType: 'approval', prompt: 'Shall I write to the owner?' });
  const toast = page.getByRole('region', { name: 'Notifications (F8)' }).locator('[data-toast]');
  await expect(toast).toContainText('Agent Needs Input');
  await toast.getByRole('button', { name: 'Dismiss' }).click();
  await expect(toast).toHaveCount(0);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Agent inbox, 1 waiting' })).toBeVisible();
  await expect(page).toHaveURL('/workspace');
  expect(await read(page, agentId)).toMatchObject([{ status: 'pending' }]);
});

/** @shows S2-2.6, S2-5.2, S2-3.2 */
test('a question of every type is asked, shown and answered', async ({ page, backstage }) => {
  const { accountId, agentId } = await arrive(page);
  await page.goto('/agent-inbox');
  await expect(page.getByText('Nothing waits for you')).toBeVisible();

  const answered = async (prompt: string, fill: (article: ReturnType<Page['getByRole']>) => Promise<void>) => {
    // The open page shows it without a reload, and announces it.
    await expect(page.getByRole('article', { name: prompt })).toBeVisible();
    const article = page.getByRole('article', { name: prompt });
    const send = article.getByRole('button', { name: 'Send answer' });
    await expect(send).toBeDisabled();
    await fill(article);
    await send.click();
    await expect(article).toBeHidden();
    const row = (await read(page, agentId)).find((it) => it.prompt === prompt);
    expect(row).toMatchObject({ status: 'resolved', resolution: { via: 'inbox' } });
    return row?.userResponse;
  };
  const ask = (question: Parameters<Backstage['ask']>[2]) => backstage.ask(accountId, agentId, question);

  await ask({ interruptType: 'approval', prompt: 'Save the draft to the sandbox workspace?' });
  expect(
    await answered('Save the draft to the sandbox workspace?', (it) =>
      it.getByRole('radio', { name: 'Reject' }).check(),
    ),
  ).toEqual({ approved: false });

  await ask({ interruptType: 'decision', prompt: 'Which version is it?', options: ['Version 1.6', 'Version 1.7'] });
  expect(
    await answered('Which version is it?', (it) => it.getByRole('radio', { name: 'Version 1.7' }).check()),
  ).toEqual({
    selectedOption: 'Version 1.7',
  });

  await ask({ interruptType: 'input', prompt: 'Who owns hazard H3?' });
  expect(
    await answered('Who owns hazard H3?', async (it) => {
      await it.getByLabel('Your answer').fill('   ');
      await expect(it.getByRole('button', { name: 'Send answer' })).toBeDisabled();
      await it.getByLabel('Your answer').fill('Priya Nair');
    }),
  ).toEqual({ userInput: 'Priya Nair' });

  await ask({
    interruptType: 'project_preview',
    prompt: 'Does this layout fit?',
    options: projectOptions,
    context: {
      objective: 'A form for incident reports',
      step: 'layout',
      layout_spec: { layout: 'two columns', sections: ['Head', 'Form', 'Evidence', 'Foot'] },
      components: ['Title', 'Field', 'Date', 'List', 'Button'].map((name) => ({ name, type: 'part' })),
      style_options: [
        {
          name: 'Calm',
          description: 'Warm greys.',
          colors: ['#08574f', '#faf9f7', '#33302b', '#7a4f00', '#b00020'],
          typography: { primary: 'Inter' },
        },
      ],
    },
  });
  const layout = page.getByRole('article', { name: 'Does this layout fit?' });
  await expect(layout.getByText('Objective: A form for incident reports')).toBeVisible();
  await expect(layout.getByText('Step: layout')).toBeVisible();
  await expect(layout.getByText(/two columns: Head, Form, Evidence \+1 more/)).toBeVisible();
  await expect(layout.getByText('+1 more', { exact: true })).toBeVisible();
  await expect(layout.getByRole('img')).toHaveCount(4);
  expect(
    await answered('Does this layout fit?', async (it) => {
      await it.getByRole('radio', { name: 'Change something' }).check();
      await expect(it.getByRole('button', { name: 'Send answer' })).toBeDisabled();
      await it.getByLabel('What should change').fill('The date comes first');
    }),
  ).toEqual({ choice: 'edit', text: 'The date comes first' });

  await ask({
    interruptType: 'REPLIT_PROJECT_CREATED',
    prompt: 'The project is there. Use it?',
    options: projectOptions,
    context: { title: 'Incident form', iframeUrl: '/api/replit/preview/1', hostedUrl: 'https://elsewhere.example/' },
  });
  const frame = page.getByRole('article', { name: 'The project is there. Use it?' }).locator('iframe');
  await expect(frame).toHaveAttribute(
    'sandbox',
    'allow-scripts allow-same-origin allow-forms allow-popups allow-modals',
  );
  expect(
    await answered('The project is there. Use it?', (it) => it.getByRole('radio', { name: 'Use it as it is' }).check()),
  ).toEqual({ choice: 'approve' });

  await page.getByRole('tab', { name: /Resolved/ }).click();
  await expect(page.getByText('Page 1 of 2')).toBeVisible();
  await expect(page.getByText(/by Ada Okafor in the inbox/).first()).toBeVisible();
});

/** @shows S2-4.1 */
test('a second answerer is told who was first', async ({ page, browser, backstage }) => {
  const { accountId, agentId, email } = await arrive(page);
  await page.goto('/workspace');
  await expect(page.getByRole('article', { name: 'Clinical safety officer' })).toBeVisible();
  const second = await (await browser.newContext()).newPage();
  await second.request.post('/api/login', { data: { email, password: PASSWORD } });
  await second.goto('/agent-inbox');
  await expect(second.getByText('Nothing waits for you')).toBeVisible();
  await backstage.ask(accountId, agentId, { interruptType: 'approval', prompt: 'Shall I write to the owner?' });
  await page.getByRole('button', { name: 'Inbox of Clara, 1 waiting' }).click();
  const inbox = page.getByRole('dialog', { name: 'Agent Inbox - Clara' });
  await expect(inbox.getByRole('article', { name: 'Shall I write to the owner?' })).toBeVisible();
  const other = second.getByRole('article', { name: 'Shall I write to the owner?' });
  await other.getByRole('radio', { name: 'Reject' }).check();
  await inbox.getByRole('radio', { name: 'Approve' }).check();
  // The first browser's answer arrives while the second one's is on its way.
  await second.route('**/api/interrupts/*/resolve', async (route) => {
    await inbox.getByRole('button', { name: 'Send answer' }).click();
    await expect(inbox).toBeHidden();
    await route.continue();
  });
  await other.getByRole('button', { name: 'Send answer' }).click();
  await expect(second.getByText('Answered already', { exact: true })).toBeVisible();
  await expect(
    second.getByText(/^This was answered already\. Approved by Ada Okafor in the inbox, .* That answer stands\.$/),
  ).toBeVisible();
  await second.getByRole('tab', { name: /Resolved/ }).click();
  await expect(second.getByRole('tabpanel').getByText(/^Approved by Ada Okafor in the inbox, /)).toBeVisible();
  await second.context().close();
});

/** @shows S2-6.1, /#preferences no permission, /agent-inbox no permission */
test('a member sees pending questions, and may neither answer nor change the company', async ({
  page,
  browser,
  backstage,
}) => {
  const { accountId, agentId } = await arrive(page);
  await backstage.ask(accountId, agentId, { interruptType: 'approval', prompt: 'Shall I close hazard H3?' });
  const invited = await page.request.post('/api/account/members', { data: { email: newEmail(), roles: ['member'] } });
  const { link } = (await invited.json()).invitation;
  const member = await (await browser.newContext()).newPage();
  await member.goto(link);
  await member.getByLabel('First name').fill('Ben');
  await member.getByLabel('Last name').fill('Hughes');
  await member.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await member.getByRole('button', { name: 'Join' }).click();
  await expect(member.getByRole('heading', { name: 'Dashboard' })).toBeVisible();

  await member.goto('/agent-inbox');
  const question = member.getByRole('article', { name: 'Shall I close hazard H3?' });
  await expect(question.getByText('This question waits for the account owner or an approver.')).toBeVisible();
  await expect(question.getByRole('button', { name: 'Send answer' })).toBeHidden();
  await member.goto('/#integrations');
  await expect(member.getByText('Only the owner can change this.').first()).toBeVisible();
  await expect(member.getByRole('switch', { name: 'arc-chat on' })).toBeDisabled();
  await member.goto('/#preferences');
  await expect(member.getByText('Only the owner can change company settings.')).toBeVisible();
  await expect(member.getByRole('group', { name: 'Company' }).getByLabel('Name')).toBeDisabled();
  await expect(member.getByText('Ada Okafor')).toBeVisible();
  await expect(member.getByRole('button', { name: 'Invite' })).toBeHidden();
  await member.goto(`/workspace?agent=${agentId}&tab=tools`);
  await expect(member.getByText('Only the owner can change tools.')).toBeVisible();
  await expect(member.getByRole('switch', { name: 'Hazard analysis for Clara' })).toBeDisabled();
  await member.goto('/admin/tokens');
  await expect(member.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
  await member.context().close();
});

/** @shows S2-4.1 */
test('a question of any kind is answered in the conversation in which it was asked', async ({ page, backstage }) => {
  const { accountId, agentId, userId } = await arrive(page);
  const asks = (question: Parameters<Backstage['ask']>[2]) => backstage.askInChat(accountId, agentId, userId, question);
  await asks({
    interruptType: 'made_up',
    prompt: 'Which way shall I go?',
    options: ['The first', 'The second'],
    context: { description: 'Both lead there.' },
  });
  await asks({ interruptType: 'approval', prompt: 'Shall I send it?' });
  await page.goto('/arc-chat');
  const asked = page.getByRole('listitem').filter({ hasText: 'Which way shall I go?' });
  await expect(asked.getByText('Both lead there.')).toBeVisible({ timeout: 30_000 });
  await asked.getByRole('radio', { name: 'The second' }).check();
  await asked.getByRole('button', { name: 'Send answer' }).click();
  await expect(asked.getByText(/^Answered by Ada Okafor in arc-chat/)).toBeVisible();
  const kept = (await read(page, agentId)).find(({ prompt }) => prompt === 'Which way shall I go?');
  expect(kept).toMatchObject({
    status: 'resolved',
    userResponse: { choice: 'The second' },
    resolution: { via: 'arc-chat' },
  });

  const approval = page.getByRole('listitem').filter({ hasText: 'Shall I send it?' });
  await approval.getByRole('radio', { name: 'Reject' }).check();
  await approval.getByLabel('Reason (optional)').fill('Not yet');
  await approval.getByRole('button', { name: 'Send answer' }).click();
  await expect(approval.getByText(/^Rejected by/)).toBeVisible();
});

test('a question is assigned, put off and commented on where it stands', async ({ page, backstage }) => {
  const { accountId, agentId } = await arrive(page);
  const prompt = 'Is the new version safe to release?';
  await backstage.ask(accountId, agentId, { interruptType: 'approval', prompt });
  await page.goto('/agent-inbox');
  const question = page.getByRole('article', { name: prompt });
  await question.getByRole('button', { name: 'Assign…' }).click();
  await page.getByRole('menuitem', { name: 'Ada Okafor' }).click();
  await expect(question).toContainText('Assigned to Ada Okafor.');
  await question.getByRole('button', { name: 'Comment' }).click();
  await expect(question.getByLabel('Comment')).toBeFocused();
  await page.keyboard.type('The pharmacy team reads it today.');
  await question.getByRole('button', { name: 'Comment' }).click();
  await expect(question.getByRole('list', { name: '1 comment' })).toContainText('The pharmacy team reads it today.');
  await question.getByRole('button', { name: 'Put off…' }).click();
  await page.getByRole('menuitem', { name: 'Until next week' }).click();
  await expect(question).toContainText(/Put off until Mon \d+ \w{3}, 09:00 by Ada Okafor\./);
  await expectAccessible(page, 'handled question');
  // It is answered as before.
  await question.getByRole('radio', { name: 'Approve' }).check();
  await question.getByRole('button', { name: 'Send answer' }).click();
  await expect(page.getByText('Nothing waits for you')).toBeVisible();
});
