import { expectAccessible } from './expectAccessible.ts';
import { expect, test } from './journey.ts';
import { arrive, PASSWORD } from './person.ts';

test('an answer that needs the officer is signed with a reason and the password', async ({ page, backstage }) => {
  const { accountId, agentId } = await arrive(page);
  const switchOn = await page.request.put('/api/preferences', { data: { signsAnswers: true } });
  expect(switchOn.ok()).toBe(true);
  await page.goto('/#preferences');
  await expect(page.getByRole('switch', { name: 'Answers that need the officer are signed' })).toBeChecked();
  const prompt = 'Is the new version safe to release?';
  await backstage.ask(accountId, agentId, {
    interruptType: 'approval',
    prompt,
    requires: 'clinical-safety-officer',
  });
  await page.goto('/agent-inbox');
  const question = page.getByRole('article', { name: prompt });
  const answer = async () => {
    await question.getByRole('radio', { name: 'Approve' }).check();
    await question.getByRole('button', { name: /Send|Submit/ }).click();
  };
  await answer();
  const dialog = page.getByRole('dialog', { name: 'Sign this answer' });
  await expect(dialog).toContainText(prompt);
  await expectAccessible(page, 'signing');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(question.getByRole('radio', { name: 'Approve' })).toBeVisible();
  await answer();
  await dialog.getByRole('button', { name: 'Sign and send' }).click();
  await expect(dialog).toContainText('Say why you sign this.');
  await dialog.getByLabel('Reason').fill('Checked against the log');
  await dialog.getByLabel('Your password').fill('another-horse-2');
  await dialog.getByRole('button', { name: 'Sign and send' }).click();
  await expect(dialog).toContainText('This is not your password.');
  await dialog.getByLabel('Your password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Sign and send' }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole('tab', { name: 'Resolved (1)' }).click();
  await expect(page.getByText(/^Approved by Ada Okafor in the inbox, [\d:]+, signed$/).first()).toBeVisible();
});
