import { CONNECTORS } from '../../models/contracts/connectors.ts';
import { expectAccessible } from './expectAccessible.ts';
import { expect, test } from './journey.ts';
import { PROVIDERS } from './providers.ts';

/** @shows S1-4.2, S2-4.2 */
test('a tool is connected on its provider’s page, and its tickets are read into the chat', async ({
  browser,
  channels,
}) => {
  const { jira, url } = channels;
  for (const key of ['NRL-1', 'NRL-2', 'NRL-3']) jira.put(key, { text: 'The dose is shown in the wrong unit.' });
  const page = await (await browser.newContext({ baseURL: url })).newPage();
  await channels.arriveVerified(page);
  await page.goto('/#integrations');
  const card = page.getByRole('article', { name: 'Jira', exact: true });
  const toggle = card.getByRole('switch', { name: 'Jira on' });

  // What is read, where it stays and who sees it is said before the browser leaves.
  await toggle.press('Space');
  const dialog = page.getByRole('dialog', { name: 'Connect Jira' });
  await expect(dialog).toContainText('the tickets of the project that you choose');
  await expectAccessible(page, 'what connecting means');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(toggle).not.toBeChecked();
  await expect(page).toHaveURL('/#integrations');

  await toggle.press('Space');
  await dialog.getByRole('button', { name: 'Connect' }).click();
  await page.getByRole('link', { name: 'Deny' }).click();
  await expect(
    page.getByText('Failed to connect Jira. Please try again. The connection was not allowed.'),
  ).toBeVisible();
  await expect(toggle).not.toBeChecked();

  await toggle.press('Space');
  await dialog.getByRole('button', { name: 'Connect' }).click();
  await page.getByRole('link', { name: 'Allow' }).click();
  await expect(page.getByText('Jira is connected.')).toBeVisible();
  await expect(toggle).toBeChecked();

  await card.getByRole('button', { name: 'Choose what is read' }).click();
  const scope = page.getByRole('dialog', { name: 'What Arc reads from Jira' });
  await scope.getByRole('button', { name: 'Save' }).click();
  await expect(scope.getByText('Choose one.')).toBeVisible();
  await scope.getByLabel('Project').selectOption({ label: 'NRL Norrland' });
  await expectAccessible(page, 'what is read');
  await scope.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Arc reads project NRL from Jira')).toBeVisible();

  await page.goto('/arc-chat');
  await page.getByRole('button', { name: 'Read from Jira' }).click();
  const files = page.getByRole('complementary', { name: 'Hazard log upload' });
  await expect(files.getByText(/^Jira: project NRL, 3 tickets, read \d\d:\d\d\.$/)).toBeVisible();
  jira.put('NRL-4');
  await files.getByRole('button', { name: 'Read again' }).click();
  await expect(files.getByText(/^Jira: project NRL, 4 tickets/)).toBeVisible();
});

/** So many in one test, that none comes near its limit. */
const PER_TEST = 4;
for (let from = 0; from < PROVIDERS.length; from += PER_TEST) {
  const some = PROVIDERS.slice(from, from + PER_TEST).map(
    (id) => CONNECTORS.find((card) => card.id === id)?.name ?? id,
  );
  test(`${some.join(', ')}: each is refused and then connected on its provider’s page`, async ({
    browser,
    channels,
  }) => {
    const page = await (await browser.newContext({ baseURL: channels.url })).newPage();
    await channels.arriveVerified(page);
    await page.goto('/#integrations');
    for (const name of some) {
      const toggle = page.getByRole('switch', { name: `${name} on`, exact: true });
      const ask = async () => {
        await toggle.press('Space');
        await page
          .getByRole('dialog', { name: `Connect ${name}` })
          .getByRole('button', { name: 'Connect' })
          .click();
      };
      await ask();
      await page.getByRole('link', { name: 'Deny' }).click();
      const refused = `Failed to connect ${name}. Please try again. The connection was not allowed.`;
      await expect(page.getByText(refused)).toBeVisible();
      await expect(toggle).not.toBeChecked();
      await ask();
      await page.getByRole('link', { name: 'Allow' }).click();
      await expect(page.getByText(`${name} is connected.`)).toBeVisible();
      await expect(toggle).toBeChecked();
    }
  });
}
