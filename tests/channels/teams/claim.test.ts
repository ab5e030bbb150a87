/** @environment teams */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually, type Person, signUp, signUpReady } from '../../factories/person.ts';
import { postWith, startTeamsServer, type TeamsServer } from '../../factories/teamsServer.ts';
import { postsOf, wordsOf } from '../../fakes/teams/organisation.ts';
import { makeSender, type Place, type TeamsSender } from '../../fakes/teams/sender.ts';
import { addConversation, addUser } from '../../fakes/teams/server.ts';
import type { TeamsUser } from '../../fakes/teams/tenant.ts';

let it: TeamsServer;
let sender: TeamsSender;
beforeAll(async () => {
  it = await startTeamsServer();
  sender = makeSender(it.teams, () => it.server.url);
});
// The deployment has one tenant of its own. Each test finds it not connected, with nothing pending.
async function disconnect(): Promise<void> {
  const { ChannelInstallation } = await import('../../../models/channelInstallation.ts');
  const { TenantClaim } = await import('../../../models/tenantClaim.ts');
  const { UnconnectedCall } = await import('../../../models/unconnectedCall.ts');
  const { announce } = await import('../../../models/store/revisions.ts');
  const key = `${it.own.appId}/${it.own.id}`;
  await ChannelInstallation.deleteMany({ key });
  await Promise.all([TenantClaim.deleteMany({ key }), UnconnectedCall.deleteMany({})]);
  announce(0, ['integrations']);
  it.own.posts.clear();
  it.teams.recover();
}
beforeEach(disconnect);
afterAll(disconnect);
afterAll(() => it.stop());

async function verifiedOwner(): Promise<Person> {
  const owner = await signUpReady(it.server);
  const { User } = await import('../../../models/user.ts');
  await User.updateOne({ _id: owner.user.id }, { $set: { emailVerified: true } });
  return owner;
}
const chatOf = (email: string, more: Partial<TeamsUser> = {}): Place => {
  const user = addUser(it.own, 'Ada', email, more);
  return { tenant: it.own, user, conversation: addConversation(it.own, 'personal', [user]) };
};
const waiting = async ({ browser }: Person) => (await browser.get('/api/teams/tenants').expect(200)).body;
/** Tenants waiting for an owner's confirmation; determined after the message is acknowledged. */
const begun = (owner: Person) =>
  eventually(async () => {
    const tenants = await waiting(owner);
    return tenants.length > 0 && tenants;
  }, 'a connection that waits');
const confirm = ({ browser }: Person, id: string) => browser.post(`/api/teams/tenants/${id}/connect`);
const isConnected = async ({ browser }: Person) =>
  (await browser.get('/api/oauth/status/all')).body.teams.authenticated as boolean;
const installations = async () => {
  const { ChannelInstallation } = await import('../../../models/channelInstallation.ts');
  return ChannelInstallation.find({ key: `${it.own.appId}/${it.own.id}` }).lean();
};

/** Whether every call from a tenant has been processed. */
const isAnswered = async (tenantId: string) => {
  const { UnconnectedCall } = await import('../../../models/unconnectedCall.ts');
  const rows = await UnconnectedCall.find({ _id: { $regex: tenantId } }).lean();
  return rows.length > 0 && rows.every(({ status }) => status === 'done');
};

describe('before an organisation is connected', () => {
  test('a call is acknowledged before the roster is asked, and answered once however often Teams sends it', async () => {
    const owner = await verifiedOwner();
    const place = chatOf(owner.email);
    const { UnconnectedCall } = await import('../../../models/unconnectedCall.ts');
    it.teams.silence(/GET .*members/, 1);
    const asked = it.teams.callsOf(/members/).length;
    // The roster does not answer, so the acknowledgement did not wait for it.
    for (let time = 0; time < 3; time += 1)
      expect((await sender.message(place, 'help', { id: `same-${place.conversation.id}` })).status).toBe(200);
    expect(it.teams.callsOf(/members/)).toHaveLength(asked);
    // A restarted process finishes what this one has not.
    const due = { status: 'due' as const };
    await UnconnectedCall.updateMany(due, { $set: { dueAt: new Date(0) } });
    const { sweepUnconnected } = await import('../../../bot/channels/teams/install/unconnected.ts');
    await Promise.all([sweepUnconnected(), sweepUnconnected()]);
    await postWith({ tenant: it.own }, /confirm on .*\/teams-bot/);
    await sender.message(place, 'help', { id: `same-${place.conversation.id}` });
    await sweepUnconnected();
    expect(postsOf(it.own)).toHaveLength(1);
    expect(await UnconnectedCall.countDocuments(due)).toBe(0);
    expect(JSON.stringify(await UnconnectedCall.find({}).lean())).not.toContain('"help"');
  });

  test('a roster that is briefly unavailable is asked again', async () => {
    const owner = await verifiedOwner();
    it.teams.fail(/GET .*members/, 503, 1);
    await sender.message(chatOf(owner.email), 'help');
    const { UnconnectedCall } = await import('../../../models/unconnectedCall.ts');
    const put = await eventually(() => UnconnectedCall.findOne({ status: 'due', attempts: 1 }).lean(), 'a first try');
    expect(put.status).toBe('due');
    const { sweepUnconnected } = await import('../../../bot/channels/teams/install/unconnected.ts');
    await eventually(async () => {
      await UnconnectedCall.updateMany({ status: 'due', attempts: 1 }, { $set: { dueAt: new Date(0) } });
      await sweepUnconnected();
      return postsOf(it.own).length > 0;
    }, 'the answer');
    expect(wordsOf(postsOf(it.own)[0] as never)).toMatch(/confirm on/);
  });
});

