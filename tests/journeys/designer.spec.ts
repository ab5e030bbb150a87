import { expectAccessible } from './expectAccessible.ts';
import { expect, test } from './journey.ts';
import { arrive } from './person.ts';

test('the card of every onboarded agent links to its workspace and its chat', async ({ page }) => {
  await arrive(page);
  for (const agentId of ['designer', 'developer']) {
    await page.request.post('/api/user-agents/hire', { data: { agentId } });
    await page.request.post('/api/user-agents/onboard', { data: { agentId, tools: [] } });
  }
  await page.goto('/#team');
  const links = (role: string) => page.getByRole('article', { name: role }).getByRole('link');
  await expect(links('Full-stack developer')).toHaveText(['Open the workspace', 'talk to Devon']);
  await expect(links('Clinical safety officer')).toHaveText(['Open the workspace', 'talk to Clara']);
  await expect(links('Product designer')).toHaveText(['Open the workspace', 'talk to Dara']);
  await links('Product designer').last().click();
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible();
});

test('the chat asks for the files of the current agent', async ({ page }) => {
  await arrive(page);
  await page.request.post('/api/user-agents/hire', { data: { agentId: 'designer' } });
  await page.request.post('/api/user-agents/onboard', { data: { agentId: 'designer', tools: [] } });
  await page.goto('/#chat');
  const files = page.getByRole('complementary', { name: 'Hazard log upload' });
  await expect(files).toBeVisible();
  const say = async (text: string) => {
    await page.getByRole('textbox', { name: 'Message' }).fill(text);
    await page.keyboard.press('Enter');
  };
  await say('Dara, help');
  await expect(files).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Attach a file' })).toBeVisible();
  // A name sends one message; whom the conversation is with is chosen above it.
  await say('Clara, help');
  await expect(page.getByText('I never set a severity')).toBeVisible();
  await expect(files).toHaveCount(0);
  await page.getByRole('combobox', { name: 'Talking to' }).selectOption({ label: 'Clara' });
  await expect(files).toBeVisible();
  await expect(page.getByRole('button', { name: 'Upload a hazard log or tickets' })).toBeVisible();
});

/** @shows S2-2.11 */
test('a sentence becomes a prototype: proposed, decided, viewed as pictures and clicked through', async ({ page }) => {
  await arrive(page);
  await page.request.post('/api/user-agents/hire', { data: { agentId: 'designer' } });
  const onboarded = await page.request.post('/api/user-agents/onboard', { data: { agentId: 'designer', tools: [] } });
  const { id } = await onboarded.json();
  await page.goto(`/workspace?agent=${id}&tab=workspace`);
  const card = page.getByRole('article', { name: 'Product designer' });
  await card.getByRole('tab', { name: 'Workspace' }).click();
  await expect(card.getByText('Design service: available')).toBeVisible();
  await expect(card.getByText('No design yet.')).toBeVisible();
  await card.getByLabel('The screen to design').fill('A screen for nurses to record pulse and weight');
  await card.getByRole('button', { name: 'Propose components' }).click();
  const proposed = card.getByRole('region', { name: 'Proposed components' });
  await expect(proposed.getByText('Number field, in kg, required')).toBeVisible();
  // The notice that work started may be replaced at once by the first question, so the server is asked instead.
  const begun = page.waitForResponse('**/api/ux-agent/workflow-demo');
  await card.getByRole('button', { name: 'Run the workflow' }).click();
  expect((await begun).status()).toBe(200);
  await expect(card.getByText('The design continues once its question is answered.')).toBeVisible();
  await expect(card.getByText('No design yet.')).toHaveCount(0);
  await card.getByRole('link', { name: 'Answer it in the inbox' }).click();
  await expect(page.getByText('one column: Patient banner, Fields, Error summary +1 more')).toBeVisible();
  await page.getByRole('radio', { name: 'Approve' }).check();
  await page.getByRole('button', { name: 'Send answer' }).click();
  await expect(page.getByText('Number field, in kg, required')).toBeVisible();
  await page.getByRole('radio', { name: 'Approve' }).check();
  await page.getByRole('button', { name: 'Send answer' }).click();
  await expect(page.getByRole('radio', { name: 'Calm teal' })).toBeVisible();
  await page.getByRole('radio', { name: 'Calm teal' }).check();
  await page.getByRole('button', { name: 'Send answer' }).click();
  const framed = page.frameLocator('iframe[title="Preview of the project"]');
  await expect(framed.getByRole('heading', { name: 'Record pulse and weight' })).toBeVisible();

  await page.goto(`/workspace?agent=${id}&tab=workspace`);
  await card.getByRole('tab', { name: 'Workspace' }).click();
  // An answered step keeps its own lists within the list of work.
  await expect(
    card
      .getByLabel('Runs, newest first')
      .getByRole('listitem')
      .filter({ hasText: /^Pulse/ })
      .first(),
  ).toHaveCSS('display', 'list-item');
  const designs = card.getByRole('region', { name: 'Designs' });
  const picture = designs.getByRole('img', { name: 'Record pulse and weight, default, light' });
  await picture.scrollIntoViewIfNeeded();
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1280);
  await designs.getByText('360 px').click();
  await designs.getByText('Dark', { exact: true }).click();
  await expect(designs.getByRole('img', { name: 'Record pulse and weight, error, dark' })).toHaveCount(1);
  await designs.getByRole('button', { name: 'Try the prototype' }).click();
  const prototype = page.frameLocator('iframe[title="Prototype of Record pulse and weight"]');
  await expect(prototype.getByText('NHS No. 999 123 4578').first()).toBeVisible();
  await prototype.getByRole('textbox', { name: 'Pulse' }).first().fill('');
  await prototype.getByRole('button', { name: 'Save' }).click();
  await expect(prototype.getByRole('alert').getByRole('button', { name: 'Enter pulse' })).toBeVisible();
  await prototype.getByRole('textbox', { name: 'Pulse' }).first().fill('72');
  await prototype.getByRole('button', { name: 'Save' }).click();
  await expect(prototype.getByText('Save: done in this prototype. Nothing was stored or sent.')).toBeVisible();
  await prototype.getByRole('button', { name: 'Empty' }).click();
  await expect(prototype.getByRole('textbox', { name: 'Pulse' }).first()).toHaveValue('');
});

