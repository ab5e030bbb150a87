import { expectAccessible } from './expectAccessible.ts';
import { expect, test } from './journey.ts';
import { follow, newEmail, PASSWORD } from './person.ts';

test.beforeEach(async ({ page }) => {
  await page.goto('/');
});

/**
 * @shows S1-1.1, S1-2.2, S1-2.6, S1-5.1, /#preferences signed out, /#team signed out, /#integrations signed out,
 * /#billing signed out, / signed out, S1-2.3
 */
test('the landing page checks the goal', async ({ page }) => {
  await expect(page.getByRole('heading', { name: 'Build Your AI Dream Team' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Define Your Project Goal' })).toBeVisible();
  const goal = page.getByLabel('Project goal');
  await expect(goal).toHaveValue('Help me with compliance');
  await expect(page.getByText('23/500')).toBeVisible();
  // The agents for regulated software come first.
  await expect(page.getByRole('article').getByRole('heading', { level: 3 })).toHaveText([
    'EU MDR technical file',
    'Clinical safety officer',
    /./,
    /./,
    /./,
  ]);

  await goal.fill('   ');
  await page.getByRole('button', { name: 'Start Agent Collaboration' }).click();
  await expect(page.getByText('Please enter a project goal before starting the collaboration.')).toBeVisible();
  await goal.fill('Too short');
  await page.getByRole('button', { name: 'Start Agent Collaboration' }).click();
  await expect(page.getByText('Please provide a more detailed project goal (at least 10 characters).')).toBeVisible();
  await goal.fill('x'.repeat(600));
  await expect(page.getByText('500/500')).toBeVisible();

  await goal.fill('Find what our hazard log misses');
  await page.getByRole('button', { name: 'Start Agent Collaboration' }).click();
  await expect(page.getByRole('heading', { name: 'Collaboration Complete' })).toBeFocused();
  await expect(page.getByText('Your goal: Find what our hazard log misses')).toBeVisible();
  await expect(page.getByText(/Total time: \d+\.\d seconds/)).toBeVisible();
  await expect(page.getByRole('article', { name: 'Result of Clara' })).toBeVisible();
  await expect(page.getByRole('article', { name: 'Result of Marta' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Export Results' })).toBeVisible();
  await page.getByRole('button', { name: 'New Collaboration' }).click();
  await expect(goal).toBeFocused();
});

/** @shows S1-2.2, S1-8.6, / loading, / error */
test('a failed collaboration says so and keeps the goal', async ({ page }) => {
  let release = () => {};
  const wait = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/collaborate', async (route) => {
    await wait;
    await route.abort();
  });
  await page.getByLabel('Project goal').fill('Find what our hazard log misses');
  await page.getByRole('button', { name: 'Start Agent Collaboration' }).click();
  await expect(page.getByRole('button', { name: 'Agents Working...' })).toBeDisabled();
  release();
  await expect(page.getByText('Collaboration Failed')).toBeVisible();
  await expect(page.getByText('Please check your connection and try again.')).toBeVisible();
  await expect(page.getByLabel('Project goal')).toHaveValue('Find what our hazard log misses');
});

/** @shows S1-2.3, S1-2.5, S1-4.1 */
test('a visitor hires and onboards, and keeps the team by signing up', async ({ page }) => {
  const clara = page.getByRole('article', { name: 'Clinical safety officer' });
  await expect(clara.getByText('Ready to hire')).toBeVisible();
  await expect(clara.getByRole('list', { name: 'Step 1 of 3: Ready to hire' })).toBeVisible();
  await clara.getByRole('button', { name: 'Hire Clara' }).click();
  const prompt = page.getByRole('dialog', { name: 'Great work!' });
  await expect(prompt.getByRole('button', { name: 'Sign up for free' })).toBeVisible();
  await prompt.getByRole('button', { name: 'Choose tools first' }).click();
  await expect(clara.getByRole('list', { name: 'Step 2 of 3: Ready to onboard' })).toBeVisible();
  await clara.getByRole('button', { name: 'Cancel' }).click();
  await expect(clara.getByRole('group', { name: 'Tools for Clara' })).toBeHidden();
  await clara.getByRole('button', { name: 'Onboard Clara' }).click();
  await clara.getByRole('button', { name: 'Complete Onboarding' }).click();
  await expect(prompt).toBeVisible();
  await expect(clara.getByText('Clara is ready.')).toBeAttached();
  await prompt.getByRole('button', { name: 'Sign up for free' }).click();

  await page.getByLabel('Email').fill(newEmail());
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(clara.getByText('Active team member')).toBeVisible();
});

test('a visitor’s stored data can’t break the landing page', async ({ page }) => {
  for (const kept of ['{', 'null', '{"agents":[null],"goal":{}}', '{"agents":{"mdr":{"status":"promoted"},"x":{}}}']) {
    await page.evaluate((junk) => localStorage.setItem('arc.visitorTeam', junk), kept);
    await page.reload();
    await expect(page.getByLabel('Project goal'), kept).toHaveValue('Help me with compliance');
    await expect(page.getByText('Ready to hire'), kept).toHaveCount(2);
  }
});

/** @shows S1-1.2, S1-2.4, / no permission */
test('pages that are not for visitors say so', async ({ page }) => {
  const developer = page.getByRole('article', { name: 'Full-stack developer' });
  await expect(developer.getByText('Enterprise Product')).toBeVisible();
  await expect(developer.getByRole('button', { name: 'Contact Sales' })).toBeDisabled();
  // Who can hire them goes by the plan, which the page says beside the specification's words.
  await expect(page.getByText(/^Once you have signed up, you can hire each of Arc’s 9 agents/)).toHaveText(
    /Devon, Dara and Mina included\. The free trial, Pro and Enterprise allow any number of agents, Starter up to 3\.$/,
  );
  await expect(page.getByText(/never leaves the UK and is never used to train/)).toBeVisible();
});

/** @shows S1-1.2, S2-2.18, S2-2.19, /privacy-policy signed out, /terms-and-conditions signed out, S2-9.5 */
test('the legal pages have twelve sections each', async ({ page }) => {
  const legal = page.getByRole('navigation', { name: 'Legal' });
  for (const { name, updated, figures } of [
    {
      name: 'Privacy Policy',
      updated: '28 June 2025',
      figures: [
        ['your-rights', /within one month/],
        ['children', /under 16/],
        ['your-rights', /Information Commissioner/],
      ],
    },
    {
      name: 'Terms and Conditions',
      updated: '17 June 2025',
      figures: [
        ['acceptance', /at least 16 years old/],
        ['limitation-of-liability', /in the six months before/],
      ],
    },
  ] as const) {
    await legal.getByRole('link', { name }).click();
    await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
    await expect(page.getByRole('heading', { level: 2 })).toHaveCount(12);
    await expect(page.getByText(`Last updated ${updated}`, { exact: true })).toBeVisible();
    for (const [section, words] of figures) await expect(page.locator(`section#${section}`)).toContainText(words);
  }
});

test('a visitor sees the sample read, and finds it in the chat after signing up', async ({ page }) => {
  await page.getByRole('button', { name: 'See it read a hazard log' }).click();
  const result = page.getByRole('region', { name: 'What Clara found in the sample' });
  await expect(result.getByRole('heading', { name: 'What Clara found in the sample' })).toBeFocused();
  await expect(result.getByText('Findings to fix', { exact: true }).locator('xpath=preceding-sibling::dd')).toHaveText(
    '7',
  );
  await expect(result.getByRole('heading', { name: 'First 3 of 12 findings' })).toBeVisible();
  await result.getByRole('button', { name: /^Initial risk: Low, Major, risk 3, 8 hazards/ }).click();
  await expect(result.getByRole('status')).toContainText('QM-04: ');
  await expectAccessible(page, 'the landing with the sample');
  await page.getByLabel('Project goal').fill('Typed and never started');
  await result.getByRole('link', { name: 'Sign up for free' }).click();
  await page.getByLabel('Email').fill(newEmail());
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  // Nothing is pressed: what was tried is read again, in the company's own chat.
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('Typed and never started');
  await expect(page.getByRole('button', { name: /^Review \d+ proposals$/ })).toBeVisible({ timeout: 30_000 });
});

test('a sample that can’t be read says so and can be tried again', async ({ page }) => {
  await page.route('**/api/hazard-analysis/sample', (route) => route.abort());
  await page.getByRole('button', { name: 'See it read a hazard log' }).click();
  await expect(page.getByRole('alert')).toContainText('The sample could not be read');
  await page.unroute('**/api/hazard-analysis/sample');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('Findings to fix', { exact: true })).toBeVisible();
});

test('after a collaboration the next step is signing up', async ({ page }) => {
  await page.getByRole('button', { name: 'Start Agent Collaboration' }).click();
  const clara = page.getByRole('article', { name: 'Result of Clara' });
  await expect(clara).toContainText('What DCB0129 asks a manufacturer of health software for first');
  const done = page.getByRole('region', { name: 'Collaboration Complete' });
  await expect(done.getByRole('link', { name: 'Sign up for free' })).toHaveAttribute('href', '/auth?tab=signup');
});

test('the words of a button that leads somewhere are read on every page that a visitor opens after the landing', async ({
  page,
}) => {
  await page.goto('/');
  // The page loads its styles after those of the landing.
  await follow(page, '/auth');
  await expect(page.getByText('Welcome back')).toBeVisible();
  await follow(page, '/workspace');
  const button = page.getByRole('link', { name: 'Sign In' });
  await expect(button).toBeVisible();
  expect(await button.evaluate((it) => getComputedStyle(it).color)).toBe('rgb(255, 255, 255)');
});
