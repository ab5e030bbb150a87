/** @environment connectors */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { ConnectorGrant } from '../../../models/connectorGrant.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { requireRow } from '../../../models/store/requireRow.ts';
import { provider } from '../../environments/connectors.ts';
import { type Person, signUp } from '../../factories/person.ts';
import { type Server, startServer } from '../../factories/server.ts';
import {
  connect,
  connectWithExpiringToken,
  openAccess,
  openThings,
  readGrant,
  readState,
  readTokens,
} from '../../factories/thingsPlace.ts';

let server: Server;
let owner: Person;
beforeAll(async () => {
  server = await startServer();
  openThings();
});
afterAll(() => server.stop());
beforeEach(async () => {
  owner = await signUp(server);
});
afterEach(() => {
  jest.restoreAllMocks();
  provider.recover();
});

const ME = 'https://api.things.example/me';
const NOT_CONNECTED = { code: 'not_configured', message: expect.stringContaining('Things is not connected') };
const RENEWAL_REFUSED = 'Things no longer renews the access. Connect it again to continue.';
const WITHDRAWN = 'Things has withdrawn the access. Connect it again to continue.';
const renewals = () => provider.asked.filter(({ grant_type }) => grant_type === 'refresh_token');
const inAccount = <T>({ user }: Person, work: () => Promise<T>) => runInAccount(user.accountId, work);

describe('a grant', () => {
  test('gives access: the provider is called at its own address with a valid token', async () => {
    await connect(owner);
    const { send, place, scopes } = await openAccess(owner);
    expect({ place, scopes }).toEqual({
      place: { id: 'w1', name: 'Quillmere' },
      scopes: ['openid', 'things:read'],
    });
    const timeout = jest.spyOn(AbortSignal, 'timeout');
    expect(await (await send(ME)).json()).toEqual({ id: 'w1', name: 'Quillmere' });
    expect(timeout).toHaveBeenCalledWith(30_000);
  });

  test('gives no access to another account', async () => {
    await connect(owner);
    const other = await signUp(server);
    await expect(openAccess(other)).rejects.toMatchObject(NOT_CONNECTED);
    await connect(other);
    const { sealed } = requireRow(await readGrant(owner));
    await inAccount(other, () => ConnectorGrant.updateOne({}, { $set: { sealed } }));
    await expect(openAccess(other)).rejects.toThrow();
  });

  test('that is switched off gives no access until it is switched on again', async () => {
    await connect(owner);
    const toggle = (enabled: boolean) =>
      owner.browser.post('/api/integrations/toggle').send({ integrationId: 'stuff', enabled }).expect(200);
    await toggle(false);
    await expect(openAccess(owner)).rejects.toMatchObject(NOT_CONNECTED);
    await toggle(true);
    expect((await openAccess(owner)).place).toMatchObject({ id: 'w1' });
  });

  test('is refreshed once, however many callers need it, and the new tokens are stored', async () => {
    await connectWithExpiringToken(owner);
    const before = await readTokens(owner);
    const opened = await Promise.all(Array.from({ length: 10 }, () => openAccess(owner)));
    expect(renewals()).toEqual([expect.objectContaining({ refresh_token: before.refreshToken })]);
    for (const { send } of opened) expect((await send(ME)).status).toBe(200);
    const after = await readTokens(owner);
    expect(after).toMatchObject({ place: { id: 'w1', name: 'Quillmere' } });
    expect(after.refreshToken).not.toBe(before.refreshToken);
    expect(provider.isValid(after.accessToken)).toBe(true);
  });

  test('that does not say when it expires is refreshed when it is refused, once, and the call is made again', async () => {
    provider.behaviour.lifetime = null;
    await connect(owner);
    const opened = await Promise.all([openAccess(owner), openAccess(owner)]);
    provider.endAccess();
    provider.asked.length = 0;
    for (const { send } of opened) expect((await send(ME)).status).toBe(200);
    expect(renewals()).toHaveLength(1);
    expect(provider.isValid((await readTokens(owner)).accessToken)).toBe(true);
    expect(await readState(owner)).toMatchObject({ authenticated: true, error: null });
  });

  test('keeps its refresh token if the provider issues no new one', async () => {
    await connectWithExpiringToken(owner);
    const { refreshToken } = await readTokens(owner);
    provider.behaviour.rotates = false;
    await openAccess(owner);
    expect((await readTokens(owner)).refreshToken).toBe(refreshToken);
  });
});

