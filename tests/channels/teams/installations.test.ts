/** @environment teams */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  defaultRegistration,
  findInstallation,
  findRegistration,
  installationsOf,
  isKnownApp,
  isOn,
  readAccountRegistration,
  storeInstallation,
} from '../../../bot/channels/teams/install/installations.ts';
import {
  endReferences,
  findAnyReference,
  findPersonal,
  findReference,
  keepPersonal,
  refreshReference,
} from '../../../bot/channels/teams/install/references.ts';
import { installationKeyOf } from '../../../bot/channels/teams/platform/address.ts';
import { acceptTeamsMessage, storeTurn } from '../../../bot/channels/teams/talk/inbound.ts';
import { requireReachable } from '../../../bot/channels/teams/talk/reach.ts';
import { endInstallation } from '../../../bot/engine/accounts/installations.ts';
import { readIntegrations, toggleIntegration } from '../../../bot/engine/accounts/integrations.ts';
import { ChannelInstallation } from '../../../models/channelInstallation.ts';
import { ChannelReference, type ChannelReferenceRow } from '../../../models/channelReference.ts';
import { Conversation } from '../../../models/conversation.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { requireRow } from '../../../models/store/requireRow.ts';
import { announce } from '../../../models/store/revisions.ts';
import { Turn } from '../../../models/turn.ts';
import { own } from '../../environments/teams.ts';
import { type Server, startServer } from '../../factories/server.ts';
import { connectOrganisation, makeActivity } from '../../factories/teamsPlace.ts';
import { codeOf, makeWho, nextNumber } from '../../factories/who.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const rowOf = async (key: string) => requireRow(await ChannelInstallation.findOne({ channel: 'teams', key }).lean());
const stateOf = async (accountId: number) => (await runInAccount(accountId, () => readIntegrations(accountId))).teams;
const forget = () => announce(nextNumber(), ['integrations']);