test('a screen is designed on a schedule, and its questions wait in the inbox', async ({ page }) => {
  await arrive(page);
  await page.request.post('/api/user-agents/hire', { data: { agentId: 'designer' } });
  await page.request.post('/api/user-agents/onboard', { data: { agentId: 'designer', tools: [] } });
  await page.goto('/#chat');
  await page.getByText('Stay compliant in future').click();
  await page.getByLabel('Action').selectOption({ label: 'Design a screen' });
  await page.getByRole('button', { name: 'Schedule' }).click();
  await expect(page.getByText(/^Say what it is to do, e\.g\./)).toBeVisible();
  await page.getByLabel('The screen to design').fill('A screen for nurses to record pulse and weight');
  await page.getByRole('button', { name: 'Schedule' }).click();
  const job = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Design a screen' }) });
  await expect(job.getByText('A screen for nurses to record pulse and weight')).toBeVisible();
  await job.getByRole('button', { name: 'Run now' }).click();
  await expect(job.getByText(/: Started as work \d+; its result is in the chat\.$/)).toBeVisible();
  await page.goto('/agent-inbox');
  await expect(page.getByText('Layout for “Record pulse and weight”: shall I continue with it?').first()).toBeVisible();
  // Requested again, it says that its question is pending.
  await page.goto('/#chat');
  await page.getByText('Stay compliant in future').click();
  await job.getByRole('button', { name: 'Run now' }).click();
  await expect(job.getByText(/Not run: question \d+ waits\./)).toBeVisible();
});

test('a question that waits is withdrawn in the inbox, after a second press that says what ends', async ({ page }) => {
  await arrive(page);
  await page.request.post('/api/user-agents/hire', { data: { agentId: 'designer' } });
  await page.request.post('/api/user-agents/onboard', { data: { agentId: 'designer', tools: [] } });
  await page.request.post('/api/arc-chat/send', { data: { message: '@Dara design a screen to record pulse' } });
  await page.goto('/agent-inbox');
  const question = page.getByRole('article', { name: /^Layout for “Record pulse”/ });
  const withdraw = question.getByRole('button', { name: /^Withdraw “Layout/ });
  await withdraw.click();
  await expect(question).toContainText('Dara ends this work, and nobody can answer any more.');
  await expectAccessible(page, 'a question about to be withdrawn');
  await question.getByRole('button', { name: 'Keep' }).click();
  await withdraw.click();
  await question.getByRole('button', { name: 'Withdraw it and end the work' }).click();
  await expect(page.getByText('Nothing waits for you')).toBeVisible();
});
