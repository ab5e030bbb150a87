import { expectAccessible } from './expectAccessible.ts';
import { expect, test } from './journey.ts';
import { arriveAnalysed } from './person.ts';

test('rows that no result has a table of are seen as a table, from the answer', async ({ page }) => {
  await arriveAnalysed(page);
  await page.request.post('/api/arc-chat/send', { data: { message: 'Which controls have no evidence?' } });
  await page.goto('/arc-chat');
  await page.getByRole('link', { name: 'Show these controls in a table' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Controls' })).toBeVisible();
  await expect(page.getByText(/controls of \d+ have no evidence/)).toBeVisible();
  const table = page.getByRole('region', { name: 'Controls' });
  await expect(table.getByRole('columnheader').first()).toHaveText('Control');
  await table.getByRole('button', { name: 'Control', exact: true }).click();
  await expect(table.getByRole('columnheader').first()).toHaveAttribute('aria-sort', 'ascending');
  await page.setViewportSize({ width: 360, height: 740 });
  await expectAccessible(page, 'a list of rows on a small screen');
  await page.goto('/rows');
  await expect(page.getByText('This address names no question')).toBeVisible();
});
