/** @environment slack */
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Types } from 'mongoose';
import { refusalOf } from '../../../bot/channels/slack/client.ts';
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
import { endInstallation } from '../../../bot/engine/accounts/installations.ts';
import { readIntegrations, toggleIntegration } from '../../../bot/engine/accounts/integrations.ts';
import { PermanentError } from '../../../bot/engine/delivery/permanentError.ts';
import { ChannelInstallation } from '../../../models/channelInstallation.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { seal } from '../../../models/store/encrypted.ts';
import { announce } from '../../../models/store/revisions.ts';
import { slack } from '../../environments/slack.ts';
import { type Server, startServer } from '../../factories/server.ts';
import { connectWorkspace, readInstalled, readTokens, slackTokens } from '../../factories/slackPlace.ts';
import { codeOf, makeWho, nextNumber } from '../../factories/who.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());
afterEach(() => {
  jest.restoreAllMocks();
});

const stateOf = async (accountId: number) => (await runInAccount(accountId, () => readIntegrations(accountId))).slack;
const store = (accountId: number, key: string, change: Partial<SlackTokens> = {}, name = 'Quillmere') =>
  storeInstallation(accountId, 7, name, slackTokens(key, change), false);
/** Clears the cache of an account's installations. */
const forget = (accountId: number) => announce(accountId, ['integrations']);

test.each([
  [{ teamId: 'T1', enterpriseId: 'E1' }, 'T1'],
  [{ teamId: 'T1', enterpriseId: 'E1', isEnterpriseInstall: true }, 'E1'],
  [{ teamId: null, enterpriseId: 'E1', isEnterpriseInstall: true }, 'E1'],
  [{ teamId: undefined }, ''],
  [{ teamId: 'T1', isEnterpriseInstall: true }, ''],
])('the key of %j is %j', (source, key) => {
  expect(keyOf(source)).toBe(key);
});

