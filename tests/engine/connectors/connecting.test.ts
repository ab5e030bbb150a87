/** @environment connectors */
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { makeConnection } from '../../../bot/engine/connectors/connection.ts';
import { hasCredentials } from '../../../bot/engine/connectors/connector.ts';
import { ConnectorGrant } from '../../../models/connectorGrant.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { provider } from '../../environments/connectors.ts';
import { defineThings } from '../../factories/madeUpConnector.ts';
import { type Person, signUp } from '../../factories/person.ts';
import { type Server, startServer } from '../../factories/server.ts';
import {
  connect,
  consent,
  openThings,
  readGrant,
  readState,
  readTokens,
  redirectUri,
  returnFromProvider,
  settings,
} from '../../factories/thingsPlace.ts';
import { makeWho } from '../../factories/who.ts';

let server: Server;
let owner: Person;
beforeAll(async () => {
  server = await startServer();
  openThings();
  owner = await signUp(server);
});
afterAll(() => server.stop());
afterEach(() => {
  jest.restoreAllMocks();
  provider.recover();
  Object.assign(settings, { baseUrl: provider.url, clientSecret: provider.client.secret });
});

const CONNECTED = { authenticated: true, enabled: true, error: null, configured: true };
const FAILED = (error: string) => `/workspace?oauth=error&service=things&error=${error}`;
const askedFor = (path: string) => provider.asked.filter((it) => it.path === path);

