/** @environment teams */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../factories/person.ts';
import { sweepNow } from '../factories/sweepNow.ts';
import {
  askForReview,
  installIn,
  interruptIdOf,
  postWith,
  startTeamsServer,
  type TeamsServer,
} from '../factories/teamsServer.ts';
import { type Organisation, postsOf, wordsOf } from '../fakes/teams/organisation.ts';
import { addConversation } from '../fakes/teams/server.ts';

let it: TeamsServer;
beforeAll(async () => {
  it = await startTeamsServer();
});
afterEach(() => it.teams.recover());
afterAll(() => it.stop());

const POSTS = /POST \/v3\/conversations\/.+\/activities/;
const sweep = async () => (await import('../../bot/engine/delivery/sweepDeliveries.ts')).sweepDeliveries();
const inAccount = async <T>({ owner }: Organisation, work: () => Promise<T>) =>
  (await import('../../models/store/context.ts')).runInAccount(owner.user.accountId, work);
const referencesOf = (organisation: Organisation) =>
  inAccount(organisation, async () => {
    const { ChannelReference } = await import('../../models/channelReference.ts');
    return ChannelReference.find({ accountId: organisation.owner.user.accountId }).lean();
  });
const lastDelivery = (organisation: Organisation) =>
  inAccount(organisation, async () => {
    const { Delivery } = await import('../../models/delivery.ts');
    return Delivery.findOne({ surface: 'teams' }).sort({ _id: -1 }).lean();
  });

const makeDue = (organisation: Organisation, _id: unknown) =>
  inAccount(organisation, async () => {
    const { Delivery } = await import('../../models/delivery.ts');
    await Delivery.updateOne({ _id: _id as never }, { $set: { dueAt: new Date(0) } });
  });

describe('the reference to a conversation', () => {
  test('is stored when the app is installed, and updated from every activity', async () => {
    const organisation = await it.connect();
    const { sender, personal, tenant, ada } = organisation;
    const [reference] = await referencesOf(organisation);
    expect(reference).toMatchObject({
      kind: 'personal',
      conversationId: personal.conversation.id,
      serviceUrl: it.teams.serviceUrl,
      botId: `28:${tenant.appId}`,
      userId: ada.id,
      directoryId: ada.aadObjectId,
      endedAt: null,
    });
    const moved = it.teams.serviceUrl.replace('127.0.0.1', 'localhost');
    await sender.message(personal, 'help', { more: { serviceUrl: moved }, claims: { serviceurl: moved } });
    await postWith(organisation, /I never set a severity/);
    expect((await referencesOf(organisation))[0]?.serviceUrl).toBe(moved);
  });

  test('ends when the app is removed, and is new when it is installed again', async () => {
    const organisation = await it.connect();
    const { sender, personal, owner } = organisation;
    const teams = async () => (await owner.browser.get('/api/oauth/status/all')).body.teams;
    await sender.install(personal, 'remove');
    expect((await referencesOf(organisation))[0]?.endedAt).not.toBeNull();
    expect(await teams()).toMatchObject({ authenticated: false, error: expect.stringContaining('removed from Teams') });
    await sender.install(personal, 'add');
    expect((await referencesOf(organisation))[0]?.endedAt).toBeNull();
    expect(await teams()).toMatchObject({ authenticated: true, error: null });
  });

  test.each([
    ['installationUpdate', { action: 'remove' }],
    ['conversationUpdate', { membersRemoved: 'the app' }],
  ])('is not ended by a late %s if the app was installed since', async (type, more) => {
    const organisation = await it.connect();
    const { sender, personal, tenant } = organisation;
    const late = new Date(Date.now() - 60_000).toISOString();
    const members = 'membersRemoved' in more ? { membersRemoved: [{ id: `28:${tenant.appId}` }] } : more;
    await sender.install(personal);
    await sender.send({ ...sender.envelope(personal, type), ...members, timestamp: late }, tenant);
    await sender.message(personal, 'help');
    await eventually(async () => postsOf(tenant).some((post) => /I never set/.test(wordsOf(post))), 'the answer');
    const { ChannelReference } = await import('../../models/channelReference.ts');
    const { runInAccount } = await import('../../models/store/context.ts');
    const ended = () =>
      runInAccount(organisation.owner.user.accountId, () =>
        ChannelReference.countDocuments({ endedAt: { $ne: null } }),
      );
    await sender.send({ ...sender.envelope(personal, type), ...members, timestamp: late }, tenant);
    expect(await ended()).toBe(0);
    await sender.send({ ...sender.envelope(personal, type), ...members }, tenant);
    expect(await ended()).toBe(1);
  });

  test('is deleted with the person when they are erased', async () => {
    const organisation = await it.connect();
    const { owner, sender, personal } = organisation;
    await sender.message(personal, 'help');
    await postWith(organisation, /I never set a severity/);
    const { dangerouslyForgetPerson } = await import('../../models/store/accountRows.ts');
    await dangerouslyForgetPerson(owner.user.accountId, owner.user.id, 'Ada Okafor', 'Someone');
    expect(await referencesOf(organisation)).toEqual([]);
  });

  test('stays while the app is updated; deleting a channel ends only its own', async () => {
    const organisation = await it.connect();
    const { sender, personal, tenant } = organisation;
    await sender.send({ ...sender.envelope(personal, 'installationUpdate'), action: 'remove-upgrade' }, tenant);
    expect((await referencesOf(organisation))[0]?.endedAt).toBeNull();
    const place = await installIn(organisation, 'channel');
    const event = sender.envelope(place, 'conversationUpdate');
    const channelData = { ...event.channelData, eventType: 'channelDeleted' };
    await sender.send({ ...event, channelData }, tenant);
    const ended = (await referencesOf(organisation)).filter(({ endedAt }) => endedAt !== null);
    expect(ended.map(({ conversationId }) => conversationId)).toEqual([place.conversation.id]);
  });

  test('ends for all channels of a team that the app is removed from, and for no others', async () => {
    const organisation = await it.connect();
    const first = await installIn(organisation, 'channel');
    const second = {
      ...first,
      conversation: { ...addConversation(organisation.tenant, 'channel', [organisation.ada]) },
    };
    second.conversation.teamId = first.conversation.teamId;
    await organisation.sender.install(second);
    await organisation.sender.install(first, 'remove');
    const ended = (await referencesOf(organisation)).filter(({ endedAt }) => endedAt !== null);
    expect(ended.map(({ conversationId }) => conversationId).sort()).toEqual(
      [first.conversation.id, second.conversation.id].sort(),
    );
    expect(await referencesOf(organisation)).toHaveLength(3);
  });
});

