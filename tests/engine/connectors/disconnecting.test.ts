/** @environment connectors */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Types } from 'mongoose';
import { connectionTo } from '../../../bot/engine/connectors/registry.ts';
import { revokeAccess } from '../../../bot/engine/connectors/revokeAccess.ts';
import { ConnectorGrant } from '../../../models/connectorGrant.ts';
import { ConnectorScope } from '../../../models/connectorScope.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { requireRow } from '../../../models/store/requireRow.ts';
import { provider } from '../../environments/connectors.ts';
import { defineThings } from '../../factories/madeUpConnector.ts';
import { type Person, signUp } from '../../factories/person.ts';
import { type Server, startServer } from '../../factories/server.ts';
import {
  connect,
  connectBeside,
  openAccess,
  openThings,
  readGrant,
  readState,
  readTokens,
  settings,
} from '../../factories/thingsPlace.ts';
import { codeOf, makeWho } from '../../factories/who.ts';

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

const NOT_CONNECTED = { code: 'not_configured', message: expect.stringContaining('Things is not connected') };
const inAccount = <T>({ user }: Person, work: () => Promise<T>) => runInAccount(user.accountId, work);

describe('revoking every access of an account', () => {
  test('revokes its grants, and no other account’s; the rows stay', async () => {
    const other = await signUp(server);
    await connect(owner);
    await connect(other);
    const { accessToken } = await readTokens(owner);
    expect(await revokeAccess(owner.user.accountId)).toEqual([]);
    expect(provider.isValid(accessToken)).toBe(false);
    expect(provider.isValid((await readTokens(other)).accessToken)).toBe(true);
    // Again, as after a crash: the provider confirms what is revoked already.
    expect(await revokeAccess(owner.user.accountId)).toEqual([]);
  });

  test('names the providers that did not confirm, and those that this deployment has no credentials for', async () => {
    await connect(owner);
    const { accountId } = owner.user;
    const grant = await readGrant(owner);
    await inAccount(owner, () =>
      ConnectorGrant.create({ ...grant, _id: new Types.ObjectId(), connector: 'notion', accountId } as never),
    );
    provider.fail(503, 'temporarily_unavailable');
    expect((await revokeAccess(accountId)).sort()).toEqual(['Notion', 'Things']);
  });

  test('a grant that no key opens is named, and keeps no other from being revoked', async () => {
    const other = await signUp(server);
    await connect(owner);
    await connect(other);
    const grant = requireRow(await readGrant(owner));
    const { sealed } = requireRow(await readGrant(other));
    await inAccount(owner, async () => {
      await ConnectorGrant.updateOne({ _id: grant._id }, { $set: { sealed } });
      await ConnectorGrant.create({ ...grant, _id: new Types.ObjectId(), connector: 'notion' } as never);
    });
    expect((await revokeAccess(owner.user.accountId)).sort()).toEqual(['Notion', 'Things']);
    expect(provider.isValid((await readTokens(other)).accessToken)).toBe(true);
  });
});

describe('disconnecting', () => {
  const disconnect = (service = 'things', { browser } = owner) => browser.delete(`/api/oauth/${service}`);

  /** @shows DELETE /api/oauth/:service */
  test('revokes the grant at the provider and deletes it', async () => {
    await connect(owner);
    const { accessToken, refreshToken } = await readTokens(owner);
    expect((await disconnect('thingnotes').expect(200)).body).toEqual({ success: true, revoked: true });
    expect(provider.asked.at(-1)).toMatchObject({ path: '/revoke', token: refreshToken });
    expect(provider.isValid(accessToken)).toBe(false);
    expect(await readState(owner)).toEqual({ authenticated: false, enabled: true, error: null, configured: true });
    expect(await readTokens(owner)).toBeNull();
    await expect(openAccess(owner)).rejects.toMatchObject(NOT_CONNECTED);
    await disconnect().expect(404);
  });

  test('deletes it even if the provider does not revoke it, and says so', async () => {
    await connect(owner);
    provider.fail(503, 'temporarily_unavailable');
    expect((await disconnect().expect(200)).body).toEqual({ success: true, revoked: false });
    expect(await readTokens(owner)).toBeNull();
  });

  test('one that broke deletes what was read with it, once', async () => {
    const { accountId } = owner.user;
    await connect(owner);
    const chosen = { accountId, connector: 'things', values: {}, setBy: 1, setAt: new Date() };
    await inAccount(owner, () => ConnectorScope.create(chosen));
    const { send } = await openAccess(owner);
    provider.revokeAll();
    await expect(send('https://api.things.example/me')).rejects.toMatchObject({ kind: 'refused' });
    expect(await readState(owner)).toMatchObject({ authenticated: false, error: expect.stringMatching(/./) });
    provider.asked.length = 0;
    expect((await disconnect().expect(200)).body).toEqual({ success: true, revoked: true });
    expect(provider.asked).toEqual([]);
    expect(await inAccount(owner, () => ConnectorScope.countDocuments({ accountId }))).toBe(0);
    expect(await readState(owner)).toMatchObject({ authenticated: false, error: null });
    await disconnect().expect(404);
  });

  test('does not call a provider that can’t revoke', async () => {
    const { authorize, token } = defineThings(settings).endpoints;
    const own = await connectBeside(owner, defineThings(settings, { endpoints: { authorize, token } }));
    provider.asked.length = 0;
    expect(await inAccount(owner, () => own.connection.disconnect(own.who))).toBe(false);
    expect(provider.asked).toEqual([]);
    expect(await readTokens(owner)).toBeNull();
  });

  test('sends the access token if there is no refresh token', async () => {
    provider.behaviour.renewable = false;
    await connect(owner);
    const { accessToken } = await readTokens(owner);
    await disconnect().expect(200);
    expect(provider.asked.at(-1)).toMatchObject({ path: '/revoke', token: accessToken });
  });

  test('is for owners only, and only for connected tools', async () => {
    await connect(owner);
    await disconnect('notion').expect(404);
    await disconnect('slack').expect(404);
    await disconnect('constructor').expect(404);
    const { accountId } = owner.user;
    const member = makeWho({ accountId, roles: ['member', 'approver', 'deputy', 'clinical-safety-officer'] });
    const { disconnect: end } = requireRow(connectionTo('things') ?? null);
    expect(await codeOf(inAccount(owner, () => end(member)))).toBe('not_allowed');
    const other = await signUp(server);
    await disconnect('things', other).expect(404);
    expect((await openAccess(owner)).place).toMatchObject({ id: 'w1' });
  });
});
