import { expectAccessible } from './expectAccessible.ts';
import { expect, test } from './journey.ts';
import { arrive } from './person.ts';

test.beforeEach(async ({ page }) => {
  await arrive(page);
  await page.request.post('/api/arc-chat/send', { data: { message: 'help' } });
  await page.goto('/arc-chat');
  await expect(page.getByRole('region', { name: 'Messages' })).toContainText('I never set a severity');
});

test('a new conversation is begun, named, found, opened and deleted', async ({ page }) => {
  const messages = page.getByRole('region', { name: 'Messages' });
  const bar = page.getByRole('button', { name: /^Conversations\. Open: / });
  await expect(bar).toHaveAccessibleName('Conversations. Open: help');
  await page.getByRole('button', { name: 'New conversation' }).click();
  await expect(page.getByText('Talk to your agents')).toBeVisible();
  await page.getByRole('textbox', { name: 'Message' }).fill('thanks');
  await page.keyboard.press('Enter');
  await expect(messages.getByText('thanks')).toBeVisible();
  await expect(messages).not.toContainText('I never set a severity');
  await expect(bar).toHaveAccessibleName('Conversations. Open: thanks');

  await bar.click();
  const dialog = page.getByRole('dialog', { name: 'Conversations' });
  const list = dialog.getByRole('list', { name: 'Conversations' });
  await expect(list.getByRole('listitem')).toHaveCount(2);
  await expectAccessible(page, 'the list of conversations');
  await dialog.getByRole('button', { name: 'Rename “thanks”' }).click();
  await dialog.getByRole('textbox', { name: 'Name of the conversation' }).fill('Monday review');
  await page.keyboard.press('Enter');
  await expect(list).toContainText('Monday review');
  await dialog.getByRole('textbox', { name: 'Search conversations' }).fill('severity');
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await list.getByRole('button', { name: /^help/ }).click();
  await expect(dialog).toBeHidden();
  await expect(messages).toContainText('I never set a severity');

  await bar.click();
  await dialog.getByRole('button', { name: 'Delete “help”' }).click();
  await dialog.getByRole('button', { name: 'Keep' }).click();
  await expect(list.getByRole('listitem')).toHaveCount(2);
  await dialog.getByRole('button', { name: 'Delete “help”' }).click();
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(bar).toHaveAccessibleName('Conversations. Open: Monday review');
});

test('an answer is copied, judged with a reason, and asked again', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const messages = page.getByRole('region', { name: 'Messages' });
  await messages.getByRole('button', { name: 'Copy the answer' }).click();
  await expect(messages.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('I never set a severity');
  await messages.getByRole('button', { name: 'This did not help' }).click();
  await messages.getByRole('textbox', { name: 'What was wrong? (optional)' }).fill('Too long');
  await messages.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByRole('region', { name: 'Notifications (F8)' })).toContainText('Thank you');
  await page.reload();
  await expect(messages.getByRole('button', { name: 'This did not help' })).toHaveAttribute('aria-pressed', 'true');
  await messages.getByRole('button', { name: 'Ask the same again' }).click();
  await expect(messages.getByText('help', { exact: true })).toHaveCount(2);
});

test('on a small screen the conversation’s bar keeps its buttons', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(page.getByRole('button', { name: 'New conversation' })).toBeInViewport();
  await page.getByRole('button', { name: /^Conversations\. Open: / }).click();
  const dialog = page.getByRole('dialog', { name: 'Conversations' });
  await expect(dialog.getByRole('button', { name: 'Delete “help”' })).toBeInViewport();
  await expectAccessible(page, 'the list on a small screen');
});