describe('when Teams refuses a message', () => {
  test.each([412, 429, 502, 504])('%d is retried later, and the message arrives once', async (status) => {
    const organisation = await it.connect();
    const begun = Date.now();
    // Longer than a slow machine takes to check; the test does not wait for it.
    it.teams.fail(POSTS, status, 1, status === 429 ? 60 : undefined);
    await organisation.sender.message(organisation.personal, 'help');
    const waiting = await eventually(async () => {
      const delivery = await lastDelivery(organisation);
      return delivery?.attempts === 1 ? delivery : null;
    }, 'the first try');
    expect(waiting).toMatchObject({ status: 'due', error: `Teams answered ${status}.` });
    expect(waiting.dueAt.getTime()).toBeGreaterThan(begun + 200);
    await makeDue(organisation, waiting._id);
    await eventually(async () => {
      await sweep();
      return postsOf(organisation.tenant).length > 0;
    }, 'the reply after');
    expect(postsOf(organisation.tenant)).toHaveLength(1);
  });

  test('attempts that failed together do not retry together', async () => {
    const { TeamsRefusal } = await import('../../bot/channels/teams/platform/refusal.ts');
    const waits = new Set(Array.from({ length: 20 }, () => new TeamsRefusal(429, 2).retryAfter));
    expect(waits.size).toBeGreaterThan(10);
    for (const wait of waits) expect(wait).toBeGreaterThanOrEqual(2);
  });

  test.each([403, 404])('%d means the app is gone: nothing is retried, and the conversation ends', async (status) => {
    const organisation = await it.connect();
    it.teams.fail(POSTS, status, 1);
    await organisation.sender.message(organisation.personal, 'help');
    const failed = await eventually(async () => {
      const delivery = await lastDelivery(organisation);
      return delivery?.status === 'failed' ? delivery : null;
    }, 'the delivery to be given up');
    expect(failed.attempts).toBe(1);
    expect((await referencesOf(organisation))[0]?.endedAt).not.toBeNull();
    // When the app is addressed again, the conversation is open again.
    await organisation.sender.message(organisation.personal, 'help');
    await postWith(organisation, /I never set a severity/);
  });

  test('a login that does not answer blocks nothing permanently', async () => {
    const organisation = await it.connect();
    organisation.tenant.secret = 'rotated';
    it.teams.revokeTokens();
    await organisation.sender.message(organisation.personal, 'help');
    await eventually(async () => ((await lastTurn(organisation))?.attempts ?? 0) >= 0, 'the turn');
    organisation.tenant.secret = 'shh';
    await eventually(async () => {
      await sweep();
      await sweepTurns();
      return postsOf(organisation.tenant).some((post) => /I never set a severity/.test(wordsOf(post)));
    }, 'the reply after');
  });

  test('a card answered while Teams is down is closed once it is back', async () => {
    const organisation = await it.connect();
    const post = await askForReview(organisation);
    it.teams.fail(/PUT/, 502, 2);
    await organisation.owner.browser
      .patch(`/api/interrupts/${interruptIdOf(post)}/resolve`)
      .send({ approved: true })
      .expect(200);
    await eventually(async () => {
      await sweepNow();
      return (organisation.tenant.posts.get(post.id)?.updates ?? 0) > 0;
    }, 'the closed card');
  });

  const lastTurn = (organisation: Organisation) =>
    inAccount(organisation, async () => {
      const { Turn } = await import('../../models/turn.ts');
      return Turn.findOne({}).sort({ _id: -1 }).lean();
    });
  async function sweepTurns() {
    const { Turn } = await import('../../models/turn.ts');
    const { dangerouslyRunInEveryAccount } = await import('../../models/store/context.ts');
    await dangerouslyRunInEveryAccount(() => Turn.updateMany({ status: 'stored' }, { $set: { dueAt: new Date(0) } }));
    await (await import('../../bot/engine/turns/sweepTurns.ts')).sweepTurns();
  }
});

test('200 messages in a burst are all acknowledged, and none is lost to rate limits', async () => {
  const organisation = await it.connect();
  const { tenant, sender, ada } = organisation;
  it.teams.fail(POSTS, 429, 60, 1);
  const places = Array.from({ length: 200 }, () => ({
    tenant,
    user: ada,
    conversation: addConversation(tenant, 'personal', [ada]),
  }));
  const sent = await Promise.all(places.map((place) => sender.message(place, 'help')));
  expect(sent.every(({ status }) => status === 200)).toBe(true);
  await eventually(
    async () => {
      await sweep();
      return postsOf(tenant).length >= 200;
    },
    '200 replies',
    60_000,
  );
  expect(postsOf(tenant)).toHaveLength(200);
}, 90_000);