describe('a connected organisation', () => {
  const store = (accountId: number, appId: string, tenantId: string, appPassword: string | null = 'secret') =>
    storeInstallation(accountId, 7, 'Quillmere', { appId, tenantId, appPassword });

  test('is stored once, sealed, with its own secret or the deployment’s', async () => {
    const [accountId, appId, tenantId] = [nextNumber(), randomUUID(), randomUUID()];
    const key = installationKeyOf(appId, tenantId);
    expect(await findInstallation(key)).toBeNull();
    await store(accountId, appId, tenantId);
    expect(await rowOf(key)).toMatchObject({
      accountId,
      name: 'Quillmere',
      installedBy: 7,
      admits: 'members',
      revokedAt: null,
      error: null,
      createdAt: expect.any(Date),
    });
    expect(JSON.stringify(await rowOf(key))).not.toContain('secret');
    expect((await findInstallation(key))?.registration).toEqual({ appId, tenantId, appPassword: 'secret' });
    await ChannelInstallation.updateOne({ key }, { $set: { admits: 'workspace' } });
    await store(accountId, appId, tenantId, null);
    expect((await findInstallation(key))?.registration.appPassword).toBe(own.secret);
    expect(await ChannelInstallation.countDocuments({ key })).toBe(1);
    expect((await rowOf(key)).admits).toBe('workspace');
    await ChannelInstallation.updateOne({ key }, { $set: { revokedAt: new Date() } });
    announce(accountId, ['chat']);
    expect(await findInstallation(key)).not.toBeNull();
    forget();
    expect(await findInstallation(key)).toBeNull();
  });

  test('belongs to one account until it ends; people admitted by that account are not admitted by the next', async () => {
    const { accountId, appId, tenantId, key } = await connectOrganisation();
    await ChannelInstallation.updateOne({ key }, { $set: { admits: 'workspace' } });
    const other = nextNumber();
    await expect(store(other, appId, tenantId)).rejects.toMatchObject({
      code: 'connected_elsewhere',
      message: expect.stringContaining('This Teams organisation'),
    });
    expect(await rowOf(key)).toMatchObject({ accountId, admits: 'workspace' });
    await ChannelInstallation.updateOne({ key }, { $set: { revokedAt: new Date(), error: 'gone' } });
    await store(other, appId, tenantId);
    expect(await rowOf(key)).toMatchObject({ accountId: other, admits: 'members', revokedAt: null, error: null });
    const third = [randomUUID(), randomUUID()] as const;
    const both = await Promise.all([codeOf(store(nextNumber(), ...third)), codeOf(store(nextNumber(), ...third))]);
    expect(both.sort()).toEqual(['connected_elsewhere', 'done']);
  });

  test('ends with all its conversations, and no others', async () => {
    const accountId = nextNumber();
    const inAccount = <T>(work: () => Promise<T>) => runInAccount(accountId, work);
    const places = [await connectOrganisation(accountId), await connectOrganisation(accountId)] as const;
    for (const { find } of places) {
      const installation = await find();
      await inAccount(() => refreshReference(installation, makeActivity()));
    }
    const { _id } = await rowOf(places[0].key);
    await inAccount(() => endInstallation({ accountId, channel: 'teams', id: String(_id) }));
    const left = await inAccount(() => ChannelReference.find({ endedAt: null }).lean());
    expect(left.map(({ installationKey }) => installationKey)).toEqual([places[1].key]);
    expect(await findInstallation(places[0].key)).toBeNull();
    expect(await stateOf(accountId)).toMatchObject({ authenticated: true });
  });

  test('is active while Teams is switched on', async () => {
    const { accountId, find } = await connectOrganisation();
    expect(await isOn(await find())).toBe(true);
    const owner = makeWho({ accountId });
    await runInAccount(accountId, () => toggleIntegration(owner, 'teams', false));
    expect(await isOn(await find())).toBe(false);
  });

  test('is the account’s newest, with its own registration or else the deployment’s', async () => {
    const accountId = nextNumber();
    const deployment = { appId: own.appId, appPassword: own.secret, tenantId: own.id };
    expect(defaultRegistration()).toEqual(deployment);
    expect(await readAccountRegistration(accountId)).toEqual(deployment);
    const first = await connectOrganisation(accountId);
    const second = await connectOrganisation(accountId);
    await connectOrganisation();
    expect((await installationsOf(accountId)).map(({ key }) => key)).toEqual([second.key, first.key]);
    expect((await readAccountRegistration(accountId)).appId).toBe(second.appId);
    expect((await findRegistration(first.key))?.appPassword).toBe('secret');
    expect(await findRegistration(`${own.appId}/${randomUUID()}`)).toEqual(deployment);
    expect(await findRegistration(`${own.appId}0/${own.id}`)).toBeNull();
    await ChannelInstallation.updateOne({ key: second.key }, { $set: { revokedAt: new Date() } });
    expect((await readAccountRegistration(accountId)).appId).toBe(first.appId);
  });

  test('is found by its app, in any tenant', async () => {
    const { appId, key } = await connectOrganisation();
    expect(await isKnownApp(own.appId.toUpperCase())).toBe(true);
    expect(await isKnownApp(appId.toUpperCase())).toBe(true);
    const unknown = randomUUID();
    expect(await isKnownApp(unknown)).toBe(false);
    for (const odd of ['', 'x', appId.slice(0, -1), `${appId}/`, '.'.repeat(36)])
      expect(await isKnownApp(odd)).toBe(false);
    await ChannelInstallation.updateOne({ key }, { $set: { revokedAt: new Date() } });
    expect(await isKnownApp(appId)).toBe(true);
    forget();
    expect(await isKnownApp(appId)).toBe(false);
  });
});

