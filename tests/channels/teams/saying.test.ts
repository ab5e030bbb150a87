/** @environment teams */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { findApprovers, readMember, requireMember } from '../../../bot/channels/teams/identity/people.ts';
import { findReference, refreshReference, rosterOf } from '../../../bot/channels/teams/install/references.ts';
import { requireSender, sourceOf } from '../../../bot/channels/teams/listeners/source.ts';
import { addressOf, placeOfConversation } from '../../../bot/channels/teams/platform/address.ts';
import { type FileAnswer, findOffer, handOverFile } from '../../../bot/channels/teams/talk/handOver.ts';
import { teamsChannel } from '../../../bot/channels/teams/talk/outbound.ts';
import { requireReachable } from '../../../bot/channels/teams/talk/reach.ts';
import { toggleIntegration } from '../../../bot/engine/accounts/integrations.ts';
import { changePreferences } from '../../../bot/engine/preferences/preferences.ts';
import { Account } from '../../../models/account.ts';
import type { ChannelReferenceRow } from '../../../models/channelReference.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import { keepFile } from '../../../models/files.ts';
import type { InterruptRow } from '../../../models/interrupt.ts';
import { Message, type MessageRow } from '../../../models/message.ts';
import type { Who } from '../../../models/policies/who.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { teams } from '../../environments/teams.ts';
import { makeInterrupt } from '../../factories/interrupt.ts';
import { addMember } from '../../factories/members.ts';
import { makeMessage } from '../../factories/message.ts';
import { type Server, startServer } from '../../factories/server.ts';
import { addConversation } from '../../factories/stepContext.ts';
import { connectOrganisation, makeActivity } from '../../factories/teamsPlace.ts';
import { codeOf, nextNumber } from '../../factories/who.ts';
import { postsOf, verbsOf, wordsOf } from '../../fakes/teams/organisation.ts';
import { addConversation as addPlace, addUser } from '../../fakes/teams/server.ts';
import type { Conversation, TeamsUser, Tenant } from '../../fakes/teams/tenant.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

let tenant: Tenant;
let made: Awaited<ReturnType<typeof connectOrganisation>>;
let owner: Who;
/** The owner in Teams. */
let ada: TeamsUser;
beforeEach(async () => {
  tenant = teams.addTenant();
  made = await connectOrganisation(nextNumber(), tenant);
  owner = await addMember({ accountId: made.accountId });
  ada = addUser(tenant, 'Ada in Teams', owner.email);
});
const inAccount = <T>(work: () => Promise<T>) => runInAccount(made.accountId, work);
const consentToAll = async () => {
  await Account.create({ _id: made.accountId, name: 'Quillmere' });
  await inAccount(() => changePreferences(owner, { channelConsent: { slack: 'full', teams: 'full' } }));
};
const activityIn = (place: Conversation, from: TeamsUser) =>
  makeActivity({
    serviceUrl: teams.serviceUrl,
    from: { id: from.id, aadObjectId: from.aadObjectId },
    conversation: { id: place.id, conversationType: place.type },
    ...(place.teamId ? { channelData: { team: { id: place.teamId } } } : {}),
  });
/** A conversation with the app and these people; the first one has written there. */
async function converse(type: Conversation['type'], people: [TeamsUser, ...TeamsUser[]] = [ada], thread?: string) {
  const place = addPlace(tenant, type, people);
  const id = thread ? `${place.id};messageid=${thread}` : place.id;
  return inAccount(async () => {
    await refreshReference(await made.find(), activityIn(place, people[0]));
    const at = placeOfConversation(made.key, id);
    const conversation = await addConversation(made.accountId, { address: addressOf(at) });
    return { place, conversation, at, reference: (await findReference(at)) as ChannelReferenceRow };
  });
}
const posts = () => postsOf(tenant);
const said = () => posts().map(wordsOf);

const message = (change: Partial<MessageRow> = {}) => makeMessage(made.accountId, change);
const sendingOf = (reference: Record<string, unknown> | null = null) => {
  const kept: Record<string, unknown>[] = [];
  return {
    kept,
    sending: { reference, keep: async (come: Record<string, unknown>) => void kept.push(structuredClone(come)) },
  };
};
const attachment = (name: string) => ({ name, size: 3, type: 'text/csv', url: `/api/download/${name}` });