describe('an installed workspace', () => {
  test('is stored once, sealed, and switches Slack on', async () => {
    const [accountId, key] = [nextNumber(), `T${nextNumber()}`];
    await store(accountId, key);
    expect(await readInstalled(key)).toMatchObject({
      accountId,
      channel: 'slack',
      name: 'Quillmere',
      installedBy: 7,
      admits: 'members',
      revokedAt: null,
      error: null,
      installedAt: expect.any(Date),
      createdAt: expect.any(Date),
    });
    expect(JSON.stringify(await readInstalled(key))).not.toContain('xoxb');
    expect(await readTokens(key)).toEqual(slackTokens(key));
    expect(await stateOf(accountId)).toMatchObject({ authenticated: true, enabled: true, error: null });
    await ChannelInstallation.updateOne({ key }, { $set: { admits: 'workspace' } });
    expect((await findInstallation(key))?.tokens.botToken).toBe(`xoxb-${key}`);
    await store(accountId, key, { botToken: 'xoxb-new' }, 'Renamed');
    expect((await findInstallation(key))?.tokens.botToken).toBe('xoxb-new');
    expect(await ChannelInstallation.countDocuments({ key })).toBe(1);
    expect(await readInstalled(key)).toMatchObject({ name: 'Renamed', admits: 'workspace' });
  });

  test('belongs to one account until it ends; people admitted by that account are not admitted by the next', async () => {
    const [first, second, key] = [nextNumber(), nextNumber(), `T${nextNumber()}`];
    await store(first, key);
    await ChannelInstallation.updateOne({ key }, { $set: { admits: 'workspace' } });
    await expect(store(second, key)).rejects.toMatchObject({
      code: 'connected_elsewhere',
      message: expect.stringContaining('The Slack workspace Quillmere'),
    });
    expect(await readInstalled(key)).toMatchObject({ accountId: first, admits: 'workspace' });
    expect(await stateOf(second)).toMatchObject({ enabled: false });
    await ChannelInstallation.updateOne({ key }, { $set: { revokedAt: new Date(), error: 'gone' } });
    await store(second, key);
    expect(await readInstalled(key)).toMatchObject({
      accountId: second,
      admits: 'members',
      revokedAt: null,
      error: null,
    });
  });

  test('is the next account’s at once, even if it was cached for the previous one', async () => {
    const [first, second, key] = [nextNumber(), nextNumber(), `T${nextNumber()}`];
    await store(first, key);
    expect((await findInstallation(key))?.row.accountId).toBe(first);
    // It ended in another process.
    await ChannelInstallation.updateOne({ key }, { $set: { revokedAt: new Date() } });
    await store(second, key);
    expect((await findInstallation(key))?.row.accountId).toBe(second);
  });

  test('is separate from another channel’s installation with the same key', async () => {
    const [accountId, key] = [nextNumber(), `T${nextNumber()}`];
    const elsewhere = { _id: new Types.ObjectId(), accountId, channel: 'teams', key, name: 'In Teams', installedBy: 1 };
    await ChannelInstallation.create({ ...elsewhere, sealed: {} } as never);
    expect([await findInstallation(key), await installationsOf(accountId)]).toEqual([null, []]);
    await ChannelInstallation.updateOne({ _id: elsewhere._id }, { $set: { accountId: nextNumber() } });
    await store(accountId, key);
    expect(await ChannelInstallation.findById(elsewhere._id).lean()).toMatchObject({ name: 'In Teams' });
    expect((await findInstallation(key))?.row).toMatchObject({ accountId, channel: 'slack' });
    await ChannelInstallation.updateOne({ _id: elsewhere._id }, { $set: { accountId } });
    await store(accountId, key, {}, 'Again');
    expect(await ChannelInstallation.findById(elsewhere._id).lean()).toMatchObject({ name: 'In Teams' });
  });

  test('is not stored if the store fails, with the store’s own error', async () => {
    const [accountId, key] = [nextNumber(), `T${nextNumber()}`];
    const fault = new Error('the store is lost');
    jest.spyOn(ChannelInstallation.collection, 'updateOne').mockRejectedValueOnce(fault as never);
    await expect(store(accountId, key)).rejects.toBe(fault);
    expect(await stateOf(accountId)).toMatchObject({ authenticated: false });
  });

  test('belongs to one of two accounts that install it at the same moment', async () => {
    const key = `T${nextNumber()}`;
    const both = await Promise.all([codeOf(store(nextNumber(), key)), codeOf(store(nextNumber(), key))]);
    expect(both.sort()).toEqual(['connected_elsewhere', 'done']);
  });

  test('is found by its key while it is installed and Slack is switched on', async () => {
    const { accountId, key, converse } = await connectWorkspace(slack);
    const conversation = await converse('C1');
    expect((await installationOf(conversation)).row.key).toBe(key);
    expect(await findInstallation(`${key}x`)).toBeNull();
    const owner = makeWho({ accountId });
    const toggle = (on: boolean) => runInAccount(accountId, () => toggleIntegration(owner, 'slack', on));
    await toggle(false);
    expect(await findInstallation(key)).toBeNull();
    await expect(installationOf(conversation)).rejects.toMatchObject({
      name: 'PermanentError',
      message: 'Slack is no longer connected for this conversation.',
    });
    await toggle(true);
    expect(await findInstallation(key)).not.toBeNull();
    await ChannelInstallation.updateOne({ key }, { $set: { revokedAt: new Date() } });
    // Cached briefly, until the account changes.
    announce(accountId, ['chat']);
    announce(nextNumber(), ['integrations']);
    expect(await findInstallation(key)).not.toBeNull();
    forget(accountId);
    expect(await findInstallation(key)).toBeNull();
  });

  test('is found by its own key, or else by its organisation’s', async () => {
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

describe('an installation ends', () => {
  const remove = (key: string, cause: Parameters<typeof removeInstallation>[2]) =>
    removeInstallation(key, 'Gone.', cause);
  const isOver = async (key: string) => (await readInstalled(key)).revokedAt !== null;

  test('when its own token is refused, but not when another token is', async () => {
    const { accountId, key, find } = await connectWorkspace(slack);
    await find();
    await remove(key, { token: 'xoxb-old' });
    expect(await isOver(key)).toBe(false);
    await remove(key, { token: `xoxb-${key}` });
    expect(await readInstalled(key)).toMatchObject({ revokedAt: expect.any(Date), error: 'Gone.' });
    expect(await readTokens(key)).toBeNull();
    expect(await findInstallation(key)).toBeNull();
    expect(await stateOf(accountId)).toMatchObject({ authenticated: false, error: 'Gone.' });
    await remove(key, { token: `xoxb-${key}` });
    await remove(`${key}x`, { token: 't' });
  });

  test('with an event later than the installation, to the second', async () => {
    const { key } = await connectWorkspace(slack);
    const at = (milliseconds: number) => new Date(Date.UTC(2026, 0, 1, 12, 0, 0, milliseconds));
    await ChannelInstallation.updateOne({ key }, { $set: { installedAt: at(700) } });
    await remove(key, { happenedAt: at(-1000) });
    expect(await isOver(key)).toBe(false);
    // After an old event, the installation's token is checked.
    expect(slack.callsOf('auth.test', { team: key })).toHaveLength(1);
    await remove(key, { happenedAt: at(0) });
    expect(await isOver(key)).toBe(true);
  });

  test('by its creation time, if the row has no time of installation', async () => {
    const { key } = await connectWorkspace(slack);
    const createdAt = new Date(Date.UTC(2026, 0, 1));
    await ChannelInstallation.updateOne({ key }, { $set: { installedAt: null } });
    await ChannelInstallation.collection.updateOne({ key }, { $set: { createdAt } });
    await remove(key, { happenedAt: new Date(createdAt.getTime() - 1000) });
    expect(await isOver(key)).toBe(false);
    await remove(key, { happenedAt: createdAt });
    expect(await isOver(key)).toBe(true);
  });

  /** Runs something after an installation was read and before it ends. */
  const meanwhile = (change: () => Promise<unknown>) => {
    const end = ChannelInstallation.findOneAndUpdate.bind(ChannelInstallation) as (...given: unknown[]) => {
      lean(): Promise<unknown>;
    };
    const late = (...given: unknown[]) => ({
      async lean() {
        await change();
        return end(...given).lean();
      },
    });
    jest.spyOn(ChannelInstallation, 'findOneAndUpdate').mockImplementationOnce(late as never);
  };
  const renewed = (key: string) => async () => {
    const sealed = seal(slackTokens(key, { botToken: 'xoxb-renewed' }), `slack:${key}`);
    await ChannelInstallation.updateOne({ key }, { $set: { sealed } });
  };

  test.each([
    ['an event', { happenedAt: new Date(Date.now() + 60_000) }, true],
    ['the refusal of the old token', null, false],
  ])('while its token is refreshed by %s: %s', async (_what, cause, over) => {
    const { key } = await connectWorkspace(slack);
    meanwhile(renewed(key));
    await remove(key, cause ?? { token: `xoxb-${key}` });
    expect(await isOver(key)).toBe(over);
  });

  test('once: one that ended or was renewed meanwhile is left alone', async () => {
    const { key } = await connectWorkspace(slack);
    const later = { happenedAt: new Date(Date.now() + 60_000) };
    const set = (change: object) => () => ChannelInstallation.updateOne({ key }, { $set: change });
    meanwhile(set({ installedAt: new Date(Date.now() + 1000) }));
    await remove(key, later);
    expect(await isOver(key)).toBe(false);
    meanwhile(set({ revokedAt: new Date(), error: 'First.' }));
    await remove(key, later);
    expect(await readInstalled(key)).toMatchObject({ error: 'First.' });
  });

  test('alone, even if another was installed at the same moment', async () => {
    const keys = [(await connectWorkspace(slack)).key, (await connectWorkspace(slack)).key] as const;
    await ChannelInstallation.updateMany({ key: { $in: keys } }, { $set: { installedAt: new Date(0) } });
    await remove(keys[1], { happenedAt: new Date() });
    expect([await isOver(keys[0]), await isOver(keys[1])]).toEqual([false, true]);
  });

  test('and is no longer found, even if another process ended it', async () => {
    const { key, find } = await connectWorkspace(slack);
    await find();
    await ChannelInstallation.updateOne({ key }, { $set: { revokedAt: new Date() } });
    await remove(key, { token: `xoxb-${key}` });
    expect(await findInstallation(key)).toBeNull();
  });

  test('and the account stays connected as long as it has another', async () => {
    const { accountId, key } = await connectWorkspace(slack);
    const second = `T${nextNumber()}`;
    await store(accountId, second);
    await remove(key, { token: `xoxb-${key}` });
    expect(await stateOf(accountId)).toMatchObject({ authenticated: true });
    await remove(second, { token: `xoxb-${second}` });
    expect(await stateOf(accountId)).toMatchObject({ authenticated: false });
  });

  test('when the company disconnects, without a pending refresh or an error', async () => {
    const { accountId, key, find, inAccount } = await connectWorkspace(slack);
    await find();
    const { _id } = await readInstalled(key);
    const renewal = { by: 'another process', until: new Date(Date.now() + 60_000) };
    await ChannelInstallation.updateOne({ key }, { $set: { renewal, error: 'A fault.' } });
    const end = (change: Partial<Parameters<typeof endInstallation>[0]> = {}) =>
      codeOf(inAccount(() => endInstallation({ accountId, channel: 'slack', id: String(_id), ...change })));
    expect(await end({ accountId: nextNumber() })).toBe('not_found');
    expect(await end({ channel: 'teams' })).toBe('not_found');
    expect(await isOver(key)).toBe(false);
    expect(await end()).toBe('done');
    expect(await readInstalled(key)).toMatchObject({ revokedAt: expect.any(Date), error: null, renewal: null });
    expect(await readTokens(key)).toBeNull();
    expect(await findInstallation(key)).toBeNull();
    expect(await stateOf(accountId)).toMatchObject({ authenticated: false, error: null });
    expect(await end()).toBe('not_found');
  });

  test('when Slack revokes the token of a call', async () => {
    const { key, find, workspace } = await connectWorkspace(slack);
    const installation = await find();
    expect(clientOf(installation)).toBe(clientOf(installation));
    slack.revoke(workspace);
    await expect(clientOf(installation).chat.postMessage({ channel: 'C1', text: 'x' })).rejects.toMatchObject({
      name: 'PermanentError',
      message: 'An API error occurred: token_revoked',
    });
    expect(await readInstalled(key)).toMatchObject({
      error: 'Slack has withdrawn the access. Connect it again to continue.',
    });
  });

  test('only with certain error codes of Slack', async () => {
    const { find } = await connectWorkspace(slack);
    const client = clientOf(await find());
    const refused = await client.chat.postMessage({ channel: 'UNONE', text: 'x' }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(PermanentError);
    expect(refusalOf(refused)).toBe('channel_not_found');
    expect(refusalOf(new PermanentError('Slack is not connected.'))).toBeNull();
  });
});
