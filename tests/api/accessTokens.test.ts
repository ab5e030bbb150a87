import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Types } from 'mongoose';
import { authenticate, readWebhookSecret } from '../../bot/engine/access/accessTokens.ts';
import { AccessToken } from '../../models/accessToken.ts';
import { AuditEvent } from '../../models/auditEvent.ts';
import { LIMITS } from '../../models/contracts/limits.ts';
import { TOKEN_SCOPE_NAMES } from '../../models/contracts/tokenScopes.ts';
import { Member } from '../../models/member.ts';
import { runInAccount } from '../../models/store/context.ts';
import { announce } from '../../models/store/revisions.ts';
import { makeAccessToken, programWith } from '../factories/accessToken.ts';
import { signUp, signUpReady } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const statusOf = async (secret: string) => (await programWith(server.url, secret).get('/api/questions')).status;

describe('an access token', () => {
  /** @shows GET /api/access-tokens, POST /api/access-tokens */
  test('is shown once, kept as a hash, listed without its secret, and recorded', async () => {
    const owner = await signUp(server);
    const { id, secret, webhookSecret } = await makeAccessToken(owner, ['questions:ask', 'analyses:read']);
    expect(secret).toMatch(/^arc_[\w-]{43}$/);
    expect(webhookSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const listed = await owner.browser.get('/api/access-tokens').expect(200);
    expect(listed.body.tokens).toEqual([
      {
        id,
        name: 'n8n',
        scopes: ['questions:ask', 'analyses:read'],
        ending: secret.slice(-4),
        madeBy: 'Ada Okafor',
        createdAt: expect.any(String),
        lastUsedAt: null,
        expiresAt: null,
        failedWebhooks: null,
      },
    ]);
    const row = await AccessToken.findOne({ _id: id, accountId: owner.user.accountId }).lean();
    expect(row?.secretHash).toBe(createHash('sha256').update(secret).digest('hex'));
    const kept = JSON.stringify(row);
    expect([kept.includes(secret), kept.includes(webhookSecret)]).toEqual([false, false]);
    await owner.browser.delete(`/api/access-tokens/${id}`).expect(200);
    expect((await owner.browser.get('/api/access-tokens')).body.tokens).toEqual([]);
    const events = await runInAccount(owner.user.accountId, () =>
      AuditEvent.find({ subject: `token:${id}` })
        .sort({ seq: 1 })
        .lean(),
    );
    expect(events.map(({ event, userId, outcome }) => ({ event, userId, outcome }))).toEqual([
      { event: 'token.made', userId: owner.user.id, outcome: 'questions:ask analyses:read' },
      { event: 'token.revoked', userId: owner.user.id, outcome: 'revoked' },
    ]);
  });

  /** @shows DELETE /api/access-tokens/:id */
  test('works until it is revoked, by an owner of its own company only', async () => {
    const [owner, other] = await Promise.all([signUp(server), signUp(server)]);
    const { id, secret } = await makeAccessToken(owner);
    expect(await statusOf(secret)).toBe(200);
    await other.browser.delete(`/api/access-tokens/${id}`).expect(404);
    expect(await statusOf(secret)).toBe(200);
    await owner.browser.delete(`/api/access-tokens/${id}`).expect(200);
    expect(await statusOf(secret)).toBe(401);
    await owner.browser.delete(`/api/access-tokens/${id}`).expect(404);
  });

  test('says when it was last used, and works no longer once it has expired', async () => {
    const owner = await signUp(server);
    const { body } = await owner.browser
      .post('/api/access-tokens')
      .send({ name: 'Nightly', scopes: ['questions:read'], expiresInDays: 30 })
      .expect(201);
    const { id, createdAt, expiresAt } = body.token;
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(30 * 86_400_000);
    const holder = await authenticate(body.secret);
    expect(holder?.who.userId).toBe(owner.user.id);
    const used = (await owner.browser.get('/api/access-tokens')).body.tokens[0].lastUsedAt;
    expect(Math.abs(Date.parse(used) - Date.now())).toBeLessThan(60_000);
    await AccessToken.updateOne({ _id: id }, { $set: { expiresAt: new Date() } });
    expect(await authenticate(body.secret)).toBeNull();
    expect((await owner.browser.get('/api/access-tokens')).body.tokens).toEqual([]);
  });

  test('expires at its time, not a millisecond later', async () => {
    const owner = await signUp(server);
    const { id, secret } = await makeAccessToken(owner);
    const expiresAt = new Date(Date.now() + 1000);
    await AccessToken.updateOne({ _id: id }, { $set: { expiresAt } });
    const clock = jest.spyOn(Date, 'now');
    try {
      clock.mockReturnValue(expiresAt.getTime() - 1);
      expect(await authenticate(secret)).not.toBeNull();
      clock.mockReturnValue(expiresAt.getTime());
      expect(await authenticate(secret)).toBeNull();
    } finally {
      clock.mockRestore();
    }
  });

  test('works nowhere but for programs, and a session works there for nothing', async () => {
    const owner = await signUpReady(server);
    const { secret } = await makeAccessToken(owner);
    const program = programWith(server.url, secret);
    for (const path of [
      '/api/access-tokens',
      '/api/preferences',
      '/api/user-agents',
      '/api/account/members',
      '/api/interrupts/1',
    ])
      expect({ path, status: (await program.get(path)).status }).toEqual({ path, status: 401 });
    const answer = await owner.browser.get('/api/questions');
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 401, code: 'bad_token' });
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    // A page of another site is refused even with a token.
    expect((await program.get('/api/questions').set('Sec-Fetch-Site', 'cross-site')).body.code).toBe('cross_site');
    expect((await program.get('/api/questions').set('Origin', 'https://elsewhere.example')).status).toBe(403);
  });

  test.each([
    ['leaves', (accountId: number, userId: number) => Member.deleteOne({ accountId, userId })],
    [
      'is an owner no more',
      (accountId: number, userId: number) => Member.updateOne({ accountId, userId }, { $set: { roles: ['member'] } }),
    ],
  ])('ends when the member who made it %s', async (_what, change) => {
    const owner = await signUp(server);
    const { accountId, id } = owner.user;
    const { id: tokenId, secret, webhookSecret } = await makeAccessToken(owner);
    const signingKey = () => runInAccount(accountId, () => readWebhookSecret(accountId, new Types.ObjectId(tokenId)));
    expect([await statusOf(secret), await signingKey()]).toEqual([200, webhookSecret]);
    await change(accountId, id);
    announce(accountId, ['account']);
    expect([await statusOf(secret), await signingKey()]).toEqual([401, null]);
  });

  test('does not come back with the role that its maker lost', async () => {
    const first = await signUp(server);
    const email = `second-${first.email}`;
    const invite = (roles: string[]) => first.browser.post('/api/account/members').send({ email, roles }).expect(200);
    const { body } = await invite(['owner']);
    const token = new URL(body.invitation.link).searchParams.get('invitation');
    const second = server.browser();
    await second.post('/api/account/invitations/accept').send({ token, password: 'correct-horse-1' }).expect(200);
    const { secret } = await makeAccessToken({ browser: second });
    const own = await makeAccessToken(first);
    expect(await statusOf(secret)).toBe(200);
    await invite(['member']);
    await invite(['owner']);
    expect([await statusOf(secret), await statusOf(own.secret)]).toEqual([401, 200]);
  });

  test('has a name, at least one known scope, and a lifetime from the list', async () => {
    const { browser } = await signUp(server);
    const make = (body: object) =>
      browser.post('/api/access-tokens').send({ name: 'n8n', scopes: ['questions:ask'], expiresInDays: 30, ...body });
    const fields = async (body: object) => (await make(body)).body.fields;
    expect(await fields({ name: ' ' })).toEqual({ name: 'Name the program that will use it.' });
    expect(await fields({ name: 'n'.repeat(LIMITS.accessTokens.name + 1) })).toHaveProperty('name');
    expect(await fields({ scopes: [] })).toEqual({ scopes: 'Choose at least one thing that it may do.' });
    expect(Object.keys(await fields({ scopes: ['everything'] }))).toEqual(['scopes.0']);
    expect(await fields({ expiresInDays: 31 })).toHaveProperty('expiresInDays');
    await make({ name: 'n'.repeat(LIMITS.accessTokens.name) }).expect(201);
  });

  test('is one of at most as many as a company may have', async () => {
    const owner = await signUp(server);
    const made = [];
    for (let n = 0; n < LIMITS.accessTokens.count; n += 1) made.push(await makeAccessToken(owner));
    const more = await owner.browser
      .post('/api/access-tokens')
      .send({ name: 'One more', scopes: TOKEN_SCOPE_NAMES, expiresInDays: null });
    expect({ status: more.status, text: more.body.error }).toEqual({
      status: 422,
      text: 'A company can have 20 access tokens. Revoke one first.',
    });
    await owner.browser.delete(`/api/access-tokens/${made[0]?.id}`).expect(200);
    await makeAccessToken(owner);
  });
});