describe('the deployment’s own tenant', () => {
  /** @shows GET /api/teams/tenants, POST /api/teams/tenants/:id/connect */
  test('waits for its owner’s confirmation on the web: until then nothing is answered, then everything is', async () => {
    const owner = await verifiedOwner();
    const place = chatOf(owner.email);
    expect((await sender.message(place, 'help')).status).toBe(200);
    const told = await postWith({ tenant: it.own }, /confirm on .*\/teams-bot/);
    expect(told.conversationId).toBe(place.conversation.id);
    expect(await isConnected(owner)).toBe(false);
    expect(await installations()).toEqual([]);
    const [tenant] = await waiting(owner);
    expect(tenant).toMatchObject({ tenantId: it.own.id, by: 'Ada Okafor' });
    const { error } = (await owner.browser.get('/api/teams/status')).body;
    expect(error).toContain('waiting for an owner');

    await confirm(owner, tenant.id).expect(200);
    await postWith({ tenant: it.own }, /connected to this organisation now/);
    expect(await isConnected(owner)).toBe(true);
    expect(await waiting(owner)).toEqual([]);
    expect((await owner.browser.get('/api/teams/status')).body).toMatchObject({ status: 'active', error: null });
    await sender.message(place, 'help');
    await postWith({ tenant: it.own }, /I never set a severity/);
    // Messages before the confirmation are not answered.
    expect(postsOf(it.own).filter((post) => /I never set a severity/.test(wordsOf(post)))).toHaveLength(1);
  });

  test('asks for confirmation also when the owner installs the app', async () => {
    const owner = await verifiedOwner();
    await sender.install(chatOf(owner.email));
    await postWith({ tenant: it.own }, /confirm on .*\/teams-bot/);
    expect(await waiting(owner)).toHaveLength(1);
  });

  test('in a channel, tells only the author what to do', async () => {
    const owner = await verifiedOwner();
    const { user } = chatOf(owner.email);
    const conversation = addConversation(it.own, 'channel', [user]);
    await sender.message({ tenant: it.own, user, conversation }, 'help');
    const told = await postWith({ tenant: it.own }, /confirm on .*\/teams-bot/);
    expect(it.own.conversations.get(told.conversationId)).toMatchObject({ type: 'personal' });
    expect(postsOf(it.own)).toHaveLength(1);
    await sender.send({ ...sender.envelope({ tenant: it.own, user, conversation }, 'message'), text: 'talk' }, it.own);
    expect(postsOf(it.own)).toHaveLength(1);
  });

  const nobodies: [what: string, more: Partial<TeamsUser>, change: ((owner: Person) => Promise<void>) | null][] = [
    ['a guest with the owner’s e-mail', { userRole: 'guest' }, null],
    ['someone of another tenant', { tenantId: '11111111-1111-4111-8111-111111111111' }, null],
    ['someone without an e-mail', { email: '' }, null],
    [
      'an owner whose e-mail is not verified',
      {},
      async ({ user }) => {
        const { User } = await import('../../../models/user.ts');
        await User.updateOne({ _id: user.id }, { $set: { emailVerified: false } });
      },
    ],
    [
      'a member who is not an owner',
      {},
      async ({ user }) => {
        const { Member } = await import('../../../models/member.ts');
        await Member.updateOne({ userId: user.id }, { $set: { roles: ['approver'] } });
      },
    ],
  ];
  test.each(nobodies)('%s starts no claim with a message', async (_what, more, change) => {
    const owner = await verifiedOwner();
    await change?.(owner);
    await sender.message(chatOf(owner.email, more), 'help');
    await postWith({ tenant: it.own }, /not connected to this organisation/);
    const { TenantClaim } = await import('../../../models/tenantClaim.ts');
    expect(await TenantClaim.find({}).lean()).toEqual([]);
  });

  test('is the only one claimed this way, even if another directory gives the owner’s e-mail', async () => {
    const owner = await verifiedOwner();
    const foreign = it.teams.addTenant({ appId: it.own.appId });
    const user = addUser(foreign, 'Ada', owner.email);
    const place = { tenant: foreign, user, conversation: addConversation(foreign, 'personal', [user]) };
    const asked = it.teams.callsOf(/members/).length;
    expect((await sender.message(place, 'help')).status).toBe(200);
    await eventually(
      async () => [...foreign.posts.values()].length > 0 || (await isAnswered(foreign.id)),
      'the answer',
    );
    expect(await waiting(owner)).toEqual([]);
    // People of that directory are not even looked up.
    expect(it.teams.callsOf(/members/)).toHaveLength(asked);
  });

  /** @shows /teams-bot no permission, POST /api/teams/tenants/:id/connect */
  test('is confirmed only by an owner of the account, never by another account', async () => {
    const owner = await verifiedOwner();
    await sender.message(chatOf(owner.email), 'help');
    const [{ id }] = await begun(owner);
    const other = await verifiedOwner();
    expect(await waiting(other)).toEqual([]);
    const { Member } = await import('../../../models/member.ts');
    const both = { accountId: other.user.accountId, userId: owner.user.id, roles: ['owner'] };
    await Member.create(both as never);
    // Not even if the author owns both accounts.
    await confirm(other, id).expect(404);
    await it.server.browser().post(`/api/teams/tenants/${id}/connect`).expect(401);
    await confirm(owner, 'x').expect(400);
    const member = await signUp(it.server);
    await Member.updateOne({ userId: member.user.id }, { $set: { roles: ['approver'] } });
    const { announce } = await import('../../../models/store/revisions.ts');
    announce(member.user.accountId, ['account']);
    await confirm(member, id).expect(403);
    await member.browser.get('/api/teams/tenants').expect(403);
    expect(await installations()).toEqual([]);
  });

  test('does not go to an account whose owner wrote but no longer owns it', async () => {
    const owner = await verifiedOwner();
    const place = chatOf(owner.email);
    await sender.message(place, 'help');
    const [{ id }] = await begun(owner);
    const second = await verifiedOwner();
    const { Member } = await import('../../../models/member.ts');
    await Member.updateOne({ userId: owner.user.id }, { $set: { roles: ['member'] } });
    await Member.updateOne({ userId: second.user.id }, { $set: { accountId: owner.user.accountId } });
    const { confirmTenant } = await import('../../../bot/channels/teams/install/claims.ts');
    const who = { accountId: owner.user.accountId, userId: second.user.id } as never;
    await expect(confirmTenant(who, id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await installations()).toEqual([]);
  });

  test('forgets a claim of a person who is erased', async () => {
    const owner = await verifiedOwner();
    await sender.message(chatOf(owner.email), 'help');
    expect(await begun(owner)).toHaveLength(1);
    const { dangerouslyForgetPerson } = await import('../../../models/store/accountRows.ts');
    await dangerouslyForgetPerson(owner.user.accountId, owner.user.id, 'Ada Okafor', 'Someone');
    const { TenantClaim } = await import('../../../models/tenantClaim.ts');
    expect(await TenantClaim.find({}).lean()).toEqual([]);
  });

  test('goes to one of two accounts that confirm at once; confirming twice connects it once', async () => {
    const [one, other] = [await verifiedOwner(), await verifiedOwner()];
    for (const owner of [one, other]) await sender.message(chatOf(owner.email), 'help');
    const claims = await Promise.all([one, other].map(async (owner) => (await begun(owner))[0].id as string));
    const sent = await Promise.all([
      confirm(one, String(claims[0])),
      confirm(other, String(claims[1])),
      confirm(one, String(claims[0])),
    ]);
    const rows = await installations();
    expect(rows).toHaveLength(1);
    const winner = rows[0]?.accountId === one.user.accountId ? one : other;
    expect(await isConnected(winner)).toBe(true);
    expect(await isConnected(winner === one ? other : one)).toBe(false);
    for (const { status } of sent) expect([200, 404, 422]).toContain(status);
    expect(sent.some(({ status }) => status === 200)).toBe(true);
    await postWith({ tenant: it.own }, /connected to this organisation now/);
    expect(await waiting(one)).toEqual([]);
    expect(await waiting(other)).toEqual([]);
    // After it was disconnected, earlier messages claim nothing.
    const { TenantClaim } = await import('../../../models/tenantClaim.ts');
    expect(await TenantClaim.find({}).lean()).toEqual([]);
    const told = postsOf(it.own).filter((post) => /connected to this organisation now/.test(wordsOf(post)));
    expect(told).toHaveLength(1);
  });
});