describe('a reachable conversation', () => {
  const connect = async () => {
    const made = await connectOrganisation();
    const inAccount = <T>(work: () => Promise<T>) => runInAccount(made.accountId, work);
    return {
      ...made,
      inAccount,
      storeTurn: async (change: Parameters<typeof makeActivity>[0] = {}, added = false) =>
        inAccount(async () => refreshReference(await made.find(), makeActivity(change), added)),
      at: (conversationId: string) => inAccount(() => findReference({ key: made.key, conversationId, thread: null })),
      rows: () => inAccount(() => ChannelReference.find({}).sort({ key: 1 }).lean()),
      end: async (where: Parameters<typeof endReferences>[1], at?: Date) =>
        inAccount(async () => endReferences(await made.find(), where, at)),
    };
  };
  const inChannel = (id: string, team = '19:team') => ({
    conversation: { id, conversationType: 'channel' },
    channelData: { team: { id: team } },
  });

  test('is stored as in its last activity, and updated when that changes', async () => {
    const { storeTurn: refresh, rows, at, key, accountId } = await connect();
    await refresh();
    const [row, ...more] = await rows();
    expect(more).toEqual([]);
    expect(row).toMatchObject({
      accountId,
      channel: 'teams',
      key: `${key}/a:1`,
      installationKey: key,
      kind: 'personal',
      userId: '29:ada',
      endedAt: null,
      aliveAt: new Date('2026-01-02T03:04:05.000Z'),
    });
    expect((await at('a:1'))?._id).toEqual(row?._id);
    expect(await at('a:2')).toBeNull();
    const since = row?.refreshedAt;
    await refresh({ timestamp: '2026-01-03T00:00:00.000Z' });
    expect((await rows())[0]?.refreshedAt).toEqual(since);
    await refresh({ serviceUrl: 'https://smba.example/de/', timestamp: '2026-01-01T00:00:00.000Z' });
    expect((await rows())[0]).toMatchObject({
      serviceUrl: 'https://smba.example/de/',
      // The newest time stays.
      aliveAt: new Date('2026-01-02T03:04:05.000Z'),
    });
    expect((await at('a:1'))?.serviceUrl).toBe('https://smba.example/de/');
    // On reinstallation, the time is stored even if nothing else changed.
    await refresh({ serviceUrl: 'https://smba.example/de/', timestamp: '2026-01-04T00:00:00.000Z' }, true);
    expect((await rows())[0]?.aliveAt).toEqual(new Date('2026-01-04T00:00:00.000Z'));
  });

  test('is cached until integrations change', async () => {
    const { storeTurn: refresh, at, rows, inAccount, accountId } = await connect();
    await refresh();
    const move = (serviceUrl: string) => inAccount(() => ChannelReference.updateOne({}, { $set: { serviceUrl } }));
    const address = async () => (await at('a:1'))?.serviceUrl;
    forget();
    expect(await address()).toBe('https://smba.example/uk/');
    await move('https://moved.example/');
    announce(accountId, ['chat']);
    expect(await address()).toBe('https://smba.example/uk/');
    forget();
    expect(await address()).toBe('https://moved.example/');
    // An unchanged activity is written once more, too.
    await refresh();
    expect((await rows())[0]?.serviceUrl).toBe('https://smba.example/uk/');
  });

  test('shows that Teams is connected', async () => {
    const { storeTurn: refresh, accountId, end } = await connect();
    await refresh();
    expect(await stateOf(accountId)).toMatchObject({ authenticated: true });
    await end({ conversationId: 'a:1' });
    expect(await stateOf(accountId)).toMatchObject({
      authenticated: false,
      error: 'Arc was removed from Teams. Install the app again to continue.',
    });
    await refresh();
    expect(await stateOf(accountId)).toMatchObject({ authenticated: true, error: null });
  });

  test('is a person’s personal chat, found by their id or the directory’s', async () => {
    const { storeTurn: refresh, inAccount, key, end, rows } = await connect();
    await refresh();
    await refresh({ ...inChannel('19:c'), from: { id: '29:ben', aadObjectId: 'directory-ben' } });
    const find = (who: Parameters<typeof findPersonal>[1], of = key) =>
      inAccount(async () => (await findPersonal(of, who))?.conversationId ?? null);
    expect(await find({ userId: '29:ada' })).toBe('a:1');
    expect(await find({ directoryId: 'directory-ada' })).toBe('a:1');
    expect(await find({ userId: '29:ben' })).toBeNull();
    expect(await find({ userId: '29:ada' }, 'other/other')).toBeNull();
    const [, channel] = (await rows()).sort((a, b) => a.kind.localeCompare(b.kind)).toReversed();
    await inAccount(() => keepPersonal(channel as ChannelReferenceRow, '29:ben', 'a:opened'));
    expect(await find({ userId: '29:ben' })).toBe('a:opened');
    expect((await rows()).find(({ conversationId }) => conversationId === 'a:opened')).toMatchObject({
      key: `${key}/a:opened`,
      kind: 'personal',
      botId: '28:app',
      serviceUrl: 'https://smba.example/uk/',
      directoryId: null,
      teamId: null,
      aliveAt: null,
    });
    await end({ conversationId: 'a:1' });
    expect(await find({ userId: '29:ada' })).toBeNull();
  });

  test('of an installation is the one with the latest activity', async () => {
    const { storeTurn: refresh, inAccount, key, end } = await connect();
    const any = (of = key) => inAccount(async () => (await findAnyReference(of))?.conversationId ?? null);
    expect(await any()).toBeNull();
    await refresh();
    await refresh(inChannel('19:c'));
    await inAccount(() =>
      ChannelReference.updateOne({ conversationId: 'a:1' }, { $set: { refreshedAt: new Date(0) } }),
    );
    expect(await any()).toBe('19:c');
    expect(await any('other/other')).toBeNull();
    await end({ conversationId: '19:c' });
    expect(await any()).toBe('a:1');
  });

  test('ends alone, or with its whole team, in its own installation', async () => {
    const { storeTurn: refresh, rows, end, at, accountId } = await connect();
    const other = await connect();
    await other.storeTurn(inChannel('19:a'));
    await refresh();
    for (const id of ['19:a', '19:b']) await refresh(inChannel(id));
    await refresh(inChannel('19:c', '19:other'));
    const left = async () =>
      (await rows()).filter(({ endedAt }) => endedAt === null).map(({ conversationId }) => conversationId);
    expect(await at('19:a')).not.toBeNull();
    await end({ teamId: '19:team' });
    expect(await at('19:a')).toBeNull();
    expect(await left()).toEqual(['19:c', 'a:1']);
    await end({ conversationId: '19:c' });
    await end({ conversationId: '19:unknown' });
    expect(await left()).toEqual(['a:1']);
    expect(await stateOf(accountId)).toMatchObject({ authenticated: true });
    expect(await other.at('19:a')).not.toBeNull();
  });

  test('is not ended by an event older than itself', async () => {
    const { storeTurn: refresh, at, end, inAccount } = await connect();
    await refresh();
    await end({ conversationId: 'a:1' }, new Date('2026-01-02T03:04:04.999Z'));
    expect(await at('a:1')).not.toBeNull();
    await end({ conversationId: 'a:1' }, new Date('2026-01-02T03:04:05.000Z'));
    expect(await at('a:1')).toBeNull();
    await refresh({ conversation: { id: 'a:2', conversationType: 'personal' } });
    await inAccount(() => ChannelReference.updateOne({ conversationId: 'a:2' }, { $set: { aliveAt: null } }));
    await end({ conversationId: 'a:2' }, new Date(0));
    expect(await at('a:2')).toBeNull();
  });

  test('does not exist if the app is gone, which is a permanent refusal', async () => {
    const { storeTurn: refresh, inAccount, key } = await connect();
    const place = { key, conversationId: 'a:1', thread: null };
    const removed = 'The app was removed from this conversation in Teams.';
    await expect(inAccount(() => requireReachable(place))).rejects.toMatchObject({
      name: 'PermanentError',
      message: removed,
    });
    await refresh();
    expect((await inAccount(() => requireReachable(place))).reference.conversationId).toBe('a:1');
    await expect(inAccount(() => requireReachable({ ...place, key: 'other/other' }))).rejects.toMatchObject({
      name: 'PermanentError',
      message: 'Teams is no longer connected for this conversation.',
    });
  });
});

