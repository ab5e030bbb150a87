/** @environment slack */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { slackConnector, testSlack } from '../../../bot/channels/slack/install.ts';
import {
  clientOf,
  findInstallation,
  findInstallationFor,
  installationOf,
  installationsOf,
  keyOf,
  removeInstallation,
  type SlackTokens,
  storeInstallation,
} from '../../../bot/channels/slack/installations.ts';
import { readIntegrations, toggleIntegration } from '../../../bot/engine/accounts/integrations.ts';
import { BOT_SCOPES } from '../../../manifests/slackScopes.ts';
import { ChannelInstallation, type ChannelInstallationRow } from '../../../models/channelInstallation.ts';
import { baseUrl } from '../../../models/env.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { unseal } from '../../../models/store/encrypted.ts';
import { announce } from '../../../models/store/revisions.ts';
import { slack } from '../../environments/slack.ts';
import { type Server, startServer } from '../../factories/server.ts';
import { connectWorkspace, slackTokens } from '../../factories/slackPlace.ts';
import { codeOf, makeWho, nextNumber } from '../../factories/who.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const rowOf = async (key: string) =>
  (await ChannelInstallation.findOne({ channel: 'slack', key }).lean()) as ChannelInstallationRow;
const tokensOf = async (key: string) => unseal<SlackTokens>((await rowOf(key)).sealed, `slack:${key}`);
const stateOf = async (accountId: number) => (await runInAccount(accountId, () => readIntegrations(accountId))).slack;
const store = (accountId: number, key: string, change: Partial<SlackTokens> = {}, name = 'Quillmere') =>
  storeInstallation(accountId, 7, name, slackTokens(key, change), false);
/** Has what is remembered of an account’s installations read again. */
const forget = (accountId: number) => announce(accountId, ['integrations']);
const seconds = () => Math.floor(Date.now() / 1000);

test.each([
  [{ teamId: 'T1', enterpriseId: 'E1' }, 'T1'],
  [{ teamId: 'T1', enterpriseId: 'E1', isEnterpriseInstall: true }, 'E1'],
  [{ teamId: null, enterpriseId: 'E1', isEnterpriseInstall: true }, 'E1'],
  [{ teamId: undefined }, ''],
  [{ teamId: 'T1', isEnterpriseInstall: true }, ''],
])('the key of %j is %j', (source, key) => {
  expect(keyOf(source)).toBe(key);
});

