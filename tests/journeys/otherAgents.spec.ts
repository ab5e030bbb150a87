import { WORKING_AGENTS } from '../../models/contracts/catalogue.ts';
import { expect, test } from './journey.ts';
import { arrive, arriveNew } from './person.ts';

/** @shows S2-2.3, S2-2.11, S2-5.1, S2-8.1 */
test('an agent names what is not available yet, and the typed text stays', async ({ page }) => {
  await arriveNew(page);
  await page.getByRole('button', { name: 'Continue' }).click();
  for (const [role, name] of [
    ['Product designer', 'Dara'],
    ['Full-stack developer', 'Devon'],
    ['Outreach', 'Otis'],
  ] as const) {
    const card = page.getByRole('article', { name: role });
    await card.getByRole('button', { name: `Hire ${name}` }).click();
    await card.getByRole('button', { name: 'Complete Onboarding' }).click();
    await expect(card.getByText('Active team member')).toBeVisible();
  }
  await page.goto('/workspace');

  // Agents with a panel of their own have no task input.
  const taskInput = page.getByLabel(/^Task for /);
  await expect(taskInput).toHaveCount(0);
  for (const [role, inputs] of [
    ['Outreach', 1],
    ['Product designer', 1],
    ['Full-stack developer', 1],
  ] as const) {
    const card = page.getByRole('article', { name: role });
    await card.getByRole('tab', { name: 'Workspace' }).click();
    await expect(card.getByRole('button').first()).toBeVisible();
    await expect(taskInput).toHaveCount(inputs);
  }

  const outreach = page.getByRole('article', { name: 'Outreach' });
  await outreach.getByRole('tab', { name: 'Workspace' }).click();
  await outreach.getByRole('button', { name: 'Assign task' }).click();
  await expect(outreach.getByText('No Task Provided')).toBeVisible();
  await expect(outreach.getByText('Please enter a task or objective for the agent.')).toBeVisible();
  const developer = page.getByRole('article', { name: 'Full-stack developer' });
  await developer.getByRole('tab', { name: 'Workspace' }).click();
  await developer.getByRole('button', { name: 'Start agent workflow' }).click();
  await expect(developer.getByText('Please enter a task objective')).toBeVisible();
  await developer.getByRole('button', { name: 'Create project only' }).click();
  await expect(developer.getByText('Please enter a project objective')).toBeVisible();
  await developer.getByLabel('Task objective').fill('A form for incident reports');
  await developer.getByRole('button', { name: 'Start agent workflow' }).click();
  const waiting = developer.getByRole('region', { name: 'Waiting for you' });
  await expect(waiting.getByText('Shall I build “Incident reports” like this?').first()).toBeVisible();
  await expect(developer.getByLabel('Task objective')).toHaveValue('');
  await expect(developer.getByText('No projects yet. Enter an objective and start one.')).toBeVisible();

  const designer = page.getByRole('article', { name: 'Product designer' });
  await designer.getByRole('tab', { name: 'Workspace' }).click();
  await designer.getByLabel('The screen to design').fill('A dashboard');
  await expect(designer.getByRole('button', { name: 'Export to Figma' })).toBeHidden();
  await designer.getByText('Work in Figma').click();
  await designer.getByRole('button', { name: 'Export to Figma' }).click();
  await expect(designer.getByText('Export Failed')).toBeVisible();
  await designer.getByRole('button', { name: 'Create in Figma' }).click();
  await expect(designer.getByText('Failed to Create Design')).toBeVisible();
  await expect(designer.getByText(/Figma is not connected, so nothing was created/)).toBeVisible();
  await designer.getByRole('button', { name: 'Generate from the file' }).click();
  await expect(designer.getByText('Please enter the address of the Figma file.')).toBeVisible();
  await designer.getByLabel('Figma file (optional)').fill('https://www.figma.com/design/abc');
  await designer.getByRole('button', { name: 'Generate from the file' }).click();
  await expect(designer.getByText('Failed to Generate Design')).toBeVisible();
});

/** @shows S2-2.7, S2-8.1, S2-8.3 */
test('the developer’s workflow is continued from its own panel', async ({ page, backstage }) => {
  const { accountId } = await arrive(page);
  await page.request.post('/api/user-agents/hire', { data: { agentId: 'developer' } });
  const onboard = (tools: string[]) =>
    page.request.post('/api/user-agents/onboard', { data: { agentId: 'developer', tools } });
  const { id } = await (await onboard([])).json();
  await page.goto(`/workspace?agent=${id}&tab=workspace`);
  const developer = page.getByRole('article', { name: 'Full-stack developer' });
  await developer.getByRole('tab', { name: 'Workspace' }).click();
  await expect(developer.getByText('Bolt Integration Disabled')).toBeVisible();
  await developer.getByRole('link', { name: 'Tools' }).click();
  const bolt = developer.getByRole('switch', { name: 'Bolt for Devon' });
  await expect(bolt).not.toBeChecked();
  await bolt.press('Space');
  await expect(page.getByText('Bolt is on for Devon')).toBeVisible();
  await expect(bolt).toBeChecked();
  await developer.getByRole('tab', { name: 'Workspace' }).click();
  await expect(developer.getByRole('button', { name: 'Start agent workflow' })).toBeVisible();

  await backstage.ask(
    accountId,
    id,
    {
      interruptType: 'project_preview',
      prompt: 'Shall I go on with this layout?',
      options: [
        { id: 'approve', label: 'Go on', action: 'approve' },
        { id: 'edit', label: 'Change it first', action: 'edit' },
      ],
    },
    'developer',
  );
  const waiting = developer.getByRole('region', { name: 'Waiting for you' });
  await waiting.getByRole('radio', { name: 'Change it first' }).check();
  await waiting.getByLabel('What should change').fill('The date comes first');
  const call = '**/api/fullstack-agent/continue/*';
  await page.route(call, (route) => route.abort());
  await waiting.getByRole('button', { name: 'Send answer' }).click();
  await expect(page.getByText('Failed to continue workflow')).toBeVisible();
  await expect(waiting.getByLabel('What should change')).toHaveValue('The date comes first');
  await page.unroute(call);
  // What was typed and not sent outlives a reload.
  await page.reload();
  await developer.getByRole('tab', { name: 'Workspace' }).click();
  await expect(waiting.getByLabel('What should change')).toHaveValue('The date comes first');
  await waiting.getByRole('button', { name: 'Send answer' }).click();
  await expect(page.getByText('Workflow Continued')).toBeVisible();
  await expect(waiting).toBeHidden();
});

