import { readFileSync } from 'node:fs';
import { expectAccessible } from './expectAccessible.ts';
import { expect, test } from './journey.ts';
import { arrive } from './person.ts';

test('an agent’s card links to how the agent is measured, with every figure of the document', async ({ page }) => {
  const { agentId } = await arrive(page);
  await page.goto(`/workspace?agent=${agentId}`);
  const card = page.getByRole('article', { name: 'Clinical safety officer' });
  const about = card.getByRole('list', { name: 'About Clara' });
  await expect(about.getByRole('link', { name: 'How your logs are read' })).toBeVisible();
  await about.getByRole('link', { name: 'How the clinical safety officer is measured' }).click();
  await expect(
    page.getByRole('heading', { level: 1, name: 'How the clinical safety officer is measured' }),
  ).toBeVisible();
  const rows = readFileSync('docs/evaluation.md', 'utf8').match(/^\| .*[0-9]\.[0-9]{2}.*$/gm) ?? [];
  expect(rows.length).toBeGreaterThan(8);
  for (const row of rows) {
    const cells = row
      .split('|')
      .map((cell) => cell.replaceAll('**', '').trim())
      .filter(Boolean);
    await expect(page.getByRole('row', { name: cells.join(' '), exact: true })).toHaveCount(1);
  }
  await expectAccessible(page, 'how the agent is measured');
  await page.setViewportSize({ width: 360, height: 800 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await expectAccessible(page, 'how the agent is measured, narrow');
});