describe('a workspace that is installed', () => {
  test('is kept once, sealed, and switches Slack on', async () => {
    const [accountId, key] = [nextNumber(), `T${nextNumber()}`];
    await store(accountId, key);
    expect(await rowOf(key)).toMatchObject({
      accountId,
      channel: 'slack',
      name: 'Quillmere',
      installedBy: 7,
      admits: 'members',
      revokedAt: null,
      error: null,
      installedAt: expect.any(Date),
    });
    expect(JSON.stringify(await rowOf(key))).not.toContain('xoxb');
    expect(await tokensOf(key)).toEqual(slackTokens(key));
    expect(await stateOf(accountId)).toMatchObject({ authenticated: true, enabled: true, error: null });
    await ChannelInstallation.updateOne({ key }, { $set: { admits: 'workspace' } });
    expect((await findInstallation(key))?.tokens.botToken).toBe(`xoxb-${key}`);
    await store(accountId, key, { botToken: 'xoxb-new' }, 'Renamed');
    expect((await findInstallation(key))?.tokens.botToken).toBe('xoxb-new');
    expect(await ChannelInstallation.countDocuments({ key })).toBe(1);
    expect(await rowOf(key)).toMatchObject({ name: 'Renamed', admits: 'workspace' });
  });

  test('is one account’s, until it ends; whom that one admitted the next does not admit', async () => {
    const [first, second, key] = [nextNumber(), nextNumber(), `T${nextNumber()}`];
    await store(first, key);
    await ChannelInstallation.updateOne({ key }, { $set: { admits: 'workspace' } });
    await expect(store(second, key)).rejects.toMatchObject({
      code: 'connected_elsewhere',
      message: expect.stringContaining('The Slack workspace Quillmere'),
    });
    expect(await rowOf(key)).toMatchObject({ accountId: first, admits: 'workspace' });
    expect(await stateOf(second)).toMatchObject({ enabled: false });
    await ChannelInstallation.updateOne({ key }, { $set: { revokedAt: new Date(), error: 'gone' } });
    await store(second, key);
    expect(await rowOf(key)).toMatchObject({ accountId: second, admits: 'members', revokedAt: null, error: null });
  });

  test('by two accounts at the same moment is one’s', async () => {
    const key = `T${nextNumber()}`;
    const both = await Promise.all([codeOf(store(nextNumber(), key)), codeOf(store(nextNumber(), key))]);
    expect(both.sort()).toEqual(['connected_elsewhere', 'done']);
  });

  test('is found by its key while it stands and Slack is switched on', async () => {
    const { accountId, key, converse } = await connectWorkspace(slack);
    const conversation = await converse('C1');
    expect((await installationOf(conversation)).row.key).toBe(key);
    expect(await findInstallation(`${key}x`)).toBeNull();
    const owner = makeWho({ accountId });
    const toggle = (on: boolean) => runInAccount(accountId, () => toggleIntegration(owner, 'slack', on));
    await toggle(false);
    expect(await findInstallation(key)).toBeNull();
    await expect(installationOf(conversation)).rejects.toMatchObject({
      permanent: true,
      message: 'Slack is not connected for this conversation any more.',
    });
    await toggle(true);
    expect(await findInstallation(key)).not.toBeNull();
    await ChannelInstallation.updateOne({ key }, { $set: { revokedAt: new Date() } });
    // Remembered for a moment, until the account changes.
    announce(accountId, ['chat']);
    announce(nextNumber(), ['integrations']);
    expect(await findInstallation(key)).not.toBeNull();
    forget(accountId);
    expect(await findInstallation(key)).toBeNull();
  });

  test('is its own, else its organisation’s', async () => {
    const [team, organisation] = [`T${nextNumber()}`, `E${nextNumber()}`];
    const accountId = nextNumber();
    const find = async (source: Parameters<typeof findInstallationFor>[0]) =>
      (await findInstallationFor(source))?.row.key ?? null;
    await storeInstallation(accountId, 7, 'Org', slackTokens(team, { teamId: null, enterpriseId: organisation }), true);
    expect(await find({ teamId: team, enterpriseId: organisation })).toBe(organisation);
    expect(await find({ teamId: team, enterpriseId: organisation, isEnterpriseInstall: true })).toBe(organisation);
    expect(await find({ teamId: team })).toBeNull();
    expect(
      await find({ teamId: organisation, enterpriseId: `${organisation}x`, isEnterpriseInstall: true }),
    ).toBeNull();
    await store(accountId, team);
    expect(await find({ teamId: team, enterpriseId: organisation })).toBe(team);
    expect((await installationsOf(accountId)).map(({ key }) => key).sort()).toEqual([organisation, team].sort());
    await ChannelInstallation.updateOne({ key: team }, { $set: { revokedAt: new Date() } });
    expect((await installationsOf(accountId)).map(({ key }) => key)).toEqual([organisation]);
    expect(await installationsOf(nextNumber())).toEqual([]);
  });
});

