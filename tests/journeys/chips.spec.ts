import { expectAccessible } from './expectAccessible.ts';
import { expect, test } from './journey.ts';
import { arriveAnalysed } from './person.ts';

test('an answer’s query is changed by its chips, by keyboard, and opens the same rows in the table', async ({
  page,
}) => {
  test.setTimeout(120_000);
  await arriveAnalysed(page);
  await page.goto('/arc-chat');
  const box = page.getByRole('textbox', { name: 'Message' });
  await box.fill('Which open hazards have a residual risk above 2?');
  await box.press('Enter');
  const chips = page.getByRole('list', { name: 'What was asked for' });
  await expect(chips.getByRole('button', { name: /^Remove: / })).toHaveCount(2);
  const answer = page.locator('li', { has: chips }).last();
  await expect(answer.getByText(/^4 hazards of 25/)).toBeVisible();

  // Another number, without words and without a further message.
  const number = chips.getByRole('spinbutton', { name: /^Number for: have a recorded residual risk above/ });
  await expect(number).toHaveValue('2');
  await number.fill('3');
  await number.press('Enter');
  await expect(answer.getByText(/^0 hazards of 25/).first()).toBeVisible();
  await expect(answer.getByRole('status')).toHaveText(/^0 hazards of 25/);

  // One condition less.
  const remove = chips.getByRole('button', { name: /^Remove: have a recorded residual risk/ });
  await remove.focus();
  await page.keyboard.press('Enter');
  await expect(answer.getByText(/^5 hazards of 25/).first()).toBeVisible();
  await expectAccessible(page, 'an answer with chips');

  await chips.getByRole('button', { name: 'As first asked' }).click();
  await expect(answer.getByText(/^4 hazards of 25/)).toBeVisible();

  await answer.getByRole('link', { name: 'Show these hazards in the table' }).click();
  const result = page.getByRole('region', { name: 'Hazard analysis' });
  await expect(result.getByRole('status').filter({ hasText: /^4 hazards of 25/ })).toBeVisible();
  await expect(result.getByRole('region', { name: 'Hazards', exact: true }).getByRole('row')).toHaveCount(5);
  await page.reload();
  await expect(result.getByRole('region', { name: 'Hazards', exact: true }).getByRole('row')).toHaveCount(5);
  await result.getByRole('button', { name: 'Show all rows' }).click();
  await expect(result.getByRole('region', { name: 'Hazards', exact: true }).getByRole('row')).toHaveCount(26);
});