/** @shows S2-2.8, S2-5.1, S2-2.22, S2-8.3 */
test('the safety panel names what is missing, analyses the log, and merges what the review accepted', async ({
  page,
}) => {
  const { agentId } = await arrive(page);
  await page.request.post('/api/arc-chat/sample', { data: {} });
  await page.goto(`/workspace?agent=${agentId}`);
  const clara = page.getByRole('article', { name: 'Clinical safety officer' });
  await clara.getByRole('tab', { name: 'Workspace' }).click();
  await expect(clara.getByRole('link', { name: 'Agent inbox' })).toHaveAttribute('href', '/agent-inbox');
  await clara.getByRole('button', { name: 'Merge into the hazard log' }).click();
  await expect(clara.getByText('No Analysis Available')).toBeVisible();
  await expect(clara.getByText('Please complete a hazard log analysis before merging.')).toBeVisible();

  await page.getByRole('button', { name: 'Analyse hazard log' }).click();
  const result = page.getByRole('region', { name: 'Latest hazard analysis' });
  await expect(result.getByRole('button', { name: 'Review the proposals' })).toBeVisible({ timeout: 30_000 });
  const merge = result.getByRole('button', { name: 'Merge new lines into Hazard Log' });
  await expect(merge).toHaveCount(0);
  const [question] = await (await page.request.get(`/api/agents/${agentId}/interrupts`)).json();
  const answered = await page.request.patch(`/api/interrupts/${question.id}/resolve`, { data: { approved: true } });
  expect(answered.status()).toBe(200);
  await merge.click();
  await expect(page.getByText('Merged Hazard Log Created')).toBeVisible();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    result.getByRole('button', { name: 'Download merged Hazard Log' }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/\.xlsx$/);
});

test('agents and tools in preparation say so on the landing page, the team’s cards, tools and schedules', async ({
  page,
}) => {
  await page.goto('/');
  const marta = page.getByRole('article', { name: 'EU MDR technical file' });
  await expect(marta).toBeVisible();
  await expect(marta.getByText('In preparation', { exact: true })).toHaveCount(0);

  await arrive(page);
  await page.goto('/#team');
  const cards = page.getByRole('article');
  await expect(cards).not.toHaveCount(0);
  for (const card of await cards.all()) {
    const role = await card.getByRole('heading').first().textContent();
    const works = WORKING_AGENTS.some((agent) => agent.role === role);
    await expect(card.getByText('In preparation', { exact: true })).toHaveCount(works ? 0 : 1);
  }
  const hired = await page.request.post('/api/user-agents/hire', { data: { agentId: 'marketer' } });
  await page.request.post('/api/user-agents/onboard', { data: { agentId: 'marketer', tools: ['mailchimp'] } });
  await page.goto(`/workspace?agent=${(await hired.json()).id}&tab=workspace`);
  const card = page.getByRole('article', { name: 'Marketer' });
  await card.getByRole('tab', { name: 'Tools' }).click();
  await expect(card.getByText('Campaigns. Not configured', { exact: true })).toBeVisible();

  await page.goto('/#chat');
  await page.getByText('Stay compliant in future').click();
  const action = page.getByLabel('Action');
  await expect(action.locator('option', { hasText: 'Check the MDR technical file' })).toHaveCount(1);
  await expect(action.locator('option:disabled')).toHaveCount(0);
});

test('the owner allows a change without asking, and takes it back', async ({ page }) => {
  await arrive(page);
  const [agent] = await (await page.request.get('/api/user-agents')).json();
  await page.goto(`/workspace?agent=${agent.id}&tab=tools`);
  const may = page.getByRole('region', { name: 'What Clara may do' });
  const asks = may.getByRole('switch', { name: 'Ask before: Schedule an analysis of the hazard log' });
  await page.getByRole('tab', { name: 'Tools' }).click();
  await expect(asks).toBeChecked();
  await asks.focus();
  await page.keyboard.press('Space');
  await expect(may).toContainText('Always allowed here, without asking');
  await page.reload();
  await page.getByRole('tab', { name: 'Tools' }).click();
  await expect(asks).not.toBeChecked();
  await asks.focus();
  await page.keyboard.press('Space');
  await expect(may).toContainText('Asks before each time');
});
