import { KINDS, type Kind } from '../../bot/agents/developer/apps/app.ts';
import { readObjective } from '../../bot/agents/developer/objective/readObjective.ts';
import { writeSteps } from '../../bot/agents/developer/project/browserTest.ts';
import { expectAccessible } from './expectAccessible.ts';
import { expect, test } from './journey.ts';
import { arrive } from './person.ts';

/** An objective of each kind. */
const OBJECTIVES: Record<Kind, string> = {
  form: 'A form for returns with reason (broken, other), rating (1 to 5) and details. Details is required when reason is other.',
  list: 'A list of suppliers with name (required), city and status (active, paused)',
  dashboard: 'A dashboard of complaints with date, ward (A, B, C) and days open',
  calendar: 'A calendar for room bookings with room (Oak, Elm) and booked by',
  kanban: 'A kanban board for the night shift with columns Waiting, In hand and Done',
  calculator: 'A calculator for total cost: price times quantity plus delivery',
  wizard: 'A wizard to register a supplier with name (required), email, city, start date and consent',
  landing: 'A landing page for Rota with points Builds the rota; Prints a list. Call to action: Ask for a trial',
};

/** @shows S2-2.7, S2-8.4 */
test('every kind of app works in its preview, and reaches neither the network nor the session', async ({ page }) => {
  await arrive(page);
  await page.request.post('/api/user-agents/hire', { data: { agentId: 'developer' } });
  const onboarded = await page.request.post('/api/user-agents/onboard', {
    data: { agentId: 'developer', tools: ['bolt'] },
  });
  const { id } = await onboarded.json();
  for (const prompt of Object.values(OBJECTIVES)) {
    const made = await page.request.post('/api/replit/create-project', { data: { prompt, userAgentId: id } });
    expect(made.status()).toBe(200);
  }
  const list = async () => (await (await page.request.get(`/api/replit/projects/agent/${id}`)).json()).projects;
  await expect.poll(async () => (await list()).length).toBe(Object.keys(KINDS).length);
  const projects: { objective: string; previewUrl: string }[] = await list();

  const asked: string[] = [];
  const faults: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  page.on('pageerror', ({ message }) => faults.push(message));
  for (const [kind, objective] of Object.entries(OBJECTIVES)) {
    const previewUrl = projects.find((project) => project.objective === objective)?.previewUrl ?? '';
    const { app } = readObjective(objective);
    expect(app?.kind).toBe(kind);
    asked.length = 0;
    await page.goto(previewUrl);
    await test.step(`${kind}: its own test`, async () => {
      const module = await import(`data:text/javascript,${encodeURIComponent(app ? writeSteps(app) : '')}`);
      await module.steps(page, expect);
    });
    expect(asked, kind).toEqual([previewUrl]);
    const reached = await page.evaluate(async () => {
      const tries: [string, () => unknown][] = [
        ['cookies', () => document.cookie],
        ['storage', () => localStorage.length],
        ['a call', () => fetch('/api/auth/me')],
        [
          'a picture',
          () =>
            new Promise((resolve, reject) =>
              Object.assign(new Image(), { onload: resolve, onerror: reject, src: '/favicon.ico' }),
            ),
        ],
      ];
      const open: string[] = [];
      for (const [what, tried] of tries)
        try {
          await tried();
          open.push(what);
        } catch {}
      return [window.origin, ...open];
    });
    expect(reached, kind).toEqual(['null']);
    await page.goto(previewUrl);
    await expectAccessible(page, `the app of the kind ${kind}`);
  }
  expect(faults).toEqual([]);

  await page.goto(`/workspace?agent=${id}&tab=workspace`);
  const panel = page.getByRole('article', { name: 'Full-stack developer' });
  await panel.getByRole('tab', { name: 'Workspace' }).click();
  // The first question of new work soon replaces the notice that it started, so all that is shown is noted.
  await page.evaluate(() => {
    const shown: string[] = [];
    Object.assign(window, { shown });
    // Only what was added: the text of the whole page would be laid out anew with each change.
    const note = (changes: MutationRecord[]) => {
      for (const { target, addedNodes } of changes)
        shown.push(...[...addedNodes, target].map((node) => (node === document.body ? '' : (node.textContent ?? ''))));
    };
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  const wasShown = (text: string) =>
    page.evaluate((said) => (window as unknown as { shown: string[] }).shown.some((one) => one.includes(said)), text);
  for (const [button, notice] of [
    ['Start agent workflow', 'Task Started'],
    ['Create project only', 'Project Created'],
  ] as const) {
    await panel.getByLabel('Task objective').fill('A kanban board for moves');
    await panel.getByRole('button', { name: button }).click();
    await expect(panel.getByLabel('Task objective')).toHaveValue('');
    await expect.poll(() => wasShown(notice)).toBe(true);
  }
  const project = panel.getByRole('article', { name: 'Suppliers' });
  await project.getByText('Preview').click();
  await expect(page.frameLocator('iframe[title="Preview of Suppliers"]').getByText('6 of 6 shown')).toBeVisible();
  const saved = page.waitForEvent('download');
  await project.getByRole('button', { name: 'Download Suppliers with its test' }).click();
  expect((await saved).suggestedFilename()).toBe('Suppliers.zip');
});
