import { expect, type Page, test } from 'playwright/test';
import { signUp } from './person.ts';

/** Lets one call answer what a test needs; everything else is the real server's. */
async function answer(page: Page, path: string | RegExp, body: unknown, status = 200): Promise<void> {
  const url = typeof path === 'string' ? `**${path}` : path;
  await page.route(url, (route) => route.fulfill({ status, json: body }));
}

const agent = {
  id: 7,
  agentId: 'clinical_safety',
  userId: 1,
  displayName: 'Clara',
  role: 'Clinical safety officer',
  status: 'onboarded',
  tools: [],
  hiredAt: '2026-11-01T09:00:00.000Z',
  onboardedAt: '2026-11-01T09:05:00.000Z',
  createdAt: '2026-11-01T09:00:00.000Z',
  pendingInterrupts: 0,
  working: false,
};

const question = (id: number, more: object) => ({
  id,
  userAgentId: 7,
  agentId: 'clinical_safety',
  agentName: 'Clara',
  interruptType: 'decision',
  status: 'pending',
  prompt: `Question ${id}`,
  options: ['Version 1.6', 'Version 1.7'],
  context: {},
  createdAt: `2026-11-02T09:00:${String(id).padStart(2, '0')}.000Z`,
  resolvedAt: null,
  userResponse: null,
  resolution: null,
  draft: null,
  shownDigest: 'digest',
  abilities: { answer: true },
  ...more,
});

const done = { onboardingCompleted: true, onboardingStep: 'completed', integrationsReady: true };

test('while the account is read the header shows a placeholder', async ({ page }) => {
  let release = () => {};
  const wait = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/auth/status', async (route) => {
    await wait;
    await route.continue();
  });
  await page.goto('/');
  await expect(page.getByText('Loading your account')).toBeAttached();
  release();
  await expect(page.getByRole('link', { name: 'Log in' })).toBeVisible();
});

test('the trial warns when it is nearly over, and blurs when it is', async ({ page }) => {
  await answer(page, '/api/user/onboarding/status', done);
  await answer(page, '/api/user/trial/status', { isTrialActive: true, remainingDays: 2, subscriptionStatus: 'trial' });
  await signUp(page);
  await expect(page.getByText('2 days left in your trial')).toBeVisible();
  await page.getByRole('button', { name: 'See plans' }).click();
  await expect(page.getByRole('tab', { name: 'Billing' })).toHaveAttribute('aria-selected', 'true');

  await page.unroute('**/api/user/trial/status');
  await answer(page, '/api/user/trial/status', {
    isTrialActive: false,
    remainingDays: 0,
    subscriptionStatus: 'expired',
  });
  await page.goto('/#team');
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Your trial is over' })).toBeVisible();
  for (const name of ['Preferences', 'Team', 'Integrations']) {
    await expect(page.getByRole('tab', { name })).toBeDisabled();
  }
  await page.getByRole('button', { name: 'Upgrade' }).click();
  await expect(page.getByRole('heading', { name: 'Plans' })).toBeVisible();
});

test('credits have three levels', async ({ page }) => {
  await answer(page, '/api/user/onboarding/status', done);
  for (const [tokensRemaining, level] of [
    [48_000, 'Good Balance'],
    [9999, 'Running Low'],
    [999, 'Low Credits'],
  ] as const) {
    await page.unroute('**/api/user/tokens/balance');
    await answer(page, '/api/user/tokens/balance', { balance: { tokensRemaining, tokensUsed: 1000 } });
    if (level === 'Good Balance') await signUp(page);
    await page.goto('/#billing');
    await page.reload();
    await expect(page.getByText(level)).toBeVisible();
  }
  await expect(page.getByText('1,000 used of 1,999')).toBeVisible();
  await page.unroute('**/api/user/tokens/balance');
  await answer(page, '/api/user/tokens/balance', { error: 'no', code: 'internal' }, 500);
  await page.reload();
  await expect(page.getByText('Failed to fetch token balance')).toBeVisible();
});

