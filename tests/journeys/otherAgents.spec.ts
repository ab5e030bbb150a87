import { expect, test } from 'playwright/test';
import { signUp } from './person.ts';

test('what an agent can not do yet it says, and what was typed stays', async ({ page }) => {
  await signUp(page);
  await page.getByRole('button', { name: 'Continue' }).click();
  for (const [role, name] of [
    ['Product designer', 'Dara'],
    ['Full-stack developer', 'Devon'],
    ['Researcher', 'Rhea'],
  ] as const) {
    const card = page.getByRole('article', { name: role });
    await card.getByRole('button', { name: `Hire ${name}` }).click();
    await card.getByRole('button', { name: 'Complete Onboarding' }).click();
    await expect(card.getByText('Active team member')).toBeVisible();
  }
  await page.goto('/workspace');

  const researcher = page.getByRole('article', { name: 'Researcher' });
  await researcher.getByRole('tab', { name: 'Workspace' }).click();
  await researcher.getByRole('button', { name: 'Assign task' }).click();
  await expect(researcher.getByText('No Task Provided')).toBeVisible();
  await expect(researcher.getByText('Please enter a task or objective for the agent.')).toBeVisible();
  await researcher.getByLabel('Task for Rhea').fill('What do our documents say about dose rounding?');
  await researcher.getByRole('button', { name: 'Assign task' }).click();
  await expect(researcher.getByText('Task Assignment Failed')).toBeVisible();
  await expect(researcher.getByText(/not available in this version/)).toBeVisible();
  await expect(researcher.getByLabel('Task for Rhea')).toHaveValue(/dose rounding/);

  const developer = page.getByRole('article', { name: 'Full-stack developer' });
  await developer.getByRole('tab', { name: 'Workspace' }).click();
  await developer.getByRole('button', { name: 'Start agent workflow' }).click();
  await expect(developer.getByText('Please enter a task objective')).toBeVisible();
  await developer.getByRole('button', { name: 'Create project only' }).click();
  await expect(developer.getByText('Please enter a project objective')).toBeVisible();
  await developer.getByLabel('Task objective').fill('A form for incident reports');
  await developer.getByRole('button', { name: 'Start agent workflow' }).click();
  await expect(developer.getByText('Failed to start task')).toBeVisible();
  await expect(developer.getByText('No project yet.')).toBeVisible();

  const designer = page.getByRole('article', { name: 'Product designer' });
  await designer.getByRole('tab', { name: 'Workspace' }).click();
  await expect(designer.getByText('Design service: not available')).toBeVisible();
  await designer.getByLabel('The screen to design').fill('A dashboard');
  await designer.getByRole('button', { name: 'Propose a layout' }).click();
  await expect(designer.getByText('Generation Failed')).toBeVisible();
  await designer.getByRole('button', { name: 'Export to Figma' }).click();
  await expect(designer.getByText('Export Failed')).toBeVisible();
});
