import '../factories/registerMadeUpKind.ts';
import type { Interrupt } from '../../models/contracts/interrupts.ts';
import { askForValves, VALVES_DECIDED } from '../factories/madeUpKind.ts';
import { expect, test } from './journey.ts';
import { startMadeUpServer } from './madeUpServer.ts';
import { arrive } from './person.ts';

/** @shows S2-2.6 */
test('a kind of question with rows that no code knows is decided in the inbox and in the chat', async ({
  page,
  backstageOf,
}) => {
  // It starts a server of its own.
  test.slow();
  const server = await startMadeUpServer();
  const backstage = await backstageOf(server.directory);
  try {
    const { accountId, agentId, userId } = await arrive(page, { origin: server.url });
    const answered = async (id: number) =>
      (await (await page.request.get(`${server.url}/api/interrupts/${id}`)).json()) as Interrupt;

    await test.step('row by row, in the table of the inbox', async () => {
      const { _id: id } = await backstage.ask(accountId, agentId, askForValves('Are the valves of the boiler right?'));
      await page.goto(`${server.url}/agent-inbox`);
      const article = page.getByRole('article', { name: 'Are the valves of the boiler right?' });
      await expect(article.getByText('Valve check')).toBeVisible();
      await expect(article.getByText('Opens at four bar')).toBeVisible();
      await article.getByRole('button', { name: 'Review the valves' }).click();
      const dialog = page.getByRole('dialog');
      for (const name of ['Valve', 'What the rounds say', 'Wear'])
        await expect(dialog.getByRole('columnheader', { name, exact: true })).toBeVisible();
      // Each row needs its own reason, so they can't all be rejected with one word.
      await expect(dialog.getByRole('button', { name: 'Accept the 3 undecided' })).toBeVisible();
      await expect(dialog.getByRole('button', { name: /^Reject the/ })).toHaveCount(0);
      const line = (at: number) => dialog.locator(`tr[data-line="${at}"]`);
      await expect(line(0)).toBeFocused();
      await page.keyboard.press('r');
      await expect(
        dialog.getByText('V-101 rejected. It needs a reason: press N to write it.', { exact: true }),
      ).toBeVisible();
      await page.keyboard.press('n');
      await expect(line(0).getByRole('textbox', { name: 'Reason' })).toBeFocused();
      await page.keyboard.press('Enter');
      await line(1)
        .getByRole('radio', { name: /Ball valve/ })
        .check();
      await line(1).getByRole('button', { name: 'Accept' }).click();
      await expect(line(1).getByRole('textbox', { name: 'Reason' })).toHaveCount(0);
      await line(2).getByRole('button', { name: 'Edit' }).click();
      await line(2).getByLabel('Setting').fill('3 bar');
      await line(2).getByRole('button', { name: 'Save edit' }).click();
      const send = dialog.getByRole('button', { name: 'Send decisions' });
      await send.click();
      await expect(dialog.getByRole('alert')).toHaveText('V-101: say why it is rejected.');
      await expect(line(0).getByRole('textbox', { name: 'Reason' })).toBeFocused();
      await page.keyboard.type('Worn out');
      await send.click();
      await expect(dialog.getByRole('alert')).toHaveText('V-103: say why it is edited.');
      await page.keyboard.type('Set anew in June');
      await send.click();
      await expect(dialog).toHaveCount(0);
      expect(await answered(id)).toMatchObject({
        userResponse: { rows: VALVES_DECIDED },
        resolution: { outcome: 'modified', via: 'inbox' },
      });
    });

    await test.step('in the chat, one word for all is accepted, unless it needs a reason', async () => {
      const prompt = 'Are the valves of the pump right?';
      const { _id: id } = await backstage.askInChat(accountId, agentId, userId, askForValves(prompt));
      await page.goto(`${server.url}/arc-chat`);
      const asked = page.getByRole('listitem').filter({ hasText: prompt });
      const words = page.getByRole('textbox', { name: 'Message' });
      await expect(asked.first()).toBeVisible({ timeout: 30_000 });
      await words.fill('Reject all');
      await words.press('Enter');
      await expect(page.getByText('Say why all are rejected, or decide row by row.')).toBeVisible();
      await page.getByRole('button', { name: 'Review 3 valves' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Accept the 3 undecided' }).click();
      await dialog.getByRole('button', { name: 'Accept 3, 1 with the closest match' }).click();
      await dialog.getByRole('button', { name: 'Send decisions' }).click();
      await expect(asked.getByText(/^Approved by Ada Okafor in arc-chat/)).toBeVisible();
      const best = { id: 'v2', outcome: 'accepted', choice: 'gate', bestMatch: true };
      expect(await answered(id)).toMatchObject({
        userResponse: { rows: [{ id: 'v1', outcome: 'accepted' }, best, { id: 'v3', outcome: 'accepted' }] },
        resolution: { outcome: 'approved', via: 'arc-chat' },
      });
    });
  } finally {
    await server.stop();
  }
});
