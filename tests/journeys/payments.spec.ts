import { expectAccessible } from './expectAccessible.ts';
import { expect, test } from './journey.ts';

test('a plan is bought at Stripe, made smaller with a warning, and ended', async ({ page, channels }) => {
  const { url, stripe } = channels;
  await channels.arriveVerified(page);
  await page.goto(`${url}/#billing`);
  const pro = page.getByRole('article', { name: 'Pro' });
  await pro.getByRole('button', { name: 'Choose Pro' }).click();
  await page.getByRole('link', { name: 'Back' }).click();
  await expect(page).toHaveURL(`${url}/#billing`);
  await pro.getByRole('button', { name: 'Choose Pro' }).click();
  await page.getByRole('link', { name: 'Subscribe' }).click();
  // No event is delivered in this journey: coming back is enough.
  await expect(pro.getByText('Your plan')).toBeVisible();
  await expect(page).toHaveURL(`${url}/#billing`);
  await expect(page.getByText(/^Pro renews on \d+ \w+ \d{4}$/)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Invoices' })).toContainText('US$49.00');
  await expectAccessible(page, 'billing');
  const starter = page.getByRole('article', { name: 'Starter' });
  await starter.getByRole('button', { name: 'Change to Starter' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change to Starter' });
  await expect(dialog).toContainText('Each month brings 500,000 credits instead of 2,000,000.');
  await expectAccessible(page, 'billing');
  await dialog.getByRole('button', { name: 'Continue to Stripe' }).click();
  await page.getByRole('link', { name: 'Confirm' }).click();
  await expect(starter.getByText('Your plan')).toBeVisible();
  stripe.deliverTo(url);
  await starter.getByRole('button', { name: 'Manage' }).click();
  await page.getByRole('link', { name: 'Cancel plan' }).click();
  await expect(page.getByText(/^Starter ends on \d+ \w+ \d{4}$/)).toBeVisible();
});
