/** @environment slack */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { removeInstallation, revokeTokens, storeInstallation } from '../../../bot/channels/slack/installations.ts';
import { endInstallation, endInstallations } from '../../../bot/engine/accounts/installations.ts';
import { readIntegrations } from '../../../bot/engine/accounts/integrations.ts';
import { revokeAccess } from '../../../bot/engine/connectors/revokeAccess.ts';
import { ChannelInstallation } from '../../../models/channelInstallation.ts';
import { slack } from '../../environments/slack.ts';
import { signUp } from '../../factories/person.ts';
import { type Server, startServer } from '../../factories/server.ts';
import { connectWorkspace, readInstalled, readTokens, slackTokens } from '../../factories/slackPlace.ts';
import { codeOf, makeWho, nextNumber } from '../../factories/who.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());
beforeEach(() => slack.recover());

type Place = Awaited<ReturnType<typeof connectWorkspace>>;
const revocations = (place: Place) => slack.callsOf('auth.revoke', place.workspace);
const end = async ({ accountId, key, inAccount }: Place) => {
  const { _id } = await readInstalled(key);
  return inAccount(() => endInstallation({ accountId, channel: 'slack', id: String(_id) }));
};

describe('disconnecting a workspace', () => {
  test('revokes its token at Slack, once, and no other account’s', async () => {
    const [place, other] = [await connectWorkspace(slack), await connectWorkspace(slack)];
    expect(await end(place)).toBe(true);
    expect(revocations(place).map(({ token }) => token)).toEqual([`xoxb-${place.key}`]);
    expect([place.workspace.tokens.size, other.workspace.tokens.size]).toEqual([0, 1]);
    expect(revocations(other)).toEqual([]);
    expect(await codeOf(end(place))).toBe('not_found');
    expect(revocations(place)).toHaveLength(1);
  });

  test('renews an expired token first, so that the current one is revoked', async () => {
    const place = await connectWorkspace(slack, { expiresAt: 1, refreshToken: `xoxe-${nextNumber()}` });
    place.workspace.refreshTokens.add((await readTokens(place.key)).refreshToken ?? '');
    expect(await end(place)).toBe(true);
    expect(revocations(place)[0]?.token).toMatch(/^xoxe\.xoxb-/);
  });

  test('needs nothing revoked if Slack does not renew the token any more', async () => {
    const place = await connectWorkspace(slack, { expiresAt: 1, refreshToken: 'xoxe-unknown' });
    expect(await end(place)).toBe(true);
    expect(revocations(place)).toEqual([]);
    expect(await readInstalled(place.key)).toMatchObject({ revokedAt: expect.any(Date), error: null });
  });

  test.each(['token_revoked', 'account_inactive', 'app_uninstalled'])('counts %s as revoked', async (error) => {
    const place = await connectWorkspace(slack);
    slack.refuse('auth.revoke', error);
    expect(await end(place)).toBe(true);
  });

  test('deletes the token if Slack refuses it, and says that nothing was confirmed', async () => {
    const place = await connectWorkspace(slack);
    slack.refuse('auth.revoke', 'invalid_auth');
    expect(await end(place)).toBe(false);
    expect(await readTokens(place.key)).toBeNull();
  });

  test('asks again when the time is over that Slack names', async () => {
    const place = await connectWorkspace(slack);
    slack.fail('auth.revoke', 429, 1, 1);
    expect(await end(place)).toBe(true);
    expect(place.workspace.tokens.size).toBe(0);
  });

  test('does not wait longer than its own time, whatever Slack names', async () => {
    const { key, workspace } = await connectWorkspace(slack);
    slack.fail('auth.revoke', 429, 9, 3600);
    const revoked = revokeTokens(await readInstalled(key), AbortSignal.timeout(200));
    await expect(revoked).rejects.toMatchObject({ name: 'AbortError' });
    expect(workspace.tokens.size).toBe(1);
  });

  test('shows no broken connection if Slack reports the revocation before it is saved', async () => {
    const place = await connectWorkspace(slack);
    const letGo = slack.hold('auth.revoke');
    const ended = end(place);
    await eventuallyWaiting();
    await removeInstallation(place.key, 'Slack has withdrawn the access.', { token: `xoxb-${place.key}` });
    letGo();
    expect(await ended).toBe(true);
    expect(await readInstalled(place.key)).toMatchObject({ revokedAt: expect.any(Date), error: null });
    const states = await place.inAccount(() => readIntegrations(place.accountId));
    expect(states.slack).toMatchObject({ authenticated: false, error: null });
  });

  test('keeps a workspace that was connected again meanwhile', async () => {
    const place = await connectWorkspace(slack);
    await ChannelInstallation.updateOne({ key: place.key }, { $set: { installedAt: new Date(0) } });
    const letGo = slack.hold('auth.revoke');
    const ended = end(place);
    await eventuallyWaiting();
    await storeInstallation(place.accountId, 7, 'Again', slackTokens(place.key), false);
    letGo();
    await ended;
    expect(await readInstalled(place.key)).toMatchObject({ revokedAt: null, name: 'Again' });
  });
});

