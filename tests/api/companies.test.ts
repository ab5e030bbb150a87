import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AuditEvent } from '../../models/auditEvent.ts';
import { Member } from '../../models/member.ts';
import { runInAccount } from '../../models/store/context.ts';
import { announce } from '../../models/store/revisions.ts';
import { Subscription } from '../../models/subscription.ts';
import { User } from '../../models/user.ts';
import { eventually, type Person, signUp, signUpReady } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

async function joinOther(person: Person, owner: Person): Promise<void> {
  const { accountId } = owner.user;
  await Member.create({ accountId, userId: person.user.id, roles: ['member'] });
  announce(accountId, ['account']);
}

/** @shows GET /api/account/mine, POST /api/account/switch */
test('a person lists their companies, switches to another, and is back in it with the next login', async () => {
  const [person, owner, stranger] = await Promise.all([signUp(server), signUp(server), signUp(server)]);
  await joinOther(person, owner);
  const { browser } = person;
  const { accounts } = (await browser.get('/api/account/mine').expect(200)).body;
  expect(accounts).toMatchObject([
    { accountId: person.user.accountId, roles: ['owner'], current: true },
    { accountId: owner.user.accountId, roles: ['member'], current: false },
  ]);
  const switchTo = (accountId: number) => browser.post('/api/account/switch').send({ accountId });
  await switchTo(stranger.user.accountId).expect(404);

  const socket = await server.socket(person.cookie);
  await switchTo(owner.user.accountId).expect(200);
  expect((await browser.get('/api/auth/status')).body.user).toMatchObject({
    accountId: owner.user.accountId,
    roles: ['member'],
  });
  // The previous session is over, with its open sockets.
  await eventually(async () => !socket.connected, 'the old socket to be closed', 5000);
  await server.browser().get('/api/user-agents').set('Cookie', person.cookie).expect(401);

  const again = server.browser();
  await again.post('/api/login').send({ email: person.email, password: person.password }).expect(200);
  expect((await again.get('/api/auth/status')).body.user.accountId).toBe(owner.user.accountId);

  // Someone who is removed there logs in to their remaining company.
  await owner.browser.delete('/api/account/members').send({ userId: person.user.id }).expect(200);
  await again.get('/api/user-agents').expect(401);
  await again.post('/api/login').send({ email: person.email, password: person.password }).expect(200);
  expect((await again.get('/api/auth/status')).body.user.accountId).toBe(person.user.accountId);
});

/** @shows POST /api/admin/plan, S1-1.4 */
test('a plan set by an administrator allows work again, until its last day', async () => {
  const [admin, person] = await Promise.all([signUp(server), signUpReady(server)]);
  await User.updateOne({ _id: admin.user.id }, { $set: { isAdmin: true } });
  announce(admin.user.accountId, ['account']);
  const { accountId } = person.user;
  const change = (set: object) =>
    runInAccount(accountId, async () => {
      await Subscription.updateOne({ accountId }, { $set: set });
      announce(accountId, ['account']);
    });
  const trial = async () => (await person.browser.get('/api/user/trial/status').expect(200)).body.subscriptionStatus;
  const send = () => person.browser.post('/api/arc-chat/send').send({ message: 'help' });
  await change({ trialEndsAt: new Date(0) });
  await send().expect(402);

  const setPlan = (body: object) => admin.browser.post('/api/admin/plan').send({ userId: person.user.id, ...body });
  await setPlan({ plan: 'pro', until: '2020-01-01' }).expect(400);
  await setPlan({ plan: 'gold' }).expect(400);
  const until = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  const { body } = await setPlan({ plan: 'pro', until }).expect(200);
  expect(body.message).toBe(`${person.email} now has the plan pro, until ${until}.`);
  expect(await trial()).toBe('active');
  await send().expect(200);
  expect((await person.browser.get('/api/billing').expect(200)).body).toMatchObject({ plan: 'pro', status: 'active' });

  const rows = await runInAccount(accountId, () => AuditEvent.find({ accountId, event: 'plan.set' }).lean());
  expect(rows).toMatchObject([{ userId: admin.user.id, outcome: `pro until ${until}`, surface: 'api' }]);

  await change({ planEndsAt: new Date(Date.now() - 1000) });
  expect(await trial()).toBe('expired');
  await send().expect(402);
  await setPlan({ plan: 'trial' }).expect(200);
  expect(await trial()).toBe('trial');
});