describe('connecting a tool', () => {
  test('requests the tool’s scopes from the provider, and proves with PKCE who started it', async () => {
    provider.asked.length = 0;
    expect(await connect(owner)).toBe('/workspace?oauth=success&service=things');
    const [page, change] = provider.asked;
    expect(page).toEqual({
      client_id: 'arc',
      response_type: 'code',
      redirect_uri: redirectUri,
      scope: 'openid things:read',
      state: expect.stringMatching(/^[\w-]{32}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      prompt: 'consent',
    });
    expect(change).toEqual({
      path: '/token',
      grant_type: 'authorization_code',
      client_id: 'arc',
      client_secret: 'shh',
      redirect_uri: redirectUri,
      code: expect.stringMatching(/^code-/),
      code_verifier: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  test('stores the tokens sealed, with who consented to what and when, and switches on all names of the tool', async () => {
    const before = Date.now();
    await connect(owner);
    const row = await readGrant(owner);
    expect(row).toMatchObject({
      accountId: owner.user.accountId,
      scopes: ['openid', 'things:read'],
      grantedBy: owner.user.id,
      sealed: { keyId: expect.any(String) },
      revokedAt: null,
      error: null,
    });
    expect(row?.grantedAt.getTime()).toBeGreaterThanOrEqual(before);
    const tokens = await readTokens(owner);
    expect(tokens).toMatchObject({ place: { id: 'w1', name: 'Quillmere' } });
    expect(provider.isValid(tokens.accessToken)).toBe(true);
    expect(tokens.expiresAt).toBeGreaterThanOrEqual(Math.floor(before / 1000) + 3600);
    expect(tokens.expiresAt).toBeLessThanOrEqual(Date.now() / 1000 + 3600);
    expect(JSON.stringify(row)).not.toContain(tokens.accessToken);
    expect(await readState(owner)).toEqual(CONNECTED);
    for (const name of ['things', 'thingnotes', 'stuff'])
      expect((await owner.browser.get(`/api/oauth/status/${name}`).expect(200)).body).toEqual(CONNECTED);
  });

  test('again replaces the grant: one grant covers all its tools, so all scopes are requested again', async () => {
    await connect(owner);
    const before = await readTokens(owner);
    provider.asked.length = 0;
    expect(await connect(owner, 'thingnotes')).toBe('/workspace?oauth=success&service=thingnotes');
    expect(provider.asked[0]).toMatchObject({ scope: 'openid things:read notes:write', redirect_uri: redirectUri });
    expect((await readTokens(owner)).accessToken).not.toBe(before.accessToken);
    expect((await readGrant(owner))?.scopes).toEqual(['openid', 'things:read', 'notes:write']);
    const { accountId } = owner.user;
    expect(await runInAccount(accountId, () => ConnectorGrant.countDocuments({}))).toBe(1);
    expect(await connect(owner, 'stuff')).toBe('/workspace?oauth=success&service=things');
  });

  test('again does not request what a provider has added to the scopes by itself', async () => {
    provider.behaviour.granted = 'notes:write openid profile.of.theirs';
    await connect(await begin(), 'thingnotes');
    provider.recover();
    provider.asked.length = 0;
    await connect(other, 'thingnotes');
    expect(provider.asked[0]).toMatchObject({ scope: 'notes:write openid' });
  });

  test('requests no id token if the tool does not need to know who somebody is', async () => {
    provider.asked.length = 0;
    expect(await connect(await begin(), 'thingnotes')).toContain('oauth=success');
    expect(provider.asked[0]).toMatchObject({ scope: 'notes:write' });
    expect(provider.asked[0]).not.toHaveProperty('nonce');
  });

  test('requests no scopes if the provider has none, at the provider’s own address', async () => {
    const { connector } = makeConnection(defineThings({ ...settings, baseUrl: '' }, { scopes: {} }));
    const who = makeWho();
    const it = { service: 'things', state: 'the state' };
    const { address } = await runInAccount(who.accountId, async () => connector.begin(who, it));
    const page = new URL(address);
    expect(page.origin + page.pathname).toBe('https://things.example/authorize');
    expect(page.searchParams.has('scope')).toBe(false);
  });

  test.each([
    ['arc', 'shh', true],
    ['arc', '', false],
    ['', 'shh', false],
    ['', '', false],
  ])('needs both credentials: with %p and %p it is %p', (clientId, clientSecret, possible) =>
    expect(hasCredentials(defineThings({ clientId, clientSecret, baseUrl: '' }))).toBe(possible),
  );

  test('stores tokens without an expiry or a refresh token as they are', async () => {
    provider.behaviour.lifetime = null;
    await connect(owner);
    expect(await readTokens(owner)).toMatchObject({ expiresAt: null });
  });

  test('stores the granted scopes if they are fewer than requested', async () => {
    provider.behaviour.granted = 'openid';
    await connect(await begin());
    expect((await readGrant(other))?.scopes).toEqual(['openid']);
  });

  let other: Person;
  /** Somebody of another company. */
  const begin = async () => {
    other = await signUp(server);
    return other;
  };

  describe('fails', () => {
    beforeAll(begin);
    afterEach(async () => {
      // Whatever went wrong, nothing is stored and nothing is switched on.
      expect(await readGrant(other)).toBeNull();
      expect(await readState(other)).toEqual({ ...CONNECTED, authenticated: false, enabled: false });
    });

    test('when the person denies it', async () => {
      provider.behaviour.denies = true;
      provider.asked.length = 0;
      expect(await connect(other)).toBe(FAILED('access_denied'));
      expect(askedFor('/token')).toEqual([]);
    });

    test('with a state that was not started here, belongs to somebody else or was used', async () => {
      const back = await consent(other);
      expect(await returnFromProvider(owner, back)).toContain('error=not_begun_here');
      // A state that another session presents is used up.
      expect(await returnFromProvider(other, back)).toContain('error=not_begun_here');
      back.searchParams.set('state', 'x'.repeat(32));
      expect(await returnFromProvider(other, back)).toContain('error=not_begun_here');
    });

    test.each([
      ['a code that the provider never gave', async (back: URL) => back.searchParams.set('code', 'code-of-nobody')],
      [
        'a code that belongs to another beginning',
        async (back: URL) => {
          const earlier = (await consent(other)).searchParams.get('code') ?? '';
          back.searchParams.set('code', earlier);
        },
      ],
    ])('with %s', async (_what, change) => {
      const back = await consent(other);
      await change(back);
      expect(await returnFromProvider(other, back)).toBe(FAILED('connection_refused'));
    });

    test('with an expired code', async () => {
      provider.behaviour.codeLifetime = 0;
      expect(await connect(other)).toBe(FAILED('connection_refused'));
    });

    test('when the id token was issued for another attempt', async () => {
      provider.behaviour.nonce = 'of another beginning';
      expect(await connect(other)).toBe(FAILED('connection_refused'));
    });

    test('when the provider refuses the token that it issued', async () => {
      const back = await consent(other);
      provider.failAfter('/token', 401);
      expect(await returnFromProvider(other, back)).toBe(FAILED('connection_refused'));
    });

    test.each([500, 503, 429])('when the provider answers %i', async (status) => {
      const back = await consent(other);
      provider.fail(status, 'server_error');
      expect(await returnFromProvider(other, back)).toBe(FAILED('temporarily_unavailable'));
    });

    test('when the provider answers 500 about who the person is', async () => {
      const back = await consent(other);
      provider.failAfter('/token', 500, 3);
      expect(await returnFromProvider(other, back)).toBe(FAILED('temporarily_unavailable'));
    });

    test('when the provider does not know this server', async () => {
      const back = await consent(other);
      settings.clientSecret = 'of another deployment';
      expect(await returnFromProvider(other, back)).toBe(FAILED('connection_refused'));
    });

    test('when the provider can’t be reached', async () => {
      const back = await consent(other);
      settings.baseUrl = 'http://127.0.0.1:1';
      expect(await returnFromProvider(other, back)).toBe(FAILED('temporarily_unavailable'));
    });

    test('when the provider does not answer within eight seconds', async () => {
      const back = await consent(other);
      const timeout = AbortSignal.timeout.bind(AbortSignal);
      const waited: number[] = [];
      jest.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
        waited.push(milliseconds);
        return timeout(20);
      });
      provider.hold();
      expect(await returnFromProvider(other, back)).toBe(FAILED('temporarily_unavailable'));
      expect(waited).toEqual([8000]);
    });
  });

  test('with a used code revokes what that code had granted, and opens nothing new', async () => {
    const person = await begin();
    const first = await consent(person);
    await returnFromProvider(person, first);
    const { accessToken } = await readTokens(person);
    const again = await consent(person);
    again.searchParams.set('code', first.searchParams.get('code') ?? '');
    expect(await returnFromProvider(person, again)).toBe(FAILED('connection_refused'));
    expect((await readTokens(person)).accessToken).toBe(accessToken);
    expect(provider.isValid(accessToken)).toBe(false);
  });

  test('twice at the same moment connects once, with the later tokens', async () => {
    const person = await begin();
    const backs = [await consent(person), await consent(person)];
    // The other one inserts its row in between.
    const duplicate = Object.assign(new Error('duplicate'), { code: 11_000 });
    jest.spyOn(ConnectorGrant, 'updateOne').mockImplementationOnce((() => Promise.reject(duplicate)) as never);
    for (const back of backs) expect(await returnFromProvider(person, back)).toContain('oauth=success');
    expect(provider.isValid((await readTokens(person)).accessToken)).toBe(true);
  });

  test('needs a redirect address that is registered letter by letter', async () => {
    const begun = await owner.browser.get('/api/oauth/things/authorize').expect(302);
    const page = new URL(String(begun.headers.location));
    page.searchParams.set('redirect_uri', `${redirectUri}/`);
    expect((await fetch(page, { redirect: 'manual' })).status).toBe(400);
  });
});
