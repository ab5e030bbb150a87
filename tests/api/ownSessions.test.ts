import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { OwnSession } from '../../models/contracts/auth.ts';
import { User } from '../../models/user.ts';
import { type Person, signUp } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0';

/** Another browser in which the person signs in. */
async function signInAgain({ email, password }: Pick<Person, 'email' | 'password'>, agent = FIREFOX) {
  const browser = server.browser();
  const answer = await browser.post('/api/login').set('User-Agent', agent).send({ email, password });
  return { browser, status: answer.status };
}
type Browser = Person['browser'];
const sessionsOf = async (browser: Browser): Promise<OwnSession[]> =>
  (await browser.get('/api/auth/sessions').expect(200)).body.sessions;
const isSignedIn = async (browser: Browser) => (await browser.get('/api/auth/status')).body.authenticated;
const change = (browser: Browser, password: string, newPassword: string) =>
  browser.post('/api/auth/change-password').send({ password, newPassword });

describe('where a person is signed in', () => {
  /** @shows GET /api/auth/sessions */
  test('is listed with device, company and times, and this session is marked', async () => {
    const ada = await signUp(server);
    const { browser } = await signInAgain(ada);
    const [first, ...more] = await sessionsOf(browser);
    expect(more).toHaveLength(1);
    expect(first).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      device: 'Firefox on Windows',
      companyName: 'Ada’s company',
      since: expect.any(String),
      lastUsed: expect.any(String),
      current: true,
    });
    expect((await sessionsOf(ada.browser)).map(({ current }) => current)).toEqual([false, true]);
    // The id of the cookie is nowhere in it.
    expect(JSON.stringify(first)).not.toContain(decodeURIComponent(ada.cookie).slice(10, 30));
  });

  /** @shows DELETE /api/auth/sessions/:id */
  test('is signed out one by one, by nobody else', async () => {
    const [ada, ben] = [await signUp(server), await signUp(server)];
    const { browser: other } = await signInAgain(ada);
    const id = (await sessionsOf(ada.browser)).find(({ current }) => !current)?.id;
    expect((await ben.browser.delete(`/api/auth/sessions/${id}`)).status).toBe(404);
    expect(await isSignedIn(other)).toBe(true);
    await ada.browser.delete(`/api/auth/sessions/${id}`).expect(200);
    expect([await isSignedIn(other), await isSignedIn(ada.browser), await isSignedIn(ben.browser)]).toEqual([
      false,
      true,
      true,
    ]);
    expect(await sessionsOf(ada.browser)).toHaveLength(1);
    expect((await ada.browser.delete(`/api/auth/sessions/${id}`)).status).toBe(404);
  });

  /** @shows POST /api/auth/sessions/end-others */
  test('is signed out everywhere else at once', async () => {
    const [ada, ben] = [await signUp(server), await signUp(server)];
    const others = [await signInAgain(ada), await signInAgain(ada)];
    await ada.browser.post('/api/auth/sessions/end-others').expect(200);
    expect(await Promise.all(others.map(({ browser }) => isSignedIn(browser)))).toEqual([false, false]);
    expect([await isSignedIn(ada.browser), await isSignedIn(ben.browser)]).toEqual([true, true]);
    expect(await sessionsOf(ada.browser)).toHaveLength(1);
  });
});

describe('a page in a platform’s frame', () => {
  const bearer = async (token: string, path = '/api/auth/sessions') =>
    (await server.browser().get(path).set('Authorization', `Bearer ${token}`)).status;

  test.each([
    ['signing out everywhere else', (ada: Person) => ada.browser.post('/api/auth/sessions/end-others')],
    ['another password', (ada: Person) => change(ada.browser, ada.password, 'another-horse-2')],
  ])('is signed out by %s, and in again by a new token', async (_what, end) => {
    const { makeShortToken } = await import('../../bot/engine/accounts/shortTokens.ts');
    const ada = await signUp(server);
    const who = { userId: ada.user.id, accountId: ada.user.accountId };
    const before = await makeShortToken(who);
    expect(await bearer(before)).toBe(200);
    await end(ada).expect(200);
    expect([await bearer(before), await bearer(await makeShortToken(who))]).toEqual([401, 200]);
  });

  test('changes no session: it has none', async () => {
    const { makeShortToken } = await import('../../bot/engine/accounts/shortTokens.ts');
    const ada = await signUp(server);
    const token = await makeShortToken({ userId: ada.user.id, accountId: ada.user.accountId });
    for (const path of ['auth/sessions/end-others', 'account/leave', 'auth/change-password']) {
      const body = { password: ada.password, newPassword: 'another-horse-2' };
      const { status } = await server.browser().post(`/api/${path}`).set('Authorization', `Bearer ${token}`).send(body);
      expect([path, status]).toEqual([path, 403]);
    }
    expect(await isSignedIn(ada.browser)).toBe(true);
  });
});

