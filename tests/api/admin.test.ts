import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { ChannelInstallation } from '../../models/channelInstallation.ts';
import { ConnectorGrant } from '../../models/connectorGrant.ts';
import { Delivery } from '../../models/delivery.ts';
import { Run } from '../../models/run.ts';
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
    ['post', '/api/admin/failures/drop'],
    ['get', '/api/admin/users/1'],
    ['delete', '/api/admin/users/1/sessions/0123456789abcdef01234567'],
    ['post', '/api/admin/users/1/end-sessions'],
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

/** @shows GET /api/admin/failures, POST /api/admin/failures/retry, POST /api/admin/failures/drop */
test('what was given up is listed, and tried again or dropped once', async () => {
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
  const other = new Types.ObjectId();
  await runInAccount(accountId, () => Delivery.create({ ...row, key: String(other), _id: other } as never));
  const drop = () => admin.browser.post('/api/admin/failures/drop').send({ kind: 'delivery', id: String(other) });
  await drop().expect(200);
  await drop().expect(404);
  const left = (await admin.browser.get('/api/admin/failures').expect(200)).body.failures as { id: string }[];
  expect(left.map(({ id }) => id)).not.toContain(String(other));
});

describe('the page of a user', () => {
  /** Another browser of a person. */
  const signInAgain = async ({ email, password }: Person) => {
    const browser = server.browser();
    await browser.post('/api/login').send({ email, password }).expect(200);
    return browser;
  };
  const read = async (id: number) => (await admin.browser.get(`/api/admin/users/${id}`).expect(200)).body;
  const isSignedIn = async (browser: Person['browser']) => (await browser.get('/api/auth/status')).body.authenticated;

  /** @shows GET /api/admin/users/:id */
  test('says what happened in their companies alone, without content and secrets', async () => {
    const person = await signUp(server, { firstName: 'Ada', lastName: 'Okafor' });
    const stranger = await signUp(server);
    const { accountId } = person.user;
    const of = { accountId, companyName: 'Ada’s company' };
    await person.browser.post('/api/user-agents/hire').send({ agentId: 'mdr' }).expect(200);
    await admin.browser.post('/api/admin/add-tokens').send({ userId: person.user.id, tokensToAdd: 70 }).expect(200);
    const sealed = { encrypted: 'SECRET' } as never;
    const since = new Date('2026-03-01T09:00:00Z');
    for (const { accountId } of [person.user, stranger.user])
      await runInAccount(accountId, async () => {
        const run = {
          goal: 'Is Mrs Lovell’s dose wrong?',
          startKey: 'one',
          agentId: 'mdr',
          userAgentId: 1,
          channel: 'arc',
        };
        const ids = { _id: new Types.ObjectId(), accountId };
        const work = { workflow: 'mdr-technical-file', status: 'completed', step: 'x', state: {}, spent: 30 };
        await Run.create({ ...run, ...ids, ...work } as never);
        const grant = { sealed, grantedBy: 1, grantedAt: since, scopes: [], renewal: null };
        const broken = { revokedAt: new Date('2026-04-01T09:00:00Z'), error: 'Linear refused.' };
        for (const [connector, state] of [
          ['jira', { revokedAt: null, error: null }],
          ['linear', broken],
          ['notion', { ...broken, error: null }],
        ] as const)
          await ConnectorGrant.create({ _id: new Types.ObjectId(), accountId, connector, ...grant, ...state } as never);
        const key = `T-${accountId}`;
        const place = {
          channel: 'slack',
          key,
          name: 'Acme',
          sealed,
          installedBy: 1,
          installedAt: since,
          revokedAt: null,
        };
        await ChannelInstallation.create({ ...ids, ...place } as never);
        const failed = { surface: 'slack', key, status: 'failed', attempts: 12, error: 'Refused.' };
        await Delivery.create({ ...ids, ...failed, messageId: new Types.ObjectId() } as never);
      });
    const answer = await read(person.user.id);
    const date = expect.any(String);
    expect(answer).toEqual({
      user: {
        ...{ id: person.user.id, email: person.email, firstName: 'Ada', lastName: 'Okafor', createdAt: date },
        ...{ isAdmin: false, emailVerified: false, mailRefusedAt: null },
      },
      companies: [{ ...of, roles: ['owner'], plan: 'trial', endsAt: date, isOver: false }],
      sessions: [{ id: date, device: null, companyName: of.companyName, since: date, lastUsed: date }],
      agents: [{ ...of, name: 'Marta', isOnboarded: false, hiredAt: date }],
      runs: [
        {
          ...{ ...of, id: date, agent: 'Marta', title: 'Draft the technical file' },
          ...{ status: 'completed', startedAt: date, cost: 30 },
        },
      ],
      connections: [
        ...['Linear', 'Notion'].map((name) => ({
          ...{ ...of, kind: 'tool', name, state: name === 'Linear' ? 'broken' : 'ended' },
          ...{ reason: name === 'Linear' ? 'Linear refused.' : null, since: '2026-04-01T09:00:00.000Z' },
        })),
        { ...of, kind: 'channel', name: 'Slack', state: 'connected', reason: null, since: since.toISOString() },
        { ...of, kind: 'tool', name: 'Jira', state: 'connected', reason: null, since: since.toISOString() },
      ],
      grants: [
        { ...of, at: date, amount: 70, note: 'Added by an administrator' },
        { ...of, at: date, amount: 50_000, note: 'Credits at sign-up' },
      ],
      failures: [expect.objectContaining({ ...of, what: 'Message', where: 'slack', reason: 'Refused.' })],
    });
    expect(JSON.stringify(answer)).not.toMatch(/SECRET|Lovell|argon2/);
    const { accountId: theirs } = stranger.user;
    expect(JSON.stringify(answer)).not.toContain(`"accountId":${theirs},`);
  });

  test('shows a plan that was given, and a trial that is over', async () => {
    const person = await signUp(server);
    const change = (set: object) =>
      runInAccount(person.user.accountId, () => Subscription.updateOne({}, { $set: set }));
    const past = new Date(Date.now() - 1000);
    await change({ trialEndsAt: past });
    const company = async () => (await read(person.user.id)).companies[0];
    expect(await company()).toMatchObject({ plan: 'trial', isOver: true, endsAt: past.toISOString() });
    await admin.browser.post('/api/admin/plan').send({ userId: person.user.id, plan: 'pro' }).expect(200);
    expect(await company()).toMatchObject({ plan: 'pro', isOver: false, endsAt: null });
  });

  /** @shows DELETE /api/admin/users/:id/sessions/:sessionId, POST /api/admin/users/:id/end-sessions */
  test('signs them out of one browser or of all, and their company can read who did that', async () => {
    const [person, other] = [await signUp(server), await signUp(server)];
    const [second, third] = [await signInAgain(person), await signInAgain(person)];
    const { sessions } = await read(person.user.id);
    const path = (id: number, session: string) => `/api/admin/users/${id}/sessions/${session}`;
    await admin.browser.delete(path(other.user.id, sessions[0].id)).expect(404);
    await admin.browser.delete(path(person.user.id, sessions[0].id)).expect(200);
    await admin.browser.delete(path(person.user.id, sessions[0].id)).expect(404);
    const states = () => Promise.all([third, second, person.browser, other.browser].map(isSignedIn));
    expect(await states()).toEqual([false, true, true, true]);
    await admin.browser.post(`/api/admin/users/${person.user.id}/end-sessions`).expect(200);
    expect(await states()).toEqual([false, false, false, true]);
    expect((await read(person.user.id)).sessions).toEqual([]);
    // Not imported above, because it reads the environment.
    const { auditOf } = await import('../factories/members.ts');
    const by = `session.ended by ${admin.user.id}: user:${person.user.id}`;
    const events = (await auditOf(person.user.accountId)).filter((event) => event.startsWith('session.ended'));
    expect(events).toEqual([`${by} ended by an administrator`, `${by} ended everywhere by an administrator`]);
    expect((await auditOf(other.user.accountId)).some((event) => event.startsWith('session.ended'))).toBe(false);
  });

  test('is none for somebody who does not exist', async () => {
    await admin.browser.get('/api/admin/users/987654321').expect(404);
    await admin.browser.post('/api/admin/users/987654321/end-sessions').expect(404);
  });
});