describe('a message', () => {
  const say = async (
    conversation: ConversationRow,
    row: MessageRow,
    reference: Record<string, unknown> | null = null,
  ) => {
    const { kept, sending } = sendingOf(reference);
    return { come: await inAccount(() => teamsChannel.say(conversation, row, sending)), kept };
  };

  test('is one activity, in its thread', async () => {
    const { conversation, place } = await converse('channel', [ada], '17');
    const { come, kept } = await say(conversation, message());
    expect(posts()).toMatchObject([{ conversationId: `${place.id};messageid=17` }]);
    expect(said()[0]).toContain('Hello.');
    expect(come).toEqual({ ids: [posts()[0]?.id] });
    expect(kept).toEqual([]);
  });

  test('to one person is sent at once if it is short', async () => {
    const { conversation } = await converse('personal');
    const { come, kept } = await say(conversation, message());
    expect(tenant.typing.filter(({ entities }) => entities.length > 0)).toEqual([]);
    expect(come).toEqual({ ids: [posts()[0]?.id] });
    expect(kept).toEqual([]);
  });

  test('offers its files to one person, links them elsewhere, and continues after what was sent', async () => {
    const row = message({ kind: 'upload', attachments: [attachment('a.csv'), attachment('b.csv')] });
    const { conversation } = await converse('personal');
    const { come, kept } = await say(conversation, row);
    const ids = posts().map(({ id }) => id);
    expect(ids).toHaveLength(3);
    expect(come).toEqual({ ids });
    expect(kept.map((it) => (it.ids as string[]).length).filter((length) => length > 0)).toEqual([1, 2]);
    await say(conversation, row, { ids: ids.slice(0, 2) });
    expect(posts()).toHaveLength(4);
    expect(posts().at(-1)?.activity).toMatchObject({ summary: 'b.csv' });
    const group = await converse('groupChat');
    await say(group.conversation, row);
    expect(said().at(-1)).toContain('Files in Arc');
    expect(posts()).toHaveLength(6);
  });

  test('contains what consent allows', async () => {
    const { conversation } = await converse('groupChat');
    const derived = { redacted: 'Redacted.', reference: 'A reference.' };
    await say(conversation, message({ derived }));
    expect(said()[0]).toContain('A reference.');
    await consentToAll();
    await say(conversation, message({ derived }));
    expect(said()[1]).toContain('Hello.');
  });

  test('that Teams refuses because the app is gone ends the conversation', async () => {
    const { conversation, place, at } = await converse('groupChat');
    place.installed = false;
    await expect(say(conversation, message())).rejects.toMatchObject({ name: 'PermanentError' });
    expect(await inAccount(() => findReference(at))).toBeNull();
  });

  test('to a deleted thread leaves its channel alone', async () => {
    const { conversation, at } = await converse('channel', [ada], '17');
    teams.fail(/POST .*messageid/, 404, 1, undefined, 'ConversationNotFound');
    await expect(say(conversation, message())).rejects.toMatchObject({ name: 'PermanentError' });
    expect(await inAccount(() => findReference(at))).not.toBeNull();
  });
});

