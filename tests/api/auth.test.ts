import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { hash } from '@node-rs/argon2';
import { io as connect } from 'socket.io-client';
import { bound } from '../../api/middleware/bind.ts';
import { settingOf } from '../../bot/engine/accounts/passwords.ts';
import { env, parseEnvironment } from '../../models/env.ts';
import { connectedDatabase } from '../../models/store/client.ts';
import { announce } from '../../models/store/revisions.ts';
import { User } from '../../models/user.ts';
import { signUp } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

describe('signing up without mail', () => {
  /** @shows POST /api/auth/send-signup-confirmation, GET /api/auth/status, S1-2.18 */
  test('creates the account at once and says so', async () => {
    const browser = server.browser();
    const id = randomUUID();
    const { body } = await browser
      .post('/api/auth/send-signup-confirmation')
      .send({ email: `Grace.${id}@Example.org `, password: 'correct-horse-1', firstName: 'Grace' })
      .expect(200);
    expect(body).toMatchObject({ success: true, fallback: true });
    const status = await browser.get('/api/auth/status').expect(200);
    expect(status.body).toMatchObject({
      authenticated: true,
      user: {
        email: `grace.${id}@example.org`,
        firstName: 'Grace',
        lastName: null,
        isAdmin: false,
        emailVerified: false,
        roles: ['owner'],
      },
    });
  });

  /** @shows S1-1.4, GET /api/user/tokens/balance */
  test('gives a trial of 14 days and 50,000 credits', async () => {
    const { browser } = await signUp(server);
    const trial = await browser.get('/api/user/trial/status').expect(200);
    expect(trial.body).toEqual({ isTrialActive: true, remainingDays: 14, subscriptionStatus: 'trial' });
    const balance = await browser.get('/api/user/tokens/balance').expect(200);
    expect(balance.body).toEqual({ balance: { tokensRemaining: 50_000, tokensUsed: 0 } });
  });

  test.each([
    ['a short password', { password: 'short1' }, 'password'],
    ['a password of letters alone', { password: 'onlyletters' }, 'password'],
    ['an invalid e-mail', { email: 'nobody' }, 'email'],
  ])('marks the field of %s', async (_what, fault, field) => {
    const { body, status } = await server
      .browser()
      .post('/api/auth/send-signup-confirmation')
      .send({ email: 'x@example.org', password: 'correct-horse-1', ...fault });
    expect(status).toBe(400);
    expect(body.code).toBe('bad_request');
    expect(Object.keys(body.fields)).toEqual([field]);
  });

  test('hashes the password with 19 MiB and two passes in production settings, and cheaply in tests', async () => {
    const standard = settingOf(parseEnvironment({}).PASSWORD_MEMORY_KIB);
    expect(await hash('correct-horse-1', standard)).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    const { user } = await signUp(server);
    const kept = (await User.findOne({ _id: user.id }).lean())?.passwordHash;
    expect(kept).toMatch(new RegExp(`^\\$argon2id\\$v=19\\$m=${env.PASSWORD_MEMORY_KIB},t=1,p=1\\$`));
  });

  test('refuses a registered e-mail with 409', async () => {
    const { email } = await signUp(server);
    const { body, status } = await server
      .browser()
      .post('/api/auth/send-signup-confirmation')
      .send({ email: email.toUpperCase(), password: 'correct-horse-1' });
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'email_taken' });
  });
});

describe('logging in and out', () => {
  /** @shows POST /api/login */
  test('with the right password works; a wrong password and an unknown e-mail get the same answer', async () => {
    const { email, password } = await signUp(server);
    const browser = server.browser();
    const wrong = await browser.post('/api/login').send({ email, password: 'wrong-horse-1' });
    const unknown = await browser.post('/api/login').send({ email: 'no@example.org', password });
    expect(wrong.status).toBe(401);
    expect(wrong.body).toEqual({ error: 'Invalid email or password', code: 'bad_credentials' });
    expect(unknown.body).toEqual(wrong.body);
    await browser.post('/api/login').send({ email, password }).expect(200);
    expect((await browser.get('/api/auth/status')).body.authenticated).toBe(true);
  });

  /** @shows POST /api/logout */
  test('ends the session on the server on logging out', async () => {
    const { browser, cookie } = await signUp(server);
    await browser.post('/api/logout').expect(200);
    const replayed = await server.browser().get('/api/user-agents').set('Cookie', cookie);
    expect(replayed.status).toBe(401);
  });

  test('starts a new session instead of reusing the visitor’s', async () => {
    const { email, password } = await signUp(server);
    const browser = server.browser();
    const first = await browser.post('/api/login').send({ email, password });
    const second = await browser.post('/api/login').send({ email, password });
    const sessionOf = ({ headers }: typeof first) => /arc\.sid=[^;]+/.exec(String(headers['set-cookie']))?.[0];
    expect(String(first.headers['set-cookie'])).toMatch(/arc\.sid=[^,]*,[^,]*HttpOnly; SameSite=Lax/);
    expect(sessionOf(first)).not.toBe(sessionOf(second));
  });
});

