import type { Page } from 'playwright/test';
import { expect, test } from './journey.ts';
import { acceptAllByKeyboard, arrive, arriveNew, arriveWithReview, changeAnswer } from './person.ts';

/*
 * The exact texts of successes and failures. A failure is the server's own refusal where possible; otherwise the answer
 * is intercepted in the browser.
 */
const toastOf = (page: Page) => page.getByRole('region', { name: 'Notifications (F8)' });

/** Someone whose company has these agents onboarded besides Clara. */
async function arriveWith(page: Page, agents: readonly string[]): Promise<void> {
  await arrive(page);
  for (const agentId of agents) {
    await page.request.post('/api/user-agents/hire', { data: { agentId } });
    await page.request.post('/api/user-agents/onboard', { data: { agentId, tools: [] } });
  }
}

/** @shows S1-8.2, S2-2.8, S2-8.1, S2-8.3 */
test('a failed merge, a successful one, and its name if the server gives none', async ({ page, backstage }) => {
  const { accountId } = await arriveWithReview(page);
  const toast = toastOf(page);
  await page.getByRole('button', { name: /^Review \d+/ }).click();
  await acceptAllByKeyboard(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Send decisions' }).click();
  const merge = page.getByRole('button', { name: 'Merge new lines into Hazard Log' });
  await expect(merge).toBeVisible();
  const call = '**/api/hazard-analysis/create-merged-hazard-log';
  await page.route(call, (route) => route.abort());
  await merge.click();
  await expect(toast).toContainText('Merge Failed');
  await expect(toast).toContainText('Failed to send merge request. Please try again.');
  await page.unroute(call);
  await changeAnswer(page, call, (answer: object) => ({ ...answer, filename: '' }));
  const [download] = await Promise.all([page.waitForEvent('download'), merge.click()]);
  expect(download.suggestedFilename()).toBe('merged-hazard-log.xlsx');
  await expect(toast).toContainText('Merged Hazard Log Created');

  await backstage.leaveCredits(accountId, 5);
  const left = async () => (await (await page.request.get('/api/user/tokens/balance')).json()).balance.tokensRemaining;
  await expect.poll(left).toBe(5);
  await page.getByRole('button', { name: 'Analyse hazard log' }).click();
  await expect(toast).toContainText('Hazard Log Analysis Failed');
  await expect(toast).toContainText(/5 remain/);
});

/** @shows S2-8.4 */
test('the developer’s success has its exact text', async ({ page }) => {
  await arrive(page);
  await page.request.post('/api/user-agents/hire', { data: { agentId: 'developer' } });
  const onboarded = await page.request.post('/api/user-agents/onboard', {
    data: { agentId: 'developer', tools: ['bolt'] },
  });
  const { id } = await onboarded.json();
  await page.goto(`/workspace?agent=${id}&tab=workspace`);
  const developer = page.getByRole('article', { name: 'Full-stack developer' });
  await developer.getByRole('tab', { name: 'Workspace' }).click();
  for (const [button, call, title, failure] of [
    ['Start agent workflow', '**/api/fullstack-agent/start-task', 'Task Started', 'Failed to start task'],
    ['Create project only', '**/api/replit/create-project', 'Project Created', 'Failed to create Replit project'],
  ] as const) {
    const objective = developer.getByLabel('Task objective');
    await objective.fill('A form for incident reports');
    await page.route(call, (route) => route.abort());
    await developer.getByRole('button', { name: button }).click();
    await expect(developer.getByRole('alert')).toContainText(failure);
    await expect(objective).toHaveValue('A form for incident reports');
    // The first question of real work may replace the notice at once, so the answer is mocked.
    await page.route(call, (route) => route.fulfill({ json: { success: true } }));
    await developer.getByRole('button', { name: button }).click();
    await expect(toastOf(page)).toContainText(title);
    await expect(objective).toHaveValue('');
    await expect(developer.getByRole('alert')).toHaveCount(0);
  }
});

/** @shows S2-8.1, S2-8.4 */
test('a task, documents and a design have their exact texts, started and refused', async ({ page }) => {
  await arriveWith(page, ['outreach', 'professionaliser', 'designer']);
  const toast = toastOf(page);
  await page.goto('/workspace');
  for (const { role, field, button, below, call, done, failure, refusal } of [
    {
      ...{ role: 'Outreach', field: 'Task for Otis', button: 'Assign task', below: null },
      ...{ call: '**/api/agents/*/tasks', done: 'Task Assigned', failure: 'Task Assignment Failed' },
      refusal: 'Unable to assign task to agent. Please try again.',
    },
    {
      ...{ role: 'Document professionaliser', field: 'Task for Petra', below: null },
      ...{ button: 'Assign task', call: '**/api/professionaliser/*/process', done: 'Document Management Started' },
      failure: 'Failed to start document management workflow',
      refusal: 'Unable to assign task to agent. Please try again.',
    },
    {
      ...{ role: 'Product designer', field: 'The screen to design', button: 'Run the workflow', below: null },
      ...{ call: '**/api/ux-agent/workflow-demo', done: 'Design Workflow Started' },
      ...{ failure: 'Failed to start UX/UI workflow', refusal: 'Nothing was created. Please try again.' },
    },
    {
      ...{ role: 'Product designer', field: 'The screen to design', button: 'Export to Figma', below: 'Work in Figma' },
      ...{ call: '**/api/ux-agent/figma-export', done: 'Waiting for your approval', failure: 'Export Failed' },
      refusal: 'Failed to export to Figma',
    },
  ]) {
    const card = page.getByRole('article', { name: role });
    await card.getByRole('tab', { name: 'Workspace' }).click();
    await card.getByLabel(field).fill('A form for incident reports');
    if (below) await card.getByText(below).click();
    await page.route(call, (route) => route.abort());
    await card.getByRole('button', { name: button }).click();
    await expect(card.getByRole('alert')).toContainText(failure);
    await expect(card.getByRole('alert')).toContainText(refusal);
    await page.unroute(call);
    // The server's own refusal is shown under the same title.
    if (button === 'Export to Figma') {
      await card.getByRole('button', { name: button }).click();
      await expect(card.getByRole('alert')).toContainText('Figma is not connected');
      await expect(card.getByRole('alert')).toContainText(failure);
    }
    await expect(card.getByLabel(field)).toHaveValue('A form for incident reports');
    await page.route(call, (route) => route.fulfill({ json: { success: true } }));
    await card.getByRole('button', { name: button }).click();
    await expect(toast).toContainText(done);
    await expect(card.getByRole('alert')).toHaveCount(0);
    // A task that was given leaves the box; a design is continued.
    if (button === 'Assign task') await expect(card.getByLabel(field)).toHaveValue('');
  }
});

/** @shows S1-8.2, S2-8.1 */
test('failed hiring, onboarding and switching say so', async ({ page }) => {
  await arriveNew(page);
  const toast = toastOf(page);
  await page.getByRole('button', { name: 'Continue' }).click();
  const clara = page.getByRole('article', { name: 'Clinical safety officer' });
  await page.route('**/api/user-agents/hire', (route) => route.abort());
  await clara.getByRole('button', { name: 'Hire Clara' }).click();
  await expect(toast).toContainText('Failed to hire agent. Please try again.');
  await page.unroute('**/api/user-agents/hire');
  await clara.getByRole('button', { name: 'Hire Clara' }).click();
  await page.route('**/api/user-agents/onboard', (route) => route.abort());
  await clara.getByRole('button', { name: 'Complete Onboarding' }).click();
  await expect(toast).toContainText('Failed to onboard agent. Please try again.');
  await page.getByRole('button', { name: 'Skip for now' }).click();
  const chat = page.getByRole('switch', { name: 'arc-chat on' });
  await page.route('**/api/integrations/toggle', (route) => route.abort());
  await chat.press('Space');
  await expect(toast).toContainText('Toggle Failed');
  await expect(toast).toContainText('Failed to toggle integration');
  await expect(chat).toBeChecked();

  await page.goto('about:blank');
  await page.context().clearCookies();
  await page.goto('/auth?tab=reset');
  await page.route('**/api/auth/send-reset', (route) => route.abort());
  await page.getByLabel('Email').fill('nobody@northwind.test');
  await page.getByRole('button', { name: 'Send reset code' }).click();
  await expect(page.getByRole('alert')).toContainText('Failed to send reset email');
});

/** @shows S1-8.3 */
test('a lost connection is reported for every action, and the typed text stays', async ({ page, backstage }) => {
  const { accountId, agentId } = await arrive(page);
  const toast = toastOf(page);
  const cut = async (path: string, work: () => Promise<void>) => {
    await page.route(path, (route) => (route.request().method() === 'GET' ? route.continue() : route.abort()));
    await work();
    await page.unroute(path);
  };
  await page.goto('/#chat');
  const box = page.getByRole('textbox', { name: 'Message' });
  await box.fill('What can you do?');
  await cut('**/api/arc-chat/send', async () => {
    await box.press('Enter');
    await expect(toast).toContainText('Failed to send message. Please try again.');
    await expect(box).toHaveValue('What can you do?');
  });
  await cut('**/api/arc-chat/upload-hazard-log', async () => {
    const chooser = page.waitForEvent('filechooser');
    const panel = page.getByRole('complementary', { name: 'Hazard log upload' });
    await panel.getByRole('button', { name: 'Upload a file' }).click();
    await (await chooser).setFiles({ name: 'log.csv', mimeType: 'text/csv', buffer: Buffer.from('Hazard\nOne\n') });
    await expect(toast).toContainText('Failed to upload file. Please try again.');
  });
  await page.getByText('Stay compliant in future').click();
  await page.getByLabel('Action').selectOption({ label: 'Analyse the hazard log' });
  await cut('**/api/automation/jobs', async () => {
    await page.getByRole('button', { name: 'Schedule' }).click();
    await expect(page.getByText('Failed to configure automation. Please try again.')).toBeVisible();
  });
  await page.getByRole('button', { name: 'Schedule' }).click();
  const remove = page.getByRole('button', { name: 'Remove Analyse the hazard log' });
  await expect(remove).toBeVisible();
  await cut('**/api/automation/jobs/*', async () => {
    await remove.click();
    await expect(toast).toContainText('Failed to remove automation. Please try again.');
    await expect(remove).toBeVisible();
  });

  await backstage.ask(accountId, agentId, { interruptType: 'input', prompt: 'Who owns hazard H3?' });
  await page.goto('/agent-inbox');
  await page.getByLabel('Your answer').fill('Priya Nair');
  await cut('**/api/interrupts/*/resolve', async () => {
    await page.getByRole('button', { name: 'Send answer' }).click();
    await expect(toast).toContainText('Failed to resolve interrupt. Please try again.');
    await expect(page.getByLabel('Your answer')).toHaveValue('Priya Nair');
  });

  await page.goto('about:blank');
  await page.context().clearCookies();
  await arriveNew(page);
  await cut('**/api/user/onboarding/update', async () => {
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(toast).toContainText('Failed to update onboarding');
  });
});

/** @shows S1-2.7 */
test('an agent’s words: bold is bold, a list is a list', async ({ page }) => {
  await page.goto('/');
  await page.getByLabel('Project goal').fill('Find what our hazard log of e-prescribing misses');
  await page.getByRole('button', { name: 'Start Agent Collaboration' }).click();
  const clara = page.getByRole('article', { name: 'Result of Clara' });
  await expect(clara.getByRole('strong').filter({ hasText: 'Hazards to look at first' })).toHaveText(
    'Hazards to look at first',
  );
  await expect(clara.getByRole('listitem').first().getByRole('strong')).toBeVisible();
  await expect(clara).not.toContainText('**');
});

/** @shows S1-2.14, S1-2.17 */
test('the list of messages follows its end within ten pixels, and no further', async ({ page }) => {
  await arriveWithReview(page);
  const list = page.getByRole('region', { name: 'Messages' });
  const fromEnd = () => list.evaluate((it) => Math.round(it.scrollHeight - it.scrollTop - it.clientHeight));
  const place = (pixels: number) =>
    list.evaluate((it, above) => it.scrollTo({ top: it.scrollHeight - it.clientHeight - above }), pixels);
  const say = async (message: string) => {
    await page.request.post('/api/arc-chat/send', { data: { message } });
    await expect(list).toContainText(message);
  };
  const below = page.getByRole('button', { name: 'New messages' });
  // The window of the chat is 600 px high, whatever it contains.
  expect((await page.getByRole('region', { name: 'Chat' }).boundingBox())?.height).toBe(600);
  await expect.poll(fromEnd).toBeLessThanOrEqual(1);
  await place(10);
  await expect.poll(fromEnd).toBe(10);
  await say('Said from elsewhere, near the end');
  await expect.poll(fromEnd).toBeLessThanOrEqual(1);
  await expect(below).toBeHidden();
  // A page that is still drawing the last message scrolls to its end once more.
  await expect.poll(() => place(11).then(fromEnd)).toBe(11);
  await say('Said from elsewhere, with the reader above');
  await expect(below).toBeVisible();
  expect(await fromEnd()).toBeGreaterThan(11);
  // A message of one's own always scrolls to the end.
  await page.getByRole('textbox', { name: 'Message' }).fill('Said here');
  await page.getByRole('textbox', { name: 'Message' }).press('Enter');
  await expect.poll(fromEnd).toBeLessThanOrEqual(1);
  await expect(below).toBeHidden();
  // When content above shrinks, the list moves up without the person scrolling; new content drawn at the same moment is
  // still followed.
  await list.evaluate((it) => {
    const [first, last] = [it.querySelector('ol > li'), it.querySelector('ol > li:last-child')] as HTMLElement[];
    if (first) first.style.marginTop = '-200px';
    it.scrollTop += 0;
    if (last) last.style.paddingBottom = '120px';
  });
  await expect.poll(fromEnd).toBeLessThanOrEqual(1);
});