describe('the own password', () => {
  /** @shows POST /api/auth/change-password */
  test('is changed with the current one, and every other session ends', async () => {
    const ada = await signUp(server);
    const { browser: other } = await signInAgain(ada);
    await change(ada.browser, ada.password, 'another-horse-2').expect(200);
    expect([await isSignedIn(ada.browser), await isSignedIn(other)]).toEqual([true, false]);
    expect((await signInAgain(ada)).status).toBe(401);
    expect((await signInAgain({ ...ada, password: 'another-horse-2' })).status).toBe(200);
  });

  test('stays where the current one is wrong, the new one is weak, or they are the same', async () => {
    const ada = await signUp(server);
    const { browser: other } = await signInAgain(ada);
    const fields = async (password: string, newPassword: string) => {
      const { status, body } = await change(ada.browser, password, newPassword);
      return [status, body.fields];
    };
    expect(await fields('wrong-horse-1', 'another-horse-2')).toEqual([
      400,
      { password: 'This is not your current password.' },
    ]);
    expect(await fields(ada.password, 'password1')).toEqual([400, { newPassword: expect.stringContaining('common') }]);
    expect(await fields(ada.password, 'short')).toEqual([400, { newPassword: expect.any(String) }]);
    expect(await fields(ada.password, ada.password)).toEqual([
      400,
      { newPassword: 'Choose another password than the current one.' },
    ]);
    expect(await isSignedIn(other)).toBe(true);
    expect((await signInAgain(ada)).status).toBe(200);
  });

  test('can’t be changed by somebody who has none: a code sets the first', async () => {
    const ada = await signUp(server);
    await User.updateOne({ _id: ada.user.id }, { $set: { passwordHash: null } });
    expect((await change(ada.browser, ada.password, 'another-horse-2')).body.fields).toEqual({
      password: 'This is not your current password.',
    });
  });
});

describe('leaving a company', () => {
  const invite = async (owner: Person, email: string, roles = ['member']) => {
    const { body } = await owner.browser.post('/api/account/members').send({ email, roles }).expect(200);
    return new URL(body.invitation.link).searchParams.get('invitation');
  };
  const companiesOf = async ({ browser }: Person) =>
    (await browser.get('/api/account/mine').expect(200)).body.accounts as { name: string; current: boolean }[];
  const auditOf = async ({ browser }: Person) =>
    (await browser.get('/api/audit').expect(200)).body.events.map(({ event }: { event: string }) => event);

  /** @shows POST /api/account/leave */
  test('goes on in another company of the person, and the company they left has them no more', async () => {
    const [owner, ada] = [await signUp(server, { firstName: 'Olu' }), await signUp(server, { firstName: 'Ada' })];
    const token = await invite(owner, ada.email, ['member', 'approver']);
    await ada.browser.post('/api/account/invitations/accept').send({ token }).expect(200);
    expect((await companiesOf(ada)).find(({ current }) => current)?.name).toBe('Olu’s company');
    const { body } = await ada.browser.post('/api/account/leave').expect(200);
    expect(body).toEqual({ success: true, companyName: 'Olu’s company' });
    expect(await companiesOf(ada)).toEqual([expect.objectContaining({ name: 'Ada’s company', current: true })]);
    const members = (await owner.browser.get('/api/account/members').expect(200)).body.members;
    expect(members.map(({ email }: { email: string }) => email)).toEqual([owner.email]);
    expect(await auditOf(owner)).toContain('member.left');
  });

  test('is refused to the last owner, and allowed once there is another', async () => {
    const [owner, ada] = [await signUp(server), await signUp(server)];
    const refused = await owner.browser.post('/api/account/leave');
    expect([refused.status, refused.body.fields.roles]).toEqual([
      400,
      'A company needs an owner: make somebody else an owner first.',
    ]);
    const token = await invite(owner, ada.email, ['owner']);
    await ada.browser.post('/api/account/invitations/accept').send({ token }).expect(200);
    await owner.browser.post('/api/account/leave').expect(200);
    // They had no other company, so they go on in a new one of their own.
    const [alone, ...more] = await companiesOf(owner);
    expect(more).toEqual([]);
    expect(alone).toMatchObject({ current: true, roles: ['owner'] });
    expect((await owner.browser.get('/api/account/members')).body.members).toHaveLength(1);
  });
});