describe('a session', () => {
  const DAY = 86_400_000;
  const stored = (userId: number) => ({ 'session.userId': userId });
  const sessions = () => connectedDatabase().collection('sessions');

  test('lasts fourteen days from its last use, to within ten minutes, in the browser and in the store', async () => {
    const browser = server.browser();
    const { headers } = await browser
      .post('/api/auth/send-signup-confirmation')
      .send({ email: `${randomUUID()}@example.org`, password: 'correct-horse-1' })
      .expect(200);
    const { user } = (await browser.get('/api/auth/status').expect(200)).body;
    const inBrowser = Date.parse(/arc\.sid=.*?Expires=([^;]+)/.exec(String(headers['set-cookie']))?.[1] ?? '');
    const inStore = (await sessions().findOne(stored(user.id)))?.expires.getTime();
    for (const end of [inBrowser, inStore]) expect(Math.abs(end - Date.now() - 14 * DAY)).toBeLessThan(60_000);
    /** The end of the session after a call, if the previous call was this many seconds ago. */
    const endAfter = async (seconds: number) => {
      const lastModified = new Date(Date.now() - seconds * 1000);
      await sessions().updateOne(stored(user.id), { $set: { lastModified, expires: new Date(Date.now() + DAY) } });
      announce(user.accountId, ['account'], false);
      await browser.get('/api/user-agents').expect(200);
      return ((await sessions().findOne(stored(user.id)))?.expires.getTime() - Date.now()) / DAY;
    };
    expect(await endAfter(500)).toBeLessThan(2);
    expect(await endAfter(700)).toBeGreaterThan(13);
  });
});

describe('the reset of a password', () => {
  /** @shows POST /api/auth/send-reset */
  test('gives the same answer for a known and an unknown e-mail', async () => {
    const { email } = await signUp(server);
    const known = await server.browser().post('/api/auth/send-reset').send({ email }).expect(200);
    const unknown = await server.browser().post('/api/auth/send-reset').send({ email: 'no@example.org' }).expect(200);
    expect(known.body).toEqual(unknown.body);
    expect(known.body).toMatchObject({ sent: false, message: expect.stringContaining('This server sends no mail.') });
  });
});

describe('another site’s page', () => {
  test('cannot change anything with the person’s session', async () => {
    const { browser } = await signUp(server);
    const hire = () => browser.post('/api/user-agents/hire').send({ agentId: 'mdr' });
    expect((await hire().set('Origin', 'https://evil.example')).body.code).toBe('cross_site');
    expect((await hire().set('Sec-Fetch-Site', 'cross-site')).body.code).toBe('cross_site');
    expect((await hire().set('Origin', server.url)).status).toBe(200);
  });

  test.each(['websocket', 'polling'])('opens no socket with it, by %s', async (transport) => {
    const { cookie } = await signUp(server);
    const open = async (headers: object) => {
      const extraHeaders = { cookie, ...headers };
      const socket = connect(server.url, {
        transports: [transport],
        extraHeaders,
        forceNew: true,
        reconnection: false,
      });
      const opened = await new Promise<boolean>((resolve) => {
        socket.once('connect', () => resolve(true));
        socket.once('connect_error', () => resolve(false));
      });
      socket.close();
      return opened;
    };
    expect(await open({ origin: 'https://evil.example' })).toBe(false);
    expect(await open({ 'sec-fetch-site': 'cross-site' })).toBe(false);
    expect(await open({ 'sec-fetch-site': 'same-site', origin: server.url })).toBe(false);
    expect(await open({ 'sec-fetch-site': 'same-origin', origin: server.url })).toBe(true);
  });
});

test('the answer to invalid JSON has no internal details', async () => {
  const { body, status } = await server.browser().post('/api/login').type('json').send('{"email":');
  expect(status).toBe(400);
  expect(body).toEqual({
    error: 'Something that was sent is missing or invalid. Check it and try again.',
    code: 'bad_request',
  });
});

test('the session says where language models run', async () => {
  expect((await server.browser().get('/api/auth/status').expect(200)).body.modelRegion).toBe('none');
});

describe('a page that shows another person than its session’s', () => {
  const shown = ({ user }: { user: { id: number; accountId: number } }) => `${user.id}.${user.accountId}`;

  test('neither reads nor writes the other account in any call, and is told so', async () => {
    const [ann, ben] = await Promise.all([signUp(server), signUp(server, { firstName: 'Ben' })]);
    const silent: string[] = [];
    for (const { method, path, policy } of bound.values()) {
      // Programs sign in with a token of their own, whoever the browser shows.
      if (policy === 'public' || policy === 'token') continue;
      const url = path.replace(/:\w+/g, '1');
      const { status, body } = await ben.browser[method](url).set('Arc-Person', shown(ann)).send({});
      // Whether the caller is permitted at all is checked first.
      if (status !== 412 && !(policy === 'admin' && status === 403)) silent.push(`${method} ${path}: ${status}`);
      else if (status === 412) expect(body.code).toBe('other_person');
    }
    expect(silent).toEqual([]);
    const write = (key: string) =>
      ben.browser.put('/api/preferences').set('Arc-Person', key).send({ firstName: 'Ann', companyName: 'Ann Ltd' });
    await write(shown(ann)).expect(412);
    await write(`${ben.user.id}.${ann.user.accountId}`).expect(412);
    expect((await ben.browser.get('/api/preferences').expect(200)).body.firstName).toBe('Ben');
    await write(shown(ben)).expect(200);
  });

  test('is refused by the socket', async () => {
    const [ann, ben] = await Promise.all([signUp(server), signUp(server)]);
    await expect(server.socket(ben.cookie, { person: shown(ann) })).rejects.toThrow('Somebody else is now signed in');
    await server.socket(ben.cookie, { person: shown(ben) });
  });

  test('can still see who is signed in, and sign out and in', async () => {
    const [ann, ben] = await Promise.all([signUp(server), signUp(server)]);
    const as = <T extends { set(name: string, value: string): T }>(call: T) => call.set('Arc-Person', shown(ann));
    expect((await as(ben.browser.get('/api/auth/status')).expect(200)).body.user.id).toBe(ben.user.id);
    await as(ben.browser.post('/api/logout')).expect(200);
    await as(ben.browser.post('/api/login')).send({ email: ben.email, password: ben.password }).expect(200);
  });
});
