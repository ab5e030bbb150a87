/** @environment payments */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { changeUser } from '../../bot/engine/accounts/changeUser.ts';
import { erase, planErasure } from '../../bot/engine/accounts/eraseAccount.ts';
import { exportAccount } from '../../bot/engine/accounts/exportAccount.ts';
import { verifyAudit } from '../../bot/engine/audit/verifyAudit.ts';
import { endPayments } from '../../bot/engine/payments/readPaidPlan.ts';
import { Account } from '../../models/account.ts';
import { runInAccount } from '../../models/store/context.ts';
import { User } from '../../models/user.ts';
import { stripe } from '../environments/payments.ts';
import { addColleague } from '../factories/colleague.ts';
import { endTrial } from '../factories/endTrial.ts';
import { auditOf } from '../factories/members.ts';
import { type Person, signUp } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const plans = async ({ browser }: Person) => {
  const { plan, status, agents } = (await browser.get('/api/billing').expect(200)).body;
  return { plan, status, agents };
};
const hire = async ({ browser }: Person, agentId: string) =>
  (await browser.post('/api/user-agents/hire').send({ agentId })).body.code ?? 'hired';
const post = ({ browser }: Person, path: string, body: object = {}) => browser.post(path).send(body);
const rolesOf = async ({ browser }: Person) => (await browser.get('/api/auth/status')).body.user.roles;

/** Every document of an export, by collection, and its lines about the account itself. */
async function readExport(email: string) {
  const lines: Record<string, unknown>[] = [];
  for await (const line of exportAccount(email)) lines.push(JSON.parse(line));
  return { head: lines[0], chain: lines.find((line) => 'auditWhole' in line), text: JSON.stringify(lines) };
}

