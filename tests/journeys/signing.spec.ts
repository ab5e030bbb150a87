import type { Page } from 'playwright/test';
import { makeProposal } from '../factories/interrupt.ts';
import { expectAccessible } from './expectAccessible.ts';
import { expect, test } from './journey.ts';
import { arrive, newEmail, PASSWORD } from './person.ts';

test('an answer that needs the officer is signed with a reason and the password', async ({ page, backstage }) => {
  const { accountId, agentId } = await arrive(page);
  const switchOn = await page.request.put('/api/preferences', { data: { signsAnswers: true } });
  expect(switchOn.ok()).toBe(true);
  await page.goto('/#preferences');
  await expect(page.getByRole('switch', { name: 'Answers that need the officer are signed' })).toBeChecked();
  const prompt = 'Is the new version safe to release?';
  await backstage.ask(accountId, agentId, {
    interruptType: 'approval',
    prompt,
    requires: 'clinical-safety-officer',
  });
  await page.goto('/agent-inbox');
  const question = page.getByRole('article', { name: prompt });
  const answer = async () => {
    await question.getByRole('radio', { name: 'Approve' }).check();
    await question.getByRole('button', { name: /Send|Submit/ }).click();
  };
  await answer();
  const dialog = page.getByRole('dialog', { name: 'Sign this answer' });
  await expect(dialog).toContainText(prompt);
  await expectAccessible(page, 'signing');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(question.getByRole('radio', { name: 'Approve' })).toBeVisible();
  await answer();
  await dialog.getByRole('button', { name: 'Sign and send' }).click();
  await expect(dialog).toContainText('Say why you sign this.');
  await dialog.getByLabel('Reason').fill('Checked against the log');
  await dialog.getByLabel('Your password').fill('another-horse-2');
  await dialog.getByRole('button', { name: 'Sign and send' }).click();
  await expect(dialog).toContainText('This is not your password.');
  await dialog.getByLabel('Your password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Sign and send' }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole('tab', { name: 'Resolved (1)' }).click();
  await expect(page.getByText(/^Approved by Ada Okafor in the inbox, [\d:]+, signed$/).first()).toBeVisible();
});

/** Somebody who joins the owner's company by an invitation. @returns the invitation's link, and its token */
async function join(owner: Page, joining: Page, roles: string[], firstName: string) {
  const invited = await owner.request.post('/api/account/members', { data: { email: newEmail(), roles } });
  const link: string = (await invited.json()).invitation.link;
  const token = new URL(link).searchParams.get('invitation');
  const person = { token, password: PASSWORD, firstName, lastName: 'Roe' };
  const joined = await joining.request.post('/api/account/invitations/accept', { data: person });
  expect(joined.ok(), await joined.text()).toBe(true);
  return link;
}

test('two people sign a review, the second in one press, and what would leave one signer is warned of', async ({
  page,
  browser,
  backstage,
  baseURL,
}) => {
  const { accountId, agentId, userId } = await arrive(page);
  const context = await browser.newContext({ baseURL });
  const ben = await context.newPage();
  const link = await join(page, ben, ['deputy'], 'Ben');
  const clinicalSafetyOfficer = { userId, profession: 'Doctor', register: 'GMC', registrationNumber: '7012345' };
  const switchOn = { clinicalSafetyOfficer, signsAnswers: true, signsTwice: true };
  expect((await page.request.put('/api/preferences', { data: switchOn })).ok()).toBe(true);

  const [prompt, later] = ['Please review two proposals.', 'Please review one proposal.'];
  const ask = (text: string, rows: string[]) =>
    backstage.ask(accountId, agentId, {
      interruptType: 'hazard_review',
      prompt: text,
      requires: 'clinical-safety-officer',
      context: { rows: rows.map((id) => makeProposal({ id, proposedId: id })) },
    });
  const signAsBen = async ({ _id }: { _id: number }, rows: object[]) => {
    const { shownDigest, draft } = await (await ben.request.get(`/api/interrupts/${_id}`)).json();
    const sign = { reason: 'Checked against the log', password: PASSWORD };
    const data = { userResponse: { rows }, draftVersion: draft?.version ?? 0, shownDigest, sign };
    const signed = await ben.request.patch(`/api/interrupts/${_id}/resolve`, { data });
    expect(signed.ok(), await signed.text()).toBe(true);
  };
  await signAsBen(await ask(prompt, ['H1', 'H2']), [
    { id: 'H1', outcome: 'accepted' },
    { id: 'H2', outcome: 'rejected', reason: 'A duplicate' },
  ]);
  await page.goto('/agent-inbox');
  const question = page.getByRole('article', { name: prompt });
  await expect(question).toContainText('Approved with changes and signed by Ben Roe');
  await expect(question).toContainText('Ben Roe decided: 1 accepted, 0 edited, 1 rejected.');
  const [agree, read] = ['Agree with Ben Roe and sign', 'Read the proposals'].map((name) =>
    question.getByRole('button', { name }).boundingBox(),
  );
  expect(((await read)?.x ?? 0) - ((await agree)?.x ?? 0) - ((await agree)?.width ?? 0)).toBe(8);
  await expectAccessible(page, 'a review that one person has signed');
  await question.getByRole('button', { name: 'Agree with Ben Roe and sign' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign this answer' });
  await dialog.getByLabel('Reason').fill('Read all of them');
  await dialog.getByLabel('Your password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Sign and send' }).click();
  await expect(page.getByText('Signed by both')).toBeVisible();
  await expect(page.getByText('1 accepted, 0 edited, 1 rejected, as Ben Roe signed.')).toBeVisible();

  // The next review has Ben's signature when Ben is removed.
  await signAsBen(await ask(later, ['H3']), [{ id: 'H3', outcome: 'accepted' }]);
  await page.goto('/#preferences');
  const remove = page.getByRole('button', { name: /^Remove Ben Roe/ });
  const removeBen = async () => {
    await remove.click();
    await remove.last().click();
  };
  await removeBen();
  const warning = page.getByRole('dialog', { name: 'Fewer than two people could sign' });
  await expect(warning).toContainText('after this only one person could');
  await expectAccessible(page, 'a warning of too few signers');
  await warning.getByRole('button', { name: 'Change nothing' }).click();
  await expect(warning).toBeHidden();
  // What the person decided is no failure.
  await expect(page.locator('[data-toast]')).toHaveCount(0);
  await removeBen();
  await warning.getByRole('button', { name: 'Change it anyway' }).click();
  await expect(page.getByText('Two people have to sign, and only one person can.')).toBeVisible();
  await expectAccessible(page, 'preferences where one person can sign');
  await page.goto('/agent-inbox');
  const withdrawn = page.getByRole('article', { name: later });
  await expect(withdrawn).toContainText('was withdrawn: Ben Roe is no longer in the company.');
  await expect(withdrawn.getByRole('button', { name: /^Agree with/ })).toHaveCount(0);

  // A used invitation leads whoever has left to the login, and whoever is signed in back to Arc.
  await page.goto(link);
  await expect(page.getByText('If it was for you, your company is in Arc already', { exact: false })).toBeVisible();
  await page.getByRole('link', { name: 'Go to the dashboard' }).click();
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
  const stranger = await (await browser.newContext({ baseURL })).newPage();
  await stranger.goto(link);
  await stranger.getByRole('link', { name: 'Log in' }).click();
  await expect(stranger.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
  await stranger.context().close();
  await context.close();
});
