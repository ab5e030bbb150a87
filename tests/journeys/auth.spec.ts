import { expect, test } from './journey.ts';
import { changeAnswer, newEmail, PASSWORD, signUp } from './person.ts';

/** @shows S1-5.2, /auth signed out, /auth error */
test('sign-up names what is wrong', async ({ page }) => {
  await page.goto('/auth?tab=signup');
  await expect(page.getByRole('link', { name: 'Back to Home' })).toHaveAttribute('href', '/');
  const create = page.getByRole('button', { name: 'Create account' });
  const alert = page.getByRole('alert').first();
  await create.click();
  await expect(alert).toContainText('Missing information');
  await expect(alert).toContainText('Please enter both email and password');

  await page.getByLabel('Email').fill(newEmail());
  await page.getByLabel('Password', { exact: true }).fill('password');
  await page.getByLabel('Confirm password').fill('password');
  await create.click();
  await expect(alert).toContainText('Password too weak');

  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await create.click();
  await expect(alert).toContainText("Passwords don't match");

  await page.getByLabel('Email').fill('not-an-address');
  await page.getByLabel('Confirm password').fill(PASSWORD);
  await create.click();
  await expect(alert).toContainText('Failed to send confirmation');
  await expect(page.getByText('Please enter a valid email address.').first()).toBeVisible();
  // The typed text is kept.
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue(PASSWORD);
});

/** @shows S1-2.1, S1-2.8, S1-2.10, S1-8.1, /auth no permission, S1-5.2 */
test('an address with an account is told so, and logging in and out works', async ({ page }) => {
  const email = await signUp(page);
  await page.getByRole('button', { name: /^Account menu/ }).click();
  await expect(page.getByRole('menuitem', { name: 'My Workspace' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Admin Dashboard' })).toBeHidden();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await expect(page.getByRole('heading', { name: 'Build Your AI Dream Team' })).toBeVisible();

  await page.goto('/auth');
  const alert = page.getByRole('alert').first();
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(alert).toContainText('Missing information');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('wrong-password-1');
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(alert).toContainText('Login failed');
  await expect(alert).toContainText('Invalid email or password');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
  await page.goto('/auth');
  await expect(page).toHaveURL('/');
});

/** @shows S1-2.9, S1-2.20, /auth loading */
test('a login returns to the page where it began, also through a provider', async ({ page }) => {
  const email = await signUp(page);
  await page.context().clearCookies();
  // This server has no provider, so none is offered.
  await page.goto('/auth');
  await expect(page.getByRole('button', { name: 'Log in', exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: /^Continue with / })).toHaveCount(0);
  await page.goto('about:blank');
  const providers = { google: true, microsoft: true };
  await changeAnswer(page, '**/api/auth/status', (status: object) => ({ ...status, providers }));
  await page.goto('/?from=mail#team');
  await page.getByRole('link', { name: 'Log in' }).click();
  await expect(page).toHaveURL('/auth?next=%2F%3Ffrom%3Dmail%23team');
  await expect(page.getByRole('link', { name: 'Continue with Microsoft' })).toBeVisible();
  await page.getByRole('link', { name: 'Continue with Google' }).click();
  await expect(page.getByText(/Failed to connect Google\. Please try again\./)).toBeVisible();
  await expect(page).toHaveURL('/auth');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/login', async (route) => {
    await held;
    await route.continue();
  });
  const logIn = page.getByRole('button', { name: 'Log in', exact: true });
  await logIn.click();
  await expect(logIn).toHaveAttribute('aria-busy', 'true');
  release();
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
  await expect(page).toHaveURL('/?from=mail#team');
});

/** @shows S1-5.3 */
test('a forgotten password gets the same answer for every address', async ({ page }) => {
  await page.goto('/auth');
  await page.getByRole('button', { name: 'Forgot password?' }).click();
  await page.getByRole('button', { name: 'Send reset code' }).click();
  await expect(page.getByRole('alert')).toContainText('Please enter your email');
  await page.getByLabel('Email').fill('nobody@northwind.test');
  await page.getByRole('button', { name: 'Send reset code' }).click();
  await expect(page.getByText('This server sends no mail.', { exact: false })).toBeVisible();
  await expect(page.getByLabel('Reset code')).toHaveCount(0);
});