test('a company’s life, from sign-up to the last byte', async () => {
  // Sign up, invite, appoint.
  const founder = await signUp(server, { firstName: 'Ada' });
  const { accountId } = founder.user;
  const officer = await addColleague(server, founder, ['approver']);
  const leaver = await addColleague(server, founder, ['member']);
  const registered = { userId: officer.user.id, profession: 'Nurse', register: 'NMC', registrationNumber: '12A3456E' };
  await founder.browser.put('/api/preferences').send({ clinicalSafetyOfficer: registered }).expect(200);
  expect(await rolesOf(officer)).toContain('clinical-safety-officer');
  expect(await hire(founder, 'clinical_safety')).toBe('hired');

  // The trial ends: nobody starts anything, and everybody still reads.
  await endTrial(founder);
  expect(await plans(officer)).toMatchObject({ plan: 'trial', status: 'expired' });
  expect([await hire(founder, 'ops'), await hire(leaver, 'ops')]).toEqual(['trial_over', 'trial_over']);
  await leaver.browser.get('/api/user-agents').expect(200);

  // An administrator of the server gives a plan by hand.
  const admin = await signUp(server);
  await changeUser(admin.email, { isAdmin: true });
  await post(admin, '/api/admin/plan', { userId: founder.user.id, plan: 'starter' }).expect(200);
  expect(await plans(leaver)).toEqual({ plan: 'starter', status: 'active', agents: { hired: 1, allowed: 3 } });
  await post(admin, '/api/admin/plan', { userId: founder.user.id, plan: 'trial' }).expect(200);
  await endTrial(founder);
  expect(await hire(founder, 'ops')).toBe('trial_over');

  // The owner, and nobody else, buys Pro at Stripe.
  await post(officer, '/api/billing/checkout', { plan: 'pro' }).expect(403);
  const { url } = (await post(founder, '/api/billing/checkout', { plan: 'pro' }).expect(200)).body;
  const paid = stripe.pay(url);
  await post(founder, '/api/billing/refresh').expect(200);
  expect(await plans(founder)).toEqual({ plan: 'pro', status: 'active', agents: { hired: 1, allowed: null } });
  for (const agentId of ['ops', 'mdr', 'marketer']) expect(await hire(founder, agentId)).toBe('hired');
  const { balance } = (await founder.browser.get('/api/user/tokens/balance').expect(200)).body;
  expect(balance.tokensRemaining).toBe(2_550_000);

  // Down to Starter: Arc says first what no longer fits, keeps the four agents, and allows no fifth.
  expect((await post(founder, '/api/billing/plan', { plan: 'starter' })).body.code).toBe('plan_too_small');
  const change = (await post(founder, '/api/billing/plan', { plan: 'starter', accepted: true }).expect(200)).body;
  await fetch(`${change.url}?done=1`, { redirect: 'manual' });
  await post(founder, '/api/billing/refresh').expect(200);
  expect(await plans(founder)).toEqual({ plan: 'starter', status: 'active', agents: { hired: 4, allowed: 3 } });
  expect(await hire(founder, 'outreach')).toBe('plan_full');

  // A member leaves for a company of their own, and reads nothing of this one any more.
  await post(leaver, '/api/account/leave').expect(200);
  expect((await leaver.browser.get('/api/auth/status')).body.user.accountId).not.toBe(accountId);
  expect((await leaver.browser.get('/api/user-agents').expect(200)).body).toEqual([]);

  // The owner hands over: only once there is another owner can the founder go.
  await post(founder, '/api/account/leave').expect(400);
  const roles = ['owner', 'clinical-safety-officer'];
  await post(founder, '/api/account/members', { email: officer.email, roles }).expect(200);
  await post(founder, '/api/account/leave').expect(200);
  await founder.browser.get('/api/audit').expect(200);
  const { members } = (await officer.browser.get('/api/account/members').expect(200)).body;
  expect(members.map(({ email }: { email: string }) => email)).toEqual([officer.email]);
  expect((await officer.browser.get('/api/billing/invoices').expect(200)).body.invoices).not.toEqual([]);

  // The new owner takes everything along: the company, whole, and nobody's secrets.
  const { head, chain, text } = await readExport(officer.email);
  expect(head).toMatchObject({ email: officer.email, accounts: [accountId] });
  expect(chain).toMatchObject({ account: accountId, auditWhole: true });
  expect(text).toContain('12A3456E');
  expect(text).not.toContain('argon2');

  // Every step is in the audit, in its order, by whom it was.
  const told = (await auditOf(accountId)).map((line) => line.split(':')[0]);
  const steps = [
    `member.joined by ${officer.user.id}`,
    `officer.appointed by ${founder.user.id}`,
    `plan.set by ${admin.user.id}`,
    `plan.checkout by ${founder.user.id}`,
    'plan.paid by payment',
    `member.left by ${leaver.user.id}`,
    `roles.changed by ${founder.user.id}`,
    `member.left by ${founder.user.id}`,
  ];
  expect(steps.map((step) => told.indexOf(step)).every((at, index, all) => at > (all[index - 1] ?? -1))).toBe(true);

  // Erased: nothing is paid for, nobody signs in, and the chain that stays still verifies.
  const plan = await planErasure(officer.email);
  expect(plan).toMatchObject({ whole: [accountId], only: [], others: 0 });
  expect(await endPayments(accountId)).toBe(true);
  const subscription = [...stripe.subscriptions.values()].find(({ customer }) => customer === paid?.customer);
  expect(subscription?.status).toBe('canceled');
  await erase(plan);
  expect(await Account.findById(accountId).lean()).toMatchObject({
    name: 'Erased account',
    clinicalSafetyOfficer: null,
  });
  expect(await User.findById(officer.user.id).lean()).toBeNull();
  expect((await officer.browser.get('/api/auth/status')).body.authenticated).toBe(false);
  const { email, password } = officer;
  await server.browser().post('/api/login').send({ email, password }).expect(401);
  expect(await runInAccount(accountId, () => verifyAudit(accountId))).toMatchObject({ whole: true });
  // Those who left keep their own.
  for (const one of [founder, leaver]) expect((await one.browser.get('/api/billing')).body.plan).toBe('trial');
});