describe('a person’s identity', () => {
  test('comes from the roster: a team’s for its channels', async () => {
    const stranger = addUser(tenant, 'Ben', 'ben@example.org');
    for (const type of ['personal', 'groupChat', 'channel'] as const) {
      const { conversation } = await converse(type);
      const identify = (id: string) =>
        inAccount(async () => teamsChannel.identify?.(conversation, `${made.key}/${id}`));
      expect(await identify(ada.id)).toMatchObject({ who: { userId: owner.userId }, mayAsk: true });
      expect(await identify(stranger.id)).toMatchObject({ who: null, mayAsk: false });
    }
  });

  test('is nobody’s if the roster does not have them, and undecided if Teams fails', async () => {
    const { reference } = await converse('groupChat');
    const target = rosterOf(await made.find(), reference);
    expect(await readMember(target, ada.id)).toMatchObject({ email: owner.email });
    expect(await readMember(target, '29:nobody')).toBeNull();
    teams.fail(/GET .*members/, 403, 1);
    await expect(readMember(target, ada.id)).rejects.toMatchObject({ cause: { answered: 403 } });
  });

  test('is a member’s after a click, even if the app is not in the conversation', async () => {
    const ben = addUser(tenant, 'Ben', 'ben@example.org');
    const { reference } = await converse('groupChat', [ada, ben]);
    const member = async (id: string) => inAccount(async () => requireMember(await made.find(), reference, id));
    expect((await member(ada.id)).userId).toBe(owner.userId);
    expect(await codeOf(member(ben.id))).toBe('not_allowed');
    const elsewhere = { ...addPlace(tenant, 'groupChat', [ada]), id: '19:unknown' };
    const behind = async (place: Conversation, user: TeamsUser) =>
      inAccount(async () => requireSender(sourceOf(await made.find(), activityIn(place, user))));
    expect(await codeOf(behind(elsewhere, ada))).toBe('not_allowed');
    await converse('personal');
    expect((await behind(elsewhere, ada)).userId).toBe(owner.userId);
    expect(await codeOf(behind(elsewhere, ben))).toBe('not_allowed');
  });

  test('gets notices privately, in their own chat, which is opened if needed', async () => {
    const { conversation } = await converse('groupChat');
    const tell = (of: ConversationRow) =>
      inAccount(async () => teamsChannel.tellPrivately?.(of, `${made.key}/${ada.id}`, 'Psst.'));
    await tell(conversation);
    const [opened] = posts();
    expect(opened).toMatchObject({ conversationId: `a:opened-${ada.id.slice(3)}`, text: 'Psst.' });
    await tell(conversation);
    expect(teams.callsOf(/POST \/v3\/conversations$/).filter(({ tenant: of }) => of === tenant.id)).toHaveLength(1);
    const { conversation: personal, place } = await converse('personal');
    await tell(personal);
    expect(posts().at(-1)).toMatchObject({ conversationId: place.id, text: 'Psst.' });
    await inAccount(() => toggleIntegration(owner, 'teams', false));
    await tell(personal);
    expect(posts()).toHaveLength(3);
  });
});

describe('the people who may answer a question', () => {
  const question = (change: Partial<InterruptRow> = {}) => makeInterrupt({ accountId: made.accountId, ...change });
  const approvers = async (reference: ChannelReferenceRow, row = question()) =>
    inAccount(async () => (await findApprovers(await made.find(), reference, row)).sort());
  const colleague = async (roles: Who['roles'], change: object = {}, more: Partial<TeamsUser> = {}) => {
    const who = await addMember({ accountId: made.accountId, roles, ...change });
    return addUser(tenant, 'Colleague', who.email, more);
  };

  test('are found in the roster by verified e-mail, among members with the permission', async () => {
    const approver = await colleague(['approver']);
    const people = [
      ada,
      approver,
      await colleague(['member']),
      await colleague(['approver'], { emailVerified: false }),
      await colleague(['approver'], {}, { userRole: 'guest' }),
    ] as [TeamsUser, ...TeamsUser[]];
    await colleague(['approver']);
    const { reference } = await converse('groupChat', people);
    expect(await approvers(reference)).toEqual([ada.id, approver.id].sort());
    // Once a Clinical Safety Officer is appointed, a review is for them and their deputies.
    const officer = await colleague(['clinical-safety-officer']);
    const { reference: second } = await converse('groupChat', [...people, officer]);
    expect(await approvers(second, question({ interruptType: 'hazard_review' }))).toEqual([officer.id]);
    expect(await approvers(second)).toEqual([ada.id, approver.id, officer.id].sort());
  });

  test('are known without asking again if they were seen there before', async () => {
    const { conversation, reference } = await converse('groupChat');
    await inAccount(async () => teamsChannel.identify?.(conversation, `${made.key}/${ada.id}`));
    const asked = () => teams.callsOf(/GET .*pagedmembers/).filter(({ tenant: of }) => of === tenant.id).length;
    expect(await approvers(reference)).toEqual([ada.id]);
    expect(asked()).toBe(0);
    await colleague(['approver']);
    await approvers(reference);
    expect(asked()).toBe(1);
    const personal = await converse('personal');
    await approvers(personal.reference);
    expect(asked()).toBe(1);
    teams.fail(/GET .*pagedmembers/, 403, 1);
    expect(await approvers(reference)).toEqual([ada.id]);
    // Another organisation of the account knows them by another id, or not at all.
    tenant = teams.addTenant();
    made = await connectOrganisation(made.accountId, tenant);
    const elsewhere = await converse('groupChat', [addUser(tenant, 'Ben', 'ben@example.org')]);
    expect(await approvers(elsewhere.reference)).toEqual([]);
  });
});

