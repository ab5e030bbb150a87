import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { Delivery } from '../../models/delivery.ts';
import { runInAccount } from '../../models/store/context.ts';
import { announce } from '../../models/store/revisions.ts';
import { Subscription } from '../../models/subscription.ts';
import { User } from '../../models/user.ts';
import { type Person, signUp } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';

// Without mail, so that nobody's address is verified.
const NAMED = 'named-admin@example.org';
process.env.ADMIN_EMAILS = NAMED;

let server: Server;
let admin: Person;
beforeAll(async () => {
  server = await startServer();
  admin = await signUp(server, { firstName: 'Grace', lastName: 'Adeyemi' });
  await User.updateOne({ _id: admin.user.id }, { $set: { isAdmin: true } });
  announce(admin.user.accountId, ['account']);
});
afterAll(() => server.stop());

describe('the admin calls', () => {
  test.each([
    ['get', '/api/admin/users/stats'],
    ['get', '/api/admin/user-tokens'],
    ['post', '/api/admin/add-tokens'],
    ['get', '/api/admin/failures'],
    ['post', '/api/admin/failures/retry'],
  ] as const)('%s %s is refused to anyone but administrators', async (method, path) => {
    const { browser } = await signUp(server);
    const { status, body } = await browser[method](path).send({ userId: 1, tokensToAdd: 1 });
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'not_allowed' });
  });

  test('are refused to somebody who signed up with an address of ADMIN_EMAILS, until a mailed code verifies it', async () => {
    const person = await signUp(server, { email: NAMED });
    const isAdmin = async () => {
      announce(person.user.accountId, ['account']);
      const { status } = await person.browser.get('/api/admin/user-tokens');
      const { user } = (await person.browser.get('/api/auth/status')).body;
      expect(user.isAdmin).toBe(status === 200);
      return user.isAdmin;
    };
    expect(await isAdmin()).toBe(false);
    const set = (change: object) => User.updateOne({ _id: person.user.id }, { $set: change });
    await set({ emailVerified: true, verifiedBy: 'invitation' });
    expect(await isAdmin()).toBe(false);
    await set({ emailVerified: false, verifiedBy: 'code' });
    expect(await isAdmin()).toBe(false);
    await set({ emailVerified: true, verifiedBy: 'code' });
    expect(await isAdmin()).toBe(true);
    await set({ email: `not-${NAMED}` });
    expect(await isAdmin()).toBe(false);
  });

  /** @shows GET /api/admin/users/stats */
  test('list every user with the activity of their account', async () => {
    const person = await signUp(server, { firstName: 'Ada', lastName: 'Okafor' });
    await person.browser.post('/api/user-agents/hire').send({ agentId: 'mdr' });
    await person.browser.post('/api/integrations/toggle').send({ integrationId: 'arc-chat', enabled: true });
    const { body } = await admin.browser.get('/api/admin/users/stats').expect(200);
    expect(body.users.find(({ id }: { id: number }) => id === person.user.id)).toEqual({
      id: person.user.id,
      email: person.email,
      firstName: 'Ada',
      lastName: 'Okafor',
      createdAt: expect.any(String),
      agentCount: 1,
      integrationCount: 2,
      billingStatus: 'free',
      isAdmin: false,
    });
    expect(body.total).toBe(body.users.length);
    expect(body.totals.admins).toBe(1);
    expect(JSON.stringify(body)).not.toContain('argon2');
  });

  test.each([
    ['starter', 'active', 'pro'],
    ['pro', 'active', 'pro'],
    ['enterprise', 'active', 'premium'],
    ['pro', 'expired', 'free'],
    ['trial', 'trial', 'free'],
  ] as const)('show the plan %s, %s, as %s', async (plan, status, billingStatus) => {
    const { user } = await signUp(server);
    await runInAccount(user.accountId, () =>
      Subscription.updateOne({ accountId: user.accountId }, { $set: { plan, status } }),
    );
    const { body } = await admin.browser.get('/api/admin/users/stats').expect(200);
    expect(body.users.find(({ id }: { id: number }) => id === user.id)).toMatchObject({ billingStatus });
  });

  /** @shows POST /api/admin/add-tokens, GET /api/admin/user-tokens */
  test('grant credits, once per request', async () => {
    const person = await signUp(server);
    const add = () =>
      admin.browser.post('/api/admin/add-tokens').send({ userId: person.user.id, tokensToAdd: 5000, requestId: 'one' });
    const { body } = await add().expect(200);
    expect(body.message).toBe(`Added 5,000 tokens to ${person.email}. 55,000 remain.`);
    await add().expect(200);
    const tokens = await admin.browser.get('/api/admin/user-tokens').expect(200);
    expect(tokens.body.users.find(({ id }: { id: number }) => id === person.user.id)).toEqual({
      id: person.user.id,
      email: person.email,
      tokensUsed: 0,
      tokensRemaining: 55_000,
    });
  });

  test('sum the credits per account, however many members it has', async () => {
    const totals = async () => (await admin.browser.get('/api/admin/user-tokens').expect(200)).body.totals;
    const owner = await signUp(server);
    const before = await totals();
    const email = `member-${owner.user.id}@example.org`;
    const invited = await owner.browser
      .post('/api/account/members')
      .send({ email, roles: ['member'] })
      .expect(200);
    const token = new URL(invited.body.invitation.link).searchParams.get('invitation');
    await server
      .browser()
      .post('/api/account/invitations/accept')
      .send({ token, password: 'correct-horse-1' })
      .expect(200);
    expect(await totals()).toEqual(before);
    await signUp(server);
    expect(await totals()).toEqual({ ...before, tokensRemaining: before.tokensRemaining + 50_000 });
  });

  test.each([0, -5, 1.5, 1_000_000_001])('refuse %d tokens with a sentence', async (tokensToAdd) => {
    const { status, body } = await admin.browser.post('/api/admin/add-tokens').send({ userId: 1, tokensToAdd });
    expect(status).toBe(400);
    expect(Object.keys(body.fields)).toEqual(['tokensToAdd']);
  });

  test('answer 404 for an unknown user', async () => {
    await admin.browser.post('/api/admin/add-tokens').send({ userId: 999_999, tokensToAdd: 5 }).expect(404);
  });
});

/** @shows GET /api/admin/failures, POST /api/admin/failures/retry */
test('what was given up is listed and tried again once', async () => {
  const { accountId } = admin.user;
  const _id = new Types.ObjectId();
  const row = { accountId, surface: 'slack', key: String(_id), status: 'failed', attempts: 12, error: 'Refused.' };
  await runInAccount(accountId, () => Delivery.create({ ...row, _id, messageId: new Types.ObjectId() } as never));
  const { failures } = (await admin.browser.get('/api/admin/failures').expect(200)).body;
  const listed = { kind: 'delivery', id: String(_id), accountId, what: 'Message', where: 'slack', reason: 'Refused.' };
  expect(failures).toContainEqual(expect.objectContaining(listed));
  const retry = () => admin.browser.post('/api/admin/failures/retry').send({ kind: 'delivery', id: String(_id) });
  await retry().expect(200);
  await retry().expect(404);
  await admin.browser.post('/api/admin/failures/retry').send({ kind: 'run', id: '1' }).expect(400);
});
