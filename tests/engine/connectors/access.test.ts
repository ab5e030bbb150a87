/** @environment connectors */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { stdSerializers } from 'pino';
import { makeConnection } from '../../../bot/engine/connectors/connection.ts';
import { ConnectorGrant } from '../../../models/connectorGrant.ts';
import { logger } from '../../../models/logger.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { requireRow } from '../../../models/store/requireRow.ts';
import { provider } from '../../environments/connectors.ts';
import { defineThings } from '../../factories/madeUpConnector.ts';
import { type Person, signUp } from '../../factories/person.ts';
import { type Server, startServer } from '../../factories/server.ts';
import {
  connect,
  consent,
  openAccess,
  openThings,
  readGrant,
  readState,
  readTokens,
  settings,
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
const RENEWED_NO_MORE = 'Things renews the access no more. Connect it again to go on.';
const TAKEN_BACK = 'Things took back the access. Connect it again to go on.';
const renewals = () => provider.asked.filter(({ grant_type }) => grant_type === 'refresh_token');
const inAccount = <T>({ user }: Person, work: () => Promise<T>) => runInAccount(user.accountId, work);

/** Connects with a token that is over at once, so that the next use has to renew it. */
async function connectEnding(): Promise<void> {
  provider.standing.lifetime = 1;
  await connect(owner);
  provider.standing.lifetime = 3600;
  provider.asked.length = 0;
}

describe('a grant', () => {
  test('opens what it was given for: the provider is called at its own address with a good token', async () => {
    await connect(owner);
    const { send, place, scopes } = await openAccess(owner);
    expect({ place, scopes }).toEqual({
      place: { id: 'w1', name: 'Quillmere' },
      scopes: ['openid', 'things:read'],
    });
    expect(await (await send(ME)).json()).toEqual({ id: 'w1', name: 'Quillmere' });
  });

  test('is no other account’s, and nothing of it opens there', async () => {
    await connect(owner);
    const other = await signUp(server);
    await expect(openAccess(other)).rejects.toMatchObject(NOT_CONNECTED);
    await connect(other);
    const { sealed } = requireRow(await readGrant(owner));
    await inAccount(other, () => ConnectorGrant.updateOne({}, { $set: { sealed } }));
    await expect(openAccess(other)).rejects.toThrow();
  });

  test('that is switched off opens nothing until it is switched on again', async () => {
    await connect(owner);
    const toggle = (enabled: boolean) =>
      owner.browser.post('/api/integrations/toggle').send({ integrationId: 'stuff', enabled }).expect(200);
    await toggle(false);
    await expect(openAccess(owner)).rejects.toMatchObject(NOT_CONNECTED);
    await toggle(true);
    expect((await openAccess(owner)).place).toMatchObject({ id: 'w1' });
  });

  test('is renewed once, however many ask, and the new tokens are kept', async () => {
    await connectEnding();
    const before = await readTokens(owner);
    const opened = await Promise.all(Array.from({ length: 10 }, () => openAccess(owner)));
    expect(renewals()).toEqual([expect.objectContaining({ refresh_token: before.refreshToken })]);
    for (const { send } of opened) expect((await send(ME)).status).toBe(200);
    const after = await readTokens(owner);
    expect(after).toMatchObject({ place: { id: 'w1', name: 'Quillmere' } });
    expect(after.refreshToken).not.toBe(before.refreshToken);
    expect(provider.isGood(after.accessToken)).toBe(true);
  });

  test('whose provider gives no new refresh token keeps the one that it has', async () => {
    await connectEnding();
    const { refreshToken } = await readTokens(owner);
    provider.standing.rotates = false;
    await openAccess(owner);
    expect((await readTokens(owner)).refreshToken).toBe(refreshToken);
  });
});

describe('a grant ends', () => {
  /** As the screens show it: an error, and what is switched on stays so until it is connected again. */
  const expectEnded = async (error: string) => {
    expect(await readState(owner)).toEqual({ authenticated: false, enabled: true, error, configured: true });
    expect(await readGrant(owner)).toMatchObject({ revokedAt: expect.any(Date), error });
    expect(await readTokens(owner)).toBeNull();
    await expect(openAccess(owner)).rejects.toMatchObject(NOT_CONNECTED);
  };

  test('when the provider renews it no more; connected again it is as new', async () => {
    await connectEnding();
    provider.revokeAll();
    await expect(openAccess(owner)).rejects.toMatchObject(NOT_CONNECTED);
    await expectEnded(RENEWED_NO_MORE);
    expect(await connect(owner)).toContain('oauth=success');
    expect(await readState(owner)).toMatchObject({ authenticated: true, error: null });
    expect(await readGrant(owner)).toMatchObject({ revokedAt: null, error: null });
    expect((await openAccess(owner)).place).toMatchObject({ id: 'w1' });
  });

  test('when somebody else has used its refresh token: the provider ends what both hold', async () => {
    await connectEnding();
    const { refreshToken } = await readTokens(owner);
    const form = { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: 'arc', client_secret: 'shh' };
    const stolen = await fetch(`${provider.url}/token`, { method: 'POST', body: new URLSearchParams(form) });
    const { access_token } = (await stolen.json()) as { access_token: string };
    expect(provider.isGood(access_token)).toBe(true);
    await expect(openAccess(owner)).rejects.toMatchObject(NOT_CONNECTED);
    expect(provider.isGood(access_token)).toBe(false);
    await expectEnded(RENEWED_NO_MORE);
  });

  test('when the provider takes the token back without a word, with the first call that it refuses', async () => {
    await connect(owner);
    const { send } = await openAccess(owner);
    provider.revokeAll();
    await expect(send(ME)).rejects.toMatchObject({ kind: 'refused' });
    await expectEnded(TAKEN_BACK);
  });

  test('by no refusal of one call while the provider knows the token', async () => {
    await connect(owner);
    const { send } = await openAccess(owner);
    provider.fail(401, 'invalid_token');
    await expect(send(ME)).rejects.toMatchObject({ kind: 'refused' });
    expect(await readState(owner)).toMatchObject({ authenticated: true, error: null });
    expect((await send(ME)).status).toBe(200);
  });

  test('not by a refused token that a newer consent has replaced', async () => {
    await connect(owner);
    const { send } = await openAccess(owner);
    provider.revokeAll();
    await connect(owner);
    await expect(send(ME)).rejects.toMatchObject({ kind: 'refused' });
    expect((await openAccess(owner)).place).toMatchObject({ id: 'w1' });
  });

  test.each([
    [500, 'server_error', 'provider_unavailable'],
    [429, 'slow_down', 'provider_unavailable'],
    // This server's credentials are wrong, which says nothing of the grant.
    [401, 'invalid_client', 'not_available'],
  ])('by no %i %s of a provider: it is asked again', async (status, error, code) => {
    await connectEnding();
    provider.fail(status, error);
    await expect(openAccess(owner)).rejects.toMatchObject({ code });
    expect(await readState(owner)).toMatchObject({ authenticated: true, error: null });
    expect((await openAccess(owner)).place).toMatchObject({ id: 'w1' });
  });

  test.each([500, 429])('by no %i to a call, which is the caller’s', async (status) => {
    await connect(owner);
    const { send } = await openAccess(owner);
    provider.fail(status, 'server_error');
    await expect(send(ME)).rejects.toMatchObject({ kind: 'unavailable', message: `it answers ${status}` });
    expect(await readState(owner)).toMatchObject({ authenticated: true });
  });
});

describe('disconnecting', () => {
  const disconnect = (service = 'things', { browser } = owner) => browser.delete(`/api/oauth/${service}`);

  /** @shows DELETE /api/oauth/:service */
  test('takes the access back at the provider and forgets it', async () => {
    await connect(owner);
    const { accessToken, refreshToken } = await readTokens(owner);
    expect((await disconnect('thingnotes').expect(200)).body).toEqual({ success: true, revoked: true });
    expect(provider.asked.at(-1)).toMatchObject({ path: '/revoke', token: refreshToken });
    expect(provider.isGood(accessToken)).toBe(false);
    expect(await readState(owner)).toEqual({ authenticated: false, enabled: true, error: null, configured: true });
    expect(await readTokens(owner)).toBeNull();
    await expect(openAccess(owner)).rejects.toMatchObject(NOT_CONNECTED);
    await disconnect().expect(404);
  });

  test('forgets it, too, where the provider does not take it back, and says so', async () => {
    await connect(owner);
    provider.fail(503, 'temporarily_unavailable');
    expect((await disconnect().expect(200)).body).toEqual({ success: true, revoked: false });
    expect(await readTokens(owner)).toBeNull();
  });

  test('asks no provider that has no way to', async () => {
    const { authorize, token } = defineThings(settings).endpoints;
    const connection = makeConnection(defineThings(settings, { endpoints: { authorize, token } }));
    await connect(owner);
    provider.asked.length = 0;
    const { user } = owner;
    const who = { ...user, userId: user.id, hasOfficer: false } as never;
    expect(await inAccount(owner, () => connection.disconnect(who))).toBe(false);
    expect(provider.asked).toEqual([]);
    expect(await readTokens(owner)).toBeNull();
  });

  test('sends the access token where there is no other', async () => {
    provider.standing.renewable = false;
    await connect(owner);
    const { accessToken } = await readTokens(owner);
    await disconnect().expect(200);
    expect(provider.asked.at(-1)).toMatchObject({ path: '/revoke', token: accessToken });
  });

  test('is the owner’s, and of what can be connected here', async () => {
    await connect(owner);
    await disconnect('notion').expect(404);
    await disconnect('slack').expect(404);
    await disconnect('constructor').expect(404);
    const other = await signUp(server);
    await disconnect('things', other).expect(404);
    expect((await openAccess(owner)).place).toMatchObject({ id: 'w1' });
  });
});

test('a provider that wants the client’s secret in a header gets it there', async () => {
  const { connector } = makeConnection(defineThings(settings, { clientAuthentication: 'header' }));
  const who = { ...owner.user, userId: owner.user.id } as never;
  const begun = await inAccount(owner, async () => connector.begin(who, { service: 'things', state: 's'.repeat(32) }));
  const page = await fetch(begun.address, { redirect: 'manual' });
  const code = new URL(requireRow(page.headers.get('location'))).searchParams.get('code') ?? '';
  await inAccount(owner, () => connector.connect(who, { code, state: 's'.repeat(32), kept: begun.kept }));
  const change = provider.asked.find((form) => form.code === code);
  expect(change).toMatchObject({ path: '/token' });
  expect(change).not.toHaveProperty('client_secret');
  expect((await openAccess(owner)).place).toMatchObject({ id: 'w1' });
});

test('no token, code or secret stands in an answer or in a line of the log, whatever fails', async () => {
  const lines: string[] = [];
  for (const level of ['info', 'warn', 'error'] as const)
    jest.spyOn(logger, level).mockImplementation(((...said: unknown[]) => {
      const plain = said.map((one) =>
        typeof one === 'object' && one !== null && 'err' in one
          ? { ...one, err: stdSerializers.err(one.err as Error) }
          : one,
      );
      lines.push(JSON.stringify(plain));
    }) as never);
  const answers: string[] = [];
  const note = async (path: string) => {
    const { text, headers } = await owner.browser.get(path);
    answers.push(text + JSON.stringify(headers));
  };
  const fail = async () => {
    const back = await consent(owner);
    await note(`${back.pathname}${back.search}`);
    return back.searchParams.get('code') ?? '';
  };
  provider.standing.nonce = 'of another beginning';
  const codes = [await fail()];
  provider.recover();
  provider.standing.denies = true;
  await fail();
  provider.recover();
  provider.standing.lifetime = 'soon' as never;
  codes.push(await fail());
  provider.recover();
  await connectEnding();
  const tokens = await readTokens(owner);
  provider.fail(500, 'server_error');
  await openAccess(owner).catch(() => null);
  provider.revokeAll();
  await openAccess(owner).catch(() => null);
  await note('/api/oauth/status/all');
  await note('/api/oauth/status/things');
  await owner.browser.delete('/api/oauth/things');
  expect(lines.length).toBeGreaterThan(3);
  for (const secret of [
    ...codes,
    tokens.accessToken,
    tokens.refreshToken,
    settings.clientSecret,
    'access-',
    'refresh-',
  ])
    for (const said of [...lines, ...answers]) expect(said).not.toContain(secret);
});