describe('a grant ends', () => {
  /** The pages show an error; what was switched on stays so until it is connected again. */
  const expectEnded = async (error: string) => {
    expect(await readState(owner)).toEqual({ authenticated: false, enabled: true, error, configured: true });
    expect(await readGrant(owner)).toMatchObject({ revokedAt: expect.any(Date), error });
    expect(await readTokens(owner)).toBeNull();
    await expect(openAccess(owner)).rejects.toMatchObject(NOT_CONNECTED);
  };

  test('when the provider refuses to refresh it; reconnecting makes it work again', async () => {
    await connectWithExpiringToken(owner);
    provider.revokeAll();
    await expect(openAccess(owner)).rejects.toMatchObject(NOT_CONNECTED);
    await expectEnded(RENEWAL_REFUSED);
    const renewal = { by: 'a process that was killed', until: new Date(Date.now() + 60_000) };
    await inAccount(owner, () => ConnectorGrant.updateOne({}, { $set: { renewal } }));
    expect(await connect(owner)).toContain('oauth=success');
    expect(await readState(owner)).toMatchObject({ authenticated: true, error: null });
    expect(await readGrant(owner)).toMatchObject({ revokedAt: null, error: null, renewal: null });
    expect((await openAccess(owner)).place).toMatchObject({ id: 'w1' });
  });

  test('when somebody else used its refresh token, because the provider then revokes both', async () => {
    await connectWithExpiringToken(owner);
    const { refreshToken } = await readTokens(owner);
    const form = { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: 'arc', client_secret: 'shh' };
    const stolen = await fetch(`${provider.url}/token`, { method: 'POST', body: new URLSearchParams(form) });
    const { access_token } = (await stolen.json()) as { access_token: string };
    expect(provider.isValid(access_token)).toBe(true);
    await expect(openAccess(owner)).rejects.toMatchObject(NOT_CONNECTED);
    expect(provider.isValid(access_token)).toBe(false);
    await expectEnded(RENEWAL_REFUSED);
  });

  test('when the provider revoked the token, with the first refused call', async () => {
    await connect(owner);
    const { send } = await openAccess(owner);
    provider.revokeAll();
    await expect(send(ME)).rejects.toMatchObject({ kind: 'refused' });
    await expectEnded(WITHDRAWN);
  });

  test('when a token without an expiry is refused and can’t be refreshed', async () => {
    provider.behaviour.lifetime = null;
    await connect(owner);
    const { send } = await openAccess(owner);
    provider.revokeAll();
    await expect(send(ME)).rejects.toMatchObject({ kind: 'refused' });
    await expectEnded(RENEWAL_REFUSED);
  });

  test('not when one call is refused while the provider still accepts the token', async () => {
    await connect(owner);
    const { send } = await openAccess(owner);
    provider.fail(401, 'invalid_token');
    await expect(send(ME)).rejects.toMatchObject({ kind: 'refused' });
    expect(await readState(owner)).toMatchObject({ authenticated: true, error: null });
    expect((await send(ME)).status).toBe(200);
  });

  test('not when one call is refused while the provider can’t say whether it accepts the token', async () => {
    await connect(owner);
    const { send } = await openAccess(owner);
    provider.fail(401, 'invalid_token');
    provider.fail(500, 'server_error', 3);
    await expect(send(ME)).rejects.toMatchObject({ kind: 'refused' });
    expect(await readState(owner)).toMatchObject({ authenticated: true, error: null });
  });

  test('not when the refused token was already replaced by a newer consent', async () => {
    await connect(owner);
    const { send } = await openAccess(owner);
    provider.revokeAll();
    await connect(owner);
    await expect(send(ME)).rejects.toMatchObject({ kind: 'refused' });
    expect((await openAccess(owner)).place).toMatchObject({ id: 'w1' });
  });

  test.each([
    [500, 'server_error', 'provider_unavailable'],
    [429, 'invalid_grant', 'provider_unavailable'],
    // This server's own credentials are wrong, which says nothing about the grant.
    [401, 'invalid_client', 'not_available'],
  ])('not with a provider’s %i %s: it is asked again', async (status, error, code) => {
    await connectWithExpiringToken(owner);
    provider.fail(status, error);
    await expect(openAccess(owner)).rejects.toMatchObject({ code });
    expect(await readState(owner)).toMatchObject({ authenticated: true, error: null });
    expect((await openAccess(owner)).place).toMatchObject({ id: 'w1' });
  });

  test.each([500, 429])('not with a %i answer to a call, which concerns the caller', async (status) => {
    await connect(owner);
    const { send } = await openAccess(owner);
    provider.fail(status, 'server_error', 3);
    provider.asked.length = 0;
    const failure = { name: 'ProviderFailure', kind: 'unavailable', message: `it answers ${status}` };
    await expect(send(ME)).rejects.toMatchObject(failure);
    expect(provider.asked.map(({ path }) => path)).toEqual(['/me', '/me', '/me']);
    expect(await readState(owner)).toMatchObject({ authenticated: true });
  });
});
