import { expectAccessible } from './expectAccessible.ts';
import { expect, test } from './journey.ts';
import { arrive } from './person.ts';

const TEXT = `Write an SOP
# Night round

1. The guard tries each door at 22:00.
2. Switch off the lights.
3. If a door is open, the guard calls the owner within 5 minutes and writes it in the logbook.`;

/** @shows S2-8.4 */
test('a description of a process becomes a procedure, a checklist and a register from the panel', async ({ page }) => {
  await arrive(page);
  await page.request.post('/api/user-agents/hire', { data: { agentId: 'ops' } });
  const onboarded = await page.request.post('/api/user-agents/onboard', { data: { agentId: 'ops', tools: [] } });
  const list = '**/api/ops/*/procedures';
  await page.route(list, (route) => route.fulfill({ status: 503, json: { error: 'Not now.' } }));
  await page.goto(`/workspace?agent=${(await onboarded.json()).id}&tab=workspace`);
  const card = page.getByRole('article', { name: 'Operations' });
  await expect(card.getByRole('alert')).toContainText('Your procedures can’t be shown');
  await page.unroute(list);
  await card.getByRole('button', { name: 'Try again' }).click();
  await expect(card.getByText('No procedure yet.')).toBeVisible();

  await card.getByLabel('Task for Opal').fill(TEXT);
  await card.getByRole('button', { name: 'Assign task' }).click();
  await expect(page.getByText('Task Assigned')).toBeVisible();
  const procedure = card.getByRole('article', { name: 'Night round' });
  await expect(procedure.getByText(/3 steps, 1 role, 3 risks without a rating/)).toBeVisible();
  await expectAccessible(page, 'a written procedure');
  for (const [button, file] of [
    ['Procedure of Night round', 'Night round, SOP draft.docx'],
    ['Checklist and risks of Night round', 'Night round, checklist and risks.xlsx'],
  ] as const) {
    const saved = page.waitForEvent('download');
    await procedure.getByRole('button', { name: button }).click();
    expect((await saved).suggestedFilename()).toBe(file);
  }
});