describe('a token', () => {
  /** A workspace whose token ends in so many seconds. */
  const ending = async (inSeconds: number | null, refreshToken: string | null = 'refresh') => {
    const made = await connectWorkspace(slack, {
      refreshToken: refreshToken && `${refreshToken}-${nextNumber()}`,
      expiresAt: inSeconds === null ? null : seconds() + inSeconds,
    });
    const token = (await tokensOf(made.key)).refreshToken;
    if (token) made.workspace.refreshTokens.add(token);
    return made;
  };

  test('is renewed once for all who need it, five minutes before it ends', async () => {
    const { key, find, workspace } = await ending(290);
    const old = await tokensOf(key);
    const [one, other] = await Promise.all([find(), find()]);
    expect(one.tokens.botToken).not.toBe(old.botToken);
    expect(workspace.tokens).toContain(one.tokens.botToken);
    expect(other.tokens).toEqual(one.tokens);
    expect(one.tokens).toMatchObject({ botUserId: old.botUserId, teamId: key });
    expect(one.tokens.refreshToken).not.toBe(old.refreshToken);
    expect(Math.abs((one.tokens.expiresAt ?? 0) - seconds() - 43_200)).toBeLessThan(5);
    expect(await tokensOf(key)).toEqual(one.tokens);
    const renewals = slack.callsOf('oauth.v2.access').filter(({ body }) => body.refresh_token === old.refreshToken);
    expect(renewals).toHaveLength(1);
    expect(renewals[0]?.body).toMatchObject({ client_id: '1.2', client_secret: 'shh', grant_type: 'refresh_token' });
  });

  test.each([
    ['that ends later', 310, 'refresh'],
    ['that has no end', null, 'refresh'],
    ['that can’t be renewed', 100, null],
  ])('%s stays', async (_what, inSeconds, refreshToken) => {
    const { key, find } = await ending(inSeconds, refreshToken);
    expect((await find()).tokens.botToken).toBe(`xoxb-${key}`);
  });

  test('that another process renewed meanwhile is the one that stands', async () => {
    const { accountId, key, find, workspace } = await ending(10);
    const old = await rowOf(key);
    workspace.refreshTokens.clear();
    const release = slack.hold('oauth.v2.access');
    const found = find();
    while (slack.waiting() === 0) await new Promise((resolve) => setImmediate(resolve));
    await store(accountId, key, { botToken: 'xoxb-other', refreshToken: 'other', expiresAt: seconds() + 9000 });
    release();
    expect((await found).tokens.botToken).toBe('xoxb-other');
    expect((await rowOf(key)).revokedAt).toBe(old.revokedAt);
  });

  test('of an installation that was made anew meanwhile is the newer one', async () => {
    const { accountId, key, find } = await ending(10);
    const release = slack.hold('oauth.v2.access');
    const found = find();
    while (slack.waiting() === 0) await new Promise((resolve) => setImmediate(resolve));
    await store(accountId, key, { botToken: 'xoxb-other', refreshToken: 'other', expiresAt: seconds() + 9000 });
    release();
    expect((await found).tokens.botToken).toBe('xoxb-other');
    expect((await tokensOf(key)).botToken).toBe('xoxb-other');
  });

  test('whose renewal is refused is good until its end, and ends the installation after it', async () => {
    const good = await ending(60);
    good.workspace.refreshTokens.clear();
    expect((await good.find()).tokens.botToken).toBe(`xoxb-${good.key}`);
    const unlucky = await ending(4);
    slack.refuse('oauth.v2.access', 'fatal_error');
    await expect(unlucky.find()).rejects.toThrow('fatal_error');
    expect(await rowOf(unlucky.key)).toMatchObject({ revokedAt: null });
    const over = await ending(4);
    over.workspace.refreshTokens.clear();
    expect(await findInstallation(over.key)).toBeNull();
    expect(await rowOf(over.key)).toMatchObject({
      revokedAt: expect.any(Date),
      error: 'Slack renews the access no more. Connect it again to go on.',
    });
  });
});

describe('an installation ends', () => {
  const remove = (key: string, cause: Parameters<typeof removeInstallation>[2]) =>
    removeInstallation(key, 'Gone.', cause);
  const isOver = async (key: string) => (await rowOf(key)).revokedAt !== null;

  test('by the refusal of the token that it holds, and of no other', async () => {
    const { accountId, key, find } = await connectWorkspace(slack);
    await find();
    await remove(key, { token: 'xoxb-old' });
    expect(await isOver(key)).toBe(false);
    await remove(key, { token: `xoxb-${key}` });
    expect(await rowOf(key)).toMatchObject({ revokedAt: expect.any(Date), error: 'Gone.' });
    expect(await tokensOf(key)).toBeNull();
    expect(await findInstallation(key)).toBeNull();
    expect(await stateOf(accountId)).toMatchObject({ authenticated: false, error: 'Gone.' });
    await remove(key, { token: `xoxb-${key}` });
    await remove(`${key}x`, { token: 't' });
  });

  test('by an event from after it was installed, to the second', async () => {
    const { key } = await connectWorkspace(slack);
    const at = (milliseconds: number) => new Date(Date.UTC(2026, 0, 1, 12, 0, 0, milliseconds));
    await ChannelInstallation.updateOne({ key }, { $set: { installedAt: at(700) } });
    await remove(key, { happenedAt: at(-1000) });
    expect(await isOver(key)).toBe(false);
    // An old event of an installation that stands has its token tried.
    expect(slack.callsOf('auth.test', { team: key })).toHaveLength(1);
    await remove(key, { happenedAt: at(0) });
    expect(await isOver(key)).toBe(true);
  });

  test('where the row says no time of installing, by when it was made', async () => {
    const { key } = await connectWorkspace(slack);
    const createdAt = new Date(Date.UTC(2026, 0, 1));
    await ChannelInstallation.updateOne({ key }, { $set: { installedAt: null } });
    await ChannelInstallation.collection.updateOne({ key }, { $set: { createdAt } });
    await remove(key, { happenedAt: new Date(createdAt.getTime() - 1000) });
    expect(await isOver(key)).toBe(false);
    await remove(key, { happenedAt: createdAt });
    expect(await isOver(key)).toBe(true);
  });

  test('and the account is connected as long as another stands', async () => {
    const { accountId, key } = await connectWorkspace(slack);
    const second = `T${nextNumber()}`;
    await store(accountId, second);
    await remove(key, { token: `xoxb-${key}` });
    expect(await stateOf(accountId)).toMatchObject({ authenticated: true });
    await remove(second, { token: `xoxb-${second}` });
    expect(await stateOf(accountId)).toMatchObject({ authenticated: false });
  });

  test('when Slack takes back the token that a call goes with', async () => {
    const { key, find, workspace } = await connectWorkspace(slack);
    const installation = await find();
    expect(clientOf(installation)).toBe(clientOf(installation));
    slack.revoke(workspace);
    await expect(clientOf(installation).chat.postMessage({ channel: 'C1', text: 'x' })).rejects.toMatchObject({
      permanent: true,
    });
    expect(await rowOf(key)).toMatchObject({ error: 'Slack took back the access. Connect it again to go on.' });
  });
});