describe('disconnecting Slack', () => {
  /** @shows DELETE /api/oauth/:service */
  test('ends every workspace of the account, for its owner only', async () => {
    const person = await signUp(server);
    const { accountId } = person.user;
    const keys = [`T${nextNumber()}`, `T${nextNumber()}`];
    for (const key of keys) {
      slack.addWorkspace(key);
      await storeInstallation(accountId, 7, key, slackTokens(key), false);
    }
    const other = await connectWorkspace(slack);
    const member = makeWho({ accountId, roles: ['member', 'approver'] });
    expect(await codeOf(other.inAccount(() => endInstallations(member, 'slack')))).toBe('not_allowed');
    const { body } = await person.browser.delete('/api/oauth/slack').expect(200);
    expect(body).toEqual({ success: true, revoked: true });
    for (const key of keys) expect(await readInstalled(key)).toMatchObject({ revokedAt: expect.any(Date) });
    expect(await readInstalled(other.key)).toMatchObject({ revokedAt: null });
    await person.browser.delete('/api/oauth/slack').expect(404);
    await person.browser.delete('/api/oauth/arc-chat').expect(404);
  });

  test('is not confirmed if one of two workspaces is not', async () => {
    const place = await connectWorkspace(slack);
    const second = `T${nextNumber()}`;
    await storeInstallation(place.accountId, 7, second, slackTokens(second, { botToken: 'xoxb-unknown' }), false);
    const owner = makeWho({ accountId: place.accountId });
    expect(await place.inAccount(() => endInstallations(owner, 'slack'))).toBe(false);
    expect(place.workspace.tokens.size).toBe(0);
  });
});

describe('revoking every access of an account', () => {
  test('keeps the rows, and names the workspaces that were not confirmed', async () => {
    const [place, other] = [await connectWorkspace(slack), await connectWorkspace(slack)];
    const second = `T${nextNumber()}`;
    const unknown = slackTokens(second, { botToken: 'xoxb-unknown' });
    await storeInstallation(place.accountId, 7, 'Quillmere', unknown, false);
    expect(await revokeAccess(place.accountId)).toEqual(['Slack (Quillmere)']);
    expect(await readInstalled(place.key)).toMatchObject({ revokedAt: null });
    expect([place.workspace.tokens.size, other.workspace.tokens.size]).toEqual([0, 1]);
  });

  test('does not wait for a platform that can’t revoke, and names it', async () => {
    const accountId = nextNumber();
    const key = `${nextNumber()}/tenant`;
    const row = { channel: 'teams', accountId, key, name: 'Tenant 1', installedBy: 1, sealed: {} };
    const _id = () => new Types.ObjectId();
    await ChannelInstallation.create({ ...row, _id: _id() } as never);
    await ChannelInstallation.create({
      ...row,
      _id: _id(),
      key: `${key}2`,
      name: 'Ended',
      revokedAt: new Date(),
    } as never);
    expect(await revokeAccess(accountId)).toEqual(['Microsoft Teams (Tenant 1)']);
  });
});

/** Resolves once the fake holds a call back. */
async function eventuallyWaiting(): Promise<void> {
  while (slack.waiting() === 0) await new Promise((resolve) => setImmediate(resolve));
}
