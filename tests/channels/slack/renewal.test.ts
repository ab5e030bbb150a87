/** @environment slack */
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { findInstallation, type SlackTokens, storeInstallation } from '../../../bot/channels/slack/installations.ts';
import { ChannelInstallation } from '../../../models/channelInstallation.ts';
import { slack } from '../../environments/slack.ts';
import { type Server, startServer } from '../../factories/server.ts';
import { connectWorkspace, readInstalled, readTokens, slackTokens } from '../../factories/slackPlace.ts';
import { nextNumber } from '../../factories/who.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());
afterEach(() => {
  jest.restoreAllMocks();
});

const seconds = () => Math.floor(Date.now() / 1000);
const store = (accountId: number, key: string, change: Partial<SlackTokens> = {}) =>
  storeInstallation(accountId, 7, 'Quillmere', slackTokens(key, change), false);

describe('a token', () => {
  /** A workspace whose token expires in this many seconds. */
  const ending = async (inSeconds: number | null, refreshToken: string | null = 'refresh') => {
    const made = await connectWorkspace(slack, {
      refreshToken: refreshToken && `${refreshToken}-${nextNumber()}`,
      expiresAt: inSeconds === null ? null : seconds() + inSeconds,
    });
    const token = (await readTokens(made.key)).refreshToken;
    if (token) made.workspace.refreshTokens.add(token);
    return made;
  };

  test('is refreshed once for all who need it, five minutes before it expires', async () => {
    const { key, find, workspace } = await ending(290);
    const old = await readTokens(key);
    const [one, other] = await Promise.all([find(), find()]);
    expect(one.tokens.botToken).not.toBe(old.botToken);
    expect(workspace.tokens).toContain(one.tokens.botToken);
    expect(other.tokens).toEqual(one.tokens);
    expect(one.tokens).toMatchObject({ botUserId: old.botUserId, teamId: key });
    expect(one.tokens.refreshToken).not.toBe(old.refreshToken);
    expect(Math.abs((one.tokens.expiresAt ?? 0) - seconds() - 43_200)).toBeLessThan(5);
    expect(await readTokens(key)).toEqual(one.tokens);
    const renewals = slack.callsOf('oauth.v2.access').filter(({ body }) => body.refresh_token === old.refreshToken);
    expect(renewals).toHaveLength(1);
    expect(renewals[0]?.body).toMatchObject({ client_id: '1.2', client_secret: 'shh', grant_type: 'refresh_token' });
  });

  test.each([
    ['that ends later', 310, 'refresh'],
    ['that has no end', null, 'refresh'],
    ['that can’t be renewed', 100, null],
  ])('%s is not refreshed', async (_what, inSeconds, refreshToken) => {
    const { key, find } = await ending(inSeconds, refreshToken);
    expect((await find()).tokens.botToken).toBe(`xoxb-${key}`);
  });

  test('that another process refreshed meanwhile is used', async () => {
    const { accountId, key, find, workspace } = await ending(10);
    const old = await readInstalled(key);
    workspace.refreshTokens.clear();
    const release = slack.hold('oauth.v2.access');
    const found = find();
    while (slack.waiting() === 0) await new Promise((resolve) => setImmediate(resolve));
    await store(accountId, key, { botToken: 'xoxb-other', refreshToken: 'other', expiresAt: seconds() + 9000 });
    release();
    expect((await found).tokens.botToken).toBe('xoxb-other');
    expect((await readInstalled(key)).revokedAt).toBe(old.revokedAt);
  });

  test('of a renewed installation is the newer one', async () => {
    const { accountId, key, find } = await ending(10);
    const release = slack.hold('oauth.v2.access');
    const found = find();
    while (slack.waiting() === 0) await new Promise((resolve) => setImmediate(resolve));
    await store(accountId, key, { botToken: 'xoxb-other', refreshToken: 'other', expiresAt: seconds() + 9000 });
    release();
    expect((await found).tokens.botToken).toBe('xoxb-other');
    expect((await readTokens(key)).botToken).toBe('xoxb-other');
  });

  test('whose refresh is refused is used until it expires, and then ends the installation', async () => {
    const good = await ending(60);
    good.workspace.refreshTokens.clear();
    expect((await good.find()).tokens.botToken).toBe(`xoxb-${good.key}`);
    const unlucky = await ending(4);
    slack.refuse('oauth.v2.access', 'fatal_error');
    await expect(unlucky.find()).rejects.toThrow('fatal_error');
    expect(await readInstalled(unlucky.key)).toMatchObject({ revokedAt: null });
    const over = await ending(4);
    over.workspace.refreshTokens.clear();
    expect(await findInstallation(over.key)).toBeNull();
    expect(await readInstalled(over.key)).toMatchObject({
      revokedAt: expect.any(Date),
      error: 'Slack no longer renews the access. Connect it again to continue.',
    });
  });

  describe('with a stopped clock', () => {
    const NOW = Date.UTC(2026, 10, 1, 12);
    const at = (milliseconds: number) => jest.spyOn(Date, 'now').mockReturnValue(NOW + milliseconds);

    test.each([
      [300, true],
      [301, false],
    ])('that expires in exactly %i seconds is refreshed: %s', async (inSeconds, renewed) => {
      at(0);
      const { key, find } = await ending(inSeconds);
      expect((await find()).tokens.botToken !== `xoxb-${key}`).toBe(renewed);
    });

    test('expires at the time of the refresh answer, in whole seconds, or never without one', async () => {
      at(900);
      const { find } = await ending(10);
      expect((await find()).tokens.expiresAt).toBe(NOW / 1000 + 43_200);
      const endless = await ending(10);
      endless.workspace.grant = { expires_in: undefined };
      expect((await endless.find()).tokens.expiresAt).toBeNull();
    });

    test.each([
      [6, true],
      [5, false],
    ])('that can’t be refreshed %i seconds before it expires is still used: %s', async (inSeconds, good) => {
      at(0);
      const { key, workspace } = await ending(inSeconds);
      workspace.refreshTokens.clear();
      expect((await findInstallation(key))?.tokens.botToken ?? null).toBe(good ? `xoxb-${key}` : null);
      expect((await readInstalled(key)).revokedAt === null).toBe(good);
    });

    test('is cached for half a minute', async () => {
      at(0);
      const { key, find } = await ending(null);
      await find();
      await ChannelInstallation.updateOne({ key }, { $set: { revokedAt: new Date() } });
      at(30_000);
      expect(await findInstallation(key)).not.toBeNull();
      at(30_001);
      expect(await findInstallation(key)).toBeNull();
    });
  });

  test('and its refresh token stay if the refresh returns no others', async () => {
    const { key, find, workspace } = await ending(10);
    const old = await readTokens(key);
    workspace.grant = { access_token: undefined, refresh_token: undefined };
    expect((await find()).tokens).toMatchObject({ botToken: old.botToken, refreshToken: old.refreshToken });
    expect((await readTokens(key)).expiresAt).toBeGreaterThan(seconds() + 40_000);
  });

  test('of an installation that ended during its refresh no longer works', async () => {
    const { key, workspace } = await ending(4);
    workspace.refreshTokens.clear();
    const release = slack.hold('oauth.v2.access');
    const found = findInstallation(key);
    while (slack.waiting() === 0) await new Promise((resolve) => setImmediate(resolve));
    await ChannelInstallation.updateOne({ key }, { $set: { revokedAt: new Date(), error: 'Removed there.' } });
    release();
    expect(await found).toBeNull();
    expect(await readInstalled(key)).toMatchObject({ error: 'Removed there.' });
  });

  test('is refreshed without affecting other workspaces', async () => {
    const [one, other] = [await ending(10), await ending(400)];
    await one.find();
    expect(await readTokens(other.key)).toMatchObject({ botToken: `xoxb-${other.key}` });
    expect((await other.find()).tokens.botToken).toBe(`xoxb-${other.key}`);
  });
});