describe('a question', () => {
  const ask = async (conversation: ConversationRow | null) => {
    const row = makeInterrupt({
      _id: nextNumber(),
      accountId: made.accountId,
    });
    const asked = { ...row, id: row._id, createdAt: '', resolvedAt: null } as unknown as Parameters<
      typeof teamsChannel.ask
    >[0];
    return {
      asked,
      reference: await inAccount(() => teamsChannel.ask(asked, { surface: 'teams' } as never, conversation)),
    };
  };
  const redraw = (asked: object, reference: object | null) =>
    inAccount(() =>
      teamsChannel.redraw(
        { ...asked, status: 'cancelled' } as never,
        { accountId: made.accountId, reference } as never,
      ),
    );

  test('is a card in its conversation, which is redrawn when it is closed', async () => {
    const { conversation, at } = await converse('groupChat');
    const { asked, reference } = await ask(conversation);
    const [post] = posts();
    expect(reference).toEqual({ ...at, id: post?.id });
    expect(post?.activity.summary).toBe('Clara, Clinical safety officer: a question');
    await redraw(asked, reference);
    expect(posts()).toMatchObject([{ updates: 1 }]);
    expect(said()[0]).toContain('Withdrawn');
    await redraw(asked, null);
    expect(posts()).toMatchObject([{ updates: 1 }]);
    tenant.posts.clear();
    await redraw(asked, reference);
    teams.fail(/PUT /, 403, 1, undefined, 'MessageWritesBlocked');
    await expect(redraw(asked, reference)).rejects.toMatchObject({ cause: { answered: 403 } });
  });

  test('is asked in Teams only if it was started there', async () => {
    expect((await ask(null)).reference).toBeNull();
    expect(posts()).toEqual([]);
  });

  test('has buttons in the chats of people who may answer, and not in other chats', async () => {
    const ben = addUser(tenant, 'Ben', (await addMember({ accountId: made.accountId, roles: ['member'] })).email);
    const [mine, his] = [await converse('personal'), await converse('personal', [ben])];
    await inAccount(async () => teamsChannel.identify?.(mine.conversation, `${made.key}/${ada.id}`));
    for (const { conversation } of [mine, his]) await ask(conversation);
    expect(posts().map(({ card }) => verbsOf(card).length > 0)).toEqual([true, false]);
  });
});

