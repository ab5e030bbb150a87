import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { LOGINS } from '../../bot/engine/logins/providers.ts';
import type { LoginProvider } from '../../models/contracts/oauth.ts';
import { baseUrl } from '../../models/env.ts';
import { OauthState } from '../../models/oauthState.ts';
import { User } from '../../models/user.ts';
import { signUp } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';
import { type FakeProvider, startProvider } from '../fakes/provider.ts';

let server: Server;
let provider: FakeProvider;
const configured = { google: { ...LOGINS.google }, microsoft: { ...LOGINS.microsoft } };
const PROVIDERS: LoginProvider[] = ['google', 'microsoft'];
beforeAll(async () => {
  const redirectUris = PROVIDERS.map((name) => `${baseUrl()}/api/oauth/${name}/auth/callback`);
  const paths = { authorize: '/authorize', token: '/token' };
  [server, provider] = await Promise.all([
    startServer(),
    startProvider({ id: 'arc', secret: 'shh', redirectUris }, paths),
  ]);
  const settings = () => ({ clientId: 'arc', clientSecret: 'shh', baseUrl: provider.url });
  for (const name of PROVIDERS)
    Object.assign(LOGINS[name], {
      settings,
      authorize: () => 'https://login.example/authorize',
      token: () => 'https://login.example/token',
    });
});
afterAll(async () => {
  Object.assign(LOGINS, configured);
  await server.stop();
  await provider.stop();
});
afterEach(() => {
  jest.restoreAllMocks();
  provider.recover();
});

type Browser = ReturnType<Server['browser']>;
/** Logs in on the provider's page. @returns the address that the provider redirects to */
async function consent(browser: Browser, name: string): Promise<URL> {
  const begun = await browser.get(`/api/oauth/${name}/auth`).expect(302);
  const page = await fetch(String(begun.headers.location), { redirect: 'manual' });
  return new URL(page.headers.get('location') ?? '');
}
const returnTo = async (browser: Browser, back: URL) =>
  String((await browser.get(`${back.pathname}${back.search}`).expect(302)).headers.location);
async function logIn(name: LoginProvider, claims: Record<string, unknown>, browser = server.browser()) {
  provider.behaviour.claims = claims;
  const page = await returnTo(browser, await consent(browser, name));
  return { page, status: (await browser.get('/api/auth/status').expect(200)).body };
}
const anyone = () => `${randomUUID()}@example.org`;
const SAYS: Record<LoginProvider, object> = { google: { email_verified: true }, microsoft: { xms_edov: true } };
const failed = (name: string, error: string) => `/auth?oauth=error&service=${name}&error=${error}`;

describe.each(PROVIDERS)('logging in with %s', (name) => {
  /** @shows GET /api/oauth/:provider/auth/callback, GET /api/oauth/:provider/auth */
  test('makes an account for a new e-mail, and opens the same one the next time', async () => {
    const email = anyone();
    const claims = { ...SAYS[name], email: email.toUpperCase(), given_name: 'Grace', family_name: 'Hopper' };
    const { page, status } = await logIn(name, claims);
    expect(page).toBe(`/auth?oauth=success&service=${name}`);
    expect(status).toMatchObject({
      authenticated: true,
      user: { email, firstName: 'Grace', lastName: 'Hopper', emailVerified: true, roles: ['owner'], isAdmin: false },
      providers: { google: true, microsoft: true },
    });
    const again = await logIn(name, { ...SAYS[name], email });
    expect(again.status.user).toMatchObject({ id: status.user.id, accountId: status.user.accountId });
    expect(await User.countDocuments({ email })).toBe(1);
    expect(await User.findOne({ email }).lean()).toMatchObject({ passwordHash: null, verifiedBy: 'provider' });
  });

  test('opens the account of a known e-mail that was confirmed; refuses one that never was', async () => {
    const person = await signUp(server);
    const claims = { ...SAYS[name], email: person.email };
    expect((await logIn(name, claims)).page).toBe(failed(name, 'account_not_confirmed'));
    await User.updateOne({ email: person.email }, { $set: { emailVerified: true } });
    const { page, status } = await logIn(name, claims);
    expect(page).toContain('oauth=success');
    expect(status.user).toMatchObject({ id: person.user.id, accountId: person.user.accountId });
  });

  test.each([
    ['says that it is not confirmed', { email_verified: false, xms_edov: false }],
    ['does not say that it is confirmed', {}],
    ['names none', { email_verified: true, xms_edov: true, email: undefined }],
    ['names something else', { email_verified: true, xms_edov: true, email: 'nobody' }],
  ])('refuses an e-mail of which the provider %s, and makes nobody', async (_what, claims) => {
    const email = anyone();
    const { page, status } = await logIn(name, { email, ...claims });
    expect(page).toBe(failed(name, 'email_not_confirmed'));
    expect(status.authenticated).toBe(false);
    expect(await User.exists({ email })).toBeNull();
  });

  test('fails when it is denied, with another state, a used one, or an expired code', async () => {
    provider.behaviour.denies = true;
    expect((await logIn(name, {})).page).toBe(failed(name, 'access_denied'));
    provider.recover();
    provider.behaviour.claims = { ...SAYS[name], email: anyone() };
    const browser = server.browser();
    const back = await consent(browser, name);
    // Another browser that gets hold of the address can't use it, and uses it up.
    expect(await returnTo(server.browser(), back)).toBe(failed(name, 'not_begun_here'));
    expect(await returnTo(browser, back)).toBe(failed(name, 'not_begun_here'));
    const once = await consent(browser, name);
    expect(await returnTo(browser, once)).toContain('oauth=success');
    expect(await returnTo(browser, once)).toBe(failed(name, 'not_begun_here'));
    provider.behaviour.codeLifetime = 0;
    expect((await logIn(name, {})).page).toBe(failed(name, 'connection_refused'));
  });

  test('fails when the provider is down, or its id token belongs to another login', async () => {
    const browser = server.browser();
    const back = await consent(browser, name);
    provider.fail(503, 'down');
    expect(await returnTo(browser, back)).toBe(failed(name, 'temporarily_unavailable'));
    provider.behaviour.nonce = 'of another login';
    expect((await logIn(name, { ...SAYS[name], email: anyone() })).page).toBe(failed(name, 'connection_refused'));
  });
});

test('a state of one provider opens no login with the other, and asks for no more than who somebody is', async () => {
  provider.behaviour.claims = { email_verified: true, xms_edov: true, email: anyone() };
  provider.asked.length = 0;
  const browser = server.browser();
  const back = await consent(browser, 'google');
  expect(provider.asked[0]).toMatchObject({ scope: 'openid email profile', code_challenge_method: 'S256' });
  back.pathname = '/api/oauth/microsoft/auth/callback';
  expect(await returnTo(browser, back)).toBe(failed('microsoft', 'not_begun_here'));
  expect(await OauthState.countDocuments({ service: 'login:google', accountId: null })).toBeGreaterThan(0);
});
