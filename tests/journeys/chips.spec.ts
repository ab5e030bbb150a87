import { expectAccessible } from './expectAccessible.ts';
import { expect, test } from './journey.ts';
import { arriveAnalysed } from './person.ts';

test('what an answer was asked for is changed without words: the comparison, the number, the value', async ({
  page,
}) => {
  await arriveAnalysed(page);
  await page.request.post('/api/arc-chat/send', {
    data: { message: 'Which open hazards have a residual risk above 2?' },
  });
  await page.goto('/arc-chat');
  const asked = page.getByRole('list', { name: 'What was asked for' });
  const answer = page.getByRole('region', { name: 'Messages' });
  await expect(answer).toContainText('4 hazards of 25');
  await asked.getByRole('combobox', { name: /^Comparison of: .*residual risk/ }).selectOption({ label: 'at most' });
  await expect(answer).toContainText('1 hazard of 25 has the status “Open” and a recorded residual risk at most 2');
  await asked.getByRole('spinbutton', { name: /^Number of: .*residual risk/ }).fill('1');
  await page.keyboard.press('Enter');
  await expect(answer).toContainText('0 hazards of 25 have the status “Open”');
  await asked.getByRole('combobox', { name: 'Value of: have the status “Open”' }).selectOption('Closed');
  await expect(answer).toContainText('hazards of 25 have the status “Closed” and a recorded residual risk at most 1');
  await page.setViewportSize({ width: 360, height: 740 });
  await expectAccessible(page, 'chips on a small screen');
  await asked.getByRole('button', { name: 'As first asked' }).click();
  await expect(answer).toContainText('4 hazards of 25');
  await page.setViewportSize({ width: 1280, height: 720 });
  await test.step('its field is changed, a condition is added and turned over', async () => {
    await asked.getByRole('button', { name: 'Change', exact: true }).click();
    await asked
      .getByRole('combobox', { name: /^Field of: .*residual risk/ })
      .selectOption({ label: 'recorded initial risk' });
    await expect(asked.getByRole('combobox', { name: /^Comparison of: .*initial risk/ })).toBeVisible();
    await asked.getByRole('combobox', { name: 'Add a condition' }).selectOption({ label: 'owner' });
    await expect(asked.getByRole('combobox', { name: /^(Field|Value) of: .*owner/ }).first()).toBeVisible();
    await expect(asked.getByRole('button', { name: /^Remove: / })).toHaveCount(3);
    await expect(answer).toContainText(/hazards? of 25/);
    await expectAccessible(page, 'chips with their fields');
    await page.setViewportSize({ width: 360, height: 740 });
    await asked.scrollIntoViewIfNeeded();
  });
});
