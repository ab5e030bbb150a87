import { expect, test } from './journey.ts';
import { arrive } from './person.ts';

const BRIEF = `Write copy
Product: Rota
Audience: practice managers

Rota prints a list of shifts. Rota sends a message to free staff. Rota is clinically proven. Rota saves 5 hours a week.`;

const LIST = `Draft outreach
Offer: We make a rota planner.
Ask: May I show it to you?
From: Ada Okafor, Rota Ltd
Name,Email,Unsubscribed
Jo Lind,jo@a.example,
Bo Ek,bo@b.example,
Al Ray,al@c.example,yes`;

test('copy and drafts are made on the panels, approved in the inbox, and downloaded', async ({ page }) => {
  await arrive(page);
  const ids: Record<string, number> = {};
  for (const agentId of ['marketer', 'outreach']) {
    await page.request.post('/api/user-agents/hire', { data: { agentId } });
    const onboarded = await page.request.post('/api/user-agents/onboard', { data: { agentId, tools: [] } });
    ids[agentId] = (await onboarded.json()).id;
  }
  const open = (agentId: string) => page.goto(`/workspace?agent=${ids[agentId]}&tab=workspace`);
  for (const [agentId, path, failed, empty] of [
    ['marketer', '**/api/marketer/*/campaigns', 'Your copy can’t be shown', 'No copy yet.'],
    ['outreach', '**/api/outreach/*/lists', 'Your lists can’t be shown', 'No drafts yet.'],
  ] as const) {
    let isPressed = false;
    // Until the button is pressed: pages read again by themselves, which would take the button away.
    await page.route(path, (route) =>
      isPressed ? route.continue() : route.fulfill({ status: 503, json: { error: 'Not now.' } }),
    );
    await open(agentId);
    await expect(page.getByRole('alert')).toContainText(failed);
    const again = page.getByRole('button', { name: 'Try again' });
    await again.focus();
    isPressed = true;
    await again.press('Enter');
    await expect(page.getByText(empty)).toBeVisible();
    await page.unroute(path);
  }

  await page.getByLabel('Task for Otis').fill(LIST);
  await page.getByRole('button', { name: 'Assign task' }).click();
  const drafts = page.getByRole('article', { name: 'We make a rota planner' });
  await expect(drafts).toContainText('2 drafts. 1 person who opted out and 0 other rows got none.');
  await expect(page.getByText('1 opt-out kept.')).toBeVisible();
  await page.getByRole('link', { name: 'Answer it in the inbox' }).click();
  await page.getByRole('button', { name: 'Review the drafts' }).click();
  const dialog = page.getByRole('dialog');
  const line = (at: number) => dialog.locator(`tr[data-line="${at}"]`);
  await expect(line(1)).toContainText('Bo Ek');
  // Nobody approves or rejects all drafts with one press.
  await expect(dialog.getByRole('button', { name: /undecided/ })).toHaveCount(0);
  await line(0).getByRole('button', { name: 'Approve' }).click();
  await line(1).getByRole('button', { name: 'Reject' }).click();
  await dialog.getByRole('button', { name: 'Send decisions' }).click();
  await expect(dialog).toHaveCount(0);
  await open('outreach');
  await expect(drafts).toContainText('2 drafts (1 approved, 1 rejected).');
  const download = async (name: string) => {
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name }).click();
    return (await saved).suggestedFilename();
  };
  expect(await download('CSV of We make a rota planner')).toBe('We make a rota planner, approved drafts.csv');

  await open('marketer');
  await page.getByLabel('Task for Mina').fill(BRIEF);
  await page.getByRole('button', { name: 'Assign task' }).click();
  const copy = page.getByRole('article', { name: 'Rota' });
  await expect(copy).toContainText('2 sentences may be used, 2 claims left out (1 medical)');
  await page.getByRole('link', { name: 'Answer it in the inbox' }).click();
  await page.getByRole('radio', { name: 'Approve' }).check();
  await page.getByRole('button', { name: 'Send answer' }).click();
  await open('marketer');
  await expect(copy.getByText('Final', { exact: true })).toBeVisible();
  expect(await download('Document of Rota')).toBe('Rota, copy final.docx');
});