describe('an offered file', () => {
  const NAME = 'log.csv';
  const offer = async (change: Partial<MessageRow> = {}) => {
    const { conversation, at } = await converse('personal');
    await inAccount(() =>
      keepFile({
        accountId: made.accountId,
        name: NAME,
        kind: 'export',
        key: NAME,
        type: 'x',
        bytes: Buffer.from('a,b'),
      }),
    );
    const row = message({ conversationId: conversation._id, attachments: [attachment(NAME)], ...change });
    await inAccount(() => Message.create(row as never));
    const upload = `u-${nextNumber()}`;
    const uploadInfo = {
      contentUrl: 'https://onedrive.example/log.csv',
      uploadUrl: `${teams.url}/upload/${tenant.id}/${upload}`,
      name: NAME,
      uniqueId: 'unique',
      fileType: 'csv',
    };
    const answer: FileAnswer = {
      userId: ada.id,
      context: { messageId: String(row._id), name: NAME },
      uploadInfo,
      offerId: null,
    };
    const hand = async (more: Partial<FileAnswer> = {}, step?: string) => {
      const { kept, sending } = sendingOf(step ? { step } : null);
      const work = inAccount(async () =>
        handOverFile(await requireReachable(at), conversation, { ...answer, ...more }, sending),
      );
      return {
        ...(await work.then(
          (result) => ({ result }),
          (error) => ({ error }),
        )),
        kept,
      };
    };
    const bytes = () => tenant.uploads.get(upload)?.bytes.toString('utf8');
    return { conversation, row, answer, hand, bytes };
  };

  test('is uploaded to the person’s OneDrive on acceptance, and shown there', async () => {
    const { hand, bytes } = await offer();
    expect(await hand()).toEqual({
      result: { step: 'shown' },
      kept: ['begun', 'put', 'shown'].map((step) => ({ step })),
    });
    expect(bytes()).toBe('a,b');
    expect(posts()[0]?.activity).toMatchObject({
      summary: NAME,
      attachments: [{ name: NAME, content: { uniqueId: 'unique' } }],
    });
  });

  test('stays in Arc if declined, and the offer disappears', async () => {
    const { hand, bytes } = await offer();
    const { conversation } = await converse('groupChat');
    expect(conversation).toBeDefined();
    expect(await hand({ uploadInfo: null })).toMatchObject({ kept: [{ step: 'put' }, { step: 'shown' }] });
    expect(bytes()).toBeUndefined();
    expect(said()).toEqual([expect.stringContaining(`${NAME} stays in Arc.`)]);
  });

  test('loses its offer, without repeating completed steps', async () => {
    const { hand, bytes } = await offer();
    await hand();
    const [offerId] = posts().map(({ id }) => id) as [string];
    expect(await hand({ offerId }, 'put')).toMatchObject({ kept: [{ step: 'shown' }] });
    expect(tenant.posts.has(offerId)).toBe(false);
    expect(posts()).toHaveLength(1);
    expect(await hand({}, 'shown')).toMatchObject({ result: { step: 'shown' }, kept: [] });
    expect(posts()).toHaveLength(1);
    expect(bytes()).toBe('a,b');
    expect(await hand({ offerId: 'gone' }, 'shown')).toMatchObject({ result: { step: 'shown' } });
  });

  test('goes only to members, and belongs to this conversation', async () => {
    const { hand, bytes, conversation, answer } = await offer();
    const refused = { name: 'PermanentError', message: 'The file was not handed over.', told: expect.any(String) };
    expect(await hand({ userId: '29:nobody' })).toMatchObject({ error: refused, kept: [] });
    for (const context of [
      { ...answer.context, name: 'other.csv' },
      { ...answer.context, messageId: String(new Types.ObjectId()) },
    ])
      expect(await hand({ context })).toMatchObject({ error: refused, kept: [] });
    expect(bytes()).toBeUndefined();
    const find = (of: ConversationRow) => inAccount(() => findOffer(of, answer.context));
    expect(await find(conversation)).not.toBeNull();
    expect(await find(await inAccount(() => addConversation(made.accountId)))).toBeNull();
  });

  test('is sent only while the company consents', async () => {
    const derived = { redacted: 'R', reference: 'R' };
    const { hand, bytes } = await offer({ derived });
    expect(await hand()).toMatchObject({ error: { name: 'PermanentError' } });
    await consentToAll();
    expect(await hand()).toMatchObject({ result: { step: 'shown' } });
    expect(bytes()).toBe('a,b');
  });

  test('that the host refuses permanently is reported; temporary errors are retried', async () => {
    const { hand } = await offer();
    teams.fail(/PUT \/upload/, 503, 1);
    expect(await hand()).toMatchObject({ error: { name: 'TeamsRefusal', answered: 503 }, kept: [{ step: 'begun' }] });
    teams.fail(/PUT \/upload/, 403, 1);
    expect(await hand()).toMatchObject({
      error: { name: 'PermanentError', told: expect.stringContaining(`Teams did not confirm that ${NAME}`) },
    });
  });
});