describe('connecting Slack', () => {
  const connect = (code: string, who = makeWho()) => slackConnector.connect(who, code);
  const text = 'Slack did not accept the connection. Please try again.';

  test('begins on Slack’s page, with every scope that the app needs', () => {
    const address = new URL(slackConnector.authorizeUrl('the state'));
    expect(address.origin + address.pathname).toBe(`${slack.url}/oauth/v2/authorize`);
    expect(Object.fromEntries(address.searchParams)).toEqual({
      client_id: '1.2',
      scope: BOT_SCOPES.join(','),
      redirect_uri: `${baseUrl()}/api/oauth/slack/callback`,
      state: 'the state',
    });
  });

  test('installs the workspace, or the whole organisation', async () => {
    const [who, team] = [makeWho(), `T${nextNumber()}`];
    slack.addWorkspace(team, 'Quillmere');
    await connect(`code-${team}`, who);
    const { accountId, userId } = who;
    expect(await rowOf(team)).toMatchObject({ accountId, installedBy: userId, name: 'Quillmere' });
    expect(await tokensOf(team)).toEqual(slackTokens(team));
    const [other, organisation] = [`T${nextNumber()}`, `E${nextNumber()}`];
    Object.assign(slack.addWorkspace(other, 'The Trust'), { enterprise: organisation });
    await connect(`code-${other}`);
    expect(await rowOf(organisation)).toMatchObject({ name: 'The Trust' });
    expect(await tokensOf(organisation)).toMatchObject({ teamId: null, enterpriseId: organisation, expiresAt: null });
    const unnamed = `T${nextNumber()}`;
    Object.assign(slack.addWorkspace(unnamed), { name: undefined });
    await connect(`code-${unnamed}`);
    expect(await rowOf(unnamed)).toMatchObject({ name: 'Slack' });
  });

  test('keeps until when the token is good, and how it is renewed', async () => {
    const team = `T${nextNumber()}`;
    Object.assign(slack.addWorkspace(team), { expiresIn: 43_200 });
    await connect(`code-${team}`);
    const { expiresAt, refreshToken } = await tokensOf(team);
    expect(refreshToken).toBe(`xoxe-${team}`);
    expect(Math.abs((expiresAt ?? 0) - seconds() - 43_200)).toBeLessThan(5);
  });

  test('says what Slack did not do', async () => {
    await expect(connect('code-nothing')).rejects.toMatchObject({ code: 'not_available', message: text });
    const team = `T${nextNumber()}`;
    slack.addWorkspace(team).tokens.clear();
    await expect(connect(`code-${team}`)).rejects.toThrow('Slack gave a token and did not answer with it.');
    expect(await ChannelInstallation.exists({ key: team })).toBeNull();
  });

  test('is tried for every workspace of the account', async () => {
    const { accountId, key, workspace } = await connectWorkspace(slack);
    expect(await testSlack(accountId)).toBeNull();
    expect(await testSlack(nextNumber())).toBe('Slack is not connected. Connect it under Integrations.');
    slack.refuse('auth.test', 'team_access_not_granted');
    expect(await testSlack(accountId)).toBe(`Slack does not answer for ${workspace.name}: team_access_not_granted.`);
    const owner = makeWho({ accountId });
    await runInAccount(accountId, () => toggleIntegration(owner, 'slack', false));
    expect(await testSlack(accountId)).toBe(`Slack does not answer for ${workspace.name}: not installed.`);
    expect(key).toBe(workspace.team);
  });
});