describe('an activity from Teams', () => {
  const turnsOf = (accountId: number) => runInAccount(accountId, () => Turn.find({}).sort({ _id: 1 }).lean());

  test('is one turn if it is meant for the agent and Teams is on', async () => {
    const { accountId, key, find } = await connectOrganisation();
    await ChannelInstallation.updateOne({ key }, { $set: { admits: 'workspace' } });
    const group = { id: '19:g;messageid=1', conversationType: 'groupChat' };
    await acceptTeamsMessage(await find(), makeActivity({ conversation: group }));
    expect(await turnsOf(accountId)).toEqual([]);
    const activity = makeActivity({ conversation: { id: 'a:1', conversationType: 'personal' } });
    for (const _again of [0, 1]) await acceptTeamsMessage(await find(), activity);
    const [turn, ...more] = await turnsOf(accountId);
    expect(more).toEqual([]);
    expect(turn).toMatchObject({
      channel: 'teams',
      address: { channel: 'teams', conversation: `${key}/a:1`, thread: null },
      speaker: { userId: null, platformId: `${key}/29:ada`, name: '' },
      eventId: `${key}:a:1:${activity.id}`,
      manner: 'said',
      files: [],
    });
    const owner = makeWho({ accountId });
    await runInAccount(accountId, () => toggleIntegration(owner, 'teams', false));
    await acceptTeamsMessage(await find(), makeActivity());
    expect(await turnsOf(accountId)).toHaveLength(1);
  });

  test('may be only a file, but not empty', async () => {
    const { accountId, find } = await connectOrganisation();
    const place = { key: (await find()).row.key, conversationId: 'a:1', thread: null };
    const heard = { userId: '29:ada', text: '', files: [], manner: 'said' as const, eventId: 'e' };
    await storeTurn(await find(), place, heard);
    expect(await runInAccount(accountId, () => Conversation.countDocuments({}))).toBe(0);
    await storeTurn(await find(), place, { ...heard, files: [{ fileId: 'f', name: 'log.xlsx' }] });
    expect(await turnsOf(accountId)).toHaveLength(1);
  });
});