test('the inbox pages by three, and takes each kind of answer', async ({ page }) => {
  await signUp(page);
  const many = Array.from({ length: 8 }, (_, at) => question(at + 10, {}));
  const questions = [
    question(30, { interruptType: 'approval', options: [], prompt: 'Save the draft to the sandbox workspace?' }),
    question(29, { interruptType: 'input', options: [], prompt: 'Who owns hazard H3?' }),
    ...many,
  ];
  await answer(page, '/api/user-agents', [{ ...agent, pendingInterrupts: questions.length }]);
  await answer(page, '/api/agents/7/interrupts', questions);
  const sent: unknown[] = [];
  await page.route('**/api/interrupts/*/resolve', (route) => {
    sent.push(route.request().postDataJSON());
    return route.fulfill({ json: { ...questions[0], status: 'resolved' } });
  });
  await page.goto('/workspace');
  await expect(page.getByRole('button', { name: 'Agent inbox, 10 waiting' })).toContainText('9+');
  await expect(page).toHaveTitle('(10) Agent Workspace · Arc');
  await page.getByRole('button', { name: 'Inbox of Clara, 10 waiting' }).click();
  const inbox = page.getByRole('dialog', { name: 'Agent Inbox - Clara' });
  await expect(inbox.getByText('Page 1 of 4')).toBeVisible();
  await expect(inbox.getByRole('article')).toHaveCount(3);
  await expect(inbox.getByRole('button', { name: 'Previous' })).toBeDisabled();
  await inbox.getByRole('button', { name: 'Next' }).click();
  await expect(inbox.getByText('Page 2 of 4')).toBeVisible();
  await inbox.getByRole('tab', { name: /Resolved/ }).click();
  await expect(inbox.getByText('Nothing answered yet')).toBeVisible();
  await inbox.getByRole('tab', { name: /Pending/ }).click();
  await expect(inbox.getByText('Page 1 of 4')).toBeVisible();

  const approval = inbox.getByRole('article', { name: 'Save the draft to the sandbox workspace?' });
  await expect(approval.getByRole('button', { name: 'Send answer' })).toBeDisabled();
  await approval.getByRole('radio', { name: 'Approve' }).check();
  await approval.getByRole('button', { name: 'Send answer' }).click();
  await expect(page.getByText('Interrupt Resolved')).toBeVisible();
  await expect(inbox).toBeHidden();
  expect(sent.pop()).toEqual({ approved: true, shownDigest: 'digest' });

  await page.getByRole('button', { name: 'Inbox of Clara, 10 waiting' }).click();
  const input = inbox.getByRole('article', { name: 'Who owns hazard H3?' });
  await input.getByLabel('Your answer').fill('   ');
  await expect(input.getByRole('button', { name: 'Send answer' })).toBeDisabled();
  await input.getByLabel('Your answer').fill('Priya');
  await input.getByRole('button', { name: 'Send answer' }).click();
  await expect(inbox).toBeHidden();
  expect(sent.pop()).toEqual({ userInput: 'Priya', shownDigest: 'digest' });

  await page.getByRole('button', { name: 'Inbox of Clara, 10 waiting' }).click();
  const decision = inbox.getByRole('article', { name: 'Question 17' });
  await decision.getByRole('radio', { name: 'Version 1.7' }).check();
  await decision.getByRole('button', { name: 'Send answer' }).click();
  await expect(inbox).toBeHidden();
  expect(sent.pop()).toEqual({ selectedOption: 'Version 1.7', shownDigest: 'digest' });
});

test('what can not be read says so and offers another try', async ({ page }) => {
  await signUp(page);
  const broken = { error: 'no', code: 'internal' };
  await answer(page, '/api/user-agents', broken, 500);
  await page.goto('/workspace');
  await expect(page.getByText('Your agents could not be loaded')).toBeVisible();
  await page.unroute('**/api/user-agents');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('Nobody is hired yet')).toBeVisible();

  await page.goto('/arc-chat');
  await expect(page.getByText('arc-chat is switched off')).toBeVisible();
  await answer(page, '/api/user/trial/status', broken, 500);
  await page.goto('/');
  await expect(page.getByText('The dashboard could not be loaded')).toBeVisible();
});

test('a return from a provider says how it went, once', async ({ page }) => {
  await signUp(page);
  await page.goto('/?oauth=error&service=notion&error=access_denied');
  await expect(page.getByText('Authentication Failed')).toBeVisible();
  await expect(page.getByText('Failed to connect Notion. Please try again.')).toBeVisible();
  await expect(page).toHaveURL('/');
  await page.goto('/?oauth=success&service=notion#integrations');
  await expect(page.getByText('Integration Connected')).toBeVisible();
  await page.goto('/workspace?error=Access+was+refused&figmaToken=secret');
  await expect(page.getByText('Figma Connection Failed')).toBeVisible();
  await expect(page.getByText('Access was refused')).toBeVisible();
  await expect(page).toHaveURL('/workspace');
});
